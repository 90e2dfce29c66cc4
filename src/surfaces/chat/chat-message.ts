import { type EvalCase, lastRequest, namedAnswers } from '../../case/index.ts';
import type { Card, CardPart, CriterionRow } from '../../judging/card/index.ts';
import type { Verdict } from '../../judging/verdict/index.ts';
import { type Language, wordsIn } from '../../words/index.ts';
import { blindQuestion, type Standard, shortened, shortLine, toneMark } from '../wording/index.ts';

/** A stretch of a line: plain, emphasized, or a link to `url`. */
export type Run = string | { bold: string } | { italic: string } | { link: string; url: string };

export interface MessageLine {
  kind: 'line';
  runs: readonly Run[];
}

/** What a message shows, from top to bottom. Any text may be untrusted. */
export type MessagePart =
  | MessageLine
  | { kind: 'title' | 'example' | 'quote' | 'note'; text: string }
  /** In `rows`, each item begins with its own mark. `more` says how many are left out. */
  | { kind: 'list' | 'rows'; items: readonly (readonly Run[])[]; more: string | null };

/**
 * A button of a message.
 * - `form`, `details`, `study`: opens a draft's form, a verdict's details, or the next case of a study.
 * - `example`, `judge-edited`, `judge-these`: judges the message's example, the edited request, or messages of a thread.
 * - `stop`, `try-again`: stops a request, or takes up one that failed once more.
 * - `unsure-remark`, `unsure-answer`: says whether unclear lines are a remark or belong to the answer.
 * - `trust-reading`: judges what a model read.
 * - `review-start` to `review-never`: shows the next answer to check, says what is right, or skips; `review-case` opens the whole case.
 */
export interface MessageButton {
  label: string;
  does:
    | ('form' | 'details' | 'study' | 'example' | 'judge-edited' | 'judge-these' | 'stop' | 'try-again')
    | ('unsure-remark' | 'unsure-answer' | 'trust-reading')
    | ('review-start' | 'review-right' | 'review-wrong' | 'review-unsure' | 'review-case')
    | ('review-skip' | 'review-never');
  /** The id of its object; empty for a new form and the example; {@link theseValue} for messages of a thread. */
  id: string;
}

/** The value of a button that judges messages of a thread. @param draft the id of the question's draft */
export const theseValue = (choice: number, draft: string): string => `${choice} ${draft}`;

/** Reads {@link theseValue}; null for anything else. */
export function readTheseValue(value: string): { choice: number; draft: string } | null {
  const { choice, draft } = /^(?<choice>\d) (?<draft>\S+)$/.exec(value)?.groups ?? {};
  return choice === undefined || draft === undefined ? null : { choice: Number(choice), draft };
}

/** A message that all chats show alike. */
export interface ChatMessage {
  /** In a sentence, for notifications and screen readers. */
  text: string;
  parts: readonly MessagePart[];
  /** The most important first. */
  buttons: readonly MessageButton[];
}

export const line = (...runs: Run[]): MessageLine => ({ kind: 'line', runs });
export const note = (text: string): MessagePart => ({ kind: 'note', text });

/** What was said in a case whose verdict is hidden: nothing but the case. @param text shortens each text */
export const blindTexts = (evalCase: EvalCase, text: (whole: string) => string) =>
  [{ name: 'User', text: lastRequest(evalCase) }, ...namedAnswers(evalCase)].map((speech) => ({
    name: shortLine(speech.name, 60),
    text: text(speech.text) || '–',
  }));

/**
 * What people see of a case before they answer, if its verdict is hidden. It is made of the case and the rubric alone; the
 * verdict's outcome, reasons, votes and cost must never be part of it.
 * @param text shortens each text; default: 600 characters. The whole case is one click away.
 */
export const blindLines = (
  { evalCase, verdict }: { evalCase: EvalCase; verdict: Verdict },
  standard: Standard,
  language: Language,
  text = (whole: string) => shortened(whole, 600),
): MessageLine[] => [
  ...blindTexts(evalCase, text).map((speech) => line({ bold: `${speech.name}: ` }, speech.text)),
  line(blindQuestion(verdict, standard, language)),
];

/** The most entries of each part of a card; the others are counted and listed in the details. */
const most = { rows: 8, held: 20, sides: 4, notes: 3, asks: 2 } as const;
/** The most characters of each text. Together they stay below any chat's limit for one message, as a test checks. */
const room = {
  reason: 400,
  request: 160,
  title: 100,
  held: 800,
  row: 300,
  panel: 400,
  note: 300,
  fact: 80,
} as const;

