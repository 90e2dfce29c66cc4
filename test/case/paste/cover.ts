import { type EvalCase, isRecord } from '../../../src/case/case.ts';
import type { Parsed } from '../../../src/case/paste/parse-input.ts';
import type { Span } from '../../../src/case/paste/spans.ts';

type Read = Extract<Parsed, { case: EvalCase }>;

/** Words without what a chat, JSON or a label puts around or into them. */
const bare = (text: string): string =>
  text
    .replace(
      /&(?:lt|gt|quot|#39|apos|nbsp|amp);/g,
      (entity) =>
        ({ '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#39;': "'", '&apos;': "'", '&nbsp;': ' ' })[entity] ??
        '&',
    )
    .replace(/\\u([\da-fA-F]{4})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    .replace(/\\[nrtbf]/g, '')
    .replace(/[^\p{L}\p{N}]/gu, '')
    .toLowerCase();

/** Each value of a case that is no object, by the keys that lead to it. */
function leavesOf(value: unknown, path = ''): [path: string, leaf: unknown][] {
  if (Array.isArray(value)) return value.flatMap((item) => leavesOf(item, path));
  if (!isRecord(value)) return value === undefined || value === '' ? [] : [[path, value]];
  return Object.entries(value).flatMap(([key, inner]) =>
    leavesOf(inner, path === '' ? key : `${path}.${key}`),
  );
}

/** Without the numbers of a list: `documents.0.text` is of `documents.text`. */
const plain = (path: string): string => path.replace(/\.\d+(?=\.|$)/g, '');

/** What is wrong with the order of spans and with what they cover between two offsets. */
export function problemsInCover(text: string, spans: readonly Span[]): string[] {
  const problems: string[] = [];
  let at = 0;
  for (const { from, to } of spans) {
    if (from < at || to <= from) problems.push(`${from}–${to} is twice or out of order`);
    if (/\S/.test(text.slice(at, from))) problems.push(`"${text.slice(at, from)}" is in no span`);
    at = to;
  }
  if (/\S/.test(text.slice(at))) problems.push(`"${text.slice(at)}" is in no span`);
  return problems;
}

/** The text of the spans of some kind. */
const written = (text: string, spans: readonly Span[], isOf: (span: Span) => boolean): string =>
  spans
    .filter(isOf)
    .map(({ from, to }) => text.slice(from, to))
    .join('');

/** The turns of a case that are not in the spans of who said them. */
function problemsInTurns(text: string, { case: evalCase, unsure, spans }: Read): string[] {
  const words = (...kinds: Span['is'][]) => bare(written(text, spans, ({ is }) => kinds.includes(is)));
  const said = { user: words('user'), system: words('system'), unsure: words('unsure') };
  const block = words('field', 'label', 'left out');
  const { conversation, response, alternative } = evalCase;
  const turns: { role: keyof typeof said; text: string }[] = [
    ...conversation,
    ...[response, alternative?.response ?? ''].map((turn) => ({ role: 'system' as const, text: turn })),
    { role: 'unsure', text: unsure?.text ?? '' },
  ];
  // A venue's data may be all that the system says, line by line.
  const isBlock = (turn: string) => turn.split('\n').every((line) => block.includes(bare(line)));
  return turns.flatMap(({ role, text: turn }) =>
    said[role].includes(bare(turn)) || (role === 'system' && isBlock(turn))
      ? []
      : [`${role}: "${turn}" is not in its spans`],
  );
}

/** What a case says that its spans do not: a value has to stand in the spans of its field, a turn in those of who said it. */
export function problemsInCase(text: string, read: Read): string[] {
  const { conversation: _, response: __, alternative, ...fields } = read.case;
  const { response: ___, ...others } = alternative ?? { response: '' };
  const problems = problemsInTurns(text, read);
  for (const [path, leaf] of [...leavesOf(fields), ...leavesOf(others)]) {
    const own = plain(path);
    const there = written(text, read.spans, ({ is, path: of = '' }) => {
      const named = plain(of);
      return is === 'field' && (own === named || own.startsWith(`${named}.`));
    });
    // Numbers, hours and moments are normalized where they are read, words for them as well: then something has to be there.
    const isThere = typeof leaf === 'string' && bare(there).includes(bare(leaf));
    if (!isThere && !(typeof leaf === 'number' ? /[\d€$£¥]/ : /\S/).test(there))
      problems.push(`${path}: ${JSON.stringify(leaf)} is in no span`);
  }
  return problems;
}
