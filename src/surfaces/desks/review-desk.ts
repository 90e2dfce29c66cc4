import { erasedCase } from '../../benchmark/index.ts';
import { isFromChat } from '../../case/index.ts';
import { type Viewer, visibleVerdict } from '../../labels/access/index.ts';
import {
  answerReview,
  checkedThisWeek,
  countToReview,
  isNamedReviewer,
  type NextReview,
  nextReview,
  type ReviewInvitation,
  type ReviewLabel,
  type ReviewOffer,
  type ReviewParts,
  reviewChoices,
  reviewInvitation,
  skipReviews,
  volunteer,
} from '../../reviews/index.ts';
import { type Language, wordsIn } from '../../words/index.ts';
import type { ChatMessage, MessageButton, MessagePart } from '../chat/index.ts';
import type { SurfaceHost } from '../index.ts';
import type { DetailsSection } from '../views/index.ts';
import { shortened, shortLine } from '../wording/index.ts';
import { caseSections, guideOf } from './study-desk.ts';

/** What checking answers needs, on every surface. */
export type ReviewDesk = Pick<SurfaceHost, 'store' | 'benchmarkRuns' | 'now'> &
  Pick<ReviewParts, 'library'> & {
    /** The language of the person who is asked. */
    texts: { language: Language };
  };

/** Whether a text is the command that shows answers to check. */
export const isReviewCommand = (text: string): boolean => /^\s*reviews?\s*$/i.test(text);

/** An answer by its run and its place there, as the value of a button. */
const refOf = ({ run, place }: Pick<ReviewOffer, 'run' | 'place'>): string => `${place} ${run}`;

/** Reads {@link refOf}, optionally followed by a page; null for anything else. */
export function readReviewRef(text: string): { run: string; place: number; page: number } | null {
  const { place, run, page } =
    /^(?<place>\d{1,9}) (?<run>[\w.-]{1,80})(?: (?<page>\d{1,6}))?$/.exec(text)?.groups ?? {};
  return place === undefined || run === undefined
    ? null
    : { run, place: Number(place), page: Number(page ?? 0) };
}

/** What a person pressed in a message about answers to check. */
export type ReviewPress =
  | { does: 'start'; again: boolean }
  | { does: 'week' | 'never' }
  | { does: 'answer'; right: ReviewLabel['right']; run: string; place: number };

/** The value of the button that makes a person a volunteer again who wanted never to be asked. */
const AGAIN = 'again';

const ANSWERS = {
  pass: 'review-right',
  fail: 'review-wrong',
  unsure: 'review-unsure',
} as const satisfies Record<ReviewLabel['right'], MessageButton['does']>;

/** What a button does that was pressed, with its value; null for another button. */
export function readReviewPress(does: string, value: string): ReviewPress | null {
  if (does === 'review-start') return { does: 'start', again: value === AGAIN };
  if (does === 'review-skip') return { does: 'week' };
  if (does === 'review-never') return { does: 'never' };
  const choice = reviewChoices.find(({ right }) => ANSWERS[right] === does);
  const about = readReviewRef(value);
  return choice === undefined || about === null ? null : { ...about, does: 'answer', right: choice.right };
}

/** Benchmark runs as one person may see them: cases from chats only if they may read the verdict that the case was copied from. */
export async function reviewPartsFor(
  { store, library, benchmarkRuns, now }: ReviewDesk,
  viewer: Viewer,
): Promise<ReviewParts> {
  const runs = await benchmarkRuns();
  const caseAt: ReviewParts['runs']['caseAt'] = async (name, index) => {
    const evalCase = await runs.caseAt(name, index);
    if (!isFromChat(evalCase)) return evalCase;
    const visible = await visibleVerdict(store, evalCase.id ?? '', viewer, now());
    return visible === null ? erasedCase(evalCase) : evalCase;
  };
  return { store, library, now, runs: { ...runs, caseAt } };
}

/**
 * Keeps what a person pressed. Pressing again changes nothing.
 *
 * @returns what to say of it; null if it counts, and there is nothing to say
 * @throws JuryError `store-unavailable`: nothing was kept
 */
export async function keepReview(
  desk: ReviewDesk,
  voter: string,
  press: ReviewPress,
): Promise<string | null> {
  switch (press.does) {
    case 'start':
      await volunteer(desk, voter, press.again);
      return null;
    case 'week':
    case 'never':
      await skipReviews(desk, voter, press.does);
      return null;
    case 'answer': {
      const { kind } = await answerReview(desk, voter, press, press.right);
      return kind === 'kept' ? null : wordsIn(desk.texts.language).reviews.answered[kind];
    }
  }
}

