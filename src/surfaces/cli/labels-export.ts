import { resolve } from 'node:path';
import { JuryError } from '../../common/index.ts';
import { counted } from '../../common/text/index.ts';
import { entry } from '../../judging/standards/index.ts';
import {
  type ExportItem,
  exportedCases,
  exportedPreferences,
  exportedTable,
  exportedVotes,
} from '../../labels/exchange/index.ts';
import { type LabelBy, type LabeledVerdict, readModel, usualRule, walkLabels } from '../../labels/index.ts';
import type { Parts } from '../index.ts';
import {
  type CommandContext,
  type ExitCode,
  exitCode,
  type Growing,
  openBeside,
  openOutput,
} from '../terminal/index.ts';

type ExportFormat = 'jsonl' | 'csv' | 'crowdkit' | 'preferences';

interface ExportOptions {
  format: ExportFormat;
  rubric?: string;
  by: LabelBy;
  minVotes: number;
  out?: string;
  /** For Crowd-Kit: the file for the rulings. */
  gold?: string;
  /** Whether verdicts without a label are included. */
  all: boolean;
}

/** How many cases the other commands take in one file. */
const MOST_CASES = 10_000;

const NOT_CONVERGED =
  'The model did NOT converge, so labels by it may still change: "jury labels aggregate" shows details.';

const sameFile = (a: string, b: string): boolean => resolve(a) === resolve(b);

/** The items to export in each format. */
function itemsOf(parts: Parts, labels: () => AsyncIterable<LabeledVerdict>, { format, all }: ExportOptions) {
  switch (format) {
    case 'jsonl':
      return exportedCases(labels, { format: parts.library.caseFormat, all });
    case 'csv':
      return exportedTable(labels, all);
    case 'crowdkit':
      return exportedVotes(labels);
    case 'preferences':
      return exportedPreferences(labels, parts.library.caseFormat);
  }
}

function tell(
  { err }: CommandContext,
  written: number,
  leftOut: ReadonlyMap<string, number>,
  { format, out }: ExportOptions,
): void {
  const noun = { jsonl: 'case', csv: 'verdict', crowdkit: 'vote', preferences: 'pair' }[format];
  err(`${counted(written, noun)} written${out === undefined ? '' : ` to ${out}`}.`);
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

/** Writes all items. If it is stopped or fails, the output is dropped. */
async function writeAll(
  items: AsyncIterable<ExportItem>,
  output: Growing<string>,
  gold: Growing<string> | null,
  stop: AbortSignal,
): Promise<{ written: number; leftOut: Map<string, number> }> {
  const leftOut = new Map<string, number>();
  let written = 0;
  try {
    for await (const item of items) {
      if (stop.aborted) break;
      if (item.kind === 'left-out') leftOut.set(item.why, (leftOut.get(item.why) ?? 0) + 1);
      else if (item.kind === 'gold') await gold?.add(item.text);
      else await output.add(item.text);
      if (item.kind === 'line') written += 1;
    }
  } catch (thrown) {
    await Promise.all([output.drop(), gold?.drop()]);
    throw thrown;
  }
  await Promise.all(stop.aborted ? [output.drop(), gold?.drop()] : [output.end(), gold?.end()]);
  return { written, leftOut };
}

/** @throws JuryError `usage` for options that do not go together */
function requireFitting({ format, gold, out, all }: ExportOptions): void {
  if (gold !== undefined && format !== 'crowdkit')
    throw new JuryError(
      'usage',
      '--gold goes with --format crowdkit; the other formats hold rulings as they are.',
    );
  if (gold !== undefined && out !== undefined && sameFile(gold, out))
    throw new JuryError('usage', '--gold and --out name the same file: votes and rulings need a file each.');
  if (all && format === 'preferences')
    throw new JuryError(
      'usage',
      '--all goes with jsonl and csv: preferences are written once votes settle them.',
    );
  if (all && format === 'crowdkit')
    throw new JuryError('usage', '--all goes with jsonl and csv: crowdkit gets every vote, labeled or not.');
}

/**
 * `jury labels export`: writes labels as a dataset, a table or preferences, or the votes for Crowd-Kit. Holds one verdict in
 * memory at a time, and only a hash or the votes of all others.
 */
export async function exportLabels(context: CommandContext, options: ExportOptions): Promise<ExitCode> {
  const { stop } = context;
  const { format, rubric, by, minVotes } = options;
  requireFitting(options);
  const parts = await context.parts();
  if (rubric !== undefined) entry('rubric', parts.library.rubrics, rubric);
  const store = await parts.store();
  const query = { by, rule: { ...usualRule, minVotes }, ...(rubric === undefined ? {} : { rubric }) };
  const needsModel = format === 'csv' || (format === 'jsonl' && by === 'dawid-skene');
  const model = needsModel ? await readModel(store, rubric) : null;
  const output = await openOutput(context, options.out, format === 'csv' ? '\r\n' : '\n');
  const gold =
    options.gold === undefined ? null : await openBeside(output, openOutput(context, options.gold));
  const items = itemsOf(parts, () => walkLabels(store, query, model), options);
  const { written, leftOut } = await writeAll(items, output, gold, stop);
  if (stop.aborted) {
    context.err(
      `Stopped: ${options.out === undefined ? 'the output is not complete' : 'nothing was written'}.`,
    );
    return exitCode.interrupted;
  }
  tell(context, written, leftOut, options);
  if (by === 'dawid-skene' && model?.converged === false) context.err(NOT_CONVERGED);
  return exitCode.ok;
}
