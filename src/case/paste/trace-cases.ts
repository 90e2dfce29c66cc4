import { lazily } from '../../common/index.ts';
import { capital, counted, delimiterOf, readCsv } from '../../common/text/index.ts';
import type { CaseFormat } from '../format/index.ts';
import type { EvalCase } from '../index.ts';
import { type InputValue, mayHoldTraces, readTraces, type TraceReading } from '../traces/index.ts';
import { cutIn, findJson, isTooDeep, parseJson } from './find-json.ts';
import { explainIssues, type Paste, type ReadItem, refused, tooLong } from './problems.ts';
import { type Claim, claim } from './spans.ts';
import type { Tracked } from './tracked-text.ts';
import { Leaves } from './value-positions.ts';

/** The values in JSON, in JSON with a value a line, in JSON among other text, or in a table; null for any other text. */
function valuesIn(text: string, name: string): InputValue[] | null {
  const at = (place: string) => (name === '' ? place : `${name}, ${place.toLowerCase()}`);
  const trimmed = text.trim();
  if (/^[{[]/.test(trimmed)) {
    const whole = isTooDeep(trimmed) ? null : parseJson(trimmed);
    if (whole !== null && 'value' in whole)
      return [{ value: whole.value, where: name === '' ? 'the input' : name }];
    const lines = trimmed
      .split('\n')
      .map((line, index) => ({ line: line.trim(), where: at(`Line ${index + 1}`) }));
    const read = lines.flatMap(({ line, where }) => {
      if (line === '') return [];
      const parsed = isTooDeep(line) ? { error: 'nested too deep' } : parseJson(line);
      return [{ where, value: 'value' in parsed ? parsed.value : undefined }];
    });
    if (read.some(({ value }) => typeof value === 'object')) return read;
  }
  const [head = ''] = trimmed.slice(0, 20_000).split('\n', 1);
  if (!/[{[]/.test(head) && /[,;\t]/.test(head)) {
    const delimiter = delimiterOf(`${head}\n`);
    const [header, ...rows] = readCsv(trimmed, delimiter);
    if (header !== undefined && 'cells' in header && header.cells.length > 1)
      return rows.map((row) => ({
        where: at(`Row ${row.row}`),
        value:
          'cells' in row
            ? Object.fromEntries(header.cells.map((cell, index) => [cell.trim(), row.cells[index] ?? '']))
            : undefined,
      }));
  }
  return valuesAmongText(trimmed, at);
}

/** The values in JSON among other text, or in JSON that was cut off, whose last one is then undefined; null if there is none. */
function valuesAmongText(text: string, at: (place: string) => string): InputValue[] | null {
  const cut = /^[{[]/.test(text) ? cutIn(text) : null;
  const found = isTooDeep(text) ? [] : findJson(text).filter(({ start }) => start < (cut ?? text.length));
  if (found.length === 0) return null;
  const values = found.map(({ value }, index) => ({
    value,
    where: at(found.length === 1 ? 'the object' : `Object ${index + 1}`),
  }));
  return cut === null ? values : [...values, { value: undefined, where: at('The end') }];
}

/** How often JSON can stand in a text in JSON where what was said is looked for. */
const MOST_NESTED = 3;

/** Finds where in the input a text is: a value by itself, or within JSON in a text. Empty if it is not found as it is. */
function finder(input: Tracked): (said: string) => Tracked[] {
  const leaves = lazily(() => {
    const all = new Leaves();
    all.addJson(input);
    return all;
  });
  const next = new Map<string, number>();
  return (said) => {
    let form = JSON.stringify(said);
    for (let depth = 1; depth <= MOST_NESTED; depth += 1) {
      form = JSON.stringify(form).slice(1, -1);
      const at = input.text.indexOf(form, next.get(form) ?? 0);
      if (at < 0) continue;
      next.set(form, at + form.length);
      const quote = 2 ** depth;
      return [input.slice(at + quote, at + form.length - quote)];
    }
    return leaves().take(said);
  };
}

/** Makes items of what was read: cases that fit the format, and problems. */
function itemsOf(
  reading: TraceReading,
  { format, limit }: Pick<Paste, 'format' | 'limit'>,
  placeOf: (said: string) => Tracked[],
): ReadItem[] {
  const beside = reading.unknown.filter(({ isWhole }) => !isWhole);
  const besideNotes = beside
    .slice(0, 1)
    .map(
      ({ where, keys }) =>
        `left out: ${counted(beside.length, 'object')} that no reader knows, such as ${where} (keys: ${keys})`,
    );
  const items = reading.items.map((item): ReadItem => {
    const where = capital(item.where);
    const place = `${where} (${item.format})`;
    if ('problem' in item) return refused(`${place}: ${item.problem}.`, [], item.understood);
    const size = JSON.stringify(item.parts).length;
    if (size > limit) return tooLong(size, limit);
    const checked = format.schema.safeParse(item.parts);
    if (!checked.success)
      return explainIssues(
        checked.error.issues,
        item.parts,
        `${place}: what was read is not a valid case`,
        format,
      );
    const { turns } = item;
    const claims = (): Claim[] => turns.map(({ role, text }) => claim({ is: role }, ...placeOf(text)));
    return { case: checked.data, assumed: [...item.notes, ...besideNotes], claims };
  });
  const strangers = reading.unknown.filter(({ isWhole }) => isWhole);
  const unknown = strangers.map(({ where, keys, isBroken }) =>
    refused(
      isBroken
        ? `${capital(where)}: it is incomplete or no valid JSON, as where a file was cut off: get all of it, or leave this out.`
        : `${capital(where)}: no reader knows it${keys === '' ? '' : ` (keys: ${keys})`}: add a reader in prompts/traces, or leave it out.`,
    ),
  );
  if (items.length + unknown.length > 0) return [...items, ...unknown];
  const reasons = reading.counts.flatMap(({ format: title, leftOut }) =>
    leftOut.map(({ why, count }) => `${counted(count, 'record')} of ${title}: ${why}`),
  );
  return [
    refused(
      `There is no conversation in it (${reasons.slice(0, 5).join('; ')}). If content is not recorded, turn it on where the traces are made, such as with OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT=true.`,
      ['conversation', 'response'],
    ),
  ];
}

/** Reads traces and logs of other tools; null for any other text. */
export function readTraced(paste: Paste): ReadItem[] | null {
  const { text, format } = paste;
  if (!mayHoldTraces(text.text, format.readers)) return null;
  const values = valuesIn(text.text, '');
  const reading = values === null ? null : readTraces(values, { format });
  if (reading === null) return null;
  const items = itemsOf(reading, paste, finder(text));
  const claims = lazily(() => items.map((item) => ('case' in item ? item.claims() : [])));
  const first = items.findIndex((item) => 'case' in item);
  return items.map((item, index) => {
    if (!('case' in item)) return item;
    const own = () => claims()[index] ?? [];
    const rest = () => [...own(), claim({ is: 'left out', why: 'not used' }, text)];
    return {
      ...item,
      claims: index === first ? rest : own,
      ...(items.length > 1 ? { isAmongOthers: true } : {}),
    };
  });
}

/** Traces of several files, and what became of their records. */
export interface TraceFiles {
  items: ({ case: EvalCase; assumed: string[] } | { problem: string })[];
  counts: TraceReading['counts'];
  unknown: TraceReading['unknown'];
  /** The files in which no reader knows anything. */
  strange: string[];
}

/** Reads the traces and logs in several files; a conversation can span some of them. */
export function readTraceFiles(
  files: readonly { name: string; text: string }[],
  { format, maxCaseChars, everyAnswer }: { format: CaseFormat; maxCaseChars: number; everyAnswer: boolean },
): TraceFiles {
  const strange: string[] = [];
  const values = files.flatMap(({ name, text }) => {
    const found = mayHoldTraces(text, format.readers) ? valuesIn(text, name) : null;
    if (found === null) strange.push(name);
    return found ?? [];
  });
  const reading = readTraces(values, { format, everyAnswer });
  if (reading === null) return { items: [], counts: [], unknown: [], strange: files.map(({ name }) => name) };
  return {
    items: itemsOf(reading, { format, limit: maxCaseChars }, () => []).map((item) =>
      'case' in item ? { case: item.case, assumed: item.assumed } : { problem: item.problem },
    ),
    counts: reading.counts,
    unknown: reading.unknown,
    strange,
  };
}
