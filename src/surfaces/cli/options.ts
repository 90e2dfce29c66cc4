import { type Command, InvalidArgumentError, Option } from 'commander';

export const wholeNumber =
  (least: number, most: number) =>
  (value: string): number => {
    const number = Number(value);
    if (/^\d+$/.test(value) && number >= least && number <= most) return number;
    throw new InvalidArgumentError(`Must be a whole number from ${least} to ${most}.`);
  };

export function temperature(value: string): number {
  const number = Number(value);
  if (value.trim() !== '' && number >= 0 && number <= 2) return number;
  throw new InvalidArgumentError('Must be a number from 0 to 2.');
}

/** Values of an option that can be given several times. */
export const collect = (value: string, before: string[] = []): string[] => [...before, value];

export function ids(value: string): string[] {
  const list = value.split(',').map((id) => id.trim());
  if (list.includes('')) throw new InvalidArgumentError('Must be ids separated by commas.');
  return list;
}

export function temperatures(value: string): number[] {
  const list = value.split(',').map((text) => (text.trim() === '' ? Number.NaN : Number(text)));
  if (!list.every((one) => one >= 0 && one <= 2))
    throw new InvalidArgumentError('Must be numbers from 0 to 2, separated by commas.');
  return [...new Set(list)];
}

export function money(value: string): number {
  const usd = Number(value.replace(/^\$/, ''));
  if (value.trim() === '' || !(usd > 0)) throw new InvalidArgumentError('Must be US dollars above 0.');
  return usd;
}

export function rate(value: string, before: [string, number][] = []): [string, number][] {
  const [, provider, number] = /^([a-z0-9_-]+)=(\d+(?:\.\d+)?)(?:\/s)?$/i.exec(value) ?? [];
  if (provider === undefined || number === undefined)
    throw new InvalidArgumentError('Must be provider=requests/s, such as openai=5/s; 0 lifts the limit.');
  return [...before, [provider.toLowerCase(), Number(number)]];
}

/** What an argument says that names a verdict. */
export const VERDICT_ID = 'id of a verdict; "jury labels aggregate" lists those with votes';

/** What an argument says that names a study. */
export const STUDY_ID = 'id of a study; "jury study list" names them';

/** `--format csv|jsonl` of commands that read a table. */
export const tableFormatOption = (): Option =>
  new Option('--format <name>', "the file's format (default: from its name)").choices(['csv', 'jsonl']);

/** What decides on a label without a ruling: the same options wherever labels are read. */
export const withLabelRule = (command: Command): Command =>
  withMinVotes(
    command.addOption(
      new Option('--by <way>', 'how votes settle a label without a ruling')
        .choices(['majority', 'dawid-skene'])
        .default('majority'),
    ),
    'minimum number of votes that say what is right',
    3,
  );

/** `--min-votes`, which was `--least` before. */
export function withMinVotes(command: Command, about: string, usual?: number): Command {
  const read = wholeNumber(1, 1000);
  return command.option('--min-votes <n>', about, read, usual).addOption(
    new Option('--least <n>')
      .argParser((value) => {
        command.setOptionValueWithSource('minVotes', read(value), 'cli');
      })
      .hideHelp(),
  );
}
