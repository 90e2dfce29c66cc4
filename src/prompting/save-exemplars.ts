import { copyFileSync, existsSync, mkdirSync, readdirSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { CORE_SCHEMA, dump } from 'js-yaml';
import { JuryError, messageOf } from '../common/errors.ts';
import type { Exemplar } from '../judging/library.ts';

export type SavedExemplars = ReturnType<typeof saveExemplars>;

/** Examples in this folder are not read. */
const VERSIONS_FOLDER = 'earlier';

export const exemplarsYaml = (exemplars: readonly Exemplar[]): string =>
  dump([...exemplars], { schema: CORE_SCHEMA, lineWidth: 120, noRefs: true });

/** A comment in one line: a line break in quoted text would end it and begin data. */
const commentLine = (text: string): string =>
  `# ${text.replaceAll(/[\s\p{Cc}\p{Cf}\u2028\u2029]+/gu, ' ').trim()}\n`;

/** The user's file of a rubric's examples; of two endings, the one that the library reads. */
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
  const own = ownFile(folder, rubricId);
  const path = own ?? join(folder, `${rubricId}.yaml`);
  try {
    mkdirSync(own === null ? folder : join(folder, VERSIONS_FOLDER), { recursive: true });
    const before = lastVersion(join(folder, VERSIONS_FOLDER), rubricId) + (own === null ? 0 : 1);
    const earlier = own === null ? null : join(folder, VERSIONS_FOLDER, `${rubricId}.${before}.yaml`);
    if (own !== null && earlier !== null) copyFileSync(own, earlier);
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
    // `version` is from 1; `earlier` is the copy of the previous version, null if there was no file.
    return { path, version, earlier };
  } catch (thrown) {
    throw new JuryError('usage', `Cannot write ${path}: ${messageOf(thrown)}.`, { cause: thrown });
  }
}
