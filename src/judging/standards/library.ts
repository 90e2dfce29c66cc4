import * as z from 'zod';
import type { CaseFormat } from '../../case/format/index.ts';
import type { EvalCase } from '../../case/index.ts';
import type { Redactor } from '../../case/redact/index.ts';
import { Id, JuryError } from '../../common/index.ts';
import { noSuch } from '../../common/text/index.ts';
import type { Language } from '../../words/index.ts';
import type { Method } from './method.ts';
import type { Persona } from './persona.ts';
import { fittedTo, type Rubric } from './rubric.ts';
import { rubricIn, titledIn } from './titles.ts';

/** The part of the prompts that judging uses, by id. */
export interface JudgingLibrary {
  /** The fields declared in files, in addition to the built-in ones. */
  caseFormat: Pick<CaseFormat, 'groups'>;
  /** The current rubrics, and earlier versions as `navigation@1`. */
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
    const earlier = [...entries.keys()].filter((entryId) => entryId.startsWith(`${current.id}@`)).sort();
    const ids = [...earlier, `${current.id}@${current.version ?? 1}`];
    throw new JuryError('usage', `There is no ${kind} "${id}". Its versions are ${ids.join(', ')}.`);
  }
  throw noSuch(kind, id, [...entries.keys()].filter((entryId) => !isEarlierVersion(entryId)).sort());
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

/** The worked examples of a rubric as it is fitted to a case: those whose case it fits too. */
export const exemplarsFor = (
  { exemplars, rubrics }: Pick<JudgingLibrary, 'exemplars' | 'rubrics'>,
  rubric: Rubric,
): readonly Exemplar[] => {
  const whole = rubrics.get(rubric.id) ?? rubric;
  const isOwn = (id: string) => whole.criteria.some((one) => one.id === id);
  return exemplars(rubric.id).filter((exemplar) => {
    const fitted = fittedTo(whole, exemplar.case);
    const has = (id: string) => fitted.criteria.some((one) => one.id === id);
    return fitted === whole || rubric.criteria.every(({ id }) => has(id) || !isOwn(id));
  });
};

/** What people choose judges and rubrics from, with titles in a language. */
export interface TitledLibrary {
  rubrics: ReadonlyMap<string, Rubric>;
  methods: ReadonlyMap<string, Method>;
  personas: ReadonlyMap<string, Persona>;
}

export function libraryIn({ rubrics, methods, personas }: TitledLibrary, language: Language): TitledLibrary {
  const all = <T>(entries: ReadonlyMap<string, T>, inLanguage: (one: T, language: Language) => T) =>
    new Map([...entries].map(([id, one]) => [id, inLanguage(one, language)]));
  return {
    rubrics: all(rubrics, rubricIn),
    methods: all(methods, titledIn),
    personas: all(personas, titledIn),
  };
}