const button = (label: string, does: MessageButton['does'], id = ''): MessageButton => ({ label, does, id });
const skipButtons = (language: Language): [notThisWeek: MessageButton, never: MessageButton] => {
  const words = wordsIn(language).reviews;
  return [button(words.notThisWeek, 'review-skip'), button(words.never, 'review-never')];
};

const line = (text: string): MessagePart => ({ kind: 'line', runs: [text] });
const note = (text: string): MessagePart => ({ kind: 'note', text });
const notes = (text: string | null): MessagePart[] => (text === null ? [] : [note(text)]);

const INVITING = {
  start: 'review-start',
  'skip-week': 'review-skip',
  never: 'review-never',
} as const satisfies Record<ReviewInvitation['buttons'][number]['does'], MessageButton['does']>;

/** The private message that asks a person to check answers. */
export const reviewMessage = ({ text, about, buttons }: ReviewInvitation): ChatMessage => ({
  text,
  parts: [{ kind: 'line', runs: [{ bold: text }] }, ...notes(about)],
  buttons: buttons.map((one) => button(one.text, INVITING[one.does])),
});

/** The most that a message shows of a case and of its rubric; together they stay below any chat's limit for one message. */
const most = {
  entries: 12,
  section: 1_800,
  task: 700,
  criteria: 12,
  rules: 2_600,
  rule: 500,
  name: 120,
} as const;
/** Texts up to this length need no block of their own. */
const SHORT = 120;

type Entries = DetailsSection['entries'];

/**
 * Entries as parts, each set apart from what Jury says: short ones as a list, long ones as quotes.
 *
 * @param spoken what people look for first, which is a quote however short it is
 */
function entryParts(entries: Entries, spoken: Entries[number] | undefined): MessagePart[] {
  const parts: MessagePart[] = [];
  let short: Entries[number][] = [];
  const close = (): void => {
    if (short.length > 0)
      parts.push({
        kind: 'list',
        items: short.map(({ name, text }) => [{ bold: name }, `  ${text}`]),
        more: null,
      });
    short = [];
  };
  for (const entry of entries)
    if (entry !== spoken && entry.text.length <= SHORT && !entry.text.includes('\n')) short.push(entry);
    else {
      close();
      parts.push({ kind: 'line', runs: [{ bold: entry.name }] }, { kind: 'quote', text: entry.text });
    }
  close();
  return parts;
}

/** Entries as far as there is room for them, and whether that is all. @param fromEnd which are left out if there are too many */
function roomed(entries: Entries, fromEnd: boolean): { shown: Entries; isWhole: boolean } {
  const kept = fromEnd ? entries.slice(-most.entries) : entries.slice(0, most.entries);
  const size = kept.reduce((sum, { text }) => sum + text.length, 0);
  const each = size <= most.section ? most.section : Math.floor(most.section / kept.length);
  const shown = kept.map((entry) => ({ ...entry, text: shortened(entry.text, each) }));
  const isWhole = kept.length === entries.length && kept.every(({ text }) => text.length <= each);
  return { shown, isWhole };
}

/** What the rubric asks, and whether that is all of it. */
function ruleParts(
  { title, task, criteria }: ReviewOffer['standard'],
  language: Language,
): {
  parts: MessagePart[];
  isWhole: boolean;
} {
  const shown = criteria.slice(0, most.criteria);
  const size = shown.reduce((sum, { rule }) => sum + rule.length, 0);
  const each = size <= most.rules ? most.rules : Math.min(most.rule, Math.floor(most.rules / shown.length));
  const items = shown.map((one) => [
    { bold: shortLine(one.title, most.name) },
    `  ${shortened(one.rule, each)}`,
  ]);
  const left = criteria.length - shown.length;
  const asked = task === '' ? '' : ` ${shortened(task, most.task)}`;
  return {
    parts: [
      {
        kind: 'line',
        runs: [{ bold: wordsIn(language).reviews.isRight }, ` ${shortLine(title, most.name)}.${asked}`],
      },
      ...(items.length === 0
        ? []
        : [{ kind: 'list' as const, items, more: left === 0 ? null : wordsIn(language).card.andMore(left) }]),
    ],
    isWhole: left === 0 && task.length <= most.task && shown.every(({ rule }) => rule.length <= each),
  };
}

