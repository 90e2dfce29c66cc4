import pLimit from 'p-limit';
import * as z from 'zod';
import { type EvalCase, GROUP_TAG, Label } from '../case/index.ts';
import { Id, JuryError, line } from '../common/index.ts';
import { singleSpaced } from '../common/text/index.ts';
import { type CompletionClient, costOf, tokensOf } from '../judges/llm/index.ts';
import { sumIfKnown } from '../judging/verdict/index.ts';
import { fenced, fenceKey } from '../prompting/index.ts';
import { createRandom, sum } from '../statistics/index.ts';
import { manualHash, type Passage } from './manual-passages.ts';

type Price = NonNullable<ReturnType<CompletionClient['priceOf']>>;

/** How cases are made of a manual, from `prompts/datasets/manuals/<id>.yaml`. */
export const ManualPlan = z.strictObject({
  id: Id,
  title: line,
  source: line,
  rubric: Id,
  /** The instructions for a question with its right answer. */
  question: z.string().trim().min(1),
  right: Label,
  /** The instructions for a wrong answer, with a place for `{instructions}` of the error. */
  wrong: z.string().trim().includes('{instructions}', 'must have a place for {instructions}'),
  errors: z
    .array(
      z.strictObject({
        id: Id,
        title: line,
        label: Label,
        /** Whether the answer is taken from another passage. */
        otherPassage: z.boolean().default(false),
        instructions: z.string().trim().min(1),
      }),
    )
    .min(1),
});
export type ManualPlan = z.infer<typeof ManualPlan>;

/** Passages that are shorter answer no question. */
const MIN_PASSAGE = 80;
/** A quote that is shorter proves nothing. */
const MIN_QUOTE = 8;
const MAX_TEXT = 2_000;

const longOf = (passages: readonly Passage[]): Passage[] =>
  passages.filter(({ text }) => text.length >= MIN_PASSAGE);

/** Passages that questions can be asked about, in an order by chance. */
export const drawPassages = (passages: readonly Passage[], seed: number, count: number): Passage[] =>
  createRandom('manual', seed).shuffled(longOf(passages)).slice(0, count);

/** A plan without the errors that need another passage, if there is none; `leftOut` has their ids. */
export function planFor(
  plan: ManualPlan,
  passages: readonly Passage[],
): { plan: ManualPlan; leftOut: string[] } {
  const hasOther = new Set(longOf(passages).map(({ text }) => text)).size > 1;
  const errors = plan.errors.filter(({ otherPassage }) => hasOther || !otherPassage);
  const leftOut = plan.errors.filter((error) => !errors.includes(error)).map(({ id }) => id);
  return { plan: { ...plan, errors }, leftOut };
}

/** The tags that say which manual and which draw a case was made of. */
const originTags = (passages: readonly Passage[], seed: number) => ({
  manual: manualHash(passages),
  seed: String(seed),
});

/**
 * Why a file with these cases cannot be gone on with; null if it can: all were made of this manual and this seed. Cases of two manuals in
 * one file would be taken for those of one.
 */
export function otherOrigin(
  kept: readonly EvalCase[],
  passages: readonly Passage[],
  seed: number,
):
  | { why: 'not made of a manual' }
  | { why: 'another manual' }
  | { why: 'another seed'; seed: string }
  | null {
  const { manual, seed: drawn } = originTags(passages, seed);
  if (kept.some(({ id, tags }) => id === undefined || !tags?.manual || !tags.seed))
    return { why: 'not made of a manual' };
  if (kept.some(({ tags }) => tags?.manual !== manual)) return { why: 'another manual' };
  const other = kept.find(({ tags }) => tags?.seed !== drawn)?.tags?.seed;
  return other === undefined ? null : { why: 'another seed', seed: other };
}

const wordsOf = (text: string): Set<string> => new Set(text.toLowerCase().match(/\p{L}{4,}/gu));

/** The passage with another text that shares most words with one, relative to all of theirs; of equal ones the first. Null if there is none. */
export function nearestTo(passage: Passage, passages: readonly Passage[]): Passage | null {
  const own = wordsOf(passage.text);
  const scored = longOf(passages)
    .filter(({ text }) => text !== passage.text)
    .map((other) => {
      const words = wordsOf(other.text);
      const both = [...words].filter((word) => own.has(word)).length;
      return { other, share: both / Math.max(1, own.size + words.size - both) };
    });
  return scored.toSorted((a, b) => b.share - a.share)[0]?.other ?? null;
}

