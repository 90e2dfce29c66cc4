import { access, constants, stat } from 'node:fs/promises';
import { benchmarkCases, readSystemFile } from '../../benchmark/collect/index.ts';
import { loadBenchmarks } from '../../benchmark/index.ts';
import { redactable } from '../../case/redact/index.ts';
import { fileReason, JuryError, makeFolder } from '../../common/index.ts';
import { counted, plainLine, plainText, usd } from '../../common/text/index.ts';
import type { Env } from '../../env.ts';
import {
  keyVariable,
  probeModel,
  providers,
  proxyText,
  readSpending,
  spentMessage,
} from '../../judges/llm/index.ts';
import { RULES } from '../../judges/rules/index.ts';
import { currentOf, entry } from '../../judging/standards/index.ts';
import { fileAt } from '../../prompting/index.ts';
import { benchmarkSource, type Parts, type Surface } from '../index.ts';
import { type CommandContext, type ExitCode, exitCode } from '../terminal/index.ts';
import { adminsText, limitsText } from '../wording/index.ts';

/** How a check reports: it works, it is broken, or there is nothing set up to check. */
type Report = Record<'works' | 'broken' | 'idle', (subject: string, message: string) => void>;

interface Examination {
  parts: Parts;
  stop: AbortSignal;
  report: Report;
}

/** Reports a check: what it found, or why it fails. */
async function check({ broken, works }: Report, subject: string, test: () => Promise<string>): Promise<void> {
  try {
    works(subject, await test());
  } catch (thrown) {
    if (!(thrown instanceof JuryError)) throw thrown;
    broken(subject, thrown.message);
  }
}

async function dataFolder({ settings }: Env): Promise<string> {
  const folder = settings.JURY_DATA_DIR;
  try {
    await makeFolder(folder);
    await access(folder, constants.R_OK | constants.W_OK);
    return folder;
  } catch (thrown) {
    throw new JuryError(
      'config',
      `${folder} cannot be written (${fileReason(thrown)}): set JURY_DATA_DIR to one that can`,
    );
  }
}

/** A warning if other accounts of the machine can read the data folder, which has cases, verdicts and secrets; else null. */
async function openToOthers({ settings }: Env): Promise<string | null> {
  const folder = settings.JURY_DATA_DIR;
  const mode = process.platform === 'win32' ? 0 : ((await stat(folder).catch(() => null))?.mode ?? 0);
  return (mode & 0o077) === 0
    ? null
    : `other accounts of this machine can read ${folder}: chmod 700 ${folder}`;
}

function prompts({ env, library }: Parts): string {
  const { exemplars, lexicons, methods, personas, rubrics } = library;
  lexicons().checkAll();
  for (const id of rubrics.keys()) exemplars(id);
  const ownFolder = env.settings.JURY_PROMPTS_DIR;
  const also = ownFolder === undefined ? '' : `, including those in ${ownFolder}`;
  const count = (entries: ReadonlyMap<string, unknown>): number => currentOf(entries).length;
  return `rubrics: ${count(rubrics)}, methods: ${count(methods)}, personas: ${count(personas)}${also}`;
}

async function model({ parts, stop }: Examination, id: string): Promise<string> {
  if (id === RULES) return 'built in, needs nothing';
  parts.requireModel(id);
  const probe = await probeModel(id, parts.client, stop);
  if (!probe.ok) throw new JuryError('config', probe.message);
  return probe.message;
}

/** Reports providers that are set up but that no named model uses. They are not tried, since that would cost a call. */
function unusedProviders({ idle }: Report, env: Env, named: readonly string[]): void {
  for (const provider of Object.keys(providers))
    if (env.provider(provider).apiKey !== undefined && !named.some((id) => id.startsWith(`${provider}/`)))
      idle(
        `provider ${provider}`,
        `${keyVariable(provider)} is set but was not tried: add --model ${provider}/MODEL`,
      );
}

async function store({ parts, report }: Examination): Promise<void> {
  const { REDIS_URL, JURY_SECRET } = parts.env.settings;
  const remarks: string[] = [];
  await check(report, 'store', async () => {
    const opened = await parts.store();
    await opened.proveWrite(parts.now());
    const { where, warnings } = await opened.inspect();
    remarks.push(...warnings);
    if (REDIS_URL !== undefined && JURY_SECRET === undefined)
      remarks.push('JURY_SECRET is not set: several machines on one Redis each need the same one');
    return where;
  });
  for (const remark of remarks) report.idle('store', remark);
}

/** What model calls have cost today, and what they may cost. */
async function dailyBudget({ parts, report }: Examination): Promise<void> {
  const limitUsd = parts.env.settings.JURY_DAILY_BUDGET_USD;
  if (limitUsd === undefined) {
    report.idle('daily budget', 'none: JURY_DAILY_BUDGET_USD limits what model calls may cost in a day');
    return;
  }
  await check(report, 'daily budget', async () => {
    const { spent, held } = await readSpending(await parts.store(), parts.now());
    if (spent >= limitUsd)
      throw new JuryError(
        'config',
        `${spentMessage(spent, limitUsd, parts.now())}. Set a higher one for more calls today`,
      );
    const underWay = held === 0 ? '' : `, up to ${usd(held)} more set aside for calls under way`;
    return `${usd(spent)} of ${usd(limitUsd)} spent today${underWay}; it resets at 00:00 UTC`;
  });
}

