import * as z from 'zod';
import { JuryError } from '../../common/errors.ts';
import { Id, line } from '../../common/schema.ts';
import { noSuch } from '../../common/text.ts';
import { filesOf, type Problems, parseYaml, throwProblems } from '../../prompting/prompt-files.ts';
import { Drive, Open, Reach } from './dimensions/situation.ts';
import { NumberDimension, TermDimension } from './dimensions/wishes.ts';
import { Areas, Grammar } from './scene.ts';

const Clock = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'must be a time like 20:35');

const Dimension = z.discriminatedUnion('kind', [Drive, Open, TermDimension, NumberDimension, Reach]);
export type Dimension = z.infer<typeof Dimension>;

/**
 * The source of generated data, from `prompts/datasets/<id>.yaml`: what users ask for, how they say it, and what places are like. Each
 * dimension is one possible error and has the id of the criterion that judges it.
 */
export const Domain = z
  .strictObject({
    id: Id,
    title: line,
    source: line,
    /** The rubric that judges the cases. */
    rubric: Id,
    /** Language of the utterances. */
    language: line.default('en'),
    /** Locations of users and places: a file in `prompts/datasets/areas/`. */
    areas: Id,
    /** When users ask: any day of the year, any minute from `from` to `to`. */
    moment: z.strictObject({ year: z.int().min(1900).max(2200), from: Clock, to: Clock }),
    /** Fields that are the same in all cases of a user, by grammar text: the venue's name. */
    fields: z.record(line, line).default({}),
    /** How users and the system speak, starting from `utterance` and `response`. */
    grammar: Grammar,
    /** In the order of the errors; a dimension comes after those that it depends on. */
    dimensions: z.array(Dimension).min(1),
  })
  .superRefine(({ dimensions, grammar, moment }, context) => {
    const reject = (path: (string | number)[], message: string) =>
      context.addIssue({ code: 'custom', path, message });
    const ids = dimensions.map(({ id }) => id);
    for (const [index, id] of ids.entries())
      if (ids.indexOf(id) !== index) reject(['dimensions', index, 'id'], `"${id}" is there twice`);
    for (const name of ['utterance', 'response'])
      if (!Object.hasOwn(grammar, name)) reject(['grammar', name], 'is missing');
    if (moment.from > moment.to) reject(['moment'], 'must run from the earlier time to the later');
  });
export type Domain = z.infer<typeof Domain>;

function read<T extends z.ZodType>(
  folders: readonly string[],
  folder: string,
  kind: string,
  id: string,
  schema: T,
): z.infer<T> {
  const problems: Problems = [];
  const files = filesOf(folders, folder, '.yaml', problems);
  const file = files.get(id);
  if (file === undefined) throw noSuch(kind, id, [...files.keys()]);
  const data = parseYaml(schema, file, problems);
  throwProblems(problems);
  if (data === undefined) throw new JuryError('internal', `${file.path} was not read.`);
  return data;
}

/**
 * Reads and checks a domain and its areas; a file in a later folder replaces one with the same id.
 *
 * @throws JuryError `usage` for an unknown id, `bad-file` for an invalid file
 */
export function loadDomain(folders: readonly string[], id: string): { domain: Domain; areas: Areas } {
  const domain = read(folders, 'datasets', 'domain', id, Domain);
  return { domain, areas: read(folders, 'datasets/areas', 'file of areas', domain.areas, Areas) };
}

/**
 * The instructions for a model that rephrases requests.
 * @throws JuryError `bad-file` if they are missing
 */
export function loadInstructions(folders: readonly string[]): string {
  const file = filesOf(folders, 'datasets', '.md', []).get('paraphrase');
  if (file === undefined) throw new JuryError('bad-file', 'datasets/paraphrase.md: is missing');
  return file.text.trim();
}
