import { InvalidArgumentError } from 'commander';

const wholeNumber =
  (least: number, most: number) =>
  (value: string): number => {
    const number = Number(value);
    if (/^\d+$/.test(value) && number >= least && number <= most) return number;
    throw new InvalidArgumentError(`Must be a whole number from ${least} to ${most}.`);
  };

function temperature(value: string): number {
  const number = Number(value);
  if (value.trim() !== '' && number >= 0 && number <= 2) return number;
  throw new InvalidArgumentError('Must be a number from 0 to 2.');
}

function ids(value: string): string[] {
  const list = value.split(',').map((id) => id.trim());
  if (list.includes('')) throw new InvalidArgumentError('Must be ids separated by commas.');
  return list;
}

function temperatures(value: string): number[] {
  const list = value.split(',').map((text) => (text.trim() === '' ? Number.NaN : Number(text)));
  if (!list.every((one) => one >= 0 && one <= 2))
    throw new InvalidArgumentError('Must be numbers from 0 to 2, separated by commas.');
  return [...new Set(list)];
}

function money(value: string): number {
  const usd = Number(value.replace(/^\$/, ''));
  if (value.trim() === '' || !(usd > 0)) throw new InvalidArgumentError('Must be US dollars above 0.');
  return usd;
}

function rate(value: string): [provider: string, perSecond: number] {
  const [, provider, number] = /^([a-z0-9_-]+)=(\d+(?:\.\d+)?)(?:\/s)?$/i.exec(value) ?? [];
  if (provider === undefined || number === undefined)
    throw new InvalidArgumentError('Must be provider=requests/s, such as openai=5/s; 0 lifts the limit.');
  return [provider.toLowerCase(), Number(number)];
}

function day(value: string): string {
  const time = /^\d{4}-\d{2}-\d{2}$/.test(value) ? Date.parse(value) : Number.NaN;
  // 30 February would be read as 2 March.
  if (time >= 0 && new Date(time).toISOString().startsWith(value)) return value;
  throw new InvalidArgumentError('Must be a day such as 2026-11-21.');
}

const readers = { list: ids, temperature, temperatures, money, rate, day };

const isReader = (name: string): name is keyof typeof readers => Object.hasOwn(readers, name);

const choice =
  (choices: readonly string[]) =>
  (value: string): string => {
    if (choices.includes(value)) return value;
    throw new InvalidArgumentError(`Allowed choices are ${choices.join(', ')}.`);
  };

/**
 * Reads an option's value as `commands.json` says: `1..20` (a whole number in that range), `a|b` (one of these), or
 * one of the readers' names. What it returns throws commander's InvalidArgumentError.
 */
export function readerOf(name: string): (value: string) => unknown {
  if (isReader(name)) return readers[name];
  if (name.includes('|')) return choice(name.split('|'));
  const [least = 0, most = 0] = name.split('..').map(Number);
  return wholeNumber(least, most);
}
