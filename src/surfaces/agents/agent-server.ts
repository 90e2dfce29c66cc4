import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { Chalk } from 'chalk';
import * as z from 'zod';
import type { Parsed } from '../../case/paste/index.ts';
import { JuryError } from '../../common/index.ts';
import { counted } from '../../common/text/index.ts';
import { cardOf, cardTexts } from '../../judging/card/index.ts';
import { JudgeRequest } from '../../judging/index.ts';
import { currentOf } from '../../judging/standards/index.ts';
import { CriterionVerdict, Verdict } from '../../judging/verdict/index.ts';
import { RunSummary, readSide } from '../index.ts';
import { renderCard } from '../terminal/index.ts';
import type { AgentDesk, AgentProgress, AgentVerdict } from './agent-desk.ts';
import { ComparedRuns, comparedRuns, comparedText, INSTRUCTIONS, runLine } from './agent-words.ts';

/** Cards as agents read them: without colors, and in lines that a chat does not wrap. */
const screen = { width: 100, colors: new Chalk({ level: 0 }) };

const MOST_KEY_CHARS = 200;
const FAILED = 'Jury itself failed, and the cause is in its log. Try again later.';

/** An entry of the library, in one line. */
const Entry = z.strictObject({ id: z.string(), title: z.string(), source: z.string() });
type Entry = z.infer<typeof Entry>;

/** What agents need to know of a judgement; the rest is there, too. */
const JudgementOutline = z.looseObject({
  judge: z.looseObject({ persona: z.string().nullable(), model: z.string() }),
  status: z.enum(['scored', 'unscored']),
  decision: z.enum(['pass', 'fail', 'scored']).optional(),
  rationale: z.string().nullable().optional(),
  message: z.string().optional().describe('Of an unscored one: why there is no answer.'),
});

/** The same of a verdict. Agents read the descriptions of all tools at once, so this one is short: `schemas/verdict.json` is whole. */
const { caseId, rubric, method, decision, score, confidence, why, remarks, leftOut } = Verdict.shape;
const VerdictOutline = z.looseObject({
  ...{ caseId, rubric, method, decision, score, confidence, why, remarks, leftOut },
  criteria: z.array(
    z.looseObject({
      id: z.string(),
      title: z.string(),
      decision: CriterionVerdict.shape.decision,
      rationale: z.string().nullable(),
    }),
  ),
  judgements: z.array(JudgementOutline),
  id: z.string().optional().describe('Of a verdict that is kept: get_verdict finds it by this.'),
  limits: z.string().optional().describe('Which of your own daily limits left judges unasked.'),
});

const ReadCase = z.looseObject({
  case: z.looseObject({}).optional().describe('The case as it was understood.'),
  assumed: z.array(z.string()).optional().describe('What was assumed.'),
  unsure: z
    .string()
    .optional()
    .describe('Lines that may or may not belong to the answer: the option "unsure" of judge says which.'),
  problem: z.string().optional().describe('Why it is no case, if it is none.'),
  missing: z.array(z.string()).optional().describe('What is missing then.'),
});

const said = (text: string, structuredContent: Record<string, unknown>): CallToolResult => ({
  content: [{ type: 'text', text }],
  structuredContent,
});

const textOf = (value: unknown): string => JSON.stringify(value, null, 1);

/** A case as `jury parse` prints it. */
function readCase(parsed: Parsed): z.infer<typeof ReadCase> {
  if ('problem' in parsed) {
    const { problem, missing, understood } = parsed;
    return { problem, missing: [...missing], understood };
  }
  const { assumed, unsure } = parsed;
  return {
    case: { ...parsed.case },
    assumed: [...assumed],
    ...(unsure === undefined ? {} : { unsure: unsure.text }),
  };
}

