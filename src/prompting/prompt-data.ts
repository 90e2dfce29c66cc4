import type * as z from 'zod';
import { caseFormat } from '../case/case-format.ts';
import { Method } from '../judging/method.ts';
import { Persona } from '../judging/persona.ts';
import { fieldsOf } from './case-fields.ts';
import { crossProblems } from './cross-check.ts';
import { byId, type PromptData } from './library.ts';
import { checked, filesOf, frontMatterOf, type Problems, withId, yamlOf } from './prompt-files.ts';
import { rubricsOf } from './rubric-files.ts';

/** The YAML files of one kind, checked. */
function yamlFiles<T extends z.ZodType>(
  folders: readonly string[],
  kind: string,
  schema: T,
  problems: Problems,
): z.infer<T>[] {
  return [...filesOf(folders, kind, '.yaml', problems).values()].flatMap(
    (file) => checked(schema, withId(file.id, yamlOf(file, problems)), file.path, problems) ?? [],
  );
}

function personasOf(folders: readonly string[], problems: Problems): Persona[] {
  return [...filesOf(folders, 'personas', '.md', problems).values()].flatMap((file) => {
    const parts = frontMatterOf(file, problems);
    const data = parts && withId(file.id, parts.data, { voice: parts.body });
    return checked(Persona, data, file.path, problems) ?? [];
  });
}

/** Reads prompts folders; what is wrong in them is added to the problems. */
export function readPromptData(folders: readonly string[], problems: Problems): PromptData {
  const data: PromptData = {
    fields: fieldsOf(folders, problems),
    personas: personasOf(folders, problems),
    rubrics: [...rubricsOf(folders, problems).values()],
    methods: yamlFiles(folders, 'methods', Method, problems),
  };
  // References are only worth checking when the files themselves are right: else one mistake is reported twice.
  if (problems.length > 0) return data;
  const lexicons = [...filesOf(folders, 'lexicons', '.yaml', problems).keys()];
  const maps = { rubrics: byId(data.rubrics), methods: byId(data.methods), personas: byId(data.personas) };
  problems.push(...crossProblems({ ...maps, format: caseFormat(data.fields) }, lexicons));
  return data;
}
