import type { BenchmarkDefinition } from '../benchmark/benchmark-definition.ts';
import { loadDomain } from '../benchmark/datasets/domain.ts';
import { generate } from '../benchmark/datasets/generate.ts';
import { assumedRouterOf } from '../benchmark/datasets/scene.ts';
import type { EvalCase } from '../case/case.ts';
import { JuryError } from '../common/errors.ts';
import { entry } from '../judging/library.ts';
import { requireCases } from './cli/read-cases.ts';
import type { Parts } from './parts.ts';

/**
 * The cases of a benchmark that is defined. Generated ones are the same every time: drives are assumed, whatever route service is set up.
 *
 * @throws JuryError that says what is wrong with the dataset
 */
export async function benchmarkCases(
  parts: Parts,
  { dataset, id }: BenchmarkDefinition,
  stop: AbortSignal,
): Promise<EvalCase[]> {
  if ('files' in dataset) {
    const cases = await requireCases(parts, null, dataset.files, stop);
    if (cases.every(({ label }) => label === undefined))
      throw new JuryError(
        'bad-input',
        `No case of the benchmark "${id}" has a label, so nothing would be right or wrong.`,
      );
    return cases;
  }
  const { domain, areas } = loadDomain(parts.env.promptFolders, dataset.generate);
  const rubric = entry('rubric', parts.library.rubrics, domain.rubric);
  const router = assumedRouterOf(rubric);
  const sources = { domain, areas, rubric, router, schema: parts.library.caseFormat.schema };
  return (await generate(sources, dataset.seed, dataset.users)).flat();
}
