import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { beforeAll, describe, expect, test } from 'vitest';
import * as z from 'zod';
import { TraceFile } from '../src/case/format/trace-readers.ts';
import { memoized } from '../src/common/collections.ts';
import { Method } from '../src/judging/standards/method.ts';
import { Persona } from '../src/judging/standards/persona.ts';
import { Rubric } from '../src/judging/standards/rubric.ts';
import { Verdict } from '../src/judging/verdict/verdict.ts';
import { loadLibrary } from '../src/prompting/load-library.ts';
import { filesOf, frontMatterOf, yamlOf } from '../src/prompting/prompt-files.ts';
import { builtIn } from './support/built-in.ts';
import { jury, verdictsOf } from './support/run-jury.ts';

/** The version of each published schema: a change that refuses what it accepted takes the next one. */
const VERSION = 1;

/** A rubric's file: what it includes brings its own criteria. */
const RubricFile = z.strictObject({
  ...Rubric.shape,
  criteria: Rubric.shape.criteria.optional(),
  include: z
    .array(z.string())
    .min(1)
    .optional()
    .describe('Ids of rubrics whose criteria come before its own.'),
});

/** A published schema. @param without keys that come from elsewhere: from a file's name, or from the text below */
function published(name: string, title: string, schema: z.ZodType, without: string[] = []): string {
  const whole = z.toJSONSchema(schema, { io: name === 'verdict' ? 'output' : 'input', reused: 'inline' });
  const { $schema, $ref, $defs = {}, ...inline } = whole;
  const {
    properties = {},
    required = [],
    id: _id,
    ...rest
  } = $ref === undefined ? inline : ($defs.EvalCase ?? {});
  const json = {
    $schema,
    $id: `urn:jury:${name}:${VERSION}`,
    title,
    ...rest,
    properties: Object.fromEntries(Object.entries(properties).filter(([key]) => !without.includes(key))),
    required: required.filter((key) => !without.includes(key)),
  };
  return `${JSON.stringify(json, null, 2)}\n`;
}

const path = (name: string): string => new URL(`../schemas/${name}.json`, import.meta.url).pathname;

const checkOf = memoized((name: string) =>
  new Ajv2020({ strict: false, validateFormats: false }).compile(
    JSON.parse(readFileSync(path(name), 'utf8')),
  ),
);

/** Whether a value fits a published schema; what is wrong if not. */
function misfit(name: string, value: unknown): unknown {
  const check = checkOf(name);
  return check(value) ? null : check.errors;
}

let format: z.ZodType;
beforeAll(async () => {
  format = (await loadLibrary([builtIn])).caseFormat.schema;
});

describe('published JSON Schemas', () => {
  // To write them anew: `npx vitest run test/schemas.test.ts -u`.
  test.each([
    ['case', 'A case to judge, with the fields that come with Jury', () => format, []],
    ['verdict', 'A verdict', () => Verdict, []],
    ['rubric', 'A rubric: prompts/rubrics/ID.yaml', () => RubricFile, ['id']],
    ['method', 'A method of judging: prompts/methods/ID.yaml', () => Method, ['id']],
    ['trace-reader', 'A reader of traces and logs: prompts/traces/ID.yaml', () => TraceFile, ['id']],
    ['persona', 'A persona: the front matter of prompts/personas/ID.md', () => Persona, ['id', 'voice']],
  ])('%s is the schema that the program reads by', async (name, title, schema, without) => {
    await expect(published(name, title, schema(), without)).toMatchFileSnapshot(path(name));
  });

  test.each(['case', 'verdict', 'rubric', 'method', 'persona'])('every key of a %s is described', (name) => {
    const described = z.looseObject({ description: z.string().min(1) });
    const { properties } = z
      .looseObject({ properties: z.record(z.string(), z.unknown()) })
      .parse(JSON.parse(readFileSync(path(name), 'utf8')));
    const bare = Object.keys(properties).filter((key) => !described.safeParse(properties[key]).success);
    // An object that only field files declare has no text of its own; its fields have.
    expect(bare).toEqual(name === 'case' ? ['action'] : []);
  });

  test.each(['rubrics', 'methods'])('all %s that come with Jury fit', (kind) => {
    for (const file of filesOf([builtIn], kind, '.yaml', []).values())
      expect([file.id, misfit(kind.slice(0, -1), yamlOf(file, []))]).toEqual([file.id, null]);
  });

  test('all personas that come with Jury fit', () => {
    for (const file of filesOf([builtIn], 'personas', '.md', []).values())
      expect([file.id, misfit('persona', frontMatterOf(file, [])?.data)]).toEqual([file.id, null]);
  });

  test('a case and its verdict fit, and what is misspelled does not', async () => {
    const evalCase = { conversation: [{ role: 'user', text: 'Dim the lights' }], response: 'Done.' };
    expect(misfit('case', evalCase)).toBeNull();
    expect(misfit('case', { ...evalCase, respnse: 'Done.' })).not.toBeNull();
    const args = ['judge', '--json', '-m', 'rules'];
    const [verdict] = verdictsOf(await jury(args, { input: JSON.stringify(evalCase) }));
    expect(misfit('verdict', verdict)).toBeNull();
    expect(misfit('verdict', { ...verdict, decision: 'maybe' })).not.toBeNull();
  });
});
