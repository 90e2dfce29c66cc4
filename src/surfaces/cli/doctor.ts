import { randomUUID } from 'node:crypto';
import { access, constants } from 'node:fs/promises';
import { benchmarkCases } from '../../benchmark/benchmark-cases.ts';
import { loadBenchmarks } from '../../benchmark/benchmark-definition.ts';
import { JuryError, messageOf } from '../../common/errors.ts';
import { makeFolder } from '../../common/make-folder.ts';
import { counted } from '../../common/text.ts';
import type { Env } from '../../env.ts';
import { probeModel } from '../../judges/llm/llm-judge.ts';
import { keyVariable, providers } from '../../judges/llm/providers.ts';
import { RULES } from '../../judges/rules/rules-judge.ts';
import { entry } from '../../judging/library.ts';
import type { Parts } from '../parts.ts';
import type { Surface } from '../surface.ts';
import type { CommandContext } from './command-context.ts';
import { type ExitCode, exitCode, type Terminal } from './terminal.ts';

/** What a check came to: it works, it does not, or there is nothing set up to check. */
interface Finding {
  state: 'works' | 'broken' | 'idle';
  subject: string;
  message: string;
}

const works = (subject: string, message: string): Finding => ({ state: 'works', subject, message });
const broken = (subject: string, message: string): Finding => ({ state: 'broken', subject, message });
const idle = (subject: string, message: string): Finding => ({ state: 'idle', subject, message });

function show({ out, screen: { colors } }: Terminal, { state, subject, message }: Finding): void {
  const mark = { works: colors.green('✓'), broken: colors.red('✗'), idle: colors.dim('–') }[state];
  out(`${mark} ${colors.bold(subject)}: ${message}`);
}

async function dataFolder({ settings }: Env): Promise<Finding> {
  const folder = settings.JURY_DATA_DIR;
  try {
    await makeFolder(folder);
    await access(folder, constants.R_OK | constants.W_OK);
    return works('data folder', folder);
  } catch (thrown) {
    return broken(
      'data folder',
      `${folder} cannot be written (${messageOf(thrown)}): set JURY_DATA_DIR to one that can`,
    );
  }
}

async function model(parts: Parts, id: string, stop: AbortSignal): Promise<Finding> {
  const subject = `model ${id}`;
  if (id === RULES) return works(subject, 'built in, needs nothing');
  try {
    parts.requireModel(id);
  } catch (thrown) {
    return broken(subject, messageOf(thrown));
  }
  const probe = await probeModel(id, parts.client, stop);
  return probe.ok ? works(subject, probe.message) : broken(subject, probe.message);
}

/** Providers that are set up but that no named model uses: said, not tried, since trying costs a call. */
function unusedProviders(env: Env, named: readonly string[]): Finding[] {
  return Object.keys(providers)
    .filter((provider) => env.provider(provider).apiKey !== undefined)
    .filter((provider) => !named.some((id) => id.startsWith(`${provider}/`)))
    .map((provider) =>
      idle(
        `provider ${provider}`,
        `${keyVariable(provider)} is set but was not tried: add --model ${provider}/MODEL`,
      ),
    );
}

/** Writes to the store and reads it back. */
async function store(parts: Parts): Promise<Finding[]> {
  const { settings } = parts.env;
  try {
    const opened = await parts.store();
    const key = `doctor ${randomUUID()}`;
    await opened.setIfAbsent(key, 'works', parts.now(), 60_000);
    await opened.delete(key);
    const { where, warnings } = await opened.inspect();
    const shared =
      settings.REDIS_URL !== undefined && settings.JURY_SECRET === undefined
        ? ['JURY_SECRET is not set: several machines on one Redis each need the same one']
        : [];
    return [works('store', where), ...[...warnings, ...shared].map((warning) => idle('store', warning))];
  } catch (thrown) {
    if (!(thrown instanceof JuryError)) throw thrown;
    return [broken('store', thrown.message)];
  }
}

/** Asks a surface that is set up whether it takes the credentials. */
async function reach({ title, setup, inspect }: Surface, env: Env): Promise<Finding[]> {
  const found = setup(env);
  if (found.kind === 'off')
    return [found.begun ? broken(title, found.needs) : idle(title, `not set up: ${found.needs}`)];
  try {
    const inspected = await inspect(env);
    return [works(title, inspected.works), ...inspected.lacks.map((lack) => idle(title, lack))];
  } catch (thrown) {
    if (!(thrown instanceof JuryError)) throw thrown;
    return [broken(title, thrown.message)];
  }
}

/** Whether what schedules of digests can have run can be run: its cases are there, its models can be asked. */
async function benchmarks(parts: Parts, stop: AbortSignal): Promise<Finding[]> {
  const findings: Finding[] = [];
  const { library, env } = parts;
  const source = {
    library,
    promptFolders: env.promptFolders,
    maxCaseChars: env.settings.JURY_MAX_CASE_CHARS,
  };
  for (const definition of loadBenchmarks(parts.env.promptFolders).values()) {
    const subject = `benchmark ${definition.id}`;
    try {
      for (const id of definition.models) parts.requireModel(id);
      for (const id of definition.methods) entry('method', parts.library.methods, id);
      const cases = await benchmarkCases(source, definition, stop);
      findings.push(works(subject, counted(cases.length, 'case')));
    } catch (thrown) {
      if (!(thrown instanceof JuryError)) throw thrown;
      findings.push(broken(subject, thrown.message));
    }
  }
  return findings;
}

/** `jury doctor`: checks what is configured, says what works and how to mend what does not; 1 if anything does not. */
export async function doctor(
  context: CommandContext,
  { model: extra = [] }: { model?: string[] },
): Promise<ExitCode> {
  const findings: Finding[] = [];
  const report = (finding: Finding) => {
    findings.push(finding);
    show(context, finding);
  };
  try {
    const env = await context.env();
    report(works('environment', 'every variable is well-formed'));
    report(await dataFolder(env));
    const parts = await context.parts();
    const { rubrics, methods, personas } = parts.library;
    parts.library.lexicons().checkAll();
    for (const id of rubrics.keys()) parts.library.exemplars(id);
    const own = env.settings.JURY_PROMPTS_DIR;
    const also = own === undefined ? '' : `, including those in ${own}`;
    report(
      works(
        'prompts',
        `rubrics: ${rubrics.size}, methods: ${methods.size}, personas: ${personas.size}${also}`,
      ),
    );
    for (const finding of await benchmarks(parts, context.stop)) report(finding);
    const named = [...new Set([env.settings.JURY_MODEL, ...extra])];
    for (const id of named) report(await model(parts, id, context.stop));
    for (const finding of await store(parts)) report(finding);
    for (const surface of parts.surfaces) for (const finding of await reach(surface, env)) report(finding);
    for (const finding of unusedProviders(env, named)) report(finding);
  } catch (thrown) {
    if (!(thrown instanceof JuryError)) throw thrown;
    report(broken(thrown.code === 'bad-file' ? 'prompts' : 'environment', thrown.message));
  }
  return findings.some(({ state }) => state === 'broken') ? exitCode.failed : exitCode.ok;
}
