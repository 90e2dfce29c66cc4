import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { resolve } from 'node:path';
import { finished } from 'node:stream/promises';
import { Option } from 'commander';
import { JuryError, messageOf } from '../../common/errors.ts';
import { counted, jsonLine } from '../../common/text.ts';
import { entry } from '../../judging/library.ts';
import { type LabelBy, usualRule } from '../../labels/label.ts';
import { labeledCase, standingCases } from '../../labels/label-cases.ts';
import { crowdHead, crowdRows, goldHead, goldRows, labelHead, labelRow } from '../../labels/label-rows.ts';
import { type LabeledVerdict, readModel, walkLabels } from '../../labels/labels.ts';
import type { Parts } from '../parts.ts';
import type { Register } from './command-context.ts';
import { withLabelRule } from './options.ts';
import { type ExitCode, exitCode, type Terminal } from './terminal.ts';

/** Where lines of results go, one after the other, however many. */
interface Output {
  /** @param line without its line break */
  line: (line: string) => Promise<void>;
  end: () => Promise<void>;
}

/** Text that is gathered before it is written. */
const CHUNK = 64 * 1024;

/**
 * A file, or standard output where none is named; waits while the disk is slower than what is written.
 *
 * @param lineBreak what ends a line of the file
 * @throws JuryError `usage`, also later, where the file cannot be written
 */
function openOutput({ out }: Terminal, path: string | undefined, lineBreak = '\n'): Output {
  if (path === undefined) return { line: async (line) => out(line), end: async () => {} };
  const stream = createWriteStream(path);
  const done = finished(stream).catch((thrown: unknown) => {
    throw new JuryError('usage', `Cannot write ${path}: ${messageOf(thrown)}.`, { cause: thrown });
  });
  // Told by whoever waits for it; until then it must not bring the process down.
  done.catch(() => {});
  let gathered = '';
  return {
    line: async (line) => {
      gathered += line + lineBreak;
      if (gathered.length < CHUNK) return;
      const chunk = gathered;
      gathered = '';
      if (!stream.write(chunk)) await Promise.race([once(stream, 'drain'), done]);
    },
    end: async () => {
      stream.end(gathered);
      await done;
    },
  };
}

type ExportFormat = 'jsonl' | 'csv' | 'crowdkit';

interface ExportOptions {
  format: ExportFormat;
  rubric?: string;
  by: LabelBy;
  minVotes: number;
  output?: string;
  /** For Crowd-Kit: where the rulings go. */
  gold?: string;
  /** Verdicts without a label too. */
  all: boolean;
}

/** So many cases one input of the other commands holds. */
const MOST_CASES = 10_000;

/** Why something was not written, and how often. */
type LeftOut = Map<string, number>;

const countOne = (leftOut: LeftOut, why: string): void => void leftOut.set(why, (leftOut.get(why) ?? 0) + 1);

const sameFile = (a: string, b: string): boolean => resolve(a) === resolve(b);

interface Walk {
  labels: () => AsyncIterable<LabeledVerdict>;
  output: Output;
  leftOut: LeftOut;
  stop: AbortSignal;
}

const OPEN = 'have no label yet (--all writes them too)';

async function writeCases(
  parts: Parts,
  { labels, output, leftOut, stop }: Walk,
  all: boolean,
): Promise<number> {
  const standing = await standingCases(labels());
  const options = { format: parts.library.caseFormat, all };
  let written = 0;
  for await (const one of labels()) {
    if (stop.aborted) break;
    const made = labeledCase(one, standing, options);
    switch (made.kind) {
      case 'case':
        await output.line(jsonLine(made.evalCase));
        written += 1;
        break;
      case 'open':
        countOne(leftOut, OPEN);
        break;
      case 'again':
        countOne(leftOut, 'judge a case that another verdict stands for');
        break;
      case 'contradictory':
        countOne(
          leftOut,
          'judge a case whose labels contradict each other ("jury labels adjudicate" settles it)',
        );
        break;
      case 'unreadable':
        countOne(leftOut, `hold a case in a form that is no longer known (${made.why})`);
        break;
    }
  }
  return written;
}

async function writeTable({ labels, output, leftOut, stop }: Walk, all: boolean): Promise<number> {
  let written = 0;
  await output.line(labelHead);
  for await (const one of labels()) {
    if (stop.aborted) break;
    if (!all && !one.label.label.settled) {
      countOne(leftOut, OPEN);
      continue;
    }
    await output.line(labelRow(one));
    written += 1;
  }
  return written;
}

