import type { CaseFormat } from '../case-format.ts';
import { oncePer, type Words } from '../words.ts';
import { type Draft, finishDraft, joinedPair, speaks } from './draft.ts';
import { readLabel } from './label-line.ts';
import { type Role, wordOf } from './labels.ts';
import { begins } from './phrases.ts';
import { numbered, type Parsed } from './problems.ts';
import { readText } from './read-text.ts';
import { excerpt, isBlank, withoutMarks } from './text.ts';

const roleOfLine = (line: string, format: CaseFormat): Role | null => {
  const meaning = readLabel(line, format)?.meaning;
  return meaning?.kind === 'role' ? meaning.role : null;
};

/** A way in which cases stand below each other. */
interface Split {
  /** Where one ends, for a message. */
  where: string;
  /** Whether a line begins a part, or divides two and is in none. */
  at: (line: string, before: string | undefined, format: CaseFormat) => 'begins' | 'divides' | null;
  /** Whether a first part in which nobody speaks belongs to the first case. */
  takesLead: boolean;
}

const RULE = /^[ \t]{0,8}(?:-{3,200}|={3,200}|—{3,200}|_{3,200}|\*{3,200})[ \t]{0,8}$/;
const AT_RULES: Split = {
  where: 'the lines of dashes',
  at: (line) => (RULE.test(withoutMarks(line)) ? 'divides' : null),
  takesLead: false,
};
const AT_NUMBERS: Split = {
  where: 'their numbers',
  at: (line, _, { words }) => (begins(line, 'caseHeader', words) ? 'begins' : null),
  takesLead: true,
};
const AT_BLANK_LINES: Split = {
  where: 'the blank lines (remove those if it is one conversation)',
  at: (line, before, format) =>
    before !== undefined && isBlank(before) && roleOfLine(line, format) === 'user' ? 'begins' : null,
  takesLead: true,
};

/** The parts of a text that say anything. */
function cut(lines: readonly string[], { at }: Split, format: CaseFormat): string[] {
  const parts: string[][] = [[]];
  for (const [index, line] of lines.entries()) {
    const kind = at(line, lines[index - 1], format);
    if (kind !== null) parts.push([]);
    if (kind !== 'divides') parts.at(-1)?.push(line);
  }
  return parts.map((part) => part.join('\n')).filter((part) => !isBlank(part));
}

/** The cases of a split, each with both sides; a part where nobody speaks belongs to the one before it. Null where there are not two. */
function partsOf(lines: readonly string[], split: Split, format: CaseFormat): Draft[] | null {
  const texts = cut(lines, split, format);
  const cases: { text: string; draft: Draft | null }[] = [];
  let lead = '';
  for (const text of texts.length < 2 ? [] : texts) {
    const draft = readText(text, format);
    const last = cases.at(-1);
    if (draft.turns.length > 0) {
      if (!speaks(draft, 'user') || !speaks(draft, 'system')) return null;
      cases.push(lead === '' ? { text, draft } : { text: `${lead}\n${text}`, draft: null });
      lead = '';
    } else if (last) Object.assign(last, { text: `${last.text}\n${text}`, draft: null });
    else if (split.takesLead) lead = text;
    else return null;
  }
  return cases.length < 2 ? null : cases.map(({ text, draft }) => draft ?? readText(text, format));
}

/** Whether a part between blank lines begins with the user, ends with an answer and has no blank line between its turns. */
const isBlock = ({ turns }: Draft): boolean =>
  turns[0]?.role === 'user' &&
  turns.at(-1)?.role === 'system' &&
  turns.slice(0, -1).every(({ text }) => !/\n[ \t]*$/.test(text));

