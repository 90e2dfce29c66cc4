import { join } from 'node:path';
import { DAY_MS, JuryError, messageOf, once } from './common/index.ts';
import { capital } from './common/text/index.ts';
import { type Env, readerModel } from './env.ts';
import {
  createAnswerCache,
  createCompletionClient,
  createExplainer,
  createLlmJudge,
  createSpendingLimits,
  resolveEndpoint,
  unpriced,
} from './judges/llm/index.ts';
import { createRulesJudge, RULES, rulesHash } from './judges/rules/index.ts';
import {
  type Ask,
  askOneByOne,
  redactedCase,
  redactedExplain,
  redactedWords,
  splitAsk,
} from './judging/index.ts';
import { type Rubric, requireKnownSettings } from './judging/standards/index.ts';
import { contentHash, createRenderer, loadLibrary, renderVerdictQuestion } from './prompting/index.ts';
import { createModelReader } from './reading/index.ts';
import { openStore } from './stores/index.ts';
import { loadPseudonyms } from './stores/lazy.ts';
import type { Parts, PartsOptions } from './surfaces/index.ts';
import { slack } from './surfaces/slack/index.ts';
import { teams } from './surfaces/teams/index.ts';
import { loadAppPackage } from './surfaces/teams/lazy.ts';
import type { CommandAction } from './surfaces/terminal/index.ts';
import { page } from './surfaces/web/index.ts';
import { loadOpenConsole } from './surfaces/web/lazy.ts';

/** The surfaces where people submit cases, vote and read digests. */
const surfaces = [slack, teams, page];

/** Commands that belong to a surface, keyed by their path in `commands.json`. */
const surfaceActions: Readonly<Record<string, () => Promise<CommandAction>>> = {
  open: async () => (await loadOpenConsole()).openConsole,
  'teams package': async () => (await loadAppPackage()).packageApp,
};

export async function surfaceAction(path: string): Promise<CommandAction> {
  const load = surfaceActions[path];
  if (load === undefined) throw new JuryError('internal', `No surface has the command ${path}.`);
  return load();
}

/** Reads and checks the prompts and assembles the judges. Sends nothing over the network before the first question. */
export async function assemble(
  env: Env,
  { cache, warn, pace, library: loaded }: PartsOptions,
): Promise<Parts> {
  const { settings, provider, promptFolders, outgoing, prices } = env;
  const { JURY_REDACT: redactor } = settings;
  const library = { ...(loaded ?? (await loadLibrary(promptFolders))), redactor };
  try {
    requireKnownSettings(settings.JURY_SETTINGS, library.personas.values());
  } catch (thrown) {
    throw new JuryError('config', `JURY_SETTINGS: ${messageOf(thrown)}`, { cause: thrown });
  }
  let rules: Ask | undefined;
  const hashes = new Map<Rubric, string>();
  const rulesHashOf = (rubric: Rubric): string => {
    const hash = hashes.get(rubric) ?? rulesHash(rubric, library.lexicons(), library.caseFormat.words);
    hashes.set(rubric, hash);
    return hash;
  };
  const theRules = (): Ask => {
    rules ??= redactedWords(
      redactor,
      createRulesJudge(library.lexicons(), library.caseFormat, ({ rubric }) => rulesHashOf(rubric)),
    );
    return rules;
  };
  const answers = createAnswerCache(join(settings.JURY_DATA_DIR, 'answers'), warn, {
    bytes: settings.JURY_CACHE_MB * 1024 ** 2,
    ageMs: settings.JURY_RETENTION_DAYS === 0 ? null : settings.JURY_RETENTION_DAYS * DAY_MS,
  });
  const store = once(() => openStore(settings, warn));
  const { JURY_DAILY_BUDGET_USD: limitUsd } = settings;
  const callMs = settings.JURY_CALL_TIMEOUT_S * 1000;
  const limits = createSpendingLimits(
    {
      all: limitUsd,
      person: settings.JURY_PERSON_DAILY_USD,
      conversation: settings.JURY_CONVERSATION_DAILY_USD,
      token: settings.JURY_TOKEN_DAILY_USD,
    },
    { store: store.get, callMs, now: Date.now, warn },
  );
  const client = createCompletionClient({
    settings: provider,
    proxies: outgoing.proxies,
    secrets: env.secrets,
    priceOf: prices.of,
    cache: cache ? answers : null,
    budget: limits.budget,
    limitMs: callMs,
    concurrency: 256,
    ...(pace === undefined ? {} : { pace }),
  });
  const pseudonym = once(async () => {
    const { createPseudonyms, keepPseudonymSecret } = await loadPseudonyms();
    const secret = settings.JURY_SECRET ?? (await keepPseudonymSecret(settings.JURY_DATA_DIR));
    env.secrets.add(secret, 'JURY_SECRET');
    const global = surfaces.filter(({ isUserIdGlobal }) => isUserIdGlobal);
    return createPseudonyms(
      secret,
      global.map(({ name }) => name),
    );
  });
  const render = createRenderer(library);
  const askFor: Parts['askFor'] = (reuse, shown) => {
    const judge = createLlmJudge(shown === undefined ? render : createRenderer(shown), client, reuse);
    const llm = splitAsk(theRules, redactedCase(redactor, askOneByOne(judge, contentHash)));
    return (question) => (question.judge.model === RULES ? theRules()(question) : llm(question));
  };
  const reading = readerModel(settings);
  const maxCaseChars = settings.JURY_MAX_CASE_CHARS;
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
    surfaces,
    library,
    client,
    limits,
    answers,
    ask: askFor({ repeat: 1, fresh: false }),
    explain: redactedExplain(
      redactor,
      createExplainer((question) => renderVerdictQuestion(library, question), client),
    ),
    reader: reading === null ? null : createModelReader({ library, client, model: reading, maxCaseChars }),
    askFor,
    wordingOf,
    timeoutMs: settings.JURY_VERDICT_TIMEOUT_S * 1000,
    now: Date.now,
    requireModel: (modelId) => {
      if (modelId === RULES) {
        theRules();
        return;
      }
      resolveEndpoint(modelId, provider);
      if (limitUsd !== undefined && prices.of(modelId) === null)
        throw new JuryError('config', capital(unpriced(modelId)));
    },
    store: store.get,
    pseudonym: pseudonym.get,
    close: async () => {
      await client.close();
      await (await store.made())?.close();
    },
  };
}
