import { addVerdictToSet, readSet, removeFromSet, setNames } from '../../benchmark/datasets/case-sets.ts';
import { readDataset } from '../../benchmark/datasets/read-cases.ts';
import { type Sample, sampled } from '../../benchmark/datasets/select-cases.ts';
import { counted, jsonLine, plainLine } from '../../common/text.ts';
import { caseOptions } from '../parts.ts';
import type { CommandContext } from './command-context.ts';
import { writeCases } from './output.ts';

/** `jury dataset sample`: some cases of each day of a log. */
export async function sampleCases(
  context: CommandContext,
  files: readonly string[],
  { out, ...sample }: Sample & { out?: string },
): Promise<void> {
  const parts = await context.parts();
  const read = await readDataset(context, files, { ...caseOptions(parts), isLog: true }, context.stop);
  const log = read.map(({ evalCase }) => evalCase);
  const cases = sampled(log, sample);
  await writeCases(context, cases, out);
  const { by } = sample;
  if (by !== undefined && !log.some(({ tags }) => tags?.[by] !== undefined))
    context.err(`No case has the tag "${plainLine(by)}": the sample keeps no shares of its values.`);
  context.err(`${cases.length} of ${counted(read.length, 'case')}.`);
}

/** `jury dataset add`: the cases of verdicts become part of a named set. */
export async function addCases(
  context: CommandContext,
  set: string,
  verdicts: readonly string[],
): Promise<void> {
  const { store: open, library, now } = await context.parts();
  const store = await open();
  for (const id of verdicts)
    context.out(`${id}: ${await addVerdictToSet(store, set, id, library.caseFormat, now())}`);
}

/** `jury dataset list`: the named sets. */
export async function listSets(
  { parts, out, err }: CommandContext,
  { json }: { json: boolean },
): Promise<void> {
  const { store: open, now } = await parts();
  const store = await open();
  const names = await setNames(store, now());
  if (names.length === 0) err('There are no sets yet. "jury dataset add" makes one.');
  for (const name of names) {
    const cases = await readSet(store, name, now());
    const labeled = cases.filter(({ label }) => label !== undefined).length;
    out(
      json
        ? jsonLine({ set: name, cases: cases.length, labeled })
        : `${name}: ${counted(cases.length, 'case')}, ${labeled} with a label`,
    );
  }
}

/** `jury dataset export`: a named set as JSONL. */
export async function exportSet(
  context: CommandContext,
  set: string,
  { out }: { out?: string },
): Promise<void> {
  const { store: open, now } = await context.parts();
  const cases = await readSet(await open(), set, now());
  await writeCases(context, cases, out);
  context.err(`${counted(cases.length, 'case')}${out === undefined ? '' : `, in ${out}`}.`);
}

/** `jury dataset remove`: cases of a named set, or the whole set. */
export async function removeCases(
  context: CommandContext,
  set: string,
  ids: readonly string[],
): Promise<void> {
  const { store: open, now } = await context.parts();
  const removed = await removeFromSet(await open(), set, ids.length === 0 ? null : ids, now());
  context.out(`${counted(removed, 'case')} removed from ${set}.`);
}
