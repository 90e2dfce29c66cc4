import { isDeepStrictEqual } from 'node:util';
import type { Request, Response, Router } from 'express';
import * as z from 'zod';
import { type EvalCase, KeptCase } from '../../case/index.ts';
import { JudgeRequest } from '../../judging/index.ts';
import { refusal } from '../../labels/access/index.ts';
import { recordRequest, requestId } from '../../requests/index.ts';
import { readableVerdict, stopRequest } from '../desks/index.ts';
import { chooseReading, draftAgain, findDraft, trustReading } from '../forms/index.ts';
import { fieldsOf } from '../views/index.ts';
import { isStillIn, limitStreams, visitor } from './access.ts';
import { AskPage, Understood } from './ask-page.tsx';
import { actorOf, type PageContext, shownTo, viewerOf, votingOf } from './context.ts';
import { openEventStream } from './event-stream.ts';
import { CONVERSATION, PAGE } from './ids.ts';
import { isFinal, type KeptView, viewOf } from './live-views.ts';
import { fragmentHtml, goneSignal, refuse, saying, sendPage, sendPart } from './page.tsx';
import { ViewBody } from './verdict-view.tsx';

const Key = z.string().regex(/^[\w-]{8,64}$/);

const NOT_KEPT = 'This request is no longer kept, or you may not see it.';

/** A request: a paste to judge, or, with `below`, a question about the verdict of that view. `again`: the verdict to judge again. */
const Asked = JudgeRequest.extend({
  key: Key,
  text: z.string(),
  below: z.string().optional(),
  again: z.string().nullable().default(null),
});

/** What lines are that may or may not belong to the answer, or that what a model read is right. */
const Choice = z.strictObject({
  draft: z.string().startsWith(`${PAGE}:`),
  choice: z.enum(['remark', 'answer', 'trust']),
});

const Typed = JudgeRequest.extend({ text: z.string() });
const LABELED = /^\p{Lu}[^:]*: /u;

/** A case as text to paste, if that parses back to the same case; otherwise as JSON. */
async function pasteOf(
  { texts, readPaste }: Pick<PageContext, 'texts' | 'readPaste'>,
  evalCase: EvalCase,
  who: string,
): Promise<string> {
  const text = [
    ...evalCase.conversation.map((turn) => `${turn.role === 'user' ? 'User' : 'System'}: ${turn.text}`),
    `System: ${evalCase.response}`,
    // A group of fields, such as what the car did, already has a label on each line.
    ...fieldsOf(evalCase, texts.lineFor).map((field) =>
      field.text.split('\n').every((line) => LABELED.test(line))
        ? field.text
        : `${field.name}: ${field.text}`,
    ),
  ].join('\n');
  const [read, ...more] = await readPaste(text, who);
  const isSame = read !== undefined && 'case' in read && isDeepStrictEqual(read.case, evalCase);
  return isSame && more.length === 0 ? text : JSON.stringify(evalCase, null, 2);
}