/** The MCP server with the tools that agents get. @param version of the program */
export function createAgentServer(desk: AgentDesk, version: string): McpServer {
  const { library, defaultModel, isService } = desk;
  const server = new McpServer(
    { name: 'jury', title: 'Jury', version },
    { instructions: INSTRUCTIONS, capabilities: { tools: {} } },
  );
  const reads = { readOnlyHint: true, openWorldHint: false };

  /** Runs a tool. Its errors say what to do; other failures say nothing of the inside. */
  async function answering(run: () => Promise<CallToolResult> | CallToolResult): Promise<CallToolResult> {
    try {
      return await run();
    } catch (thrown) {
      if (thrown instanceof JuryError) throw thrown;
      desk.failed(thrown);
      throw new Error(FAILED);
    }
  }

  const cardText = ({ verdict, shown, id, limits }: AgentVerdict): string =>
    [
      renderCard(
        screen,
        cardOf(verdict, shown, cardTexts(library, 'en'), { hasModel: defaultModel !== 'rules' }),
        {
          opinions: true,
        },
      ),
      ...(limits === undefined ? [] : [limits]),
      ...(id === undefined ? [] : [`Kept as ${id}`]),
    ].join('\n');

  const verdictContent = ({ verdict, id, limits }: AgentVerdict) => ({
    ...verdict,
    ...(id === undefined ? {} : { id }),
    ...(limits === undefined ? {} : { limits }),
  });

  const wish = JudgeRequest.shape;
  server.registerTool(
    'judge',
    {
      title: 'Judge an answer',
      description: `Judges an assistant's answer by a panel of LLM judges, or by exact checks, and says why. Give either "paste" or "case". Without "models", ${defaultModel === 'rules' ? 'exact checks judge, without a model' : `${defaultModel} judges`}.`,
      annotations: { readOnlyHint: !isService, destructiveHint: false, openWorldHint: true },
      inputSchema: z.strictObject({
        paste: z
          .string()
          .optional()
          .describe(
            'The conversation as text: "User: …" and "System: …" on lines of their own, then what the rubric needs, such as "Date: 2026-03-02".',
          ),
        case: library.caseFormat.schema.optional().describe('The case as JSON, in place of a paste.'),
        rubric: wish.rubric.describe(
          'Id of a rubric (list_rubrics). Default: chosen by what is in the case.',
        ),
        method: wish.method.describe('Id of a method (list_methods). Default: the one of the rubric.'),
        models: wish.models,
        panel: wish.panel.describe('Ids of personas (list_personas). Default: those of the rubric.'),
        unsure: wish.unsure,
        trustReader: wish.trustReader,
        idempotencyKey: z
          .string()
          .min(1)
          .max(MOST_KEY_CHARS)
          .optional()
          .describe(
            `Any text of your own. With it the verdict is kept, and the same call with the same key gets that verdict instead of another one.${isService ? ' Judging then goes on even if you disconnect; without a key it stops.' : ''}`,
          ),
      }),
      outputSchema: VerdictOutline,
    },
    ({ paste, case: given, idempotencyKey: key, ...wanted }, { signal, _meta, sendNotification }) =>
      answering(async () => {
        const input = paste ?? given;
        if (input === undefined || (paste !== undefined && given !== undefined))
          throw new JuryError('usage', 'Give either "paste" or "case".');
        const progressToken = _meta?.progressToken;
        let sent = 0;
        const onProgress = ({ given: progress, most: total, message }: AgentProgress) => {
          if (progressToken === undefined || progress <= sent) return;
          sent = progress;
          const params = { progressToken, progress, total, message };
          void sendNotification({ method: 'notifications/progress', params }).catch(() => {});
        };
        const request = { input: typeof input === 'string' ? input : { ...input }, wish: wanted, key };
        const judged = await desk.judge(request, signal, onProgress);
        return said(cardText(judged), verdictContent(judged));
      }),
  );

  server.registerTool(
    'parse',
    {
      title: 'Read a conversation',
      description:
        'Shows how a text would be read: each case with its turns and fields, what was assumed, and what is missing. Judges nothing and costs nothing.',
      annotations: reads,
      inputSchema: z.strictObject({ paste: z.string().describe('The conversation as text.') }),
      outputSchema: z.strictObject({ cases: z.array(ReadCase) }),
    },
    ({ paste }) =>
      answering(async () => {
        const cases = (await desk.parse(paste)).map(readCase);
        return said(textOf(cases), { cases });
      }),
  );

  server.registerTool(
    'get_verdict',
    {
      title: 'Read a verdict',
      description: 'Reads a verdict that was kept, by its id, with every judge’s reason and the case.',
      annotations: reads,
      inputSchema: z.strictObject({ id: z.string().describe('The "id" of a verdict.') }),
      outputSchema: VerdictOutline.extend({
        case: z.looseObject({}).describe('What was judged.'),
      }),
    },
    ({ id }) =>
      answering(async () => {
        const kept = await desk.verdict(id);
        if (kept === null) throw new JuryError('usage', 'There is no such verdict, or you may not see it.');
        return said(cardText(kept), { ...verdictContent(kept), case: kept.shown });
      }),
  );

  const lists: readonly [string, string, string, ReadonlyMap<string, Entry>][] = [
    ['rubrics', 'List the rubrics', 'Lists the standards that answers can be judged by.', library.rubrics],
    [
      'methods',
      'List the methods',
      'Lists the ways of judging: who sits on the panel, and how it decides.',
      library.methods,
    ],
    ['personas', 'List the personas', 'Lists the points of view that judges can have.', library.personas],
  ];
  for (const [name, title, description, entries] of lists) {
    const list = currentOf(entries).map(({ id, title: of, source }) => ({ id, title: of, source }));
    server.registerTool(
      `list_${name}`,
      { title, description, annotations: reads, outputSchema: z.strictObject({ [name]: z.array(Entry) }) },
      () => said(textOf(list), { [name]: list }),
    );
  }

  server.registerTool(
    'list_runs',
    {
      title: 'List the runs of benchmarks',
      description:
        'Lists runs of benchmarks, the newest first, each with its result and interval. Runs of one series are comparable over time.',
      annotations: reads,
      inputSchema: z.strictObject({
        series: z.string().optional().describe('Only the runs of this series.'),
        limit: z.int().min(1).max(200).default(20).describe('How many at most.'),
      }),
      outputSchema: z.strictObject({
        runs: z.array(RunSummary),
        all: z.int().describe('How many there are, listed or not.'),
      }),
    },
    ({ series, limit }) =>
      answering(async () => {
        const all = (await desk.runs()).filter((run) => series === undefined || run.series === series);
        const runs = all.slice(0, limit);
        const lines = runs.map(runLine);
        const more = all.length - runs.length;
        const end = more > 0 ? [`and ${counted(more, 'more run')}: ask with a larger "limit"`] : [];
        return said(runs.length === 0 ? 'There are no runs.' : [...lines, ...end].join('\n'), {
          runs,
          all: all.length,
        });
      }),
  );

  server.registerTool(
    'compare_runs',
    {
      title: 'Compare two runs',
      description:
        'Says what changed from one run of a benchmark to another: the assistant’s answers if they changed, the decisions on answers that are the same in both, with intervals, and which cases turned.',
      annotations: reads,
      inputSchema: z.strictObject({
        first: z.string().describe('The earlier run: a name of list_runs, or NAME:CONFIGURATION.'),
        second: z.string().describe('The later run: a name of list_runs, or NAME:CONFIGURATION.'),
        cases: z
          .int()
          .min(0)
          .max(1_000)
          .default(20)
          .describe('How many changed cases of each configuration to list.'),
      }),
      outputSchema: ComparedRuns,
    },
    ({ first, second, cases }) =>
      answering(async () => {
        const compared = comparedRuns(await desk.compare(readSide(first), readSide(second)), cases);
        return said(comparedText(compared), compared);
      }),
  );
  return server;
}
