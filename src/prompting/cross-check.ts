import type { CaseFormat } from '../case/case-format.ts';
import { JuryError } from '../common/errors.ts';
import { pathsOfCheck } from '../judging/check.ts';
import { asksForDecision } from '../judging/conclude.ts';
import { type Exemplar, exemplarOf } from '../judging/library.ts';
import { explainMisfit, type Method } from '../judging/method.ts';
import type { Persona } from '../judging/persona.ts';
import { isBinary, type Rubric } from '../judging/rubric.ts';
import type { Problems } from './prompt-files.ts';

interface Parts {
  rubrics: ReadonlyMap<string, Rubric>;
  methods: ReadonlyMap<string, Method>;
  personas: ReadonlyMap<string, Persona>;
  lexiconIds: readonly string[];
  format: CaseFormat;
}

const oneOf = (ids: Iterable<string>): string => `choose from: ${[...ids].sort().join(', ') || 'none'}`;

/** References to names that there are not, and to paths that no case can have, which would set a criterion aside for good. */
function rubricProblems(rubric: Rubric, { methods, personas, lexiconIds, format }: Parts): Problems {
  const at = `rubrics/${rubric.id}.yaml`;
  const unknown = (key: string, what: string, ids: readonly string[], known: readonly string[]): Problems =>
    ids.filter((id) => !known.includes(id)).map((id) => `${at}: ${key}: ${what} "${id}"; ${oneOf(known)}`);
  const noPersona = (key: string, ids: readonly string[]) =>
    unknown(key, 'no persona', ids, [...personas.keys()]);
  const noField = (key: string, paths: readonly string[]) =>
    paths
      .filter((path) => !format.paths.includes(path))
      .map((path) => `${at}: ${key}: a case has no field "${path}"; choose from: ${format.paths.join(', ')}`);
  const method = methods.get(rubric.method);
  const misfit = method === undefined ? null : explainMisfit(method, rubric);
  return [
    ...noPersona('panel', rubric.panel),
    ...unknown('method', 'no method', [rubric.method], [...methods.keys()]),
    ...(misfit === null ? [] : [`${at}: method: "${rubric.method}" ${misfit}`]),
    ...noPersona('interests', Object.keys(rubric.interests)),
    ...noField('needs', rubric.needs),
    ...noField('selectedBy', rubric.selectedBy.flat()),
    ...rubric.criteria.flatMap(({ needs, check }, index) => [
      ...noField(`criteria.${index}.needs`, needs),
      ...(check === undefined ? [] : pathsOfCheck(check)).flatMap(([key, paths]) =>
        noField(`criteria.${index}.check.${key}`, paths),
      ),
    ]),
    ...rubric.criteria.flatMap(({ check }, index) =>
      check === undefined || !('lexicon' in check) || check.lexicon === undefined
        ? []
        : unknown(`criteria.${index}.check.lexicon`, 'no lexicon', [check.lexicon], lexiconIds),
    ),
  ];
}

/** Scores outside their criterion's scale. */
const scaleProblems = ({ criteria }: Rubric, reply: Exemplar['reply'], where: string): Problems =>
  criteria.flatMap(({ id, scale }) => {
    const score = reply.criteria[id]?.score;
    if (score === undefined || isBinary(scale) || (score >= scale.min && score <= scale.max)) return [];
    return [`${where}.criteria.${id}.score: must be from ${scale.min} to ${scale.max}`];
  });

/** Contradictions of worked examples with their rubric or themselves. */
export function exemplarProblems(
  rubricId: string,
  exemplars: readonly Exemplar[],
  rubrics: ReadonlyMap<string, Rubric>,
): Problems {
  const rubric = rubrics.get(rubricId);
  if (rubric === undefined)
    return [`exemplars/${rubricId}.yaml: no rubric "${rubricId}"; ${oneOf(rubrics.keys())}`];
  const criteria = rubric.criteria.filter(({ judgedBy }) => judgedBy === 'panel').map(({ id }) => id);
  const decides = asksForDecision(rubric.criteria, rubric.decide);
  return exemplars.flatMap(({ id, reply }) => {
    const given = Object.keys(reply.criteria);
    const where = `exemplars/${rubricId}.yaml: ${id}: reply`;
    const problems: Problems = [];
    if (given.join() !== criteria.join())
      problems.push(`${where}.criteria: must contain, in this order: ${criteria.join(', ')}`);
    const findings = Object.values(reply.criteria);
    if (rubric.decide === 'all') {
      const expected = findings.some(({ decision }) => decision === 'fail') ? 'fail' : 'pass';
      if (!decides && reply.decision !== undefined)
        problems.push(`${where}.decision: must be left out: it follows from the findings`);
      if (decides && reply.decision !== expected)
        problems.push(`${where}.decision: must be "${expected}", as its findings imply`);
      if (findings.some(({ decision }) => decision === undefined))
        problems.push(
          `${where}.criteria: each needs a decision: pass, fail, unscored or, if the criterion may not apply, not-relevant`,
        );
    } else if (findings.some(({ score }) => score === undefined))
      problems.push(`${where}.criteria: each needs a score`);
    return [...problems, ...scaleProblems(rubric, reply, where)];
  });
}

/**
 * Checks a worked example before it is written.
 * @throws JuryError `usage`
 */
export function requireExemplar(
  rubric: Rubric,
  exemplar: Exemplar,
  { caseFormat, rubrics }: { caseFormat: CaseFormat; rubrics: ReadonlyMap<string, Rubric> },
): void {
  const parsed = exemplarOf(caseFormat.schema).safeParse(exemplar);
  const problems = parsed.success
    ? exemplarProblems(rubric.id, [exemplar], rubrics)
    : parsed.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
  if (problems.length > 0)
    throw new JuryError(
      'usage',
      `This is not a valid worked example:\n${problems.map((one) => `  ${one}`).join('\n')}`,
    );
}

/** A setting must be the same in every persona that has it, because a request sets it for all of them. */
function settingProblems(personas: ReadonlyMap<string, Persona>): Problems {
  const firsts = new Map<string, { persona: string; setting: string }>();
  return [...personas.values()].flatMap(({ id, settings = {} }) =>
    Object.entries(settings).flatMap(([name, setting]) => {
      const content = JSON.stringify([setting.title, setting.default]);
      const first = firsts.get(name) ?? { persona: id, setting: content };
      firsts.set(name, first);
      return first.setting === content
        ? []
        : [
            `personas/${id}.md: settings.${name}: must have the same title and default as in personas/${first.persona}.md`,
          ];
    }),
  );
}

/** Problems between files: references to unknown names and fields. */
export function crossProblems(files: Omit<Parts, 'lexiconIds'>, lexiconIds: readonly string[]): Problems {
  const parts = { ...files, lexiconIds };
  return [
    ...settingProblems(parts.personas),
    ...[...parts.rubrics.values()].flatMap((rubric) => rubricProblems(rubric, parts)),
  ];
}
