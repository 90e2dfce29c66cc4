import { caseFormat } from '../case/case-format.ts';
import { noRedaction } from '../case/redact/redactor.ts';
import { lazily } from '../common/collections.ts';
import { promptsKey } from './hash.ts';
import { byId, type Library } from './library.ts';
import { type PreparedPrompts, prepared } from './prepared.ts';
import { templatesOf } from './templates.ts';

/** The value of an id; the file with all of them is read once, when the first is asked for. */
function fromFile<T>(read: () => Readonly<Record<string, T>>): (id: string) => T | undefined {
  const all = lazily(read);
  return (id) => (Object.hasOwn(all(), id) ? all()[id] : undefined);
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
    template: templatesOf(templates).template,
    redactor: noRedaction,
  };
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