async function writeVotes({ labels, output, leftOut, stop }: Walk, gold: Output | null): Promise<number> {
  let written = 0;
  await output.line(crowdHead);
  await gold?.line(goldHead);
  for await (const one of labels()) {
    if (stop.aborted) break;
    const rows = crowdRows(one);
    for (const row of rows) await output.line(row);
    for (const row of goldRows(one)) await gold?.line(row);
    written += rows.length;
    if (rows.length > 0) continue;
    const isScored = one.label.judged.decision === 'scored';
    countOne(
      leftOut,
      isScored ? 'give a score, which is not a class' : 'have no vote that says what is right',
    );
  }
  return written;
}

function tell({ err }: Terminal, written: number, leftOut: LeftOut, { format, output }: ExportOptions): void {
  const noun = { jsonl: 'case', csv: 'verdict', crowdkit: 'vote' }[format];
  err(`${counted(written, noun)} written${output === undefined ? '' : ` to ${output}`}.`);
  for (const [why, count] of leftOut) err(`Left out because they ${why}: ${count}.`);
  if (format === 'jsonl' && written > 0)
    err(
      'Each case is named after its verdict; "--format csv" shows tally, basis and who ruled under the same ids.',
    );
  if (format === 'jsonl' && written > MOST_CASES)
    err(
      `The other commands take ${MOST_CASES} cases a file: split it, such as with "split -l ${MOST_CASES}".`,
    );
}

/**
 * `jury labels export`: labels as a dataset, as a table, or the votes for Crowd-Kit. Holds one verdict at a time, and of all
 * others a hash or their votes.
 */
async function exportLabels(
  parts: Parts,
  terminal: Terminal,
  options: ExportOptions,
  stop: AbortSignal,
): Promise<ExitCode> {
  const { format, rubric, by, minVotes, all } = options;
  if (options.gold !== undefined && format !== 'crowdkit')
    throw new JuryError(
      'usage',
      '--gold goes with --format crowdkit; the other formats hold rulings as they are.',
    );
  if (options.gold !== undefined && options.output !== undefined && sameFile(options.gold, options.output))
    throw new JuryError(
      'usage',
      '--gold and --output name the same file: votes and rulings need a file each.',
    );
  if (all && format === 'crowdkit')
    throw new JuryError('usage', '--all goes with jsonl and csv: crowdkit gets every vote, labeled or not.');
  if (rubric !== undefined) entry('rubric', parts.library.rubrics, rubric);
  const store = await parts.store();
  const query = { by, rule: { ...usualRule, minVotes }, ...(rubric === undefined ? {} : { rubric }) };
  const needsModel = format === 'csv' || (format === 'jsonl' && by === 'dawid-skene');
  const model = needsModel ? await readModel(store, rubric) : null;
  const output = openOutput(terminal, options.output, format === 'csv' ? '\r\n' : '\n');
  const gold = options.gold === undefined ? null : openOutput(terminal, options.gold);
  const leftOut: LeftOut = new Map();
  const walk = { labels: () => walkLabels(store, query, model), output, leftOut, stop };
  let written: number;
  try {
    written =
      format === 'jsonl'
        ? await writeCases(parts, walk, all)
        : format === 'csv'
          ? await writeTable(walk, all)
          : await writeVotes(walk, gold);
  } finally {
    await Promise.all([output.end(), gold?.end()]);
  }
  if (stop.aborted) {
    terminal.err('Stopped: the output is not complete.');
    return exitCode.interrupted;
  }
  tell(terminal, written, leftOut, options);
  if (by === 'dawid-skene' && model !== null && !model.converged)
    terminal.err(
      'The model did NOT converge, so labels by it may still change: "jury labels aggregate" shows details.',
    );
  return exitCode.ok;
}

/** `jury labels export`. */
export const register: Register = (command, { stop, terminal, withParts }) => {
  command
    .description(
      'Writes what votes and rulings say is right. jsonl: cases with labels, a dataset for "jury bench run"; a case that was judged more than once is one case, with the id of its verdict. csv: one row a verdict, with tally, majority, model, ruling and what was judged. crowdkit: one row a vote, task,worker,label.',
    )
    .addOption(
      new Option('--format <name>', 'what to write').choices(['jsonl', 'csv', 'crowdkit']).default('jsonl'),
    )
    .option('--rubric <id>', 'of one rubric only');
  withLabelRule(command)
    .option('--all', 'also verdicts that have no label yet', false)
    .option('--output <file>', 'write to a file (default: standard output)')
    .option('--gold <file>', 'with crowdkit: write the rulings there, task,label')
    .action((options: ExportOptions) =>
      withParts({ cache: false }, (parts) => exportLabels(parts, terminal, options, stop)),
    );
};
