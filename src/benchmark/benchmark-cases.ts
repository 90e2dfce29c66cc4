import type { EvalCase } from '../case/case.ts';
import { JuryError } from '../common/errors.ts';
import type { KeyValue } from '../common/key-value.ts';
import { entry } from '../judging/library.ts';
import type { Library } from '../prompting/library.ts';
import type { BenchmarkDefinition } from './benchmark-definition.ts';
import { identified, requestFormat } from './collect/collected-case.ts';
import { readSet } from './datasets/case-sets.ts';
import { loadDomain } from './datasets/domain.ts';
import { generate } from './datasets/generate.ts';
import { pairBuilds } from './datasets/pair-builds.ts';
import { readDataset } from './datasets/read-cases.ts';
import { assumedRouterOf } from './datasets/scene.ts';
import { namedFiles, sampled } from './datasets/select-cases.ts';

export interface BenchmarkCaseSource {
  library: Library;
  /** The built-in folder first. */
  promptFolders: readonly [builtIn: string, ...own: string[]];
  maxCaseChars: number;
  store: () => Promise<Pick<KeyValue, 'get'>>;
  /** Milliseconds since the epoch. */
  now: () => number;
}

/**
 * The cases of a defined benchmark; where a system is to answer them, each with an id. Generated ones are always the same: drive times
 * are assumed, even if a route service is set up.
 *
 * @throws JuryError that describes the problem with the dataset
 */
export async function benchmarkCases(
  source: BenchmarkCaseSource,
  definition: BenchmarkDefinition,
  stop: AbortSignal,
): Promise<EvalCase[]> {
  const { dataset, id, subject, system, compareBuilds } = definition;
  if ('generate' in dataset) return generatedCases(source, dataset);
  const cases =
    'set' in dataset
      ? await readSet(await source.store(), dataset.set, source.now())
      : await casesInFiles(source, dataset, system !== undefined, stop);
  if (cases.length === 0)
    throw new JuryError('bad-input', `The dataset of the benchmark "${id}" has no cases.`);
  if (subject === 'judges' && system === undefined && cases.every(({ label }) => label === undefined))
    throw new JuryError(
      'bad-input',
      `No case of the benchmark "${id}" has a label, so nothing would be right or wrong.`,
    );
  return compareBuilds ? pairBuilds(cases) : cases;
}

type DatasetOf<K extends string> = Extract<BenchmarkDefinition['dataset'], Record<K, unknown>>;

async function casesInFiles(
  { library, maxCaseChars }: BenchmarkCaseSource,
  { files, newest, sample }: DatasetOf<'files'>,
  isAsked: boolean,
  stop: AbortSignal,
): Promise<EvalCase[]> {
  const format = isAsked ? requestFormat(library.caseFormat) : library.caseFormat;
  const options = { maxCaseChars, format, isLog: sample !== undefined };
  const read = await readDataset(null, await namedFiles(files, newest), options, stop);
  const cases = isAsked ? identified(read) : read.map(({ evalCase }) => evalCase);
  return sample === undefined ? cases : sampled(cases, sample);
}

async function generatedCases(
  { library, promptFolders }: BenchmarkCaseSource,
  { generate: id, seed, users }: DatasetOf<'generate'>,
): Promise<EvalCase[]> {
  const { domain, areas } = loadDomain(promptFolders, id);
  const rubric = entry('rubric', library.rubrics, domain.rubric);
  const router = assumedRouterOf(rubric);
  const sources = { domain, areas, rubric, router, schema: library.caseFormat.schema };
  return (await generate(sources, seed, users)).flat();
}
