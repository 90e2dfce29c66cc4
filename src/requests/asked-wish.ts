import { plainKey } from '../common/text/index.ts';
import type { JudgeRequest } from '../judging/index.ts';

/** The methods that a paste can name, by id. */
export type NamedMethods = ReadonlyMap<string, { title: string }>;

/** How to judge, as the lines around a paste say it. */
export interface AskedWish {
  /** The text without those lines. */
  text: string;
  wish: Pick<JudgeRequest, 'method' | 'models'>;
  /** What was not used, as notes of a case. */
  ignored: string[];
}

const LABELED = /^[\s>*_]*(?<label>methods?|models?)[\s*_]*:[\s*_]*(?<value>\S.*?)[\s*_]*$/i;
const MODEL = /^(?:rules|rules\+[\w-]+\/\S+|[a-z][\w-]*\/\S+)$/;

/** The lines at the start and at the end of a text that may say how to judge, by their number. */
function outerLines(lines: readonly string[]): number[] {
  const isOuter = (line = '') => line.trim() === '' || LABELED.test(line) || /^\s*rubric\s*:/i.test(line);
  const first = lines.findIndex((line) => !isOuter(line));
  const last = lines.findLastIndex((line) => !isOuter(line));
  return lines.flatMap((_, index) => (first < 0 || index < first || index > last ? [index] : []));
}

/**
 * Reads `Method: …` and `Model: …` above or below a paste. `Model:` counts only with the name of a model, such as
 * `openai/gpt-4o-mini`: it may also be how a system's turn is labeled. An unknown method stays in the text: it may be what the system
 * answered.
 */
export function wishIn(text: string, methods: NamedMethods): AskedWish {
  const lines = text.split('\n');
  const wish: AskedWish['wish'] = {};
  const ignored: string[] = [];
  const used = new Set<number>();
  const methodOf = (name: string) =>
    [...methods].find(([id, { title }]) => [id, title].some((one) => plainKey(one) === plainKey(name)))?.[0];
  /** @returns whether the line says how to judge */
  const takeModels = (label: string, value: string): boolean => {
    const models = value.split(/\s*,\s*/);
    if (!models.every((one) => MODEL.test(one))) return false;
    if (wish.models === undefined) wish.models = models;
    else ignored.push(`not used: ${label} “${value}”, a second one`);
    return true;
  };
  const takeMethod = (label: string, value: string): boolean => {
    const method = methodOf(value);
    if (method === undefined) return false;
    if (wish.method === undefined) wish.method = method;
    else ignored.push(`not used: ${label} “${value}”, a second one`);
    return true;
  };
  for (const index of outerLines(lines)) {
    const { label = '', value = '' } = LABELED.exec(lines[index] ?? '')?.groups ?? {};
    if (label === '') continue;
    if ((/^model/i.test(label) ? takeModels : takeMethod)(label, value)) used.add(index);
  }
  if (used.size === 0) return { text, wish, ignored };
  return {
    text: lines
      .filter((_, index) => !used.has(index))
      .join('\n')
      .trim(),
    wish,
    ignored,
  };
}
