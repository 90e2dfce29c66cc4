import { templateSources } from './compile-templates.ts';
import { promptsKey } from './hash.ts';
import { filesOf } from './prompt-files.ts';
import { readLibrary, readPromptData } from './read-library.ts';

/** Parsing JSON is faster than evaluating the same data as an expression. */
const jsonSource = (data: unknown): string => `JSON.parse(${JSON.stringify(JSON.stringify(data))})`;

const objectSource = (entries: readonly (readonly [name: string, source: string])[]): string =>
  `{${entries.map(([name, source]) => `${JSON.stringify(name)}: ${source}`).join(',\n')}}`;

/**
 * The source of the module that replaces `prepared.ts` in the build.
 * @throws JuryError `bad-file` that lists every problem of the folder
 */
export function preparedModule(folder: string): string {
  const { exemplars, lexicons } = readLibrary([folder]);
  const made = (kind: string, read: (id: string) => unknown) =>
    [...filesOf([folder], kind, '.yaml', []).keys()].map(
      (id) => [id, `() => ${jsonSource(read(id))}`] as const,
    );
  return `export const prepared = {
  key: ${JSON.stringify(promptsKey(folder))},
  data: ${jsonSource(readPromptData([folder], []))},
  templates: ${objectSource(templateSources(folder))},
  exemplars: ${objectSource(made('exemplars', exemplars))},
  lexicons: ${objectSource(made('lexicons', lexicons().get))},
};
`;
}
