import { once } from 'node:events';
import { Writable } from 'node:stream';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { Chalk } from 'chalk';
import * as z from 'zod';
import { cardOf, cardTexts } from '../../judging/card/index.ts';
import { type CallOptions, JudgeRequest } from '../../judging/index.ts';
import { currentOf } from '../../judging/standards/index.ts';
import { judgeCall, type Parts, planCall } from '../index.ts';
import type { CommandContext } from '../terminal/index.ts';
import { renderCard } from './render-card.ts';

/** Cards as agents read them: without colors, and in lines that a chat does not wrap. */
const screen = { width: 100, colors: new Chalk({ level: 0 }) };

/** An entry of the library, in one line. */
interface Entry {
  id: string;
  title: string;
  source: string;
}

function addList(server: McpServer, name: string, about: string, entries: ReadonlyMap<string, Entry>): void {
  const list = currentOf(entries).map(({ id, title, source }) => ({ id, title, source }));
  server.registerTool(
    name,
    { description: about, annotations: { readOnlyHint: true, openWorldHint: false } },
    () => ({ content: [{ type: 'text', text: JSON.stringify(list, null, 1) }] }),
  );
}

/** The MCP server with the tools that agents get. */
function serverOf(version: string, parts: Parts): McpServer {
  const { env, library } = parts;
  const server = new McpServer({ name: 'jury', version });
  const { case: evalCase, ...wish } = {
    case: library.caseFormat.schema.optional().describe('The case as JSON, in place of a paste'),
    rubric: JudgeRequest.shape.rubric.describe('A rubric’s id; chosen from the case if absent'),
    method: JudgeRequest.shape.method.describe('A method’s id; the rubric’s if absent'),
    models: JudgeRequest.shape.models.describe(
      `Models as provider/model, or rules; ${env.settings.JURY_MODEL} if absent`,
    ),
    panel: JudgeRequest.shape.panel.describe('Persona ids; the rubric’s panel if absent'),
    unsure: JudgeRequest.shape.unsure.describe(
      'What lines below the answer are that may or may not belong to it: "answer" or "remark"; "refuse" judges nothing then. If absent, they are left out where they make no difference, else refused with both readings',
    ),
  };
  server.registerTool(
    'judge',
    {
      description:
        'Judges an assistant’s answer by a panel of LLM judges, or by exact checks. Give a paste ("User: …" and "System: …" on lines of their own, with what the rubric needs, such as "Date: 2026-03-02") or a case.',
      annotations: { readOnlyHint: true },
      inputSchema: z.strictObject({
        paste: z.string().optional().describe('The conversation as text'),
        case: evalCase,
        ...wish,
      }),
    },
    async ({ paste, case: given, ...wanted }, { signal, _meta, sendNotification }) => {
      if ((paste === undefined) === (given === undefined)) throw new Error('Give either "paste" or "case".');
      const token = _meta?.progressToken;
      let answers = 0;
      const options: CallOptions = {
        ...wanted,
        signal,
        onEvent: (event) => {
          if (event.kind !== 'answered' || token === undefined) return;
          answers += 1;
          const { persona, model } = event.judgement.judge;
          const message = `${persona ?? model} has answered`;
          const params = { progressToken: token, progress: answers, message };
          void sendNotification({ method: 'notifications/progress', params }).catch(() => {});
        },
      };
      const plan = await planCall(parts, paste ?? JSON.stringify(given), options);
      const verdict = await judgeCall(parts, plan, options);
      const card = cardOf(verdict, plan.shown, cardTexts(library), {
        hasModel: env.settings.JURY_MODEL !== 'rules',
      });
      return {
        content: [{ type: 'text', text: renderCard(screen, card, { opinions: true }) }],
        structuredContent: { ...verdict },
      };
    },
  );
  addList(server, 'list_rubrics', 'The standards that answers can be judged by', library.rubrics);
  addList(server, 'list_methods', 'The ways of judging', library.methods);
  return server;
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
  const server = serverOf(context.version, parts);
  const ended = once(input, 'end', { signal: context.stop }).catch(() => {});
  await server.connect(new StdioServerTransport(input, output));
  if (context.watched) context.err('Waiting for an agent on standard input. Press Ctrl-C to stop.');
  await ended;
  await server.close();
}