/** Whether words stand in a passage, apart from spaces and line breaks. */
export const isQuoteOf = (quote: string, { text }: Pick<Passage, 'text'>): boolean =>
  singleSpaced(quote).length >= MIN_QUOTE && singleSpaced(text).includes(singleSpaced(quote));

const text = z.string().trim().max(MAX_TEXT);
const Asked = z.strictObject({ question: text, answer: text, quote: text });
const Answered = z.strictObject({ answer: text, quote: text });

const jsonOf = (keys: readonly string[]) => ({
  type: 'object',
  properties: Object.fromEntries(keys.map((key) => [key, { type: 'string' }])),
  required: [...keys],
  additionalProperties: false,
});

/** What was made of a passage. */
interface MadeOfPassage {
  cases: EvalCase[];
  /** Answers for which the model could give no quote of the passage, and which were left out. */
  unproven: number;
  /** The model found nothing to ask. */
  isEmpty: boolean;
  /** Answers that the model did not give, with the first reason. */
  unanswered: number;
  problem: string | null;
  /** Null if any cost is unknown. */
  costUsd: number | null;
  /** Answers that cost something: those from the cache are free. */
  bought: number;
}

export interface ManualParts {
  client: Pick<CompletionClient, 'complete'>;
  modelId: string;
  /** See {@link planFor}. */
  plan: ManualPlan;
  seed: number;
  /** Schema that cases must satisfy. */
  schema: z.ZodType<EvalCase>;
  signal: AbortSignal;
}

type Outcome<T> =
  | { kind: 'answered'; value: T; costUsd: number | null }
  | { kind: 'unproven' | 'unanswered'; problem: string; costUsd: number | null };

const NO_QUOTE = 'the quote does not stand in the passage: copy its words character by character';

/** Asks the model for one object with a quote of the passage. A quote that does not stand there is asked for once more. */
async function askQuoted<T extends { quote: string }>(
  { client, modelId, signal }: ManualParts,
  passage: Passage,
  asked: {
    instructions: string;
    blocks: readonly { name: string; text: string }[];
    schema: z.ZodType<T>;
    keys: readonly string[];
    /** What else is wrong with a reply; null if nothing is. */
    objectionTo: (value: T) => string | null;
    isWithoutQuote?: (value: T) => boolean;
  },
): Promise<Outcome<T>> {
  let unproven = false;
  const outcome = await client.complete({
    modelId,
    system: asked.instructions,
    user: fenced(asked.blocks, fenceKey(asked.blocks)),
    schema: { name: 'manual', json: jsonOf(asked.keys) },
    repairText: (problem) =>
      `Your reply could not be used: ${problem}. Reply with the JSON object and nothing else.`,
    accept: (value) => {
      const parsed = asked.schema.safeParse(value);
      if (!parsed.success)
        return {
          ok: false,
          problem: `it must have the texts ${asked.keys.join(', ')}, of at most ${MAX_TEXT} characters each`,
        };
      if (asked.isWithoutQuote?.(parsed.data) === true) return { ok: true, value: parsed.data };
      const objection = asked.objectionTo(parsed.data);
      if (objection !== null) return { ok: false, problem: objection };
      unproven = !isQuoteOf(parsed.data.quote, passage);
      return unproven ? { ok: false, problem: NO_QUOTE } : { ok: true, value: parsed.data };
    },
    // At temperature 0, answers are cached, so a command that is repeated asks only for what is missing.
    temperature: 0,
    seed: null,
    variant: 'manual',
    signal,
  });
  const { costUsd } = outcome.usage;
  if (outcome.status === 'answered') return { kind: 'answered', value: outcome.value, costUsd };
  if (outcome.misconfigured) throw new JuryError('endpoint-refused', outcome.message);
  const kind = outcome.reason === 'malformed' && unproven ? 'unproven' : 'unanswered';
  return { kind, problem: outcome.message, costUsd };
}

const shownText = ({ headings, text: own }: Passage): string =>
  [headings.join(' › '), own].filter(Boolean).join('\n');

/** What answers cost together, and how many of them cost something. */
const spentOn = (outcomes: readonly Outcome<unknown>[]): Pick<MadeOfPassage, 'costUsd' | 'bought'> => ({
  costUsd: sumIfKnown(outcomes.map(({ costUsd }) => costUsd)),
  bought: outcomes.filter(({ costUsd }) => costUsd !== null && costUsd > 0).length,
});

