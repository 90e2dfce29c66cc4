import { readPromptData } from './prompt-data.ts';
import { type Problems, refuse } from './prompt-files.ts';
import { promptsKey } from './prompts-key.ts';
import { createTemplates, templateSources } from './templates.ts';

/**
 * The source of a module that takes the place of `prepared.ts` in the built program.
 * @throws JuryError `bad-file` that lists every problem of the folder
 */
export function preparedModule(folder: string): string {
  const problems: Problems = [];
  const data = readPromptData([folder], problems);
  createTemplates([folder], problems);
  refuse(problems);
  const templates = templateSources(folder).map(([id, source]) => `${JSON.stringify(id)}:${source}`);
  // A text that is parsed takes less time than the same as an expression.
  return `export const prepared = {
  key: ${JSON.stringify(promptsKey(folder))},
  data: JSON.parse(${JSON.stringify(JSON.stringify(data))}),
  templates: {${templates.join(',\n')}},
};
`;
}
