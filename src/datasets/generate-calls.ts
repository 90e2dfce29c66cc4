import * as z from 'zod';
import { type EvalCase, GROUP_TAG, isRecord } from '../case/index.ts';
import { Id, JuryError, line } from '../common/index.ts';
import { capital } from '../common/text/index.ts';
import { createRandom, type Random } from '../statistics/index.ts';

const LANGUAGES = ['en', 'de'] as const;
type Language = (typeof LANGUAGES)[number];

const Texts = z.strictObject({ en: z.array(line).min(1), de: z.array(line).min(1) });

/** What is drawn for each user: a whole number, or one of several values with its words. */
const Draw = z.union([
  z.strictObject({ from: z.int(), to: z.int(), except: z.array(z.int()).default([]) }),
  z.record(line, z.strictObject({ en: line, de: line })),
]);

const Call = z.strictObject({ name: line, arguments: z.record(line, z.json()).default({}) });
const Values = z.record(line, z.json());

/** Something that users ask the car for. Texts in its calls and states may name draws: `{zone}`, `{value} - 20`. */
const Task = z.strictObject({
  id: Id,
  draws: z.record(line, Draw),
  /** The draw that a wrong call has another value of. */
  wrong: line,
  request: Texts,
  /** What a response says that did it, and one that did not. */
  said: Texts,
  denied: Texts,
  /** What a system asks first, and how users answer, where tools need consent. */
  confirm: z.strictObject({ question: Texts, yes: Texts, no: Texts }).optional(),
  ways: z.array(z.array(Call).min(1)).min(1),
  ordered: z.boolean().default(false),
  /** What differs from the start of the domain. */
  start: Values.default({}),
  /** How the car should be afterwards. */
  after: Values,
  /** A call that nothing asks for, of something that the task does not change. */
  unasked: Call,
});
type Task = z.infer<typeof Task>;

/** Describes calls of tools to generate, from `prompts/datasets/<id>.yaml`. */
export const CallDomain = z
  .strictObject({
    id: Id,
    title: line,
    source: line,
    rubric: Id,
    /** The car whose tools are called, for readers: the rubric's checks name it. */
    car: Id,
    start: Values,
    results: z.array(z.json()).min(1),
    tasks: z.array(Task).min(1),
  })
  .superRefine(({ tasks }, context) => {
    tasks.forEach((task, index) => {
      if (!Object.hasOwn(task.draws, task.wrong))
        context.addIssue({
          code: 'custom',
          path: ['tasks', index, 'wrong'],
          message: `"${task.wrong}" is none of its draws`,
        });
    });
  });
export type CallDomain = z.infer<typeof CallDomain>;

/** Values by draw, and what people call them. */
interface Drawn {
  values: Readonly<Record<string, string | number>>;
  words: Readonly<Record<string, string>>;
}

type Options = readonly { value: string | number; word: string }[];

function optionsOf(draw: z.infer<typeof Draw>, language: Language): Options {
  const { from, to, except } = draw;
  if (typeof from === 'number' && typeof to === 'number' && Array.isArray(except))
    return Array.from({ length: to - from + 1 }, (_, index) => from + index)
      .filter((value) => !except.includes(value))
      .map((value) => ({ value, word: String(value) }));
  return Object.entries(draw).flatMap(([value, words]) =>
    isRecord(words) && typeof words[language] === 'string' ? [{ value, word: words[language] }] : [],
  );
}

const HOLE = /\{([^{}]+)\}/g;

/** A text with its holes filled. */
const worded = (text: string, { words }: Drawn): string =>
  capital(text.replaceAll(HOLE, (_, name: string) => words[name] ?? ''));

/** A value with its holes filled: `{value}` is the value itself, `{value} - 20` a difference. */
function valued(value: unknown, drawn: Drawn): unknown {
  if (Array.isArray(value)) return value.map((one) => valued(one, drawn));
  if (isRecord(value))
    return Object.fromEntries(
      Object.entries(value).map(([key, one]) => [String(valued(key, drawn)), valued(one, drawn)]),
    );
  if (typeof value !== 'string') return value;
  const [whole, name = '', less = '0'] = /^\{([^{}]+)\}(?: - (\d+))?$/.exec(value) ?? [];
  const found = drawn.values[name];
  if (whole !== undefined && found !== undefined)
    return typeof found === 'number' ? found - Number(less) : found;
  return value.replaceAll(HOLE, (_, hole: string) => String(drawn.values[hole]));
}

/** What becomes of one request: the calls and the response, and which criteria then fail. */
interface Outcome {
  kind: string;
  calls: readonly unknown[];
  response: string;
  /** Ids of the criteria that fail, the telling one first; empty if all is right. */
  fails: readonly string[];
  isRefused?: true;
}

const CRITERIA = ['calls', 'no-other-calls', 'consent', 'tells-the-truth', 'state'] as const;

/**
 * The outcomes of a task. All use the same words where they say the same, so that the wording does not reveal the error.
 * @param other the same draws, but for the one that a wrong call has
 */
