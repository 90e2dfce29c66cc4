import type { CaseFormat } from '../case/case-format.ts';
import { JuryError } from '../common/errors.ts';
import { pathsOfCheck } from '../judging/check.ts';
import { asksForDecision } from '../judging/conclude.ts';
import { currentOf, type Exemplar, exemplarOf } from '../judging/library.ts';
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

/** References to names that there are not, and to paths that no case can have, which would set a criterion aside for good. */
function rubricProblems(rubric: Rubric, { methods, personas, lexiconIds, format }: Parts): Problems {
  const at = `rubrics/${rubric.id}.yaml`;
  const persona = { what: 'no persona', known: [...personas.keys()].sort() };
  const field = { what: 'a case has no field', known: format.paths };
  const lexicon = { what: 'no lexicon', known: [...lexiconIds].sort() };
  const references: [key: string, names: readonly string[], kind: typeof persona | typeof field][] = [
    ['panel', rubric.panel, persona],
    ['method', [rubric.method], { what: 'no method', known: [...methods.keys()].sort() }],
    ['interests', Object.keys(rubric.interests), persona],
    ['needs', rubric.needs, field],
    ['selectedBy', rubric.selectedBy.flat(), field],
    ...rubric.criteria.flatMap(({ needs, check }, index): typeof references => {
      const checked = check === undefined ? [] : pathsOfCheck(check);
      const words = check !== undefined && 'lexicon' in check ? check.lexicon : undefined;
      return [
        [`criteria.${index}.needs`, needs, field],
        ...checked.map(([key, paths]): (typeof references)[number] => [
          `criteria.${index}.check.${key}`,
          paths,
          field,
        ]),
        [`criteria.${index}.check.lexicon`, words === undefined ? [] : [words], lexicon],
      ];
    }),
  ];
  const method = methods.get(rubric.method);
  const misfit = method === undefined ? null : explainMisfit(method, rubric);
  return [
    ...references.flatMap(([key, names, { what, known }]) =>
      names
        .filter((name) => !known.includes(name))
        .map((name) => `${at}: ${key}: ${what} "${name}"; choose from: ${known.join(', ') || 'none'}`),
    ),
    ...(misfit === null ? [] : [`${at}: method: "${rubric.method}" ${misfit}`]),
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
    return [
      `exemplars/${rubricId}.yaml: no rubric "${rubricId}"; choose from: ${[...rubrics.keys()].sort().join(', ')}`,
    ];
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
  return currentOf(personas).flatMap(({ id, settings = {} }) =>
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
export const crossProblems = (parts: Parts): Problems => [
  ...settingProblems(parts.personas),
  ...[...parts.rubrics.values()].flatMap((rubric) => rubricProblems(rubric, parts)),
];
