import { EvalCase } from '../../src/case/case.ts';
import { checkCase } from '../../src/datasets/dataset-quality.ts';
import { assumedRouterOf, type Router } from '../../src/datasets/driving-routes.ts';
import {
  type Dimension,
  type Domain,
  generate,
  loadDomain,
  type Sources,
} from '../../src/datasets/generate.ts';
import type { Areas } from '../../src/datasets/generator-scene.ts';
import { createRulesJudge } from '../../src/judges/rules/rules-judge.ts';
import { entry } from '../../src/judging/standards/library.ts';
import type { Rubric } from '../../src/judging/standards/rubric.ts';
import { builtIn, builtInLibrary } from '../support/built-in.ts';

/** The built-in domain, rubric and exact checks. */
export const library = builtInLibrary();
const loaded = loadDomain([builtIn], 'navigation');
export const domain: Domain = loaded.domain;
export const areas: Areas = loaded.areas;
const navigation: Rubric = entry('rubric', library.rubrics, 'navigation');

export const router: Router = assumedRouterOf(navigation);

export const sources: Sources = { domain, areas, rubric: navigation, router, schema: EvalCase };

/** The cases of so many users. */
export const made = async (seed: number, users: number): Promise<EvalCase[]> =>
  (await generate(sources, seed, users)).flat();

const rules = createRulesJudge(library.lexicons(), library.caseFormat, () => 'sha256:test');

/** What the exact checks say of a case's label. */
export const checked = (evalCase: EvalCase, rubric = navigation) =>
  checkCase(evalCase, () => rubric, rules, new AbortController().signal);

type DimensionOf<Kind extends Dimension['kind']> = Extract<Dimension, { kind: Kind }>;

const isOf =
  <Kind extends Dimension['kind']>(id: string, kind: Kind) =>
  (one: Dimension): one is DimensionOf<Kind> =>
    one.id === id && one.kind === kind;

/** A dimension of the built-in domain, of the kind that it is known to be. */
export function dimension<Kind extends Dimension['kind']>(id: string, kind: Kind): DimensionOf<Kind> {
  const found = domain.dimensions.find(isOf(id, kind));
  if (found === undefined) throw new Error(`dimension ${id} is no ${kind}`);
  return found;
}
