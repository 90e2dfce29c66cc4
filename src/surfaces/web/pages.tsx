import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import express, { type Request, type RequestHandler, type Response, Router } from 'express';
import helmet from 'helmet';
import * as z from 'zod';
import { setNames } from '../../benchmark/datasets/case-sets.ts';
import { noteKind } from '../../case/case.ts';
import { parseInput } from '../../case/paste/parse-input.ts';
import { JuryError } from '../../common/errors.ts';
import { planCase } from '../../judging/judge-case.ts';
import { JudgeRequest } from '../../judging/ports.ts';
import { BlindAnswer, VoteValue } from '../../labels/vote.ts';
import { recordRequest, requestId } from '../../requests/spot-check.ts';
import { draftAgain } from '../ask-desk.ts';
import { addBySetForm, askModel, modelToAsk, readableVerdict, setForm } from '../card-desk.ts';
import { refilled } from '../form.ts';
import { explainPaste } from '../notices.ts';
import { castAnswer, castCorrection, castThumb, correctionFor, thumbText, voteTexts } from '../vote-desk.ts';
import { requireVisitor, visitor } from './access.ts';
import { registerApi } from './api.ts';
import { AskPage, Understood } from './ask-page.tsx';
import { Verdict } from './card.tsx';
import { listedTo, type PageContext, shownTo, votingOf } from './context.ts';
import { FormDialog, filledInOf } from './form.tsx';
import { CONVERSATION, PAGE } from './ids.ts';
import { fragmentHtml, pageHtml } from './layout.tsx';
import { VerdictPage, VerdictsPage } from './verdict-pages.tsx';
import { ViewBody } from './view.tsx';
import { isSettled, type KeptView, viewOf } from './views.ts';

const BODY_LIMIT = '1mb';
const LISTED = 100;

/** Nothing but our own scripts and styles is loaded, run or framed; nothing is sent elsewhere. */
const secure = helmet({
  contentSecurityPolicy: {
    useDefaults: false,
    directives: {
      defaultSrc: ["'none'"],
      scriptSrc: ["'self'"],
      styleSrc: ["'self'"],
      imgSrc: ["'self'", 'data:'],
      connectSrc: ["'self'"],
      formAction: ["'none'"],
      baseUri: ["'none'"],
      frameAncestors: ["'none'"],
    },
  },
  // Without sign-in it is reached over plain HTTP on this machine.
  strictTransportSecurity: false,
});

const noStore: RequestHandler = (_request, response, next) => {
  response.set('cache-control', 'no-store');
  next();
};

/** A text for the person, where a page or a part of one was asked for. */
const refuse = (response: Response, status: number, text: string): void =>
  void response.status(status).type('text').send(text);

/** What went wrong with a request of the page, in words. */
function problemOf(thrown: unknown): { status: number; text: string } {
  if (thrown instanceof JuryError && thrown.code === 'store-unavailable')
    return { status: 503, text: 'The store cannot be reached, so nothing was saved. Try again in a minute.' };
  if (thrown instanceof JuryError) return { status: 422, text: thrown.message };
  if (thrown instanceof z.ZodError)
    return { status: 400, text: 'This request is not understood. Reload the page.' };
  throw thrown;
}

type Handler = (request: Request, response: Response) => Promise<void> | void;

/** A route whose failures are said in words. */
const saying =
  (handle: Handler): RequestHandler =>
  async (request, response) => {
    try {
      await handle(request, response);
    } catch (thrown) {
      const { status, text } = problemOf(thrown);
      if (!response.headersSent) refuse(response, status, text);
    }
  };

const Key = z.string().regex(/^[\w-]{8,64}$/);

/** What the page asks to judge: a paste, or a text about the verdict of a view. */
const Asked = JudgeRequest.extend({
  key: Key,
  text: z.string(),
  below: z.string().optional(),
  again: z.string().nullable().default(null),
});

const Typed = JudgeRequest.extend({ text: z.string() });
const Voted = z.union([
  z.strictObject({ value: VoteValue.nullable() }),
  z.strictObject({ answer: BlindAnswer }),
]);
const Sent = z.record(z.string(), z.array(z.string()));

/** How a text would be judged, as far as it is known while it is typed. */
function understoodPart({ library, paste, models }: PageContext, { text, ...wish }: z.infer<typeof Typed>) {
  const items = text.trim() === '' ? [] : parseInput(text, paste);
  const [first, ...more] = items;
  if (first === undefined) return <Understood kind="nothing" />;
  if (more.length > 0) {
    const unread = items.flatMap((item) => ('problem' in item ? [item.problem] : []));
    return <Understood kind="several" cases={items.length} unread={unread} />;
  }
  const { caseFormat: format } = library;
  if ('problem' in first) return <Understood kind="problem" {...explainPaste({ ...first, format })} />;
  const explained = explainPaste({ problem: '', missing: [], understood: first.case, format });
  try {
    const { rubric, setAside } = planCase(library, first.case, {
      ...wish,
      models: wish.models ?? models.slice(0, 1),
    });
    const assumed = first.assumed.filter((one) => setAside.length === 0 || noteKind(one) !== 'missing');
    const notes = setAside.map(({ criterion, reason }) => `${criterion.title}: ${reason}`);
    return (
      <Understood
        kind="case"
        fields={explained.understood}
        assumed={assumed}
        rubric={rubric.title}
        notes={notes}
      />
    );
  } catch (thrown) {
    if (!(thrown instanceof JuryError)) throw thrown;
    return <Understood kind="problem" {...explained} problem={thrown.message} />;
  }
}

