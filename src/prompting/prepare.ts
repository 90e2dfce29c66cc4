import { templateSources } from './compile-templates.ts';
import { promptsKey } from './hash.ts';
import { filesOf } from './prompt-files.ts';
import { readLibrary, readPromptData } from './read-library.ts';

/** Data as source code: a text that is parsed takes less time than the same as an expression. */
const parsed = (data: unknown): string => `JSON.parse(${JSON.stringify(JSON.stringify(data))})`;

/** Source code of an object. */
const members = (entries: readonly (readonly [name: string, source: string])[]): string =>
  `{${entries.map(([name, source]) => `${JSON.stringify(name)}: ${source}`).join(',\n')}}`;

/**
 * The source of a module that takes the place of `prepared.ts` in the built program.
 * @throws JuryError `bad-file` that lists every problem of the folder
 */
export function preparedModule(folder: string): string {
  const { exemplars, lexicons } = readLibrary([folder]);
  const made = (kind: string, read: (id: string) => unknown) =>
    [...filesOf([folder], kind, '.yaml', []).keys()].map((id) => [id, `() => ${parsed(read(id))}`] as const);
  return `export const prepared = {
  key: ${JSON.stringify(promptsKey(folder))},
  data: ${parsed(readPromptData([folder], []))},
  templates: ${members(templateSources(folder))},
  exemplars: ${members(made('exemplars', exemplars))},
  lexicons: ${members(made('lexicons', lexicons().get))},
};
`;
}
