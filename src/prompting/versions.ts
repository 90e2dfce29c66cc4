import { existsSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { filesOf, type Problems, type PromptFile } from './prompt-files.ts';

/** The kinds of files whose earlier versions stay in `archive/`: all that judges read. */
const ARCHIVED = { exemplars: '.yaml', personas: '.md', rubrics: '.yaml', templates: '.md' } as const;
export type ArchivedKind = keyof typeof ARCHIVED;

const isArchived = (kind: string): kind is ArchivedKind => Object.hasOwn(ARCHIVED, kind);

/** `navigation@1` as the id and the version; null for the id of a current file. */
export function readVersioned(id: string): { id: string; version: number } | null {
  const [, own, version] = /^(.+)@([1-9]\d{0,5})$/.exec(id) ?? [];
  return own === undefined ? null : { id: own, version: Number(version) };
}

/** The version that a file states: a key of YAML or front matter, in a list a comment `# version: 2`; 1 if it states none. */
function statedVersion({ path, text }: PromptFile): number {
  const head = path.endsWith('.md') ? (/^---\r?\n[\s\S]*?\r?\n---/.exec(text)?.[0] ?? '') : text;
  return Number(/^(?:# )?version:[ \t]*(\d+)[ \t]*$/m.exec(head)?.[1] ?? 1);
}

const currentFiles = (folder: string, kind: ArchivedKind) => filesOf([folder], kind, ARCHIVED[kind], []);

/** The archived files of prompts folders by id, `navigation@1`. */
export const archivedFiles = (
  folders: readonly string[],
  kind: ArchivedKind,
  problems: Problems,
): Map<string, PromptFile> => filesOf(folders, `archive/${kind}`, ARCHIVED[kind], problems);

/** The version of a prompts folder: the highest that one of its files states. */
export function folderVersion(folder: string): number {
  const kinds = Object.keys(ARCHIVED).filter(isArchived);
  return Math.max(1, ...kinds.flatMap((kind) => [...currentFiles(folder, kind).values()].map(statedVersion)));
}

/**
 * What archived files of a prompts folder held in a version, by the ids of the current files. A file `navigation@2` held through
 * version 2, from the version after the one archived before it.
 */
export function archivedAt(folder: string, kind: ArchivedKind, version: number): Map<string, PromptFile> {
  const then = new Map<string, { file: PromptFile; through: number }>();
  for (const [name, file] of archivedFiles([folder], kind, [])) {
    const found = readVersioned(name);
    if (found === null || found.version < version) continue;
    const known = then.get(found.id);
    if (known === undefined || found.version < known.through)
      then.set(found.id, { file, through: found.version });
  }
  return new Map([...then].map(([id, { file }]) => [id, file]));
}

/** The file of an id or of its earlier version, for people to read. */
export function fileOf(
  folders: readonly string[],
  kind: string,
  ending: '.yaml' | '.md',
  id: string,
): PromptFile | undefined {
  const { id: own, version } = readVersioned(id) ?? { id, version: Number.POSITIVE_INFINITY };
  const archived = isArchived(kind)
    ? folders.flatMap((folder) => archivedAt(folder, kind, version).get(own) ?? [])
    : [];
  return archived.at(-1) ?? filesOf(folders, kind, ending, []).get(own);
}

/** Archived files that nothing would read, or that would never be told from the current file. */
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
        const found = readVersioned(id);
        if (found === null)
          return [`${path}: the name must be ID@VERSION, such as ${basename(path).replace('.', '@1.')}`];
        const now = current.get(found.id);
        if (now === undefined)
          return [`${path}: there is no ${join(folder, kind, found.id)}${ARCHIVED[kind]}`];
        return statedVersion(now) > found.version
          ? []
          : [`${now.path}: version: must be above ${found.version}, which is in the archive`];
      });
    });
}