/** The routes of the console. */
export async function registerPages(context: PageContext): Promise<void> {
  const { web, env, store, views, checks, now, leaving } = context;
  const tokens = env.settings.JURY_API_TOKENS;
  registerApi(context);
  const router = Router();
  router.use(secure);
  for (const [name, type] of [
    ['console.js', 'text/javascript'],
    ['console.css', 'text/css'],
  ] as const) {
    const text = await readFile(join(env.browserFolder, name), 'utf8');
    router.get(
      `/assets/${name}`,
      (_request, response) => void response.set('cache-control', 'no-cache').type(type).send(text),
    );
  }
  const own = Router();
  own.use(
    requireVisitor(tokens, false, (status, why, _request, response) => refuse(response, status, why)),
    noStore,
  );
  own.use(express.json({ limit: BODY_LIMIT }));

  const viewHtml = async (request: Request, { view }: KeptView): Promise<string> => {
    const shown = view.kind === 'verdict' ? await shownTo(context, request, view.id) : null;
    return fragmentHtml(<ViewBody view={view} shown={shown} />);
  };

  const askPage = async (request: Request, id: string | null) => {
    const again = z.string().optional().catch(undefined).parse(request.query.again);
    const record =
      again === undefined ? null : await readableVerdict(context, votingOf(context, request), again);
    const draft = record === null || 'why' in record ? null : draftAgain(record);
    const ids = id === null ? [] : [id, ...(await views.answers(id))];
    const shown = await Promise.all(
      ids.map(async (one) => {
        const kept = await views.find(one);
        return kept === null
          ? null
          : { id: one, n: kept.n, html: await viewHtml(request, kept), canAsk: kept.view.kind === 'verdict' };
      }),
    );
    return pageHtml({
      title: '',
      at: '/',
      children: <AskPage context={context} draft={draft} views={shown.filter((one) => one !== null)} />,
    });
  };
  own.get(
    '/',
    saying(async (request, response) => void response.type('html').send(await askPage(request, null))),
  );
  own.get(
    '/requests/:view',
    saying(async (request, response) => {
      const { view } = request.params;
      if ((await views.find(String(view))) === null)
        return refuse(response, 404, 'This request is no longer kept.');
      response.type('html').send(await askPage(request, String(view)));
    }),
  );
  own.get(
    '/verdicts',
    saying(async (request, response) => {
      const records = await listedTo(context, request, LISTED);
      response
        .type('html')
        .send(pageHtml({ title: 'Verdicts', at: '/verdicts', children: <VerdictsPage records={records} /> }));
    }),
  );
  own.get(
    '/verdicts/:id',
    saying(async (request, response) => {
      const shown = await shownTo(context, request, String(request.params.id));
      if (shown === null) return refuse(response, 404, voteTexts.gone);
      const children = <VerdictPage shown={shown} texts={context.texts} />;
      response.type('html').send(pageHtml({ title: 'Verdict', at: '/verdicts', children }));
    }),
  );

  own.post(
    '/ui/parse',
    saying((request, response) => {
      response.type('html').send(fragmentHtml(understoodPart(context, Typed.parse(request.body))));
    }),
  );
  own.post(
    '/ui/requests',
    saying(async (request, response) => {
      const { key, text, below, again, ...wish } = Asked.parse(request.body);
      const { check, status } = await recordRequest(
        store,
        {
          surface: PAGE,
          team: '',
          channel: CONVERSATION,
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
      await views.begin(id);
      if (status === 'added') void checks.take(check.id);
      response.status(202).json({ view: id });
    }),
  );
  own.post(
    '/ui/stop',
    saying(async (request, response) => {
      const { request: id } = z
        .strictObject({ request: z.string().startsWith(`${PAGE}:`) })
        .parse(request.body);
      await checks.stop(id, visitor(request).user);
      response.status(204).end();
    }),
  );
  own.get(
    '/ui/views/:view/events',
    saying(async (request, response) => {
      const id = String(request.params.view);
      const after = z.coerce
        .number()
        .int()
        .catch(0)
        .parse(request.headers['last-event-id'] ?? request.query.after);
      const gone = new AbortController();
      response.on('close', () => gone.abort());
      const end = AbortSignal.any([gone.signal, leaving]);
      response.writeHead(200, {
        'content-type': 'text/event-stream',
        'cache-control': 'no-store',
        'x-accel-buffering': 'no',
      });
      const beat = setInterval(() => response.write(': still here\n\n'), 15_000);
      try {
        for await (const kept of views.watch(id, after, end)) {
          const data = JSON.stringify({
            html: await viewHtml(request, kept),
            settled: isSettled(kept.view),
            canAsk: kept.view.kind === 'verdict',
          });
          response.write(`id: ${kept.n}\ndata: ${data}\n\n`);
        }
      } finally {
        clearInterval(beat);
        response.end();
      }
    }),
  );

  const verdictHtml = async (request: Request, id: string): Promise<string> => {
    const shown = await shownTo(context, request, id);
    return shown === null ? '' : fragmentHtml(<Verdict shown={shown} />);
  };
  own.post(
    '/ui/verdicts/:id/vote',
    saying(async (request, response) => {
      const id = String(request.params.id);
      const voted = Voted.parse(request.body);
      const voting = votingOf(context, request);
      if ('answer' in voted) {
        const why = await castAnswer(context, voting, id, voted.answer);
        return void response.json({
          said: why ?? 'Your answer counts.',
          html: await verdictHtml(request, id),
        });
      }
      const outcome = await castThumb(context, voting, id, voted.value);
      const form = outcome.kind === 'counted' ? outcome.form : null;
      const dialog =
        form === null ? null : fragmentHtml(<FormDialog form={form} action={`/ui/verdicts/${id}/correct`} />);
      response.json({ said: thumbText(outcome, voted.value), html: await verdictHtml(request, id), dialog });
    }),
  );
  own.get(
    '/ui/verdicts/:id/correct',
    saying(async (request, response) => {
      const id = String(request.params.id);
      const shown = await shownTo(context, request, id);
      const { voter } = votingOf(context, request);
      const form = shown === null ? null : await correctionFor(context, shown.visible, voter);
      if (form === null) return refuse(response, 409, 'Vote first: then you can say more.');
      response.json({
        dialog: fragmentHtml(<FormDialog form={form} action={`/ui/verdicts/${id}/correct`} />),
      });
    }),
  );
  own.post(
    '/ui/verdicts/:id/correct',
    saying(async (request, response) => {
      const id = String(request.params.id);
      const sent = Sent.parse(request.body);
      const shown = await shownTo(context, request, id);
      const voting = votingOf(context, request);
      const form = shown === null ? null : await correctionFor(context, shown.visible, voting.voter);
      if (form === null) return refuse(response, 409, voteTexts.gone);
      const filledIn = filledInOf(form, sent);
      const outcome = await castCorrection(context, voting, id, filledIn);
      if (outcome.kind === 'wrong') {
        const again = refilled(outcome.form, filledIn, outcome.errors);
        return void response.json({
          dialog: fragmentHtml(<FormDialog form={again} action={`/ui/verdicts/${id}/correct`} />),
        });
      }
      const said = outcome.kind === 'kept' ? 'Thank you, that is kept.' : voteTexts.gone;
      response.json({ said, html: await verdictHtml(request, id) });
    }),
  );
  own.get(
    '/ui/verdicts/:id/set',
    saying(async (_request, response) => {
      const names = await setNames(store, now());
      const action = `/ui/verdicts/${_request.params.id}/set`;
      response.json({ dialog: fragmentHtml(<FormDialog form={setForm(names)} action={action} />) });
    }),
  );
  own.post(
    '/ui/verdicts/:id/set',
    saying(async (request, response) => {
      const id = String(request.params.id);
      const record = await readableVerdict(context, votingOf(context, request), id);
      if ('why' in record) return refuse(response, 409, record.why);
      const form = setForm(await setNames(store, now()));
      const filledIn = filledInOf(form, Sent.parse(request.body));
      const added = await addBySetForm(context, record, filledIn);
      if ('text' in added) return void response.json({ said: added.text });
      const again = refilled(form, filledIn, added.errors);
      response.json({
        dialog: fragmentHtml(<FormDialog form={again} action={`/ui/verdicts/${id}/set`} />),
      });
    }),
  );
  own.post(
    '/ui/verdicts/:id/ask-model',
    saying(async (request, response) => {
      const id = String(request.params.id);
      const record = await readableVerdict(context, votingOf(context, request), id);
      const model = modelToAsk(context);
      if ('why' in record || model === undefined)
        return refuse(
          response,
          409,
          'why' in record ? record.why : 'No model is connected. Set JURY_MODEL to connect one.',
        );
      const key = `model:${id}:${model}`;
      await askModel(context, record, model, {
        surface: PAGE,
        team: '',
        key,
        requestedBy: visitor(request).user,
      });
      response.json({ goTo: `/requests/${viewOf(requestId({ surface: PAGE, team: '', key }))}` });
    }),
  );
  router.use(own);
  web.use(router);
}
