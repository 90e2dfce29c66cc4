import type { BenchmarkCaseSource } from '../benchmark/benchmark-cases.ts';
import type { SystemPorts } from '../benchmark/collect/system.ts';
import type { CaseOptions } from '../benchmark/datasets/read-cases.ts';
import type { EvalCase } from '../case/case.ts';
import { type Parsed, type PasteOptions, parseInput } from '../case/paste/parse-input.ts';
import { JuryError } from '../common/errors.ts';
import { didYouMean } from '../common/text.ts';
import type { Env } from '../env.ts';
import type { AnswerCache } from '../judges/llm/answer-cache.ts';
import type { CompletionClient } from '../judges/llm/completion-client.ts';
import type { Pace } from '../judges/llm/limits.ts';
import type { AnswerReuse } from '../judges/llm/llm-judge.ts';
import type { SpendingLimits } from '../judges/llm/spending-limits.ts';
import { type Ask, type Explain, type Question, UnsureChoice } from '../judging/ask.ts';
import { type CallOptions, type CasePlan, judgeCase } from '../judging/judge-case.ts';
import { planReading } from '../judging/unsure.ts';
import type { Verdict } from '../judging/verdict.ts';
import type { Pseudonym } from '../labels/permissions.ts';
import type { Library } from '../prompting/library.ts';
import { type Planning, planRequest } from '../requests/judge-one.ts';
import type { Store } from '../stores/store.ts';
import type { Surface } from './surface.ts';

/** The program's parts, assembled once. */
export interface Parts {
  env: Env;
  /** Every existing surface, set up or not. */
  surfaces: readonly Surface[];
  library: Library;
  ask: Ask;
  /** Answers questions about verdicts. */
  explain: Explain;
  /**
   * The same judges where everything is judged several times: no answer is taken for that of another time. With other prompts
   * than the library's own where `shown` is given.
   */
  askFor: (reuse: AnswerReuse, shown?: Library) => Ask;
  /** Hash of all wording that a judge is asked with, or of what the exact checks go by; and how long the question is. */
  wordingOf: (question: Question) => { hash: string; chars: number };
  client: CompletionClient;
  /** The daily limits of those who ask. */
  limits: Pick<SpendingLimits, 'spentBy' | 'reached'>;
  /** What models answered before, whether or not it is used again. */
  answers: AnswerCache;
  /** The time limit of a verdict, in ms. */
  timeoutMs: number;
  /** Milliseconds since the epoch. */
  now: () => number;
  /** @throws JuryError `config` or `bad-file` where a model of that name cannot be asked; says what to set or mend */
  requireModel: (modelId: string) => void;
  /**
   * What outlasts the process, opened when it is first asked for and closed with the parts.
   * @throws JuryError `store-unavailable` or `config`; the next call tries again
   */
  store: () => Promise<Store>;
  /** @throws JuryError `config` where there is no secret to key them with */
  pseudonym: () => Promise<Pseudonym>;
  close: () => Promise<void>;
}

export interface PartsOptions {
  /** Whether answers at temperature 0 are kept in the data folder and used again. */
  cache: boolean;
  warn: (message: string) => void;
  /** When the turn of each request to a provider comes; absent: none has to wait. */
  pace?: Pace;
}

/** What cases may be, as this program is set up. */
export const caseOptions = ({ env, library }: Pick<Parts, 'env' | 'library'>): CaseOptions => ({
  maxCaseChars: env.settings.JURY_MAX_CASE_CHARS,
  format: library.caseFormat,
});

/** Where defined benchmarks have their cases from. */
export const benchmarkSource = ({ env, library, now, store }: Parts): BenchmarkCaseSource => ({
  library,
  promptFolders: env.promptFolders,
  maxCaseChars: env.settings.JURY_MAX_CASE_CHARS,
  store,
  now,
});

/** What asking a system under test takes. */
export const systemPorts = ({ env, client }: Pick<Parts, 'env' | 'client'>): SystemPorts => ({
  client,
  proxies: env.outgoing.proxies,
  secrets: env.secrets,
  environment: env.inherited,
});

/** The one case that programs hand over at a time, or why there is none. */
export function onlyOne([first, ...more]: readonly Parsed[]): Parsed {
  if (first !== undefined && more.length === 0) return first;
  const problem = `These are ${more.length + 1} cases: send them one by one.`;
  return { problem, missing: [], understood: {} };
}

/** The same, read in this process, which is the caller's own. */
export const parseOne = (input: string | EvalCase, options: PasteOptions): Parsed =>
  onlyOne(parseInput(typeof input === 'string' ? input : JSON.stringify(input), options));

/** What every request of a program is planned by. */
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

/** What a call may ask for; programs in plain JavaScript have no compiler that knows it. */
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
  'unsure',
] satisfies (keyof CallOptions)[];

/**
 * Plans a call before any model is asked.
 *
 * @throws JuryError an `UnsureError` if the outcome depends on lines that may belong to the answer; `bad-input` for input that cannot be
 *   read as a case or lacks fields, `usage` for unknown ids and invalid combinations, `config` for a model that cannot be asked
 */
export async function planCall(
  parts: Parts,
  input: string | EvalCase,
  options: CallOptions,
): Promise<CasePlan> {
  const { signal = new AbortController().signal, onEvent: _onEvent, unsure, ...wish } = options;
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
  if ('problem' in parsed) throw new JuryError('bad-input', parsed.problem);
  return planReading(
    parsed,
    choice.data,
    'The option unsure says which is meant: "remark" or "answer".',
    (read) => planRequest(planningOf(parts), read, wish),
    { ...parts, signal },
  );
}

/** @throws JuryError `endpoint-refused` if a model's endpoint answers no question until a setting is changed */
export const judgeCall = (
  { ask, now, timeoutMs }: Parts,
  plan: CasePlan,
  { signal = new AbortController().signal, onEvent }: CallOptions,
): Promise<Verdict> =>
  judgeCase(plan, { ask, now, timeoutMs, signal, ...(onEvent === undefined ? {} : { onEvent }) });
