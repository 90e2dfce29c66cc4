import type { BenchmarkCaseSource, SystemPorts } from '../benchmark/collect/index.ts';
import type { EvalCase } from '../case/index.ts';
import { type Parsed, type PasteOptions, parseInput } from '../case/paste/index.ts';
import { JuryError } from '../common/index.ts';
import { didYouMean } from '../common/text/index.ts';
import type { CaseOptions } from '../datasets/index.ts';
import type { Env } from '../env.ts';
import type {
  AnswerCache,
  AnswerReuse,
  CompletionClient,
  Pace,
  SpendingLimits,
} from '../judges/llm/index.ts';
import {
  type Ask,
  type CallOptions,
  type CasePlan,
  type Explain,
  judgeCase,
  planReading,
  type Question,
  UnsureChoice,
} from '../judging/index.ts';
import type { Verdict } from '../judging/verdict/index.ts';
import type { Pseudonym } from '../labels/access/index.ts';
import type { Library } from '../prompting/index.ts';
import type { ModelReader, ModelReading } from '../reading/index.ts';
import { type Planning, planRequest } from '../requests/index.ts';
import type { Store } from '../stores/index.ts';
import type { Surface } from './surface.ts';
import { readingText, unreadProblem } from './wording/index.ts';

/** The program's parts, created once. */
export interface Parts {
  env: Env;
  /** Every existing surface, set up or not. */
  surfaces: readonly Surface[];
  library: Library;
  ask: Ask;
  /** Answers questions about verdicts. */
  explain: Explain;
  /** Reads pastes that plain reading refuses; null if no model may. */
  reader: ModelReader | null;
  /**
   * Judges for repeated trials: a cached answer is only reused for the same repetition. `shown` replaces the library's prompts.
   */
  askFor: (reuse: AnswerReuse, shown?: Library) => Ask;
  /** Hash of all wording that a judge receives, or of the exact checks' rules, and the length of the question. */
  wordingOf: (question: Question) => { hash: string; chars: number };
  client: CompletionClient;
  /** The daily limits for people, conversations and tokens. */
  limits: Pick<SpendingLimits, 'spentBy' | 'reached'>;
  /** The cache of models' answers, even if answers are not reused. */
  answers: AnswerCache;
  /** The time limit of a verdict, in ms. */
  timeoutMs: number;
  /** Milliseconds since the epoch. */
  now: () => number;
  /** @throws JuryError `config` or `bad-file` if the model is not available; the message says what to set or fix */
  requireModel: (modelId: string) => void;
  /**
   * The persistent store, opened at its first use and closed with the parts.
   * @throws JuryError `store-unavailable` or `config`; the next call tries again
   */
  store: () => Promise<Store>;
  /** @throws JuryError `config` if no secret is set for pseudonyms */
  pseudonym: () => Promise<Pseudonym>;
  close: () => Promise<void>;
}

export interface PartsOptions {
  /** Whether answers at temperature 0 are cached in the data folder and reused. */
  cache: boolean;
  warn: (message: string) => void;
  /** Limits the rate of requests to providers; by default, there is no limit. */
  pace?: Pace;
  /** The prompts, if they are loaded already; by default, they are loaded. */
  library?: Library;
}

/** The limits and format of cases, as configured. */
export const caseOptions = ({ env, library }: Pick<Parts, 'env' | 'library'>): CaseOptions => ({
  maxCaseChars: env.settings.JURY_MAX_CASE_CHARS,
  format: library.caseFormat,
});

/** The source of cases for defined benchmarks. */
export const benchmarkSource = ({ env, library, now, store }: Parts): BenchmarkCaseSource => ({
  library,
  promptFolders: env.promptFolders,
  maxCaseChars: env.settings.JURY_MAX_CASE_CHARS,
  store,
  now,
});

/** Everything needed to ask a system under test. */
export const systemPorts = ({ env, client }: Pick<Parts, 'env' | 'client'>): SystemPorts => ({
  client,
  proxies: env.outgoing.proxies,
  secrets: env.secrets,
  environment: env.inherited,
});

