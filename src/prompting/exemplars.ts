import { copyFileSync, existsSync, mkdirSync, readdirSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { CORE_SCHEMA, dump } from 'js-yaml';
import type { CaseFormat } from '../case/format/index.ts';
import { JuryError, messageOf } from '../common/index.ts';
import { asksForDecision } from '../judging/index.ts';
import { type Exemplar, exemplarOf, fittedTo, isBinary, type Rubric } from '../judging/standards/index.ts';
import type { Problems } from './prompt-files.ts';

export type SavedExemplars = ReturnType<typeof saveExemplars>;

/** Subfolder for previous versions, which are not read. */
const VERSIONS_FOLDER = 'earlier';

export const exemplarsYaml = (exemplars: readonly Exemplar[]): string =>
  dump([...exemplars], { schema: CORE_SCHEMA, lineWidth: 120, noRefs: true });

/** A one-line comment: a line break in quoted text would end the comment and start data. */
const commentLine = (text: string): string =>
  `# ${text.replaceAll(/[\s\p{Cc}\p{Cf}\u2028\u2029]+/gu, ' ').trim()}\n`;

/** The user's file of examples for a rubric; `.yml` is preferred, as in the library. Null if there is none. */
function ownFile(folder: string, rubricId: string): string | null {
  const names = [`${rubricId}.yml`, `${rubricId}.yaml`].filter((name) => existsSync(join(folder, name)));
  const [first] = names;
  return first === undefined ? null : join(folder, first);
}

function lastVersion(folder: string, rubricId: string): number {
  if (!existsSync(folder)) return 0;
  const numbers = readdirSync(folder).flatMap((name) => {
    const [, number] = new RegExp(`^${rubricId}\\.(\\d+)\\.yaml$`).exec(name) ?? [];
    return number === undefined ? [] : [Number(number)];
  });
  return Math.max(0, ...numbers);
}

/**
 * Writes a rubric's worked examples to the user's prompts folder, where they replace the built-in ones. The previous file is kept in
 * `exemplars/earlier` under its version: copying it back undoes the change.
 *
 * @param remarks where the examples come from
 * @throws JuryError `usage` if the folder cannot be written; the previous file stays
 */
export function saveExemplars(
  promptsFolder: string,
  rubricId: string,
  exemplars: readonly Exemplar[],
  remarks: readonly string[],
) {
  const folder = join(promptsFolder, 'exemplars');
  const ownPath = ownFile(folder, rubricId);
  const path = ownPath ?? join(folder, `${rubricId}.yaml`);
  try {
    mkdirSync(ownPath === null ? folder : join(folder, VERSIONS_FOLDER), { recursive: true });
    const before = lastVersion(join(folder, VERSIONS_FOLDER), rubricId) + (ownPath === null ? 0 : 1);
    const earlier = ownPath === null ? null : join(folder, VERSIONS_FOLDER, `${rubricId}.${before}.yaml`);
    if (ownPath !== null && earlier !== null) copyFileSync(ownPath, earlier);
    const version = before + 1;
    const head = [
      `Worked examples of the rubric ${rubricId}, version ${version}. Methods take the first n.`,
      ...remarks,
      earlier === null
        ? 'These replace the built-in examples; delete this file to restore them.'
        : `Previous version: ${relative(dirname(path), earlier)}`,
    ];
    const fresh = `${path}.new`;
    writeFileSync(fresh, head.map(commentLine).join('') + exemplarsYaml(exemplars));
    renameSync(fresh, path);
    // `version` counts from 1; `earlier` is the path of the previous version's copy, null if there was no file.
    return { path, version, earlier };
  } catch (thrown) {
    throw new JuryError('usage', `Cannot write ${path}: ${messageOf(thrown)}.`, { cause: thrown });
  }
}

/** Reports scores outside their criterion's scale. */
const scaleProblems = ({ criteria }: Rubric, reply: Exemplar['reply'], where: string): Problems =>
  criteria.flatMap(({ id, scale }) => {
    const score = reply.criteria[id]?.score;
    if (score === undefined || isBinary(scale) || (score >= scale.min && score <= scale.max)) return [];
    return [`${where}.criteria.${id}.score: must be from ${scale.min} to ${scale.max}`];
  });

/** Reports worked examples that contradict their rubric or themselves. */
export function exemplarProblems(
  rubricId: string,
  exemplars: readonly Exemplar[],
  rubrics: ReadonlyMap<string, Rubric>,
): Problems {
  const whole = rubrics.get(rubricId);
  if (whole === undefined)
    return [
      `exemplars/${rubricId}.yaml: no rubric "${rubricId}"; choose from: ${[...rubrics.keys()].sort().join(', ')}`,
    ];
  return exemplars.flatMap(({ id, reply, case: evalCase }) => {
    const rubric = fittedTo(whole, evalCase);
    const criteria = rubric.criteria.filter(({ judgedBy }) => judgedBy === 'panel').map((one) => one.id);
    const decides = asksForDecision(rubric.criteria, rubric.decide);
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
