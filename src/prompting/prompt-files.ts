import { type Dirent, existsSync, readdirSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { basename, extname, join, resolve, sep } from 'node:path';
import { CORE_SCHEMA, load, YAMLException } from 'js-yaml';
import type * as z from 'zod';
import { isRecord } from '../case/index.ts';
import { describeIssue, fileReason, JuryError, messageOf } from '../common/index.ts';

/** Problems, one line each: `file: key: what is wrong and what is allowed`. */
export type Problems = string[];

/** A prompt file. `id` is the file name without its extension. */
export interface PromptFile {
  id: string;
  path: string;
  text: string;
}

/** Whether a path links out of its prompts folder. Such links are rejected, so that prompts cannot include arbitrary files. */
const leavesFolder = (folder: string, path: string): boolean =>
  !isBelow(realpathSync(folder), realpathSync(path));

/** The files of one kind (such as `methods`) in several prompts folders, by id. A file in a later folder replaces one with the same id. */
export function filesOf(
  folders: readonly string[],
  kind: string,
  ending: '.yaml' | '.md',
  problems: Problems,
): Map<string, PromptFile> {
  const files = new Map<string, PromptFile>();
  for (const folder of folders) {
    const place = join(folder, kind);
    if (!existsSync(place)) continue;
    for (const name of readdirSync(place).sort()) {
      const fileEnding = extname(name) === '.yml' ? '.yaml' : extname(name);
      if (fileEnding !== ending || name.startsWith('.')) continue;
      const id = basename(name, extname(name));
      const path = join(place, name);
      try {
        if (leavesFolder(folder, path)) {
          problems.push(`${path}: is a link out of the folder: put the file itself there`);
          continue;
        }
        files.set(id, { id, path, text: readFileSync(path, 'utf8') });
      } catch (thrown) {
        problems.push(`${path}: cannot be read: ${messageOf(thrown)}`);
      }
    }
  }
  return files;
}

/**
 * Reads one YAML file.
 * @throws JuryError `usage` if it cannot be read
 */
export function fileAt(path: string): PromptFile {
  try {
    return { id: basename(path, extname(path)), path, text: readFileSync(path, 'utf8') };
  } catch (thrown) {
    throw new JuryError('usage', `Cannot read ${path}: ${fileReason(thrown)}.`, { cause: thrown });
  }
}

/** Whether a path is inside a folder. Compares with a trailing separator, so `/a/bc` is not below `/a/b`. */
export const isBelow = (folder: string, path: string): boolean => path.startsWith(join(folder, sep));

/** Parses YAML; a syntax error is reported as a problem with its line. Dates and times stay text. */
export function yamlOf({ path, text }: PromptFile, problems: Problems): unknown {
  try {
    return load(text, { schema: CORE_SCHEMA });
  } catch (thrown) {
    const mark = thrown instanceof YAMLException ? thrown.mark : undefined;
    const place = mark === undefined ? '' : ` at line ${mark.line + 1}, column ${mark.column + 1}`;
    const reason = thrown instanceof YAMLException ? thrown.reason : messageOf(thrown);
    problems.push(`${path}: is not valid YAML: ${reason}${place}`);
    return undefined;
  }
}

/** Splits a Markdown file into its YAML front matter and its body. */
export function frontMatterOf(
  file: PromptFile,
  problems: Problems,
): { data: unknown; body: string } | undefined {
  const parts = /^---\r?\n(?<head>[\s\S]*?)\r?\n---\r?\n(?<body>[\s\S]*)$/.exec(file.text)?.groups;
  if (parts === undefined) {
    problems.push(`${file.path}: must begin with front matter between two lines "---"`);
    return undefined;
  }
  const { head = '', body = '' } = parts;
  const data = yamlOf({ ...file, text: head }, problems);
  return data === undefined ? undefined : { data, body: body.trim() };
}

/** Adds the id to a file's data. */
export const withId = (id: string, data: unknown, more: Record<string, unknown> = {}): unknown =>
  isRecord(data) ? { ...data, ...more, id } : data;

/** Validates data with a schema; every issue is reported as a problem with file and key. */
export function parseWith<T extends z.ZodType>(
  schema: T,
  data: unknown,
  path: string,
  problems: Problems,
): z.infer<T> | undefined {
  if (data === undefined) return undefined;
  try {
    const result = schema.safeParse(data);
    if (result.success) return result.data;
    for (const issue of result.error.issues) {
      const { key, message } = describeIssue(schema, issue);
      problems.push(`${path}: ${key}: ${message}`);
    }
  } catch (thrown) {
    problems.push(`${path}: ${messageOf(thrown)}`);
  }
  return undefined;
}

/** Parses a YAML file and validates it, with the file's id added to the data. */
export const parseYaml = <T extends z.ZodType>(
  schema: T,
  file: PromptFile,
  problems: Problems,
): z.infer<T> | undefined => parseWith(schema, withId(file.id, yamlOf(file, problems)), file.path, problems);

/**
 * @param where where the problems are (default: prompt files)
 * @throws JuryError `bad-file` that lists every problem, if there are any
 */
export function throwProblems(all: Problems, where?: string): void {
  // A file shared by several versions is read once for each, so its problems repeat.
  const problems = [...new Set(all)];
  if (problems.length === 0) return;
  const [head, files] =
    problems.length === 1
      ? ['There is a problem', 'a prompt file']
      : [`There are ${problems.length} problems`, 'the prompt files'];
  throw new JuryError(
    'bad-file',
    `${head} in ${where ?? files}:\n${problems.map((problem) => `  ${problem}`).join('\n')}`,
  );
}

/**
 * The subfolders of a prompts folder: the extension of the files that are read (null: several kinds of files), and a pattern that only such
 * files match.
 */
const PROMPT_FOLDERS: Readonly<Record<string, { ending: '.yaml' | '.md' | null; mark?: RegExp }>> = {
  rubrics: { ending: '.yaml', mark: /^[ \t"]*criteria"?[ \t]*:/m },
  fields: { ending: '.yaml' },
  paste: { ending: '.yaml' },
  traces: { ending: '.yaml', mark: /^[ \t"]*records"?[ \t]*:/m },
  methods: { ending: '.yaml', mark: /^[ \t"]*seats"?[ \t]*:/m },
  personas: { ending: '.md', mark: /^---\r?\n(?:.*\r?\n){0,50}?title[ \t]*:/ },
  exemplars: { ending: '.yaml' },
  lexicons: { ending: '.yaml' },
  cars: { ending: '.yaml', mark: /^[ \t"]*tools"?[ \t]*:/m },
  templates: { ending: '.md' },
  samples: { ending: null },
  datasets: { ending: null },
  benchmarks: { ending: '.yaml' },
  archive: { ending: null },
};

const isData = (name: string): boolean => /\.(?:ya?ml|json)$/i.test(name);

/** Where a file at the top level of a prompts folder belongs, since nothing there is read; null for notes and the like. */
function rightPlace(folder: string, name: string): string | null {
  if (!isData(name) && extname(name) !== '.md') return null;
  const kinds = Object.entries(PROMPT_FOLDERS);
  const bare = basename(name, extname(name));
  const text = readFileSync(join(folder, name), 'utf8').slice(0, 100_000);
  // `car.yaml` may as well be a system that is asked for its answers.
  const isNamed = ([kind, { mark }]: (typeof kinds)[number]) =>
    bare.toLowerCase() === kind ||
    (bare.toLowerCase() === kind.replace(/s$/, '') && (mark?.test(text) ?? true));
  const all = kinds.find(isNamed);
  if (isData(name) && all !== undefined)
    return `write a file for each of the ${all[0]}, such as ${join(folder, all[0], `my-own${all[1].ending ?? '.yaml'}`)}`;
  const fitting = kinds.find(
    ([, { ending, mark }]) => (ending === '.md') !== isData(name) && mark?.test(text),
  );
  return fitting === undefined
    ? null
    : `move it to ${join(folder, fitting[0], `${bare}${fitting[1].ending}`)}`;
}

/** Problems with an entry of a prompts folder that would not be read. */
function misplaced(folder: string, entry: Dirent): Problems {
  const { name } = entry;
  const place = join(folder, name);
  if (name.startsWith('.')) return [];
  if (!entry.isDirectory()) {
    const right = entry.isFile() ? rightPlace(folder, name) : null;
    return right === null ? [] : [`${place}: is not read there: ${right}`];
  }
  const ending = PROMPT_FOLDERS[name]?.ending;
  if (ending === undefined)
    return [`${place}: is not a known folder; choose from: ${Object.keys(PROMPT_FOLDERS).join(', ')}`];
  if (ending === null) return [];
  return readdirSync(place)
    .filter((file) => isData(file) && (ending === '.md' || /\.json$/i.test(file)))
    .map((file) => `${join(place, file)}: is not read: files in ${name} end in ${ending}`);
}

/** Reports a missing prompts folder, and files and subfolders that would not be read, with where they belong. */
export function folderProblems(folder: string): Problems {
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory())
    return [`${folder}: there is no such folder; set JURY_PROMPTS_DIR to one`];
  const problems = readdirSync(folder, { withFileTypes: true }).flatMap((entry) => misplaced(folder, entry));
  const kind = basename(resolve(folder));
  if (problems.length > 0 && Object.hasOwn(PROMPT_FOLDERS, kind))
    return [`${folder}: is a folder of ${kind}: set JURY_PROMPTS_DIR to the folder that it is in`];
  return problems;
}

/** The kinds of files whose earlier versions stay in `archive/`: everything that judges read. */
const ARCHIVED = { exemplars: '.yaml', personas: '.md', rubrics: '.yaml', templates: '.md' } as const;
export type ArchivedKind = keyof typeof ARCHIVED;

const isArchived = (kind: string): kind is ArchivedKind => Object.hasOwn(ARCHIVED, kind);

/** Splits `navigation@1` into id and version; null for the id of a current file. */
export function readVersioned(id: string): { id: string; version: number } | null {
  const { plainId, version } = /^(?<plainId>.+)@(?<version>[1-9]\d{0,5})$/.exec(id)?.groups ?? {};
  return plainId === undefined ? null : { id: plainId, version: Number(version) };
}

/** The version that a file states: a key in YAML or front matter, or a comment `# version: 2` in a YAML list. Default 1. */
function statedVersion({ path, text }: PromptFile): number {
  const head = path.endsWith('.md') ? (/^---\r?\n[\s\S]*?\r?\n---/.exec(text)?.[0] ?? '') : text;
  return Number(/^(?:# )?version:[ \t]*(\d+)[ \t]*$/m.exec(head)?.[1] ?? 1);
}

const currentFiles = (folder: string, kind: ArchivedKind) => filesOf([folder], kind, ARCHIVED[kind], []);

/** The archived files of prompts folders by versioned id, `navigation@1`. */
export const archivedFiles = (
  folders: readonly string[],
  kind: ArchivedKind,
  problems: Problems,
): Map<string, PromptFile> => filesOf(folders, `archive/${kind}`, ARCHIVED[kind], problems);

/** The version of a prompts folder: the highest one stated in its files. */
export function folderVersion(folder: string): number {
  const kinds = Object.keys(ARCHIVED).filter(isArchived);
  return Math.max(1, ...kinds.flatMap((kind) => [...currentFiles(folder, kind).values()].map(statedVersion)));
}

/**
 * The archived files that were in effect in a version of a prompts folder, by unversioned id. `navigation@2` was in effect up to version 2,
 * starting after the version of the archived file before it.
 */
export function archivedAt(folder: string, kind: ArchivedKind, version: number): Map<string, PromptFile> {
  const then = new Map<string, { file: PromptFile; through: number }>();
  for (const [name, file] of archivedFiles([folder], kind, [])) {
    const named = readVersioned(name);
    if (named === null || named.version < version) continue;
    const oldest = then.get(named.id);
    if (oldest === undefined || named.version < oldest.through)
      then.set(named.id, { file, through: named.version });
  }
  return new Map([...then].map(([id, { file }]) => [id, file]));
}

/** The file with an id, or its earlier version, for display. Empty files are ignored. */
export function fileOf(
  folders: readonly string[],
  kind: string,
  ending: '.yaml' | '.md',
  id: string,
): PromptFile | undefined {
  const { id: plainId, version } = readVersioned(id) ?? { id, version: Number.POSITIVE_INFINITY };
  const archived = isArchived(kind)
    ? folders.flatMap((folder) => archivedAt(folder, kind, version).get(plainId) ?? [])
    : [];
  const files = folders.flatMap((folder) => filesOf([folder], kind, ending, []).get(plainId) ?? []);
  return archived.at(-1) ?? files.findLast(({ text }) => text.trim() !== '');
}

/** Reports archived files that would never be read or could not be told apart from the current file. */
export function archiveProblems(folder: string): Problems {
  const archive = join(folder, 'archive');
  if (!existsSync(archive)) return [];
  return readdirSync(archive)
    .filter((name) => !name.startsWith('.'))
    .flatMap((kind): Problems => {
      if (!isArchived(kind))
        return [
          `${join(archive, kind)}: is not a known folder; choose from: ${Object.keys(ARCHIVED).join(', ')}`,
        ];
      const current = currentFiles(folder, kind);
      return [...archivedFiles([folder], kind, []).values()].flatMap(({ id, path }): Problems => {
        const named = readVersioned(id);
        if (named === null)
          return [`${path}: the name must be ID@VERSION, such as ${basename(path).replace('.', '@1.')}`];
        const now = current.get(named.id);
        if (now === undefined)
          return [`${path}: there is no ${join(folder, kind, named.id)}${ARCHIVED[kind]}`];
        return statedVersion(now) > named.version
          ? []
          : [`${now.path}: version: must be above ${named.version}, which is in the archive`];
      });
    });
}
