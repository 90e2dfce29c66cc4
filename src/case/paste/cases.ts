import type { CaseFormat } from '../case-format.ts';
import type { Draft, Parsed } from './draft.ts';
import { speaks } from './draft.ts';
import { finishDraft } from './finish-draft.ts';
import { readLabel } from './label-line.ts';
import { finishPair, splitPair } from './pair.ts';
import { begins } from './phrases.ts';
import { numbered } from './problems.ts';
import { readText } from './read-text.ts';
import { excerpt, withoutMarks } from './text.ts';

const isRule = (line: string): boolean =>
  /^[ \t]{0,8}(?:-{3,200}|={3,200}|—{3,200}|_{3,200}|\*{3,200})[ \t]{0,8}$/.test(withoutMarks(line));

const isBlank = (line: string): boolean => withoutMarks(line).trim() === '';

const isUserLine = (line: string, format: CaseFormat): boolean => {
  const meaning = readLabel(line, format)?.meaning;
  return meaning?.kind === 'role' && meaning.role === 'user';
};

/** A way in which cases stand below each other. */
interface Split {
  /** Where one ends, for a message. */
  where: string;
  /** Whether a line begins a part, or divides two and is in none. */
  at: (line: string, before: string | undefined, format: CaseFormat) => 'begins' | 'divides' | null;
  /** The fewest such lines. */
  least: number;
  /** Whether a first part in which nobody speaks belongs to the first case. */
  takesLead: boolean;
}

const AT_RULES: Split = {
  where: 'the lines of dashes',
  at: (line) => (isRule(line) ? 'divides' : null),
  least: 1,
  takesLead: false,
};

const AT_NUMBERS: Split = {
  where: 'their numbers',
  at: (line, _, { words }) => (begins(line, 'caseHeader', words) ? 'begins' : null),
  least: 2,
  takesLead: true,
};

const AT_BLANK_LINES: Split = {
  where: 'the blank lines (remove those if it is one conversation)',
  at: (line, before, format) =>
    before !== undefined && isBlank(before) && isUserLine(line, format) ? 'begins' : null,
  least: 1,
  takesLead: true,
};

interface Part {
  text: string;
  draft: Draft;
}

/** The lines of a text in parts; null where they are not several. */
function cut(lines: readonly string[], split: Split, format: CaseFormat): string[] | null {
  const { at, least } = split;
  const parts: string[][] = [[]];
  for (const [index, line] of lines.entries()) {
    const kind = at(line, lines[index - 1], format);
    if (kind !== null) parts.push([]);
    if (kind !== 'divides') parts.at(-1)?.push(line);
  }
  const filled = parts.map((part) => part.join('\n')).filter((part) => !isBlank(part));
  // Numbers below the first turn are those of a list.
  if (split === AT_NUMBERS && parts[0]?.some((line) => readLabel(line, format)?.meaning.kind === 'role'))
    return null;
  return parts.length <= least || filled.length < 2 ? null : filled;
}

/** The cases of a split, each with both sides; a part where nobody speaks belongs to the one before it. Null where there are not two. */
function partsOf(lines: readonly string[], split: Split, format: CaseFormat): Part[] | null {
  const cases: { text: string; draft: Draft | null }[] = [];
  let lead = '';
  for (const text of cut(lines, split, format) ?? []) {
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
  if (cases.length < 2) return null;
  return cases.map(({ text, draft }) => ({ text, draft: draft ?? readText(text, format) }));
}

/** Whether a part between blank lines begins with the user, ends with an answer and has no blank line between its turns. */
const isBlock = ({ draft: { turns } }: Part): boolean =>
  turns[0]?.role === 'user' &&
  turns.at(-1)?.role === 'system' &&
  turns.slice(0, -1).every(({ text }) => !/\n[ \t]*$/.test(text));

/** Whether one exchange goes on with what was said in the one before it. */
function goesOn({ draft: { turns } }: Part, before: Part | undefined, { words }: CaseFormat): boolean {
  const answer = before?.draft.turns.at(-1)?.text.trimEnd();
  const isAsked = answer !== undefined && /\?["'”“)]?$/.test(answer);
  return before !== undefined && (isAsked || begins(turns[0]?.text.trim() ?? '', 'followUp', words));
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

function finishParts(parts: readonly Part[], assumed: readonly string[], { where }: Split): Parsed[] {
  return parts.map(({ draft }, index) => {
    const split = `split into ${parts.length} cases at ${where}: this is case ${index + 1}`;
    draft.assumed.unshift(...assumed, split);
    return numbered(finishText(draft), `Case ${index + 1} of ${parts.length}`);
  });
}

/** Two answers to one request, or several such between lines of dashes; null for any other text. */
function readPairs(text: string, format: CaseFormat, assumed: readonly string[]): Parsed[] | null {
  const texts = cut(text.split('\n'), AT_RULES, format) ?? [text];
  const pairs = texts.map((part) => splitPair(part, format)).filter((pair) => pair !== null);
  return pairs.length < texts.length ? null : pairs.map((pair) => finishPair(pair, format, assumed));
}

/** The cases of a text with labels: between lines of dashes, below headers or numbers, else between blank lines where nothing says that they go on. */
export function readCases(marked: string, format: CaseFormat, assumed: readonly string[]): Parsed[] | Draft {
  const pairs = readPairs(marked, format, assumed);
  if (pairs) return pairs;
  const lines = marked.split('\n');
  for (const split of [AT_RULES, AT_NUMBERS]) {
    const parts = partsOf(lines, split, format);
    if (parts) return finishParts(parts, assumed, split);
  }
  const parts = partsOf(lines, AT_BLANK_LINES, format);
  const areBlocks = parts?.every(isBlock) ?? false;
  const areExchanges = areBlocks && parts?.every(({ draft: { turns } }) => turns.length === 2);
  if (parts && areExchanges && !parts.some((part, at) => goesOn(part, parts[at - 1], format)))
    return finishParts(parts, assumed, AT_BLANK_LINES);
  const draft = readText(marked, format);
  draft.assumed.unshift(...assumed);
  if (areBlocks) draft.assumed.push('read as one conversation: put a line "---" between cases of their own');
  return draft;
}
