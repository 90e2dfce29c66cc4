import { join } from 'node:path';
import type { Ask } from './core/ports.ts';
import type { Rubric } from './core/rubric.ts';
import { splitAsk } from './core/split-ask.ts';
import type { Env } from './env.ts';
import { createAnswerCache } from './models/answer-cache.ts';
import { type CompletionClient, createCompletionClient } from './models/complete.ts';
import { createDailyBudget } from './models/daily-budget.ts';
import { createLlmJudge } from './models/llm-judge.ts';
import { resolveEndpoint } from './models/providers.ts';
import { createRulesJudge, RULES, rulesHash } from './models/rules/rules-judge.ts';
import { promptFolders } from './prompt-folders.ts';
import { type Library, loadLibrary } from './prompting/library.ts';
import { createRenderer } from './prompting/render.ts';

/** The program's parts, put together once. */
export interface Parts {
  env: Env;
  library: Library;
  ask: Ask;
  /** Where prompt files are read from, the built-in ones first. */
  promptFolders: readonly string[];
  client: CompletionClient;
  /** Milliseconds since the epoch. */
  now: () => number;
  /** @throws JuryError `config` or `bad-file` where a model of that name cannot be asked; says what to set or mend */
  requireModel: (modelId: string) => void;
  close: () => Promise<void>;
}

export interface PartsOptions {
  /** Whether answers at temperature 0 are kept in the data folder and used again. */
  cache: boolean;
  warn: (message: string) => void;
}

/** Reads and checks the prompts and puts the judges together. Nothing is sent anywhere before the first question. */
export function assemble(env: Env, { cache, warn }: PartsOptions): Parts {
  const { settings, provider } = env;
  const folders = promptFolders(env);
  const library = loadLibrary(folders);
  let rules: Ask | undefined;
  const theRules = (): Ask => {
    if (rules !== undefined) return rules;
    const lexicons = library.lexicons();
    const hashes = new Map<Rubric, string>();
    rules = createRulesJudge(lexicons, ({ rubric }) => {
      const hash = hashes.get(rubric) ?? rulesHash(rubric, lexicons);
      hashes.set(rubric, hash);
      return hash;
    });
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
  });
  const llm = splitAsk(theRules, createLlmJudge(createRenderer(library), client));
  return {
    env,
    library,
    promptFolders: folders,
    client,
    ask: (question) => (question.judge.model === RULES ? theRules()(question) : llm(question)),
    now: Date.now,
    requireModel: (modelId) => {
      if (modelId === RULES) theRules();
      else resolveEndpoint(modelId, provider);
    },
    close: () => client.close(),
  };
}
