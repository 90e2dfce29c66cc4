import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { Writable } from 'node:stream';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { parseInput } from '../../case/paste/index.ts';
import { lazily, messageOf } from '../../common/index.ts';
import type { CallOptions } from '../../judging/index.ts';
import { type AgentDesk, type AgentVerdict, createAgentServer } from '../agents/index.ts';
import { caseOptions, judgeCall, type Parts, planCall } from '../index.ts';
import type { CommandContext } from '../terminal/index.ts';
import { loadRunSummaries } from '../web/lazy.ts';
import { keepVerdict } from './keep-verdict.ts';

/** The id of the verdict on a request with a key: the same for every repetition. */
const verdictIdOf = (request: unknown): string =>
  createHash('sha256')
    .update(`mcp\n${JSON.stringify(request)}`)
    .digest('hex')
    .slice(0, 20);

/**
 * The tools on this process: it judges itself, and reads and keeps what the command line does.
 * @param leaving closes the store of runs when it aborts
 */
function processDesk(parts: Parts, err: CommandContext['err'], leaving: AbortSignal): AgentDesk {
  const { env, library } = parts;
  const defaultModel = env.settings.JURY_MODEL;

  async function kept(id: string): Promise<AgentVerdict | null> {
    const record = await (await parts.store()).verdict(id);
    return record === null ? null : { id, verdict: record.verdict, shown: record.evalCase };
  }

  const runs = lazily(async () => {
    const { createRunShelf } = await loadRunSummaries();
    return createRunShelf({ env, store: await parts.store(), now: parts.now, leaving });
  });

  return {
    library,
    defaultModel,
    isService: false,
    parse: async (paste) => parseInput(paste, caseOptions(parts)),
    judge: async ({ input, wish, key }, signal, onProgress) => {
      const id = key === undefined ? undefined : verdictIdOf([key, input, wish]);
      const known = id === undefined ? null : await kept(id);
      if (known !== null) return known;
      let given = 0;
      let most = 0;
      const options: CallOptions = {
        ...wish,
        signal,
        onEvent: (event) => {
          if (event.kind !== 'answered' || event.stage !== 'panel') return;
          given += 1;
          const { persona, model } = event.judgement.judge;
          onProgress({ given, most, message: `${persona ?? model} has answered` });
        },
      };
      const plan = await planCall(parts, typeof input === 'string' ? input : JSON.stringify(input), options);
      most = plan.method.rounds * plan.panel.seats.length;
      const verdict = await judgeCall(parts, plan, options);
      const keptAs = id === undefined ? undefined : await keepVerdict(parts, plan, verdict, id);
      return { ...(keptAs === undefined ? {} : { id: keptAs }), verdict, shown: plan.shown };
    },
    verdict: kept,
    runs: async () => {
      const shelf = await runs();
      return shelf.summaries(await shelf.list());
    },
    compare: async (first, second) => (await runs()).whole.comparison(first, second),
    failed: (thrown) => err(`A call of an agent failed: ${messageOf(thrown)}`),
  };
}

/** `jury mcp`: a Model Context Protocol server on standard input and output, until the input ends or it is stopped. */
export async function mcp(context: CommandContext): Promise<void> {
  const parts = await context.parts({ cache: true });
  const input = context.input();
  const output = new Writable({
    write(chunk, _encoding, done) {
      context.out(String(chunk).trimEnd());
      done();
    },
  });
  const leaving = new AbortController();
  const desk = processDesk(parts, context.err, leaving.signal);
  const server = createAgentServer(desk, context.version);
  const ended = once(input, 'end', { signal: context.stop }).catch(() => {});
  await server.connect(new StdioServerTransport(input, output));
  if (context.watched) context.err('Waiting for an agent on standard input. Press Ctrl-C to stop.');
  await ended;
  await server.close();
  leaving.abort();
}
