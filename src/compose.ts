import { join } from 'node:path';
import { JuryError, messageOf } from './common/errors.ts';
import type { Env } from './env.ts';
import { createAnswerCache } from './judges/llm/answer-cache.ts';
import { type CompletionClient, createCompletionClient } from './judges/llm/completion-client.ts';
import { createDailyBudget } from './judges/llm/daily-budget.ts';
import { type Asking, createLlmJudge } from './judges/llm/llm-judge.ts';
import { resolveEndpoint } from './judges/llm/providers.ts';
import type { Pace } from './judges/llm/rate-limits.ts';
import { askOneByOne } from './judging/ask-one-by-one.ts';
import { requireKnownSettings } from './judging/persona.ts';
import type { Ask, Question } from './judging/ports.ts';
import type { Rubric } from './judging/rubric.ts';
import { splitAsk } from './judging/split-ask.ts';
import type { Pseudonym } from './labels/person.ts';
import { createRulesJudge, RULES, rulesHash } from './models/rules/rules-judge.ts';
import { contentHash } from './prompting/hash.ts';
import { type Library, loadLibrary } from './prompting/library.ts';
import { promptFolders } from './prompting/prompt-folders.ts';
import { createRenderer } from './prompting/render.ts';
import { openStore } from './stores/open-store.ts';
import type { Store } from './stores/store.ts';

/** The program's parts, put together once. */
export interface Parts {
  env: Env;
  library: Library;
  ask: Ask;
  /**
   * The same judges where everything is judged several times: no answer is taken for that of another time. With other prompts
   * than the library's own where `shown` is given.
   */
  askFor: (asking: Asking, shown?: Library) => Ask;
  /** Hash of all wording that a judge is asked with, or of what the exact checks go by; and how long the question is. */
  wordingOf: (question: Question) => { hash: string; chars: number };
  /** Where prompt files are read from, the built-in ones first. */
  promptFolders: readonly string[];
  client: CompletionClient;
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

/** Reads and checks the prompts and puts the judges together. Nothing is sent anywhere before the first question. */
export function assemble(env: Env, { cache, warn, pace }: PartsOptions): Parts {
  const { settings, provider } = env;
  const folders = promptFolders(env);
  const library = loadLibrary(folders);
  try {
    requireKnownSettings(settings.JURY_SETTINGS, library.personas.values());
  } catch (thrown) {
    throw new JuryError('config', `JURY_SETTINGS: ${messageOf(thrown)}`, { cause: thrown });
  }
  let rules: Ask | undefined;
  const hashes = new Map<Rubric, string>();
  const rulesHashOf = (rubric: Rubric): string => {
    const hash = hashes.get(rubric) ?? rulesHash(rubric, library.lexicons());
    hashes.set(rubric, hash);
    return hash;
  };
  const theRules = (): Ask => {
    rules ??= createRulesJudge(library.lexicons(), ({ rubric }) => rulesHashOf(rubric));
    return rules;
  };
  const client = createCompletionClient({
    settings: provider,
    cache: cache ? createAnswerCache(join(settings.JURY_DATA_DIR, 'answers'), warn) : null,
    budget: createDailyBudget({
      limitUsd: settings.JURY_DAILY_BUDGET_USD ?? null,
      folder: join(settings.JURY_DATA_DIR, 'spending'),
      now: Date.now,
      warn,
    }),
    limitMs: settings.JURY_CALL_TIMEOUT_S * 1000,
    concurrency: 256,
    ...(pace === undefined ? {} : { pace }),
  });
  const store = once(() =>
    openStore({ redisUrl: settings.REDIS_URL, dataFolder: settings.JURY_DATA_DIR, warn }),
  );
  const pseudonym = once(async () => {
    const [{ createPseudonyms }, { keepSecret }] = await Promise.all([
      import('./stores/pseudonyms.ts'),
      import('./stores/keep-secret.ts'),
    ]);
    return createPseudonyms(settings.JURY_SECRET ?? (await keepSecret(settings.JURY_DATA_DIR)));
  });
  const render = createRenderer(library);
  const askFor: Parts['askFor'] = (asking, shown) => {
    const judge = createLlmJudge(shown === undefined ? render : createRenderer(shown), client, asking);
    const llm = splitAsk(theRules, askOneByOne(judge, contentHash));
    return (question) => (question.judge.model === RULES ? theRules()(question) : llm(question));
  };
  const wordingOf: Parts['wordingOf'] = (question) => {
    if (question.judge.model === RULES) return { hash: rulesHashOf(question.rubric), chars: 0 };
    const rest = question.criteria.filter(({ judgedBy }) => judgedBy === 'panel');
    if (rest.length === 0) return { hash: rulesHashOf(question.rubric), chars: 0 };
    const { promptHash, reply, system, user } = render({ ...question, criteria: rest });
    const chars = system.length + user.length + JSON.stringify(reply.json).length;
    if (rest.length === question.criteria.length) return { hash: promptHash, chars };
    return { hash: contentHash(promptHash, rulesHashOf(question.rubric)), chars };
  };
  return {
    env,
    library,
    promptFolders: folders,
    client,
    ask: askFor({ repeat: 1, fresh: false }),
    askFor,
    wordingOf,
    now: Date.now,
    requireModel: (modelId) => {
      if (modelId === RULES) theRules();
      else resolveEndpoint(modelId, provider);
    },
    store: store.get,
    pseudonym: pseudonym.get,
    close: async () => {
      await client.close();
      await (await store.made())?.close();
    },
  };
}

/** Makes something when it is first asked for; a failure is not kept. */
function once<T>(make: () => Promise<T>) {
  let making: Promise<T> | undefined;
  return {
    get: (): Promise<T> => {
      making ??= make().catch((thrown) => {
        making = undefined;
        throw thrown;
      });
      return making;
    },
    /** What was made so far. */
    made: async (): Promise<T | undefined> => making?.catch(() => undefined),
  };
}