/** The case of a call, which must be a single one; a problem if there are several. */
export function onlyOne([first, ...more]: readonly Parsed[]): Parsed {
  if (first !== undefined && more.length === 0) return first;
  const problem = `These are ${more.length + 1} cases: send them one by one.`;
  return { problem, missing: [], understood: {} };
}

/** Reads a single case in this thread: the process is the caller's own. */
export const parseOne = (input: string | EvalCase, options: PasteOptions): Parsed =>
  onlyOne(parseInput(typeof input === 'string' ? input : JSON.stringify(input), options));

/** The options by which every call is planned. */
export const planningOf = ({
  env: { settings },
  library,
  requireModel,
}: Pick<Parts, 'env' | 'library' | 'requireModel'>): Planning => ({
  library,
  requireModel,
  defaultModel: settings.JURY_MODEL,
  settings: settings.JURY_SETTINGS,
});

/** Known options of a call, checked at run time for programs in plain JavaScript. */
const WISHES: readonly string[] = [
  'rubric',
  'method',
  'models',
  'panel',
  'seed',
  'settings',
  'rounds',
  'temperature',
  'earlyStop',
  'stop',
  'unsure',
  'trustReader',
] satisfies (keyof CallOptions)[];

/**
 * Has a model read a paste that plain reading refused.
 *
 * @param problem why plain reading refused it
 * @returns what it read, if that is to be trusted
 * @throws JuryError `bad-input` with what it read, or with the problem if it could not read it either
 */
async function readRefused(
  { reader, library, timeoutMs }: Pick<Parts, 'reader' | 'library' | 'timeoutMs'>,
  text: string,
  problem: string,
  { trustReader, signal }: { trustReader: boolean; signal: AbortSignal },
): Promise<ModelReading> {
  const deadlineAt = performance.now() + timeoutMs;
  const read = (await reader?.read({ text, signal, deadlineAt, fresh: false })) ?? null;
  if (read === null) throw new JuryError('bad-input', problem);
  if ('noReading' in read) throw new JuryError('bad-input', unreadProblem(problem, read));
  if (trustReader) return read;
  const how = 'Nothing was judged. The option trustReader judges it.';
  throw new JuryError('bad-input', readingText(problem, read, library.caseFormat, how));
}

/**
 * Plans a call. A model is asked only to read a paste that plain reading refuses.
 *
 * @throws JuryError an `UnsureError` if the outcome depends on lines that may belong to the answer; `bad-input` for input that
 *   cannot be read as a case or lacks fields, `usage` for unknown ids and invalid combinations, `config` for an unavailable model
 */
export async function planCall(
  parts: Parts,
  input: string | EvalCase,
  options: CallOptions,
): Promise<CasePlan> {
  const {
    signal = new AbortController().signal,
    onEvent: _onEvent,
    unsure,
    trustReader = false,
    ...wish
  } = options;
  const choice = UnsureChoice.optional().safeParse(unsure);
  if (!choice.success)
    throw new JuryError('usage', `The option "unsure" must be ${UnsureChoice.options.join(', ')}.`);
  const unknown = Object.keys(wish).filter((name) => !WISHES.includes(name));
  if (unknown.length > 0)
    throw new JuryError(
      'usage',
      `There is no option ${unknown.map((name) => `"${name}"`).join(', ')}.${didYouMean(unknown[0] ?? '', WISHES)} Options: ${[...WISHES, 'signal', 'onEvent'].join(', ')}.`,
    );
  const parsed = parseOne(input, caseOptions(parts));
  const read =
    'problem' in parsed
      ? await readRefused(parts, typeof input === 'string' ? input : '', parsed.problem, {
          trustReader,
          signal,
        })
      : parsed;
  return planReading(
    read,
    choice.data,
    'The option unsure says which is meant: "remark" or "answer".',
    (one) => planRequest(planningOf(parts), one, wish),
    { ...parts, signal },
  );
}

/** Judges a planned call. @throws JuryError `endpoint-refused` if an endpoint refuses all requests until a setting is changed */
export const judgeCall = (
  { ask, now, timeoutMs }: Parts,
  plan: CasePlan,
  { signal = new AbortController().signal, onEvent }: CallOptions,
): Promise<Verdict> =>
  judgeCase(plan, { ask, now, timeoutMs, signal, ...(onEvent === undefined ? {} : { onEvent }) });