/** One answer to check, without the verdict. @param said what to say of what was pressed before */
export function offerMessage(offer: ReviewOffer, said: string | null, language: Language): ChatMessage {
  const words = wordsIn(language).reviews;
  const title = words.title(offer);
  // The user's part comes first and ends with the request; the system's begins with the response.
  const sections = caseSections(offer, language).map(({ title: of, entries }, index) => {
    const fitted = roomed(entries, index === 0);
    return { title: of, ...fitted, spoken: fitted.shown.at(index === 0 ? -1 : 0) };
  });
  const rules = ruleParts(offer.standard, language);
  const isWhole = rules.isWhole && sections.every((one) => one.isWhole);
  const id = refOf(offer);
  return {
    text: title,
    parts: [
      ...notes(said),
      { kind: 'title', text: title },
      ...sections.flatMap(({ title: of, shown, spoken }): MessagePart[] => [
        { kind: 'title', text: of },
        ...entryParts(shown, spoken),
      ]),
      ...rules.parts,
      ...(isWhole ? [] : [note(words.shortened)]),
    ],
    buttons: [
      button(words.right, ANSWERS.pass, id),
      button(words.wrong, ANSWERS.fail, id),
      button(words.notSure, ANSWERS.unsure, id),
      ...(isWhole ? [] : [button(words.whole, 'review-case', id)]),
      ...skipButtons(language),
    ],
  };
}

/** Why there is nothing to check, and what the person can do. */
function restMessage(
  kind: Exclude<NextReview['kind'], 'offer'>,
  checked: number,
  said: string | null,
  isNamed: boolean,
  language: Language,
): ChatMessage {
  const words = wordsIn(language).reviews;
  const [notThisWeek, never] = skipButtons(language);
  const why = kind === 'not-volunteer' ? words.nothingYet : words.none[kind];
  const text = checked === 0 ? why : words.checked({ count: checked, why });
  const buttons = {
    // Only people who are named are ever asked.
    'not-volunteer': isNamed ? [button(words.askWhenThere, 'review-start'), never] : [],
    never: [button(words.askAgain, 'review-start', AGAIN)],
    'not-this-week': [never],
    enough: [never],
    'not-asked': [notThisWeek, never],
    past: [notThisWeek, never],
    none: [notThisWeek, never],
  } satisfies Record<typeof kind, MessageButton[]>;
  return { text, parts: [...notes(said), line(text)], buttons: buttons[kind] };
}

/**
 * The next answer for a person to check, the invitation if they have not volunteered, or why there is nothing to check.
 *
 * @param said what to say of what they pressed before
 * @throws JuryError `store-unavailable`
 */
export async function reviewNow(desk: ReviewDesk, viewer: Viewer, said: string | null): Promise<ChatMessage> {
  const next = await nextReview(await reviewPartsFor(desk, viewer), viewer.voter);
  const { language } = desk.texts;
  if (next.kind === 'offer') return offerMessage(next.offer, said, language);
  if (next.kind === 'not-volunteer') {
    const count = await countToReview(desk, viewer.voter);
    if (count > 0) return reviewMessage(reviewInvitation(count, true, language));
    return restMessage(next.kind, 0, said, await isNamedReviewer(desk, viewer.voter), language);
  }
  return restMessage(next.kind, await checkedThisWeek(desk, viewer.voter), said, true, language);
}

/** All of a case, and what it is judged by. */
export const wholeOf = (offer: ReviewOffer, language: Language) => ({
  title: wordsIn(language).reviews.wholeTitle(offer.number),
  id: refOf(offer),
  sections: [...caseSections(offer, language), guideOf(offer.standard, language)],
});

/**
 * All of the case that a person is checking and what the rubric asks; why not, if they are not checking this one.
 *
 * @throws JuryError `store-unavailable`
 */
export async function wholeReview(
  desk: ReviewDesk,
  viewer: Viewer,
  { run, place }: Pick<ReviewOffer, 'run' | 'place'>,
): Promise<{ title: string; id: string; sections: DetailsSection[] } | { why: string }> {
  const next = await nextReview(await reviewPartsFor(desk, viewer), viewer.voter);
  if (next.kind !== 'offer' || next.offer.run !== run || next.offer.place !== place)
    return { why: wordsIn(desk.texts.language).reviews.answered.gone };
  return wholeOf(next.offer, desk.texts.language);
}
