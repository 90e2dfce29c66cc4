import type { EvalCase } from '../case/case.ts';
import { JuryError } from '../common/errors.ts';
import { entry } from '../judging/library.ts';
import type { Library } from '../prompting/library.ts';
import type { BenchmarkDefinition } from './benchmark-definition.ts';
import { loadDomain } from './datasets/domain.ts';
import { generate } from './datasets/generate.ts';
import { readDataset } from './datasets/read-cases.ts';
import { assumedRouterOf } from './datasets/scene.ts';

export interface BenchmarkCaseSource {
  library: Library;
  /** The built-in folder first. */
  promptFolders: readonly [builtIn: string, ...own: string[]];
  maxCaseChars: number;
}

/**
 * The cases of a defined benchmark. Generated ones are always the same: drive times are assumed, even if a route service is set up.
 *
 * @throws JuryError that describes the problem with the dataset
 */
export async function benchmarkCases(
  { library, promptFolders, maxCaseChars }: BenchmarkCaseSource,
  { dataset, id, subject }: BenchmarkDefinition,
  stop: AbortSignal,
): Promise<EvalCase[]> {
  if ('files' in dataset) {
    const options = { maxCaseChars, format: library.caseFormat };
    const cases = (await readDataset(null, dataset.files, options, stop)).map(({ evalCase }) => evalCase);
    if (subject === 'judges' && cases.every(({ label }) => label === undefined))
      throw new JuryError(
        'bad-input',
        `No case of the benchmark "${id}" has a label, so nothing would be right or wrong.`,
      );
    return cases;
  }
  const { domain, areas } = loadDomain(promptFolders, dataset.generate);
  const rubric = entry('rubric', library.rubrics, domain.rubric);
  const router = assumedRouterOf(rubric);
  const sources = { domain, areas, rubric, router, schema: library.caseFormat.schema };
  return (await generate(sources, dataset.seed, dataset.users)).flat();
}
