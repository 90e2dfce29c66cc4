import * as z from 'zod';
import type { CaseFormat } from '../../case/format/index.ts';
import { type EvalCase, missingFields } from '../../case/index.ts';
import type { Redactor } from '../../case/redact/index.ts';
import { Id, JuryError } from '../../common/index.ts';
import { noSuch } from '../../common/text/index.ts';
import type { Method } from './method.ts';
import type { Persona } from './persona.ts';
import type { Rubric } from './rubric.ts';

/** The part of the prompts that judging uses, by id. */
export interface JudgingLibrary {
  /** The fields declared in files, in addition to the built-in ones. */
  caseFormat: Pick<CaseFormat, 'groups'>;
  rubrics: ReadonlyMap<string, Rubric>;
  methods: ReadonlyMap<string, Method>;
  personas: ReadonlyMap<string, Persona>;
  /** Worked examples by rubric id, in the order in which methods take them. */
  exemplars: (rubricId: string) => readonly Exemplar[];
  /** Redacts what models read, and what is shown to people and stored. */
  redactor: Redactor;
}

/** Whether an id names an earlier version, `navigation@1`. */
const isEarlierVersion = (id: string): boolean => id.includes('@');

/** The current entries, for lists and choices. @param chosen ids to include even if they are earlier versions */
export const currentOf = <T>(entries: ReadonlyMap<string, T>, chosen: readonly string[] = []): T[] =>
  [...entries].flatMap(([id, one]) => (isEarlierVersion(id) && !chosen.includes(id) ? [] : [one]));

/**
 * An entry by its id, or by its id and version.
 * @throws JuryError `usage`, listing the known ids
 */
export function entry<T extends { id: string; version?: number | undefined }>(
  kind: string,
  entries: ReadonlyMap<string, T>,
  id: string,
): T {
  const current = entries.get(id.replace(/@\d+$/, ''));
  const exact = entries.get(id) ?? (id === `${current?.id}@${current?.version ?? 1}` ? current : undefined);
  if (exact !== undefined) return exact;
  if (current !== undefined) {
    const earlier = [...entries.keys()].filter((known) => known.startsWith(`${current.id}@`)).sort();
    const ids = [...earlier, `${current.id}@${current.version ?? 1}`];
    throw new JuryError('usage', `There is no ${kind} "${id}". Its versions are ${ids.join(', ')}.`);
  }
  throw noSuch(kind, id, [...entries.keys()].filter((known) => !isEarlierVersion(known)).sort());
}

/** The schema of a worked example in `prompts/exemplars/<rubric>.yaml`: a case and a good judge's reply. */
export const exemplarOf = (evalCase: z.ZodType<EvalCase>) =>
  z.strictObject({
    id: Id,
    case: evalCase,
    reply: z.strictObject({
      /** Per criterion id: the reason, then the finding (`decision` or, on number scales, `score`). */
      criteria: z.record(
        Id,
        z.strictObject({
          rationale: z.string().trim().min(1),
          decision: z.enum(['pass', 'fail', 'unscored', 'not-relevant']).optional(),
          score: z.number().optional(),
        }),
      ),
      rationale: z.string().trim().min(1),
      confidence: z.number().min(0).max(1),
      decision: z.enum(['pass', 'fail']).optional(),
    }),
  });
export type Exemplar = z.infer<ReturnType<typeof exemplarOf>>;

/** The fields by which a case selects a rubric; null if one is missing. */
export function selectingFields({ selectedBy }: Rubric, evalCase: EvalCase): string[] | null {
  const carried = selectedBy.map((paths) => {
    const any = [paths].flat();
    return any.find((path) => missingFields(evalCase, [path]).length === 0);
  });
  const paths = carried.filter((path) => path !== undefined);
  return paths.length === 0 || paths.length < carried.length ? null : paths;
}

/**
 * The rubric for a case that names none: the one with the lowest rank whose selecting fields the case has.
 *
 * @throws JuryError `bad-input` if none fits, or several with the same rank do
 */
export function selectRubric(rubrics: ReadonlyMap<string, Rubric>, evalCase: EvalCase): Rubric {
  const fitting = currentOf(rubrics)
    .filter((rubric) => selectingFields(rubric, evalCase) !== null)
    .sort((a, b) => a.rank - b.rank || (a.id < b.id ? -1 : 1));
  const [best, next] = fitting;
  if (best === undefined) {
    const offers = currentOf(rubrics).map(
      ({ id, needs }) => `${id} (needs ${needs.join(', ') || 'nothing more'})`,
    );
    throw new JuryError(
      'bad-input',
      `No rubric fits the fields of this case. Name a rubric, or add the fields that it needs: ${offers.join('; ')}.`,
    );
  }
  if (next !== undefined && next.rank === best.rank) {
    const equals = fitting.filter(({ rank }) => rank === best.rank);
    throw new JuryError(
      'bad-input',
      `Several rubrics fit this case equally well: ${equals.map(({ id }) => id).join(', ')}. Name one with "rubric: ID" in the case or --rubric, or give one of your own a lower rank.`,
    );
  }
  return best;
}

/**
 * The rubric of a case: the one that is wanted, else the one that fits.
 *
 * @throws JuryError `usage` if there is none of that name, or as {@link selectRubric}
 */
export const rubricFor = (
  rubrics: ReadonlyMap<string, Rubric>,
  evalCase: EvalCase,
  wanted: string | undefined = evalCase.rubric,
): Rubric => (wanted === undefined ? selectRubric(rubrics, evalCase) : entry('rubric', rubrics, wanted));

/**
 * The default method of the rubrics of some cases.
 *
 * @param rubric the rubric of all cases; null: each case's own
 * @throws JuryError `usage` if their rubrics have different methods, `bad-input` if no rubric fits a case
 */
export function defaultMethod(
  library: JudgingLibrary,
  cases: readonly EvalCase[],
  rubric: string | null,
): string {
  const rubrics = cases.map((evalCase) => rubricFor(library.rubrics, evalCase, rubric ?? undefined));
  const methods = [...new Set(rubrics.map(({ method }) => method))];
  const [only, ...more] = methods;
  if (only === undefined) throw new JuryError('bad-input', 'There is nothing to judge.');
  if (more.length > 0)
    throw new JuryError(
      'usage',
      `The cases' rubrics have different methods (${methods.join(', ')}): choose with --methods.`,
    );
  return only;
}
