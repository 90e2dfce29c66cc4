import type { CaseFormat } from '../case/case-format.ts';
import { JuryError } from '../common/errors.ts';
import { pathsOfCheck } from '../judging/check.ts';
import { asksForDecision } from '../judging/conclude.ts';
import { type Exemplar, exemplarOf } from '../judging/library.ts';
import { explainMisfit, type Method } from '../judging/method.ts';
import type { Persona } from '../judging/persona.ts';
import { type Criterion, isBinary, type Rubric } from '../judging/rubric.ts';
import type { Problems } from './prompt-files.ts';

interface Parts {
  rubrics: ReadonlyMap<string, Rubric>;
  methods: ReadonlyMap<string, Method>;
  personas: ReadonlyMap<string, Persona>;
  lexiconIds: readonly string[];
  format: CaseFormat;
}

const oneOf = (ids: Iterable<string>): string => `choose from: ${[...ids].sort().join(', ') || 'none'}`;

function checkProblems(rubric: Rubric, { check }: Criterion, index: number, parts: Parts): Problems {
  if (check === undefined || !('lexicon' in check) || check.lexicon === undefined) return [];
  if (parts.lexiconIds.includes(check.lexicon)) return [];
  const key = `criteria.${index}.check.lexicon`;
  return [`rubrics/${rubric.id}.yaml: ${key}: no lexicon "${check.lexicon}"; ${oneOf(parts.lexiconIds)}`];
}

/** Paths that no case can have: a typo would otherwise set a criterion aside for good. */
function pathProblems(rubric: Rubric, { format: { paths: casePaths } }: Parts): Problems {
  const named: [key: string, paths: readonly string[]][] = [
    ['needs', rubric.needs],
    ['selectedBy', rubric.selectedBy.flat()],
    ...rubric.criteria.flatMap(({ needs, check }, index): [string, readonly string[]][] => {
      const at = `criteria.${index}`;
      const looked = check === undefined ? [] : pathsOfCheck(check);
      return [
        [`${at}.needs`, needs],
        ...looked.map(([key, paths]): [string, readonly string[]] => [`${at}.check.${key}`, paths]),
      ];
    }),
  ];
  return named.flatMap(([key, paths]) =>
    paths
      .filter((path) => !casePaths.includes(path))
      .map(
        (path) =>
          `rubrics/${rubric.id}.yaml: ${key}: a case has no field "${path}"; choose from: ${casePaths.join(', ')}`,
      ),
  );
}

function rubricProblems(rubric: Rubric, parts: Parts): Problems {
  const problems: Problems = [];
  for (const id of rubric.panel)
    if (!parts.personas.has(id))
      problems.push(`rubrics/${rubric.id}.yaml: panel: no persona "${id}"; ${oneOf(parts.personas.keys())}`);
  const method = parts.methods.get(rubric.method);
  if (method === undefined)
    problems.push(
      `rubrics/${rubric.id}.yaml: method: no method "${rubric.method}"; ${oneOf(parts.methods.keys())}`,
    );
  else {
    const misfit = explainMisfit(method, rubric);
    if (misfit !== null) problems.push(`rubrics/${rubric.id}.yaml: method: "${method.id}" ${misfit}`);
  }
  for (const id of Object.keys(rubric.interests))
    if (!parts.personas.has(id))
      problems.push(
        `rubrics/${rubric.id}.yaml: interests: no persona "${id}"; ${oneOf(parts.personas.keys())}`,
      );
  return [
    ...problems,
    ...pathProblems(rubric, parts),
    ...rubric.criteria.flatMap((criterion, index) => checkProblems(rubric, criterion, index, parts)),
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
