import { type Command, InvalidArgumentError, Option } from 'commander';

/** A number within bounds, inclusive; null for anything else. */
const between = (text: string, least: number, most: number): number | null =>
  text.trim() !== '' && Number(text) >= least && Number(text) <= most ? Number(text) : null;

/** A number between bounds, exclusive; null for anything else. */
const inside = (text: string, above: number, below: number): number | null =>
  text.trim() !== '' && Number(text) > above && Number(text) < below ? Number(text) : null;

/** A comma-separated list; null if any part cannot be read. */
function listOf<T>(text: string, read: (part: string) => T | null): T[] | null {
  const parts = text.split(',').map((part) => read(part.trim()));
  return parts.includes(null) ? null : parts.filter((part) => part !== null);
}

function rateOf(text: string): [provider: string, perSecond: number] | null {
  const { provider, number } =
    /^(?<provider>[a-z0-9_-]+)=(?<number>\d+(?:\.\d+)?)(?:\/s)?$/i.exec(text)?.groups ?? {};
  return provider === undefined ? null : [provider.toLowerCase(), Number(number)];
}

/** A named list of models. Without a name, the list itself is the name. */
function panelOf(text: string): { name: string; models: string[] } | null {
  const { name, list = '' } =
    /^(?:(?<name>[A-Za-z0-9][A-Za-z0-9._-]*)=)?(?<list>.*)$/s.exec(text)?.groups ?? {};
  const models = listOf(list, (id) => id || null);
  const isMisnamed = name === undefined && list.includes('=');
  return models === null || isMisnamed ? null : { name: name ?? models.join('+'), models };
}

function dayOf(text: string): string | null {
  const time = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(text) : Number.NaN;
  // Date.parse reads 30 February as 2 March.
  return time >= 0 && new Date(time).toISOString().startsWith(text) ? text : null;
}

/** A time, or the start of a day, as ms since the epoch; UTC unless it has a zone. */
function timeOf(text: string): number | null {
  const {
    day,
    time,
    zone = 'Z',
  } = /^(?<day>\d{4}-\d\d-\d\d)(?:[T ](?<time>\d\d:\d\d(?::\d\d(?:\.\d+)?)?)(?<zone>Z|[+-]\d\d:\d\d)?)?$/.exec(
    text,
  )?.groups ?? {};
  const at = day === undefined ? Number.NaN : Date.parse(`${day}T${time ?? '00:00'}${zone}`);
  return Number.isNaN(at) || dayOf(day ?? '') === null ? null : at;
}

/** A column and what it holds. Splits at the last "=", since a column's name may contain others. */
function pairOf(text: string): [column: string, field: string] | null {
  const at = text.lastIndexOf('=');
  return at < 1 || at === text.length - 1 ? null : [text.slice(0, at), text.slice(at + 1)];
}

const temperature = (text: string): number | null => between(text, 0, 2);

/** How to read an option's value, which returns null if it is invalid, and the message for that. */
type Reader = readonly [problem: string, read: (text: string) => unknown];

const readers: Readonly<Record<string, Reader>> = {
  list: ['Must be ids separated by commas', (text) => listOf(text, (id) => id || null)],
  temperature: ['Must be a number from 0 to 2', temperature],
  temperatures: [
    'Must be numbers from 0 to 2, separated by commas',
    (text) => {
      const list = listOf(text, temperature);
      return list === null ? null : [...new Set(list)];
    },
  ],
  panel: ['Must be models separated by commas, such as trio=openai/gpt-4o,mistral/mistral-small', panelOf],
  'method-models': [
    'Must be a method and its models, such as core-debate=openai/gpt-4o,mistral/mistral-small',
    (text) => (text.includes('=') ? panelOf(text) : null),
  ],
  money: [
    'Must be US dollars above 0',
    (text) => inside(text.replace(/^\$/, ''), 0, Number.POSITIVE_INFINITY),
  ],
  rate: ['Must be provider=requests/s, such as openai=5/s; 0 lifts the limit', rateOf],
  'per-second': [
    'Must be a number above 0, such as 5 or 0.5',
    (text) => inside(text.replace(/\/s$/, ''), 0, Number.POSITIVE_INFINITY),
  ],
  share: ['Must be a number between 0 and 1, such as 0.05', (text) => inside(text, 0, 1)],
  amount: ['Must be a number from 0, such as 0.02', (text) => between(text, 0, Number.MAX_VALUE)],
  pair: ['Must be column=field, such as question=conversation', pairOf],
  time: ['Must be a day or a time such as 2026-11-22 or 2026-11-22T09:30', timeOf],
  stop: ['The only choice is decided', (text) => (text === 'decided' ? text : null)],
  day: ['Must be a day such as 2026-11-21', dayOf],
};

/** How to read a value by its name in `commands.json`: `1..20` (a whole number in that range), `a|b` (one of these), or a named reader. */
function readerOf(name: string): Reader {
  const reader = readers[name];
  if (reader !== undefined) return reader;
  const choices = name.split('|');
  if (choices.length > 1)
    return [`Allowed choices are ${choices.join(', ')}`, (text) => (choices.includes(text) ? text : null)];
  const [least = 0, most = 0] = name.split('..').map(Number);
  return [
    `Must be a whole number from ${least} to ${most}`,
    (text) => (/^\d+$/.test(text) ? between(text, least, most) : null),
  ];
}

/** Reads an option's value. @throws InvalidArgumentError, which commander prints with the option's name */
function readValue(name: string | undefined, text: string): unknown {
  if (name === undefined) return text;
  const [problem, read] = readerOf(name);
  const value = read(text);
  if (value === null) throw new InvalidArgumentError(`${problem}.`);
  return value;
}

/** An option in `commands.json`. */
export interface OptionWords {
  flags: string;
  about: string;
  /** How its value is read, see `readerOf`; absent: as typed. */
  read?: string;
  repeat?: boolean;
  default?: string | number;
  required?: boolean;
  /** An earlier spelling, which still works but is not shown. */
  alias?: string;
}

/** Adds an option with its reader, its earlier spelling and its default. */
export function addOption(command: Command, option: OptionWords): void {
  const { flags, about, read, repeat = false, required = false, alias } = option;
  const choices = read?.includes('|') ? ` (${read.split('|').join(', ')})` : '';
  const added = new Option(flags, about + choices).makeOptionMandatory(required);
  const readOne = (text: string) => readValue(read, text);
  if (repeat) added.argParser((value, before: unknown[] = []) => [...before, readOne(value)]);
  else if (read !== undefined) added.argParser(readOne);
  if (option.default !== undefined) added.default(option.default);
  command.addOption(added);
  // Not set as the option's default, which help would show.
  if (added.isBoolean() && !added.negate)
    command.setOptionValueWithSource(added.attributeName(), false, 'default');
  if (alias === undefined) return;
  const set = (value: string) =>
    command.setOptionValueWithSource(added.attributeName(), readOne(value), 'cli');
  command.addOption(new Option(alias).argParser(set).hideHelp());
}