/**
 * Makes cases of a passage: a question with its right answer, and one wrong answer for each kind of error. Each has words of the passage that
 * prove or contradict it, which are checked to stand there; whether they do prove it is the model's word, so the labels are marked as its own.
 * @param all the passages of the manual, one of which is another one for answers from the wrong passage
 * @throws JuryError `endpoint-refused` if the endpoint answers nothing until a setting is changed
 */
async function makeOfPassage(
  parts: ManualParts,
  passage: Passage,
  all: readonly Passage[],
): Promise<MadeOfPassage> {
  const { plan, schema, seed } = parts;
  const other = nearestTo(passage, all);
  const origin = originTags(all, seed);
  const own = { name: 'PASSAGE', text: shownText(passage) };
  const asked = await askQuoted(parts, passage, {
    instructions: plan.question,
    blocks: [own],
    schema: Asked,
    keys: ['question', 'answer', 'quote'],
    objectionTo: ({ answer }) => (answer === '' ? 'the answer is empty' : null),
    isWithoutQuote: ({ question }) => question === '',
  });
  const nothing = { cases: [], unproven: 0, isEmpty: false, unanswered: 0, problem: null };
  if (asked.kind !== 'answered')
    return {
      ...nothing,
      ...(asked.kind === 'unproven' ? { unproven: 1 } : { unanswered: 1 }),
      problem: asked.problem,
      ...spentOn([asked]),
    };
  const { question, answer, quote } = asked.value;
  if (question === '') return { ...nothing, isEmpty: true, ...spentOn([asked]) };
  const caseOf = (kind: string, response: string, label: Label, words: string): EvalCase =>
    schema.parse({
      id: `${passage.id}-${kind}`,
      rubric: plan.rubric,
      conversation: [{ role: 'user', text: question }],
      response,
      documents: [{ id: passage.id, text: shownText(passage) }],
      tags: { [GROUP_TAG]: passage.id, ...origin, label: 'model', quote: singleSpaced(words) },
      label,
    });
  const wrong = await Promise.all(
    plan.errors.map(async ({ id, label, instructions }) => {
      const outcome = await askQuoted(parts, passage, {
        instructions: plan.wrong.replace('{instructions}', () => instructions.trim()),
        blocks: [
          own,
          { name: 'QUESTION', text: question },
          { name: 'RIGHT ANSWER', text: answer },
          ...(other === null ? [] : [{ name: 'OTHER PASSAGE', text: shownText(other) }]),
        ],
        schema: Answered,
        keys: ['answer', 'quote'],
        objectionTo: (value) =>
          value.answer === ''
            ? 'the answer is empty'
            : singleSpaced(value.answer) === singleSpaced(answer)
              ? 'the answer is the right one'
              : null,
      });
      return { id, label, outcome };
    }),
  );
  const failed = wrong.flatMap(({ outcome }) => (outcome.kind === 'answered' ? [] : outcome));
  return {
    cases: [
      caseOf('right', answer, plan.right, quote),
      ...wrong.flatMap(({ id, label, outcome }) =>
        outcome.kind === 'answered' ? caseOf(id, outcome.value.answer, label, outcome.value.quote) : [],
      ),
    ],
    unproven: failed.filter(({ kind }) => kind === 'unproven').length,
    isEmpty: false,
    unanswered: failed.filter(({ kind }) => kind === 'unanswered').length,
    problem: failed.find(({ kind }) => kind === 'unanswered')?.problem ?? null,
    ...spentOn([asked, ...wrong.map(({ outcome }) => outcome)]),
  };
}

/** How making cases of a manual ended. */
export interface ManualEnd {
  kind: 'complete' | 'stopped' | 'budget';
  /** All cases in the file: those of the passages in their order, then those of passages that were asked about before. */
  cases: EvalCase[];
  /** How many of them are of passages that were asked about before, and are not among these. */
  others: number;
  unproven: number;
  empty: number;
  unanswered: number;
  problem: string | null;
  /** Spent by this process, US dollars; null if any cost is unknown. */
  spentUsd: number | null;
}

/** Where cases are kept as they are made, so that nothing is asked twice. */
interface CaseFile {
  read: () => Promise<readonly EvalCase[]>;
  add: (evalCase: EvalCase) => Promise<void>;
}

/**
 * Makes cases of passages and keeps them as they come. A passage of which all cases are kept is not asked about again.
 * @param budgetUsd no further passage is begun that would probably exceed it; null: none
 * @throws JuryError as {@link makeOfPassage}
 */
