import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import Handlebars from 'handlebars/runtime';
import { caseFormat } from '../case/case-format.ts';
import { noRedaction } from '../case/redact/redactor.ts';
import { lazily } from '../common/collections.ts';
import { byId, createFiller, type Library } from './library.ts';
import { type PreparedPrompts, prepared } from './prepared.ts';

/** The value of an id; the file with all of them is read once, when the first is asked for. */
function fromFile<T>(read: () => Readonly<Record<string, T>>): (id: string) => T | undefined {
  const all = lazily(read);
  return (id) => (Object.hasOwn(all(), id) ? all()[id] : undefined);
}

/** Fills precompiled templates. */
function fillerOf(compiled: PreparedPrompts['templates']): Library['template'] {
  const fills = new Map(
    Object.entries(compiled).map(([id, source]) => [
      id,
      { path: `templates/${id}.md`, fill: Handlebars.template(source) },
    ]),
  );
  return createFiller((id) => fills.get(id));
}

function preparedLibrary({ data: read, exemplars, lexicons, templates }: PreparedPrompts): Library {
  const data = read();
  const rubrics = byId(data.rubrics);
  const examples = fromFile(exemplars);
  const words = { get: fromFile(lexicons), checkAll: () => {} };
  return {
    caseFormat: caseFormat(data.fields, data.words),
    rubrics,
    methods: byId(data.methods),
    personas: byId(data.personas),
    exemplars: (rubricId) => examples(rubrics.get(rubricId)?.wording?.exemplars ?? rubricId) ?? [],
    lexicons: () => words,
    template: fillerOf(templates),
    redactor: noRedaction,
  };
}

/** The folders of the library. */
const KINDS = ['exemplars', 'fields', 'lexicons', 'methods', 'paste', 'personas', 'rubrics', 'templates'];

const namesIn = (folder: string): string[] =>
  readdirSync(folder)
    .filter((name) => !name.startsWith('.'))
    .sort();

/** A hash of everything that the library of a prompts folder depends on; null if it cannot be read. */
export function promptsKey(folder: string): string | null {
  const hash = createHash('sha256');
  const add = (part: string | Buffer) => hash.update(`${part.length} `).update(part);
  try {
    const archived = namesIn(join(folder, 'archive')).map((kind) => `archive/${kind}`);
    for (const kind of [...KINDS, ...archived])
      for (const name of namesIn(join(folder, kind))) {
        add(`${kind}/${name}`);
        add(readFileSync(join(folder, kind, name)));
      }
  } catch {
    return null;
  }
  return hash.digest('hex');
}

/**
 * Loads prompts folders, the built-in one first; a file in a later folder overrides one with the same id. If the built-in folder is
 * the only one and unchanged since the build, this uses the prepared prompts instead of reading files.
 *
 * @throws JuryError `bad-file` that lists every problem with file, key and what is allowed
 */
export async function loadLibrary(
  folders: readonly string[],
  known: PreparedPrompts | null = prepared,
): Promise<Library> {
  if (known !== null && folders.length === 1 && folders.every((folder) => promptsKey(folder) === known.key))
    return preparedLibrary(known);
  const { readLibrary } = await import('./read-library.ts');
  return readLibrary(folders);
}