/** Registers the routes for asking: the first page, its preview, requests and their event streams. */
export function registerAsk(router: Router, context: PageContext): void {
  const { store, views, checks, now, leaving } = context;

  /** A view; null if it has expired or belongs to a conversation that the visitor may not read. */
  const viewFor = async (request: Request, id: string): Promise<KeptView | null> => {
    const kept = await views.find(id);
    if (kept?.channel === undefined) return kept;
    const about = { surface: PAGE, channel: kept.channel };
    return (await refusal(context.roles, 'read', actorOf(request), about)) === null ? kept : null;
  };

  const viewHtml = async (request: Request, { view }: KeptView): Promise<string> => {
    const shown = view.kind === 'verdict' ? await shownTo(context, request, view.id) : null;
    return fragmentHtml(<ViewBody view={view} shown={shown} />);
  };

  /**
   * The ambiguous paste that the visitor wants to edit: the text as received or, if that was not kept, the case with its unsure lines. What
   * a model read is edited as a paste with labels.
   * Null if the query names no draft, or one that is gone or not theirs to judge again.
   */
  const draftFor = async (request: Request) => {
    const id = z.string().startsWith(`${PAGE}:`).optional().catch(undefined).parse(request.query.draft);
    const draft = id === undefined ? null : await findDraft(store, id, now());
    if (draft === null || draft.channel === null) return null;
    if (draft.unsure === undefined && draft.reading === undefined) return null;
    const about = { surface: PAGE, channel: draft.channel };
    if ((await refusal(context.roles, 'rerun', actorOf(request), about)) !== null) return null;
    if (draft.unsure === undefined) {
      const evalCase = KeptCase.parse(draft.understood);
      return { ...draft, text: await pasteOf(context, evalCase, visitor(request).user) };
    }
    const { received, withIt } = draft.unsure;
    return { ...draft, text: received?.text ?? (await pasteOf(context, withIt, visitor(request).user)) };
  };

  const askPage = async (request: Request, response: Response, id: string | null) => {
    const again = z.string().optional().catch(undefined).parse(request.query.again);
    const record =
      again === undefined ? null : await readableVerdict(context, votingOf(context, request), again);
    const draft =
      record === null || 'why' in record
        ? await draftFor(request)
        : { ...draftAgain(record), text: await pasteOf(context, record.evalCase, visitor(request).user) };
    const ids = id === null ? [] : [id, ...(await views.answers(id))];
    const shown = await Promise.all(
      ids.map(async (one) => {
        const kept = await viewFor(request, one);
        return kept === null
          ? null
          : {
              id: one,
              n: kept.n,
              html: await viewHtml(request, kept),
              canAsk: kept.view.kind === 'verdict',
              isFinal: isFinal(kept.view),
            };
      }),
    );
    const children = <AskPage context={context} draft={draft} views={shown.filter((one) => one !== null)} />;
    sendPage(request, response, { title: '', at: '/', children });
  };
  router.get(
    '/',
    saying((request, response) => askPage(request, response, null)),
  );
  router.get(
    '/requests/:view',
    saying(async (request, response) => {
      const view = String(request.params.view);
      if ((await viewFor(request, view)) === null) return refuse(request, response, 404, NOT_KEPT);
      await askPage(request, response, view);
    }),
  );
  router.post(
    '/ui/parse',
    saying(async (request, response) => {
      const { text, ...wish } = Typed.parse(request.body);
      const items = text.trim() === '' ? [] : await context.readPaste(text, visitor(request).user);
      sendPart(response, <Understood context={context} text={text} items={items} wish={wish} />);
    }),
  );
  router.post(
    '/ui/requests',
    saying(async (request, response) => {
      const { key, text, below, again, ...wish } = Asked.parse(request.body);
      const rerun = viewerOf(context, request, 'rerun');
      const record = again === null ? null : await readableVerdict(context, rerun, again);
      if (record !== null && 'why' in record) return refuse(request, response, 409, record.why);
      const above = below === undefined ? null : await viewFor(request, below);
      if (below !== undefined && above === null) return refuse(request, response, 404, NOT_KEPT);
      const { check, status } = await recordRequest(
        store,
        {
          surface: PAGE,
          team: '',
          channel: record?.source.channel ?? above?.channel ?? CONVERSATION,
          thread: below ?? null,
          requestedBy: visitor(request).user,
          key,
          input: {
            kind: 'message',
            message: viewOf(requestId({ surface: PAGE, team: '', key })),
            text,
            files: [],
          },
          wish,
          again,
        },
        now(),
      );
      const id = viewOf(check.id);
      await views.begin(id, check.requestedBy, check.channel);
      if (status === 'added') void checks.take(check.id);
      response.status(202).json({ view: id });
    }),
  );
  router.post(
    '/ui/stop',
    saying(async (request, response) => {
      const { request: id } = z
        .strictObject({ request: z.string().startsWith(`${PAGE}:`) })
        .parse(request.body);
      const why = await stopRequest(context, actorOf(request), id);
      if (why !== null) return refuse(request, response, 409, why);
      response.status(204).end();
    }),
  );
  router.post(
    '/ui/choose',
    saying(async (request, response) => {
      const { draft, choice } = Choice.parse(request.body);
      const { begun, text } =
        choice === 'trust'
          ? await trustReading(context, actorOf(request), draft)
          : await chooseReading(context, actorOf(request), draft, choice);
      if (!begun) return refuse(request, response, 409, text);
      // On this response the browser follows the view again, so the view must have moved on from the question.
      for await (const { view } of views.watch(viewOf(draft), 0, goneSignal(response, leaving)))
        if (view.kind !== 'unsure' && view.kind !== 'read') break;
      response.status(204).end();
    }),
  );
  router.get(
    '/ui/views/:view/events',
    limitStreams((why, request, response) => refuse(request, response, 429, why)),
    saying(async (request, response) => {
      const id = String(request.params.view);
      const after = z.coerce
        .number()
        .int()
        .catch(0)
        .parse(request.headers['last-event-id'] ?? request.query.after);
      const current = await viewFor(request, id);
      // 204 keeps browsers from reconnecting.
      if (current === null || (isFinal(current.view) && current.n === after))
        return void response.status(204).end();
      const stream = openEventStream(request, response);
      try {
        for await (const kept of views.watch(id, after, goneSignal(response, leaving))) {
          if (!(await isStillIn(request))) break;
          const data = {
            html: await viewHtml(request, kept),
            settled: isFinal(kept.view),
            canAsk: kept.view.kind === 'verdict',
          };
          if (!stream.isOpen()) break;
          stream.send({ id: kept.n, data });
          if (isFinal(kept.view)) break;
        }
      } finally {
        stream.end();
      }
    }),
  );
}
