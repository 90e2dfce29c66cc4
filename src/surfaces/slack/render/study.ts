import type { KnownBlock, ModalView } from '@slack/types';
import { counted, grouped, safeText } from '../../../common/text/index.ts';
import { type Answers, casesEach, type Study, type StudyCase } from '../../../studies/index.ts';
import { caseSections, guideSection, studyForm, studyInvitation, studyRef } from '../../desks/index.ts';
import type { DetailsSection } from '../../views/index.ts';
import { allCases } from '../../wording/index.ts';
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

const studyCaseBlocks = (shown: StudyCase): KnownBlock[] =>
  caseSections(shown).flatMap(({ title, entries }) => [header(title), ...entryBlocks(entries)]);

/** The guide for annotators of a case. */
const standardBlocks = (study: Study, shown: StudyCase): KnownBlock[] =>
  sectionBlocks(guideSection(study, shown));

/**
 * The whole case and its guide, in pages, to open on top of the form.
 *
 * @param place position in the annotator's order
 * @param page from 0; clamped to the existing pages
 */
export function studyCaseView(study: Study, shown: StudyCase, place: number, page: number): ModalView {
  const { blocks } = pageBlocks(
    [],
    [...studyCaseBlocks(shown), ...standardBlocks(study, shown)],
    page,
    {
      back: actions.studyCaseBack,
      next: actions.studyCasePage,
      value: (to) => `${studyRef(study)} ${place} ${to}`,
    },
    'en',
  );
  return {
    type: 'modal',
    title: plain(`Case ${place + 1}`, limits.viewTitle),
    close: plain('Back to the form', limits.viewButton),
    blocks,
  };
}

/** The blocks for the case and the inputs; the rest is for the guide and the surrounding lines. */
const MOST_BLOCKS = limits.viewBlocks - 15;
/** The fewest blocks left for the case, and its most characters. */
const LEAST_CASE_BLOCKS = 20;
const CASE_TEXT = 8_000;

const WHOLE = 'Whole case and guide';

const moreText = (more: number, of: string): string =>
  `${counted(more, 'more part')} of ${of}: open “${WHOLE}”.`;

/** The guide, shown above an annotator's first case. */
function guideBlocks(study: Study, shown: StudyCase): KnownBlock[] {
  const [first = [], ...others] = blockPages(standardBlocks(study, shown), { blocks: 10, text: 2_500 });
  const more = others.flat().length;
  return more === 0 ? first : [...first, context(moreText(more, 'the guide'))];
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
}

/** The form for a case. A case that is too long is cut between blocks; a button opens all of it. */
export function studyView({ study, shown, index, about, answers, done, guide }: StudyViewInput): ModalView {
  const { place } = about;
  const form = studyForm(study, index, about, answers);
  const blocks = Math.max(LEAST_CASE_BLOCKS, MOST_BLOCKS - form.parts.length);
  const pages = blockPages(studyCaseBlocks(shown), { blocks, text: CASE_TEXT });
  const more = pages.slice(1).flat().length;
  const value = `${studyRef(study)} ${place}`;
  const back = button({ text: '← Case before', action: actions.studyBack, value });
  const whole = button({ text: WHOLE, action: actions.studyCase, value });
  return formView(forms.study, about, form, [
    context(
      `${grouped(done)} of ${grouped(casesEach(study))} done. What you send is kept; stop whenever you like.`,
    ),
    ...(guide ? guideBlocks(study, shown) : []),
    ...(pages[0] ?? []),
    ...(more === 0 ? [] : [context(moreText(more, 'this case'))]),
    buttonRow(...(place === 0 ? [] : [back]), whole),
  ]);
}

/** A notice in place of a form. */
export const studyNotice = (text: string, more: KnownBlock[] = []): ModalView => ({
  type: 'modal',
  title: plain('Study', limits.viewTitle),
  close: plain('Close', limits.viewButton),
  blocks: [paragraph(words(text)), ...more],
});

/**
 * The closing view once all cases are done; answers can still be changed.
 * @param about what the next form would be about
 */
export const studyDone = (study: Study, about: AboutForm<'study'>): ModalView => ({
  ...studyNotice(`${allCases(casesEach(study), ` of “${study.name}”`)} done. Thank you!`, [
    buttonRow(
      button({
        text: '← Change my answers',
        action: actions.studyBack,
        value: `${studyRef(study)} ${about.place}`,
      }),
    ),
  ]),
  private_metadata: JSON.stringify(about),
});
