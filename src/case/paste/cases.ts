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

/** The lines of a text in parts; a line that begins a part is its first, one that only divides is in none. */
function partsAt(
  lines: readonly string[],
  boundary: (line: string, at: number) => 'begins' | 'divides' | null,
): string[] {
  const parts: string[][] = [[]];
  for (const [at, line] of lines.entries()) {
    const kind = boundary(line, at);
    if (kind !== null) parts.push([]);
    if (kind !== 'divides') parts.at(-1)?.push(line);
  }
  return parts.map((part) => part.join('\n'));
}

interface Part {
  text: string;
  draft: Draft;
}

/** The parts as cases, where each has both sides; a part where nobody speaks belongs to the one before it, or first of all to the first. */
function casesOf(parts: readonly string[], takesLead: boolean, format: CaseFormat): Part[] | null {
  const cases: { text: string; draft: Draft | null }[] = [];
  let lead = '';
  const filled = parts.filter((part) => !isBlank(part));
  if (filled.length < 2) return null;
  for (const text of filled) {
    const draft = readText(text, format);
    const last = cases.at(-1);
    if (draft.turns.length > 0) {
      if (!speaks(draft, 'user') || !speaks(draft, 'system')) return null;
      cases.push(lead === '' ? { text, draft } : { text: `${lead}\n${text}`, draft: null });
      lead = '';
    } else if (last) Object.assign(last, { text: `${last.text}\n${text}`, draft: null });
    else if (takesLead) lead = text;
    else return null;
  }
  if (cases.length < 2) return null;
  return cases.map(({ text, draft }) => ({ text, draft: draft ?? readText(text, format) }));
}

const isUserLine = (line: string, format: CaseFormat): boolean => {
  const meaning = readLabel(line, format)?.meaning;
  return meaning?.kind === 'role' && meaning.role === 'user';
};

/** Whether one exchange goes on with what was said in the one before it. */
function goesOn({ draft: before }: Part, { draft: { turns } }: Part, { words }: CaseFormat): boolean {
  const answer = before.turns.at(-1)?.text.trimEnd() ?? '';
  const [next] = turns;
  return /\?["'”“)]?$/.test(answer) || (next !== undefined && begins(next.text.trim(), 'followUp', words));
}

/** Whether parts between blank lines are cases of their own: one exchange each, without a blank line before its answer. */
function areExchanges(parts: readonly Part[], format: CaseFormat): boolean {
  return parts.every(
    ({ text, draft }) =>
      draft.turns.length === 2 &&
      draft.turns[0]?.role === 'user' &&
      !/\n[ \t]*\n[^\n]*$/.test(text.slice(0, answerAt(text, format))),
  );
}

/** Where the line that begins the answer begins. */
function answerAt(text: string, format: CaseFormat): number {
  let at = 0;
  for (const line of text.split('\n')) {
    const meaning = readLabel(line, format)?.meaning;
    if (meaning?.kind === 'role' && meaning.role === 'system') break;
    at += line.length + 1;
  }
  return at;
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

function numberedCases(parts: readonly Part[], assumed: readonly string[], where: string): Parsed[] {
  return parts.map(({ draft }, index) => {
    draft.assumed.unshift(
      ...assumed,
      `split into ${parts.length} cases at ${where}: this is case ${index + 1}`,
    );
    return numbered(finishText(draft), `Case ${index + 1} of ${parts.length}`);
  });
}

/** Two answers to one request, or several such between lines of dashes; null for any other text. */
function readPairs(
  lines: readonly string[],
  format: CaseFormat,
  assumed: readonly string[],
): Parsed[] | null {
  const texts = partsAt(lines, (line) => (isRule(line) ? 'divides' : null)).filter((text) => !isBlank(text));
  const pairs = texts.map((text) => splitPair(text, format)).filter((pair) => pair !== null);
  return pairs.length === 0 || pairs.length < texts.length
    ? null
    : pairs.map((pair) => finishPair(pair, format, assumed));
}

const ONE = 'read as one conversation: put a line "---" between cases of their own';

/** The cases of a text with labels: between lines of dashes, below headers or numbers, else between blank lines where nothing says that they go on. */
export function readCases(marked: string, format: CaseFormat, assumed: readonly string[]): Parsed[] | Draft {
  const lines = marked.split('\n');
  const pairs = readPairs(lines, format, assumed);
  if (pairs) return pairs;
  const ruled = lines.some(isRule)
    ? casesOf(
        partsAt(lines, (line) => (isRule(line) ? 'divides' : null)),
        false,
        format,
      )
    : null;
  if (ruled) return numberedCases(ruled, assumed, 'the lines of dashes');
  const isHeader = (line: string) => begins(line, 'caseHeader', format.words);
  const headed =
    lines.filter(isHeader).length > 1
      ? casesOf(
          partsAt(lines, (line) => (isHeader(line) ? 'begins' : null)),
          true,
          format,
        )
      : null;
  if (headed) return numberedCases(headed, assumed, 'their numbers');
  const opens = (line: string, at: number) =>
    at > 0 && isBlank(lines[at - 1] ?? '') && isUserLine(line, format) ? 'begins' : null;
  const blocks = casesOf(partsAt(lines, opens), true, format);
  const isSplit = blocks !== null && areExchanges(blocks, format);
  if (isSplit && !blocks.some((block, at) => at > 0 && goesOn(blocks[at - 1] ?? block, block, format)))
    return numberedCases(blocks, assumed, 'the blank lines (remove those if it is one conversation)');
  const draft = readText(marked, format);
  draft.assumed.unshift(...assumed);
  if (isSplit) draft.assumed.push(ONE);
  return draft;
}