/** How many people, conversations and programs have reached their limits today. */
async function dailyLimits({ parts, report }: Examination): Promise<void> {
  const subject = 'daily limits';
  const { settings } = parts.env;
  const limits = ['JURY_PERSON_DAILY_USD', 'JURY_CONVERSATION_DAILY_USD', 'JURY_TOKEN_DAILY_USD'] as const;
  if (limits.some((name) => settings[name] !== undefined))
    return check(report, subject, async () => limitsText(await parts.limits.reached()));
  report.idle(
    subject,
    'none: JURY_PERSON_DAILY_USD, JURY_CONVERSATION_DAILY_USD and JURY_TOKEN_DAILY_USD limit what each person, conversation and API token may spend in a day',
  );
}

/** Reports which proxies calls go through; the checks that make calls show whether these work. */
function proxies({ idle, works }: Report, { outgoing }: Env): void {
  const { http, https, except } = outgoing.proxies;
  const through = [
    ...(https === null ? [] : [`https through ${proxyText(https)} (${https.variable})`]),
    ...(http === null
      ? []
      : [`${https === null ? 'http and https' : 'http'} through ${proxyText(http)} (${http.variable})`]),
  ];
  if (through.length === 0) idle('proxy', 'none: HTTPS_PROXY and HTTP_PROXY are not set');
  else
    works('proxy', [...through, ...(except === '' ? [] : [`directly to ${except} (NO_PROXY)`])].join('; '));
}

/** Checks that a surface that is set up accepts its credentials. */
async function surface(
  { title, setup, inspect }: Surface,
  { env, surfaces }: Pick<Parts, 'env' | 'surfaces'>,
  report: Report,
): Promise<void> {
  const state = setup(env);
  if (state.kind === 'off') {
    if (state.begun) report.broken(title, state.needs);
    else report.idle(title, `not set up: ${state.needs}`);
    return;
  }
  let lacks: readonly string[] = [];
  await check(report, title, async () => {
    const inspected = await inspect(env, surfaces);
    ({ lacks } = inspected);
    return inspected.works;
  });
  for (const lack of lacks) report.idle(title, lack);
}

/** Reports what is redacted from cases before models and people see them. */
function redaction({ idle, works }: Report, { settings }: Env): void {
  const { names } = settings.JURY_REDACT;
  const kinds = Object.keys(redactable).join(',');
  if (names.length > 0)
    works('redaction', `replaced before models see a case and before it is kept: ${names.join(', ')}`);
  else idle('redaction', `nothing is redacted: JURY_REDACT=${kinds} takes personal details out`);
}

/** Checks that the benchmarks for digests can run: that their cases are there and their models can be called. */
async function benchmarks({ parts, report, stop }: Examination): Promise<void> {
  const { library, env } = parts;
  const source = benchmarkSource(parts);
  for (const definition of loadBenchmarks(env.promptFolders).values())
    await check(report, `benchmark ${definition.id}`, async () => {
      const panels = Object.values(definition.panels ?? {}).flat();
      for (const id of [...definition.models, ...panels]) parts.requireModel(id);
      for (const id of definition.methods) entry('method', library.methods, id);
      const { system: file } = definition;
      const system = file && readSystemFile(fileAt(file), library.caseFormat, env.variable);
      const cases = counted((await benchmarkCases(source, definition, stop)).length, 'case');
      return system ? `${cases}, answered by ${system.name}` : cases;
    });
}

/** `jury doctor`: checks the configuration, and says what works and how to fix what does not. Exits with 1 if anything is broken. */
export async function doctor(
  { env: readEnv, out, parts: open, screen: { colors }, stop }: CommandContext,
  { model: extra = [] }: { model?: string[] },
): Promise<ExitCode> {
  let code: ExitCode = exitCode.ok;
  const line = (mark: string) => (subject: string, message: string) =>
    out(`${mark} ${colors.bold(plainLine(subject))}: ${plainText(message)}`);
  const broken = line(colors.red('✗'));
  const report: Report = {
    works: line(colors.green('✓')),
    idle: line(colors.dim('–')),
    broken: (subject, message) => {
      broken(subject, message);
      code = exitCode.failed;
    },
  };
  try {
    const env = await readEnv();
    const secrets = env.fromFiles.length === 0 ? '' : `; from files: ${env.fromFiles.join(', ')}`;
    report.works('environment', `every variable is well-formed${secrets}`);
    proxies(report, env);
    await check(report, 'data folder', () => dataFolder(env));
    const remark = await openToOthers(env);
    if (remark !== null) report.idle('data folder', remark);
    const parts = await open();
    report.works('prompts', prompts(parts));
    redaction(report, env);
    const examination = { parts, report, stop };
    await benchmarks(examination);
    const readers = parts.reader === null ? [] : [parts.reader.model];
    const named = [...new Set([env.settings.JURY_MODEL, ...readers, ...extra])];
    for (const id of named) await check(report, `model ${id}`, () => model(examination, id));
    await store(examination);
    await dailyBudget(examination);
    await dailyLimits(examination);
    for (const one of parts.surfaces) await surface(one, parts, report);
    const { JURY_ADMINS: admins } = env.settings;
    report[admins === undefined ? 'idle' : 'works']('admins', adminsText(admins ?? null));
    unusedProviders(report, env, named);
  } catch (thrown) {
    if (!(thrown instanceof JuryError)) throw thrown;
    report.broken(thrown.code === 'bad-file' ? 'prompts' : 'environment', thrown.message);
  }
  return code;
}