/** Whether one exchange goes on with what was said in the one before it. */
function goesOn({ turns: [said] }: Draft, before: Draft | undefined, { words }: CaseFormat): boolean {
  const answer = before?.turns.at(-1)?.text.trimEnd() ?? '';
  return (
    before !== undefined && (/\?["'”“)]?$/.test(answer) || begins(said?.text.trim() ?? '', 'followUp', words))
  );
}

/** Longest last paragraph that may be a remark about the response, in characters. */
const MAX_REMARK = 200;

/** A draft of a text as a case; a short last paragraph may be a remark, and that it was not taken for one is said. */
export function finishText(draft: Draft): Parsed {
  const parsed = finishDraft(draft);
  if ('problem' in parsed) return parsed;
  const { response } = parsed.case;
  const at = response.lastIndexOf('\n\n');
  const last = response.slice(at + 2);
  if (at < 0 || last.length > MAX_REMARK) return parsed;
  const said = `the last paragraph ("${excerpt(last, 60)}") was read as part of the response: remove it if it is a remark`;
  return { ...parsed, assumed: [...parsed.assumed, said] };
}

function finishParts(parts: readonly Draft[], assumed: readonly string[], { where }: Split): Parsed[] {
  return parts.map((draft, index) => {
    const split = `split into ${parts.length} cases at ${where}: this is case ${index + 1}`;
    draft.assumed.unshift(...assumed, split);
    return numbered(finishText(draft), `Case ${index + 1} of ${parts.length}`);
  });
}

/** A line that begins with what may be the label of an answer. */
const ANSWER =
  /^[\s>*_#•·-]{0,8}([\p{L}][\p{L}\d _-]{0,30}?)[*_]{0,3}[ \t]{0,3}[:：][*_]{0,3}[ \t]{0,8}(.*)$/u;

/** The pair of each label of an answer, and which of the two it is. */
const placesOf = oncePer(
  (words: Words) =>
    new Map(
      words.answers.flatMap((labels, pair) =>
        labels.map((label, at) => [wordOf(label, words), { pair, at }]),
      ),
    ),
);

/** Two answers to one request, `User: …`, `A: …`, `B: …`, each read like any other; null for any other text. */
function readPair(text: string, format: CaseFormat, assumed: readonly string[]): Parsed | null {
  const lines = text.split('\n');
  const labels = lines.flatMap((whole, line) => {
    const [, name = '', value = ''] = ANSWER.exec(whole) ?? [];
    const place = placesOf(format.words).get(wordOf(name, format.words));
    return place === undefined ? [] : [{ ...place, line, name: name.trim(), value }];
  });
  const [one, other, ...more] = labels;
  if (!one || !other || more.length > 0 || one.pair !== other.pair || one.at === other.at) return null;
  const above = lines.slice(0, one.line);
  const asked = readText(above.join('\n'), format);
  // Options within a turn: somebody speaks after them.
  const isTurn = (line: string, at: number) =>
    at > one.line && at !== other.line && roleOfLine(line, format) !== null;
  if (!speaks(asked, 'user') || asked.turns.at(-1)?.role !== 'user' || lines.some(isTurn)) return null;
  const read = ({ value, line }: typeof one, end?: number) =>
    finishDraft(readText([...above, `System: ${value}`, ...lines.slice(line + 1, end)].join('\n'), format));
  const [first, second] = [read(one, other.line), read(other)];
  return one.at === 0
    ? joinedPair(first, second, [one.name, other.name], assumed)
    : joinedPair(second, first, [other.name, one.name], assumed);
}

/** The cases of a text with labels: two answers each, or between lines of dashes, below headers or numbers, else between blank lines where nothing says that they go on. */
export function readCases(marked: string, format: CaseFormat, assumed: readonly string[]): Parsed[] | Draft {
  const lines = marked.split('\n');
  const texts = cut(lines, AT_RULES, format);
  const pairs = texts.map((part) => readPair(part, format, assumed)).filter((pair) => pair !== null);
  if (pairs.length === texts.length && pairs.length > 0) return pairs;
  const number = lines.findIndex((line) => begins(line, 'caseHeader', format.words));
  const isList = lines.slice(0, number).some((line) => roleOfLine(line, format) !== null);
  // Numbers below the first turn are those of a list.
  for (const split of isList ? [AT_RULES] : [AT_RULES, AT_NUMBERS]) {
    const parts = partsOf(lines, split, format);
    if (parts) return finishParts(parts, assumed, split);
  }
  const parts = partsOf(lines, AT_BLANK_LINES, format);
  const areBlocks = parts?.every(isBlock) ?? false;
  const areExchanges = areBlocks && parts?.every(({ turns }) => turns.length === 2);
  if (parts && areExchanges && !parts.some((part, at) => goesOn(part, parts[at - 1], format)))
    return finishParts(parts, assumed, AT_BLANK_LINES);
  const draft = readText(marked, format);
  draft.assumed.unshift(...assumed);
  if (areBlocks) draft.assumed.push('read as one conversation: put a line "---" between cases of their own');
  return draft;
}
