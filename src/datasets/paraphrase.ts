import * as z from 'zod';
import { type EvalCase, lastRequest } from '../case/index.ts';
import { JuryError } from '../common/index.ts';
import type { CompletionClient } from '../judges/llm/index.ts';
import { fenced, fenceKey } from '../prompting/index.ts';
import type { UserCases } from './generate.ts';

/** In characters. */
const MAX_UTTERANCE = 400;

const Reply = z.strictObject({ utterance: z.string().trim().min(1).max(MAX_UTTERANCE) });

export interface Paraphrased {
  users: UserCases[];
  counts: {
    rephrased: number;
    /** The model returned the original unchanged. */
    unchanged: number;
    /** Exact checks no longer confirm the labels, so the original was kept. */
    unreadable: number;
    /** The model gave no usable answer, so the original was kept. */
    unanswered: number;
  };
  /** Why the first unanswered request failed, if any. */
  problem: string | null;
}

export interface ParaphraseParts {
  client: Pick<CompletionClient, 'complete'>;
  modelId: string;
  /** From `prompts/datasets/paraphrase.md`. */
  instructions: string;
  /** Whether exact checks confirm a case's label. */
  isConfirmed: (evalCase: EvalCase) => Promise<boolean>;
  signal: AbortSignal;
}

type Outcome = { users: UserCases; kind: keyof Paraphrased['counts']; problem: string | null };

const utteranceOf = ([first]: UserCases): string => (first === undefined ? '' : lastRequest(first));

/** The cases with their last user turn replaced. */
const withUtterance = (cases: UserCases, text: string): UserCases =>
  cases.map((one) => {
    const last = one.conversation.findLastIndex(({ role }) => role === 'user');
    return {
      ...one,
      conversation: one.conversation.map((turn, index) => (index === last ? { ...turn, text } : turn)),
    };
  });

async function paraphraseUser(cases: UserCases, parts: ParaphraseParts): Promise<Outcome> {
  const { client, modelId, instructions, isConfirmed, signal } = parts;
  const original = utteranceOf(cases);
  const blocks = [{ name: 'REQUEST', text: original }];
  const outcome = await client.complete({
    modelId,
    system: instructions,
    user: fenced(blocks, fenceKey(blocks)),
    schema: {
      name: 'paraphrase',
      json: {
        type: 'object',
        properties: { utterance: { type: 'string' } },
        required: ['utterance'],
        additionalProperties: false,
      },
    },
    repairText: (problem) =>
      `Your reply could not be used: ${problem}. Reply with {"utterance": "…"} and nothing else.`,
    accept: (value) => {
      const parsed = Reply.safeParse(value);
      return parsed.success
        ? { ok: true, value: parsed.data.utterance.replaceAll(/\s+/g, ' ') }
        : { ok: false, problem: `utterance must be a text of 1 to ${MAX_UTTERANCE} characters` };
    },
    // At temperature 0, answers are cached, so the same command gives the same data.
    temperature: 0,
    seed: null,
    variant: 'paraphrase',
    signal,
  });
  const keep = (kind: Outcome['kind'], problem: string | null = null): Outcome => ({
    users: cases,
    kind,
    problem,
  });
  if (outcome.status === 'unanswered') {
    if (outcome.misconfigured) throw new JuryError('endpoint-refused', outcome.message);
    return keep('unanswered', outcome.message);
  }
  if (outcome.value === original) return keep('unchanged');
  const changed = withUtterance(cases, outcome.value);
  const confirmed = await Promise.all(changed.map(isConfirmed));
  return confirmed.every(Boolean) ? { users: changed, kind: 'rephrased', problem: null } : keep('unreadable');
}

/**
 * Has a model paraphrase each user's request. A paraphrase is kept only if exact checks still confirm the labels of all the user's cases;
 * otherwise it may express a different wish. The result depends only on the model's answers.
 * @throws JuryError `endpoint-refused` if the endpoint answers no request until a setting is changed
 */
export async function paraphrase(users: readonly UserCases[], parts: ParaphraseParts): Promise<Paraphrased> {
  const outcomes = await Promise.all(users.map((cases) => paraphraseUser(cases, parts)));
  const counts = { rephrased: 0, unchanged: 0, unreadable: 0, unanswered: 0 };
  for (const { kind } of outcomes) counts[kind] += 1;
  return {
    users: outcomes.map((outcome) => outcome.users),
    counts,
    problem: outcomes.find(({ problem }) => problem !== null)?.problem ?? null,
  };
}
