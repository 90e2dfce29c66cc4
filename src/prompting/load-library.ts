import Handlebars from 'handlebars/runtime';
import { lazily } from '../common/index.ts';
import { createFiller, type Library, libraryOf, promptsKey } from './library.ts';
import { type PreparedPrompts, prepared } from './prepared.ts';

/** Looks up values by id. The file that holds all of them is read on the first lookup. */
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
  return createFiller(fills);
}

function preparedLibrary({ data: read, exemplars, lexicons, templates }: PreparedPrompts): Library {
  const words = { get: fromFile(lexicons), checkAll: () => {} };
  return libraryOf(read(), {
    exemplars: fromFile(exemplars),
    lexicons: () => words,
    template: fillerOf(templates),
  });
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
