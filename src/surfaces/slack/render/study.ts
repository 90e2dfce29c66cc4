import type { KnownBlock, ModalView } from '@slack/types';
import { safeText } from '../../../common/text/index.ts';
import { type Answers, casesEach, type Study, type StudyCase } from '../../../studies/index.ts';
import { type Language, wordsIn } from '../../../words/index.ts';
import { caseSections, guideSection, studyForm, studyInvitation, studyRef } from '../../desks/index.ts';
import type { DetailsSection } from '../../views/index.ts';
import { actions } from '../ids.ts';
import {
  blockPages,
  bold,
  button,
  buttonRow,
  context,
  header,
  limits,
  pageBlocks,
  paragraph,
  plain,
  rich,
  type SlackMessage,
  section,
  words,
} from './blocks.ts';
import { long, sectionBlocks } from './details.ts';
import { type AboutForm, forms, formView } from './form.ts';
import { noticeMessage } from './notices.ts';

/** Reads {@link studyRef}, optionally followed by a place and a page; null for any other value. */
export function readStudyValue(text: string): { id: string; at: number; place: number; page: number } | null {
  const { id, at, place, page } =
    /^(?<id>\S{1,40}) (?<at>\d{1,16}(?:\.\d{1,9})?)(?: (?<place>\d{1,6}))?(?: (?<page>\d{1,6}))?$/.exec(text)
      ?.groups ?? {};
  return id === undefined ? null : { id, at: Number(at), place: Number(place ?? 0), page: Number(page ?? 0) };
}

/** The direct message from which an annotator starts. */
export const studyMessage = (...about: Parameters<typeof studyInvitation>): SlackMessage =>
  noticeMessage(studyInvitation(...about));

/** Entries up to this length share a block, so that a whole case can be seen at once. */
const SHORT = 200;
/** The most short entries in one block. */
const TOGETHER = 12;

type Entries = DetailsSection['entries'];

const isShort = (entry: Entries[number] | undefined): boolean =>
  entry !== undefined && entry.text.length <= SHORT;

function entryBlocks(entries: Entries): KnownBlock[] {
  const groups: Entries[number][][] = [];
  for (const entry of entries) {
    const last = groups.at(-1) ?? [];
    if (isShort(entry) && isShort(last[0]) && last.length < TOGETHER) last.push(entry);
    else groups.push([entry]);
  }
  return groups.flatMap((group) => {
    const [first] = group;
    if (first !== undefined && !isShort(first)) return long(bold(first.name), first.text);
    const lines = group.flatMap(({ name, text }, index) => [
      ...words(index === 0 ? '' : '\n'),
      ...bold(name),
      ...words(`  ${safeText(text).trim()}`),
    ]);
    return [rich(section(lines))];
  });
}

const studyCaseBlocks = (shown: StudyCase, language: Language): KnownBlock[] =>
  caseSections(shown, language).flatMap(({ title, entries }) => [header(title), ...entryBlocks(entries)]);

/** The guide for annotators of a case. */
const standardBlocks = (study: Study, shown: StudyCase, language: Language): KnownBlock[] =>
  sectionBlocks(guideSection(study, shown, language));

/**
 * The whole case and its guide, in pages, to open on top of the form.
 *
 * @param at `place`: position in the annotator's order; `page`: from 0, clamped to the existing pages
 */
export function studyCaseView(
  study: Study,
  shown: StudyCase,
  { place, page }: { place: number; page: number },
  language: Language,
): ModalView {
  const { form } = wordsIn(language).studies;
  const { blocks } = pageBlocks(
    [],
    [...studyCaseBlocks(shown, language), ...standardBlocks(study, shown, language)],
    page,
    {
      back: actions.studyCaseBack,
      next: actions.studyCasePage,
      value: (to) => `${studyRef(study)} ${place} ${to}`,
    },
    language,
  );
  return {
    type: 'modal',
    title: plain(form.caseTitle(place + 1), limits.viewTitle),
    close: plain(form.toForm, limits.viewButton),
    blocks,
  };
}

/** The blocks for the case and the inputs; the rest is for the guide and the surrounding lines. */
const MOST_BLOCKS = limits.viewBlocks - 15;
/** The fewest blocks left for the case, and its most characters. */
const LEAST_CASE_BLOCKS = 20;
const CASE_TEXT = 8_000;

/** The guide, shown above an annotator's first case. */
function guideBlocks(study: Study, shown: StudyCase, language: Language): KnownBlock[] {
  const [first = [], ...others] = blockPages(standardBlocks(study, shown, language), {
    blocks: 10,
    text: 2_500,
  });
  const more = others.flat().length;
  return more === 0 ? first : [...first, context(wordsIn(language).studies.form.moreOfGuide(more))];
}

interface StudyViewInput {
  study: Study;
  shown: StudyCase;
  /** The case's index in the study. */
  index: number;
  about: AboutForm<'study'>;
  /** The annotator's earlier answers. */
  answers: Answers;
  /** How many cases the annotator has done. */
  done: number;
  /** Whether to show the guide above the case. */
  guide: boolean;
  language: Language;
}

/** The form for a case. A case that is too long is cut between blocks; a button opens all of it. */
export function studyView(input: StudyViewInput): ModalView {
  const { study, shown, index, about, answers, done, guide, language } = input;
  const { studies, reviews } = wordsIn(language);
  const words = studies.form;
  const { place } = about;
  const form = studyForm(study, index, about, answers, language);
  const blocks = Math.max(LEAST_CASE_BLOCKS, MOST_BLOCKS - form.parts.length);
  const pages = blockPages(studyCaseBlocks(shown, language), { blocks, text: CASE_TEXT });
  const more = pages.slice(1).flat().length;
  const value = `${studyRef(study)} ${place}`;
  const back = button({ text: words.back, action: actions.studyBack, value });
  const whole = button({ text: reviews.whole, action: actions.studyCase, value });
  return formView(forms.study, about, form, [
    context(words.done({ done, total: casesEach(study) })),
    ...(guide ? guideBlocks(study, shown, language) : []),
    ...(pages[0] ?? []),
    ...(more === 0 ? [] : [context(words.moreOfCase(more))]),
    buttonRow(...(place === 0 ? [] : [back]), whole),
  ]);
}

/** A notice in place of a form. */
export const studyNotice = (text: string, language: Language, more: KnownBlock[] = []): ModalView => ({
  type: 'modal',
  title: plain(wordsIn(language).studies.title, limits.viewTitle),
  close: plain(wordsIn(language).chat.close, limits.viewButton),
  blocks: [paragraph(words(text)), ...more],
});

const doneText = (study: Study, language: Language): string =>
  wordsIn(language).studies.form.allDone({ count: casesEach(study), name: study.name });

/**
 * The closing view once all cases are done; answers can still be changed.
 * @param about what the next form would be about
 */
export const studyDone = (study: Study, about: AboutForm<'study'>, language: Language): ModalView => ({
  ...studyNotice(doneText(study, language), language, [
    buttonRow(
      button({
        text: wordsIn(language).studies.form.change,
        action: actions.studyBack,
        value: `${studyRef(study)} ${about.place}`,
      }),
    ),
  ]),
  private_metadata: JSON.stringify(about),
});