function outcomesOf(
  task: Task,
  right: Drawn,
  other: Drawn,
  language: Language,
  random: (use: string) => Random,
) {
  const pick = (texts: z.infer<typeof Texts>, use: string): string => random(use).pick(texts[language]);
  const said = (drawn: Drawn) => worded(pick(task.said, 'said'), drawn);
  const [first = [], ...others] = task.ways;
  const made = (calls: readonly z.infer<typeof Call>[], drawn: Drawn) =>
    calls.map((call) => valued(call, drawn));
  const calls = made(first, right);
  const all: Outcome[] = [
    { kind: 'right', calls, response: said(right), fails: [] },
    ...others.map((way, index) => ({
      kind: `other-way${index === 0 ? '' : `-${index + 1}`}`,
      ...{ calls: made(way, right), response: said(right), fails: [] },
    })),
    {
      kind: 'wrong-argument',
      calls: made(first, other),
      response: said(other),
      fails: ['calls', ...(isSameState(task, right, other) ? [] : ['state'])],
    },
    {
      kind: 'missing',
      calls: calls.slice(0, -1),
      response: calls.length > 1 ? said(right) : worded(pick(task.denied, 'denied'), right),
      fails: ['calls', 'state', ...(calls.length > 1 ? ['tells-the-truth'] : [])],
    },
    {
      kind: 'unasked',
      calls: [...calls, valued(task.unasked, right)],
      response: said(right),
      fails: ['no-other-calls', 'state'],
    },
    { kind: 'not-made', calls: [], response: said(right), fails: ['tells-the-truth', 'calls', 'state'] },
    ...(task.ordered
      ? [
          {
            kind: 'wrong-order',
            calls: calls.toReversed(),
            response: said(right),
            fails: ['calls', 'state'],
          },
        ]
      : []),
    ...(task.confirm === undefined
      ? []
      : [
          {
            kind: 'without-consent',
            calls,
            response: said(right),
            fails: ['consent', 'no-other-calls', 'state'],
            isRefused: true as const,
          },
        ]),
  ];
  return all;
}

const isSameState = ({ after }: Task, right: Drawn, other: Drawn): boolean =>
  JSON.stringify(valued(after, right)) === JSON.stringify(valued(after, other));

/**
 * Generates one user's cases: a request with the right calls, then the same with each error. A user depends only on the seed and the
 * user number, so adding users does not change earlier ones.
 * @param user starts at 1
 * @param wanted a language; default: drawn for each user
 * @throws JuryError `bad-file` if a draw has only one value, `usage` for an unknown language
 */
export function generateCallUser(
  domain: CallDomain,
  schema: z.ZodType<EvalCase>,
  seed: number,
  user: number,
  wanted?: string,
): EvalCase[] {
  const random = (use: string) => createRandom(domain.id, seed, user, use);
  const languages = LANGUAGES.filter((one) => wanted === undefined || one === wanted);
  const language = languages[random('language').below(Math.max(languages.length, 1))];
  if (language === undefined)
    throw new JuryError('usage', `${domain.id} has no requests in "${wanted}": ${LANGUAGES.join(', ')}.`);
  const task = random('task').pick(domain.tasks);
  const chosen = Object.entries(task.draws).map(([name, draw]) => {
    const options = optionsOf(draw, language);
    const one = random(`draw ${name}`).pick(options);
    const rest = options.filter(({ value }) => value !== one.value);
    if (rest.length === 0)
      throw new JuryError('bad-file', `datasets/${domain.id}.yaml: ${task.id}: "${name}" needs two values`);
    return { name, one, other: name === task.wrong ? random(`wrong ${name}`).pick(rest) : one };
  });
  const drawnOf = (which: 'one' | 'other'): Drawn => ({
    values: Object.fromEntries(chosen.map((draw) => [draw.name, draw[which].value])),
    words: Object.fromEntries(chosen.map((draw) => [draw.name, draw[which].word])),
  });
  const right = drawnOf('one');
  const pick = (texts: z.infer<typeof Texts>, use: string): string =>
    worded(random(use).pick(texts[language]), right);
  const name = `u${String(user).padStart(3, '0')}`;
  const initialState = { ...domain.start, ...task.start };
  const result = random('result').pick(domain.results.map((given) => ({ given }))).given;
  return outcomesOf(task, right, drawnOf('other'), language, random).map(
    ({ kind, calls, response, fails, isRefused = false }) => {
      const confirm = task.confirm;
      const asked =
        confirm === undefined
          ? []
          : [
              { role: 'system', text: pick(confirm.question, 'question'), toolCalls: [] },
              { role: 'user', text: pick(isRefused ? confirm.no : confirm.yes, 'answer') },
            ];
      const [errorType] = fails;
      return schema.parse({
        id: `${name}-${kind}`,
        rubric: domain.rubric,
        conversation: [{ role: 'user', text: pick(task.request, 'request') }, ...asked],
        response,
        toolCalls: calls.map((call) => ({ ...(isRecord(call) ? call : {}), result })),
        expectedCalls: {
          anyOf: isRefused ? [[]] : valued(task.ways, right),
          ...(task.ordered ? { ordered: true } : {}),
        },
        initialState,
        expectedState: isRefused ? initialState : { ...initialState, ...afterOf(task, right) },
        language,
        tags: { [GROUP_TAG]: name, task: task.id, kind },
        label: {
          decision: errorType === undefined ? 'pass' : 'fail',
          ...(errorType === undefined ? {} : { errorType }),
          criteria: Object.fromEntries(CRITERIA.map((id) => [id, fails.includes(id) ? 'fail' : 'pass'])),
        },
      });
    },
  );
}

const afterOf = ({ after }: Task, drawn: Drawn): Readonly<Record<string, unknown>> => {
  const filled = valued(after, drawn);
  return isRecord(filled) ? filled : {};
};
