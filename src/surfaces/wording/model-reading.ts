import { type CaseFormat, lineFor, shownFields } from '../../case/format/index.ts';
import { contentOf, type EvalCase, noteKind } from '../../case/index.ts';
import type { NoReading } from '../../reading/index.ts';
import { type Language, wordsIn } from '../../words/index.ts';
import { shortLine } from './safe-text.ts';

/** A case as a model read it. */
export interface ReadByModel {
  case: EvalCase;
  assumed: readonly string[];
}

const NAME = 40;
const TEXT = 300;
/** All texts together, which have to fit into one message of a chat; of each, a share is shown at least. */
const ALL_TEXTS = 2_000;
/** The answer decides whether a reading is right, so more of it is shown. */
const ANSWER = 800;
/** The most lines that are shown of a reading, unless its data alone has more. */
const SHOWN = 30;

/** What a model read of a paste: who says what, the fields, and what is left out, one line each. Of many turns the latest are shown. */
export function readingLines(
  { case: evalCase, assumed }: ReadByModel,
  format: Pick<CaseFormat, 'groups'>,
  language: Language,
): { name: string; text: string }[] {
  const { chat } = wordsIn(language);
  const { conversation, response, ...rest } = contentOf(evalCase);
  const roles = { user: chat.user, system: chat.system };
  const fields = Object.entries(rest)
    .flatMap(([key, value]) => shownFields(key, value, (path) => lineFor(path, format)))
    .map(({ title, text }) => ({ name: title, text: text.replaceAll('\n', ', ') }));
  const leftOut = assumed.flatMap((note) =>
    noteKind(note) === 'left out' ? [{ name: chat.unsure.leftOut, text: note.replace(/^[^:]*: /, '') }] : [],
  );
  const turns = conversation.map(({ role, text }) => ({ name: roles[role], text }));
  const short =
    (length: number) =>
    ({ name, text }: { name: string; text: string }) => ({
      name: shortLine(name, NAME),
      text: shortLine(text, length),
    });
  const others = fields.length + leftOut.length;
  const hidden = Math.max(0, turns.length - Math.max(1, SHOWN - 2 - others));
  const each = Math.min(TEXT, Math.floor(ALL_TEXTS / (turns.length - hidden + others)));
  return [
    ...(hidden === 0 ? [] : [{ name: '…', text: chat.readByModel.earlier(hidden) }]),
    ...turns.slice(hidden).map(short(each)),
    short(ANSWER)({ name: chat.answer, text: response }),
    ...[...fields, ...leftOut].map(short(each)),
  ];
}

/** Says that a model was asked to read a paste and why there is no reading of it. */
export const noReadingText = ({ noReading, model }: NoReading, language: Language): string =>
  wordsIn(language).chat.readByModel.none[noReading](shortLine(model, 200));

/** The problem of a paste that a model could not read either; the model's line comes first. */
export const unreadProblem = (problem: string, none: NoReading): string =>
  `${noReadingText(none, 'en')}\n${problem}`;

/**
 * Says that nothing was judged since no label says who speaks, and what a model read, as text.
 * @param problem why plain reading refused the paste
 * @param how how to have it judged, as a sentence
 */
export function readingText(
  problem: string,
  read: ReadByModel & { reader: { model: string } },
  format: Pick<CaseFormat, 'groups'>,
  how: string,
): string {
  const lines = readingLines(read, format, 'en');
  const width = Math.max(...lines.map(({ name }) => name.length));
  return [
    problem,
    `${read.reader.model} read this:`,
    ...lines.map(({ name, text }) => `  ${name.padEnd(width)}  ${text}`),
    how,
  ].join('\n');
}
