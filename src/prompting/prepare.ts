import { templateSources } from './compile-templates.ts';
import { promptsKey } from './load-library.ts';
import { archivedFiles, filesOf } from './prompt-files.ts';
import { readLibrary, readPromptData } from './read-library.ts';

const objectSource = (entries: readonly (readonly [name: string, source: string])[]): string =>
  `{${entries.map(([name, source]) => `${JSON.stringify(name)}: ${source}`).join(',\n')}}`;

/**
 * The source of the module that replaces `prepared.ts` in the build, and the JSON files that it reads, by name: reading and
 * parsing them takes less time than evaluating the same data in a module, and most commands need few of them.
 *
 * @throws JuryError `bad-file` that lists every problem of the folder
 */
export function preparedModule(folder: string): { source: string; files: Readonly<Record<string, string>> } {
  const { exemplars, lexicons } = readLibrary([folder]);
  const allOf = (kind: string, read: (id: string) => unknown) => {
    const current = filesOf([folder], kind, '.yaml', []);
    const archived = kind === 'exemplars' ? archivedFiles([folder], kind, []) : [];
    return Object.fromEntries([...current.keys(), ...new Map(archived).keys()].map((id) => [id, read(id)]));
  };
  const data = {
    data: readPromptData([folder], []),
    exemplars: allOf('exemplars', exemplars),
    lexicons: allOf('lexicons', lexicons().get),
  };
  const nameOf = (kind: string) => `prompts-${kind}.json`;
  const source = `import { readFileSync } from 'node:fs';
const read = (name) => JSON.parse(readFileSync(new URL(name, import.meta.url), 'utf8'));
export const prepared = {
  key: ${JSON.stringify(promptsKey(folder))},
  templates: ${objectSource(templateSources(folder))},
  ${Object.keys(data)
    .map((kind) => `${kind}: () => read('./${nameOf(kind)}')`)
    .join(',\n  ')},
};
`;
  const files = Object.entries(data).map(([kind, value]) => [nameOf(kind), JSON.stringify(value)]);
  return { source, files: Object.fromEntries(files) };
}