export async function makeOfManual(
  parts: ManualParts,
  passages: readonly Passage[],
  all: readonly Passage[],
  {
    file,
    budgetUsd,
    concurrency,
    onProgress,
  }: {
    file: CaseFile;
    budgetUsd: number | null;
    concurrency: number;
    onProgress?: (made: number) => void;
  },
): Promise<ManualEnd> {
  const kept = new Map((await file.read()).map((one) => [one.id ?? '', one]));
  const idsOf = ({ id }: Passage) =>
    ['right', ...parts.plan.errors.map((error) => error.id)].map((kind) => `${id}-${kind}`);
  const open = passages.filter((passage) => !idsOf(passage).every((id) => kept.has(id)));
  const answersEach = 1 + parts.plan.errors.length;
  const end = { unproven: 0, empty: 0, unanswered: 0 };
  let problem: string | null = null;
  let spentUsd: number | null = 0;
  /** What is known of it, which is what a budget limits. */
  let knownUsd = 0;
  let bought = 0;
  let done = 0;
  let kind: ManualEnd['kind'] = 'complete';
  let underWay = 0;
  let hasFailed = false;

  /** Why no further passage is begun; null to go on. */
  function reasonToStop(): Exclude<ManualEnd['kind'], 'complete'> | null {
    if (parts.signal.aborted) return 'stopped';
    // Answers from the cache are free and say nothing about what the next passage costs.
    const mean = bought === 0 ? 0 : (knownUsd / bought) * answersEach;
    return budgetUsd !== null && knownUsd + mean * (underWay + 1) > budgetUsd ? 'budget' : null;
  }

  async function keep(made: MadeOfPassage): Promise<void> {
    for (const one of made.cases) {
      if (kept.has(one.id ?? '')) continue;
      kept.set(one.id ?? '', one);
      await file.add(one);
    }
    end.unproven += made.unproven;
    end.empty += made.isEmpty ? 1 : 0;
    end.unanswered += made.unanswered;
    problem ??= made.problem;
  }

  async function ask(passage: Passage): Promise<void> {
    if (kind !== 'complete' || hasFailed) return;
    kind = reasonToStop() ?? kind;
    if (kind !== 'complete') return;
    underWay += 1;
    const made = await makeOfPassage(parts, passage, all).finally(() => {
      underWay -= 1;
    });
    done += 1;
    spentUsd = sumIfKnown([spentUsd, made.costUsd]);
    knownUsd += made.costUsd ?? 0;
    bought += made.bought;
    // What was cut off by the stop is asked for again next time.
    if (parts.signal.aborted && made.unanswered > 0) kind = 'stopped';
    else await keep(made);
    onProgress?.(done);
  }

  // What a passage costs is only known after the first that costs something, so with a budget those up to it are asked about alone.
  let alone = 0;
  if (budgetUsd !== null)
    for (const passage of open) {
      if (bought > 0) break;
      await ask(passage);
      alone += 1;
    }
  const limit = pLimit(concurrency);
  const ended = await Promise.allSettled(
    open.slice(alone).map((passage) =>
      limit(async () => {
        try {
          await ask(passage);
        } catch (thrown) {
          hasFailed = true;
          throw thrown;
        }
      }),
    ),
  );
  for (const one of ended) if (one.status === 'rejected') throw one.reason;
  const cases = passages.flatMap((passage) => idsOf(passage).flatMap((id) => kept.get(id) ?? []));
  const asked = new Set(cases);
  const others = [...kept.values()].filter((one) => !asked.has(one));
  return {
    kind,
    cases: [...cases, ...others],
    others: others.length,
    ...end,
    problem,
    spentUsd,
  };
}

/** An answer of one to three sentences with its quote, and a question. */
const REPLY_TOKENS = 120;

/** Calls that making cases of passages takes, apart from replies that have to be asked for once more, and about what they cost; null if the price is unknown. */
export function estimateManual(
  { question, wrong, errors }: ManualPlan,
  passages: readonly Passage[],
  price: Price | null,
): { calls: number; costUsd: number | null } {
  const chars = sum(passages.map(({ text: own }) => own.length));
  const prompts =
    passages.length *
      (question.length + errors.reduce((all, one) => all + wrong.length + one.instructions.length, 0)) +
    // Each wrong answer is asked for with two passages and the right answer.
    chars * (1 + 2 * errors.length);
  const calls = passages.length * (1 + errors.length);
  const tokens = {
    prompt: tokensOf(prompts),
    cached: 0,
    completion: calls * REPLY_TOKENS,
  };
  return { calls, costUsd: costOf(price, tokens) };
}
