import * as z from 'zod';
import type { SpokenTrial, Trial } from '../../benchmark/index.ts';
import type { EvalCase } from '../../case/index.ts';
import { clipped } from '../../common/text/index.ts';
import { UnscoredReason } from '../../judging/verdict/index.ts';
import { gapNames } from '../../statistics/raters/index.ts';
import type { TrialFacts } from './trial-facts.ts';

const Said = z.strictObject({
  round: z.int(),
  persona: z.string().nullable(),
  model: z.string(),
  sample: z.int(),
  decision: z.enum(['pass', 'fail', 'scored', 'unscored']),
  score: z.number().nullable(),
  confidence: z.number().nullable(),
  reason: UnscoredReason.nullable(),
  /** The rationale, or why there is none. */
  text: z.string(),
});

/** What was judged and what the judges said. */
export const Words = z.strictObject({
  conversation: z.array(z.strictObject({ role: z.enum(['user', 'system']), text: z.string() })),
  response: z.string(),
  /** The case's other fields, such as its context, as JSON. */
  given: z.string().nullable(),
  judgements: z.array(Said),
});
export type Words = z.infer<typeof Words>;

/** Characters of one text in a report; longer texts are clipped visibly. */
const MAX_TEXT = 6000;

function said(judgement: SpokenTrial['judgements'][number]): Words['judgements'][number] {
  const { round, judge, decision, score, confidence, reason, rationale, message } = judgement;
  const { persona, model, sample } = judge;
  const text = clipped(rationale ?? message ?? '', MAX_TEXT);
  return { round, persona, model, sample, decision, score, confidence, reason, text };
}

/** The case's fields other than the conversation and the response. */
function givenIn(evalCase: EvalCase): string | null {
  const { id, rubric, conversation, response, label, ...rest } = evalCase;
  return Object.keys(rest).length === 0 ? null : clipped(JSON.stringify(rest, null, 1), MAX_TEXT);
}

/** The texts of a case that a report shows. */
export const textsOf = (evalCase: EvalCase): Omit<Words, 'judgements'> => ({
  conversation: evalCase.conversation.map(({ role, text }) => ({ role, text: clipped(text, MAX_TEXT) })),
  response: clipped(evalCase.response, MAX_TEXT),
  given: givenIn(evalCase),
});

/** What the judges of a trial said. */
export const judgementsOf = ({ judgements }: SpokenTrial): Words['judgements'] => judgements.map(said);

/** The texts of a case and what the judges of a trial said. */
export const wordsOf = (evalCase: EvalCase, trial: SpokenTrial): Words => ({
  ...textsOf(evalCase),
  judgements: judgementsOf(trial),
});

export const truth = z.enum(['pass', 'fail']);
export const outcome = z.enum(['pass', 'fail', ...gapNames]);

/** A trial whose outcome differs from its label. */
export const Mistake = z.strictObject({
  key: z.string(),
  setup: z.string(),
  repeat: z.int(),
  caseId: z.string(),
  truth,
  outcome,
  errorType: z.string().nullable(),
  why: z.string(),
  /** Null if the case is not stored. A judge's text is empty if its verdict is not. */
  words: Words.nullable(),
});
export type Mistake = z.infer<typeof Mistake>;

/** The mistakes that a report shows. */
export const Mistakes = z.strictObject({
  shown: z.array(Mistake),
  /** Number in each setup, shown or not. */
  counts: z.record(z.string(), z.int()),
});
export type Mistakes = z.infer<typeof Mistakes>;

/** Mistakes shown in total, and the bounds per setup: the page must still open on a phone. */
export const MAX_MISTAKES = 600;
export const MIN_PER_SETUP = 5;
const MAX_PER_SETUP = 50;

interface Placed<T> {
  place: number;
  mistake: Mistake;
  trial: T;
}

const inOrder = (a: Placed<unknown>, b: Placed<unknown>): number =>
  a.place - b.place || a.mistake.repeat - b.mistake.repeat;

/** The mistakes on the first cases of each setup, in bounded memory. */
export function createMistakeList<T extends Trial>(setups: readonly string[]) {
  const share = Math.floor(MAX_MISTAKES / Math.max(1, setups.length));
  const most = Math.max(MIN_PER_SETUP, Math.min(MAX_PER_SETUP, share));
  const lists = new Map(setups.map((id) => [id, { count: 0, shown: [] as Placed<T>[] }]));
  return {
    add: (setup: string, trial: T, { place, repeat, truth, outcome }: TrialFacts): void => {
      const { key, caseId, label, why } = trial;
      const list = lists.get(setup);
      if (list === undefined || truth === null || outcome === truth) return;
      list.count += 1;
      const errorType = label?.errorType ?? null;
      const placed = {
        place,
        trial,
        mistake: { key, setup, repeat, caseId, truth, outcome, errorType, why, words: null },
      };
      const last = list.shown.at(-1);
      if (list.shown.length >= most && last !== undefined && inOrder(last, placed) < 0) return;
      list.shown = [...list.shown, placed].sort(inOrder).slice(0, most);
    },
    /** In order, with their trials, and the number of all by setup. */
    result: () => {
      const placed = [...lists.values()].flatMap(({ shown }) => shown);
      const counts = Object.fromEntries([...lists].map(([id, { count }]) => [id, count]));
      return {
        mistakes: { shown: placed.map(({ mistake }) => mistake), counts },
        mistaken: placed.map(({ trial }) => trial),
      };
    },
  };
}