/** The first `shown` rows, and the number of the others. */
function rowLines(
  rows: readonly CriterionRow[],
  shown: number,
  more: (left: number) => string,
): MessagePart[] {
  const left = rows.length - shown;
  const lines = rows
    .slice(0, shown)
    .map(({ tone, title, text }) =>
      line(
        `${toneMark(tone)} `,
        { bold: shortLine(title, room.title) },
        ...(text === '' ? [] : [`  ${shortLine(text, room.row)}`]),
      ),
    );
  return left > 0 ? [...lines, note(more(left))] : lines;
}

/** As many names as fit into one line. */
function namesLine(mark: string, names: readonly string[], language: Language): MessagePart {
  const shown = names.slice(0, most.held);
  const left = names.length - shown.length;
  return line(
    `${mark}${shortLine(shown.join(' · '), room.held)}${left > 0 ? ` ${wordsIn(language).card.andMore(left)}` : ''}`,
  );
}

/** Failing rows, and the first of those that ask for something: each line of a card asks its reader to do something. */
function criteriaLines(rows: readonly CriterionRow[], more: (left: number) => string): MessagePart[] {
  const failing = rows.filter(({ tone }) => tone === 'fail').slice(0, most.rows);
  const asking = rows.filter(({ tone }) => tone !== 'fail').slice(0, most.asks);
  const shown = [...failing, ...asking];
  const lines = rowLines(shown, shown.length, more);
  const left = rows.length - shown.length;
  return left > 0 ? [...lines, note(more(left))] : lines;
}

function noteLines(lines: readonly string[], shown: number, more: (left: number) => string): MessagePart[] {
  const notes = lines.slice(0, shown).map((one) => note(shortLine(one, room.note)));
  const left = lines.length - shown;
  return left > 0 ? [...notes, note(more(left))] : notes;
}

/**
 * A part of a card as lines. What models and people wrote is shortened (`shortLine`): a chat refuses long messages.
 *
 * @param showsRequest whether to show what the user said; the thread of a paste already shows it
 */
export function cardLines(
  part: Exclude<CardPart, { kind: 'actions' }>,
  showsRequest: boolean,
  language: Language,
): MessagePart[] {
  const words = wordsIn(language).card;
  switch (part.kind) {
    case 'headline':
      return [
        line({ bold: `${toneMark(part.tone)} ${part.label}` }, ` – ${shortLine(part.reason, room.reason)}`),
      ];
    case 'ruling':
      return [line('⚖️ ', { bold: shortLine(part.ruled, room.title) }, shortLine(part.by, room.note))];
    case 'request': {
      const name = part.id === null ? '' : `${shortLine(part.id, room.title)}  `;
      return showsRequest ? [note(`${name}${words.quoted(shortLine(part.text, room.request))}`)] : [];
    }
    case 'criteria':
      return criteriaLines(part.rows, words.moreCriteria);
    case 'held':
      return [
        namesLine(
          '✅ ',
          part.titles.map((title) => shortLine(title, room.title)),
          language,
        ),
      ];
    case 'scores':
      return [
        namesLine(
          '',
          part.scores.map(({ title, score }) => `${shortLine(title, room.title)} ${score}`),
          language,
        ),
      ];
    case 'sides': {
      const rows = part.opinions.map(({ tone, judge, text }) => ({ tone, title: judge, text }));
      return rowLines(rows, most.sides, words.moreAnswers);
    }
    case 'panel': {
      const dissent = part.dissent === null ? '' : ` · ${shortLine(part.dissent, room.panel)}`;
      return [line(`${shortLine(part.text, room.panel)}${dissent}`)];
    }
    case 'asks':
      return noteLines(part.lines, Math.max(0, most.asks - part.before), words.moreInDetails);
    case 'notes':
      return noteLines(part.lines, most.notes, words.moreInDetails);
    case 'footer':
      return [note(part.facts.map((fact) => shortLine(fact, room.fact)).join(' · '))];
    // Shown in the details.
    case 'opinions':
    case 'usage':
      return [];
  }
}

/** A card in one sentence. */
export function cardText([head]: Card, { why }: Pick<Verdict, 'why'>): string {
  return head?.kind === 'headline' ? `${head.label} – ${head.reason}` : why;
}
