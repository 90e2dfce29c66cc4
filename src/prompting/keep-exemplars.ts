import { copyFileSync, existsSync, mkdirSync, readdirSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { CORE_SCHEMA, dump } from 'js-yaml';
import { JuryError, messageOf } from '../common/errors.ts';
import type { Exemplar } from '../judging/library.ts';

/** Where worked examples were written. */
export interface KeptExemplars {
  path: string;
  /** 1 for the first file of one's own. */
  version: number;
  /** The file of the version before; null where the built-in examples, or none, came before. */
  earlier: string | null;
}

/** A folder that no examples are read from. */
const EARLIER = 'earlier';

/** Worked examples as they are written into a file. */
export const exemplarsYaml = (exemplars: readonly Exemplar[]): string =>
  dump([...exemplars], { schema: CORE_SCHEMA, lineWidth: 120, noRefs: true });

/** A remark of one line, whatever it quotes: a line break would end it and begin data. */
const commentLine = (text: string): string =>
  `# ${text.replaceAll(/[\s\p{Cc}\p{Cf}\u2028\u2029]+/gu, ' ').trim()}\n`;

/** One's own file of a rubric's examples, whichever ending it has; the last is the one that is read. */
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
 * Writes a rubric's worked examples into a prompts folder of one's own, where they take the place of the built-in ones. The
 * file that stood there is kept in `exemplars/earlier` under its number: copying it back undoes the change.
 *
 * @param remarks lines that say where the examples come from
 * @throws JuryError `usage` where the folder cannot be written; what stood there stays
 */
export function keepExemplars(
  promptsFolder: string,
  rubricId: string,
  exemplars: readonly Exemplar[],
  remarks: readonly string[],
): KeptExemplars {
  const folder = join(promptsFolder, 'exemplars');
  const own = ownFile(folder, rubricId);
  const path = own ?? join(folder, `${rubricId}.yaml`);
  try {
    mkdirSync(own === null ? folder : join(folder, EARLIER), { recursive: true });
    const before = lastVersion(join(folder, EARLIER), rubricId) + (own === null ? 0 : 1);
    const earlier = own === null ? null : join(folder, EARLIER, `${rubricId}.${before}.yaml`);
    if (own !== null && earlier !== null) copyFileSync(own, earlier);
    const version = before + 1;
    const head = [
      `Worked examples of the rubric ${rubricId}, version ${version}. Methods take the first n.`,
      ...remarks,
      earlier === null
        ? 'Before came the examples of the program; deleting this file brings them back.'
        : `The version before: ${relative(dirname(path), earlier)}`,
    ];
    const fresh = `${path}.new`;
    writeFileSync(fresh, head.map(commentLine).join('') + exemplarsYaml(exemplars));
    renameSync(fresh, path);
    return { path, version, earlier };
  } catch (thrown) {
    throw new JuryError('usage', `Cannot write ${path}: ${messageOf(thrown)}.`, { cause: thrown });
  }
}
