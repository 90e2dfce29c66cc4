import type { Request, Response, Router } from 'express';
import * as z from 'zod';
import { setNames } from '../../datasets/index.ts';
import { allJudgements } from '../../judging/verdict/index.ts';
import { refusal } from '../../labels/access/index.ts';
import { readVoted } from '../../labels/index.ts';
import { CaseAnswer, VoteValue } from '../../labels/record/index.ts';
import { sentPrompts } from '../../prompting/index.ts';
import { requestId } from '../../requests/index.ts';
import { wordsIn } from '../../words/index.ts';
import {
  addBySetForm,
  askModel,
  castAnswer,
  castCorrection,
  castThumb,
  correctionFor,
  judgeWithIt,
  modelToAsk,
  noModel,
  readableVerdict,
  ruleOn,
  SET,
  setForm,
  thumbText,
  withItKey,
} from '../desks/index.ts';
import {
  type FilledIn,
  type Form,
  type FormErrors,
  RIGHT,
  readRulingForm,
  refilled,
  rulingForm,
} from '../forms/index.ts';
import { visitor } from './access.ts';
import { actorOf, findFor, type PageContext, shownTo, viewerOf, votingOf } from './context.ts';
import { FormDialog, filledInOf } from './form.tsx';
import { PAGE } from './ids.ts';
import { viewOf } from './live-views.ts';
import { fragmentHtml, refuse, saying, sendPage } from './page.tsx';
import { Filter, searchOf, VerdictsPage } from './verdict-list.tsx';
import { PromptPage, VerdictBody, VerdictPage } from './verdict-page.tsx';
import { type Shown, VerdictView } from './verdict-view.tsx';

const LISTED = 50;
const Voted = z.union([
  z.strictObject({ value: VoteValue.nullable() }),
  z.strictObject({ answer: CaseAnswer }),
]);
const NO_RULING = 'Only admins rule on verdicts; JURY_ADMINS names them.';
const Sent = z.record(z.string(), z.array(z.string()));

/** A kind of form about a verdict. */
interface DialogOf {
  /** The form, or why the visitor may not have it. */
  open: (request: Request, id: string) => Promise<Form | { status: number; why: string }>;
  /** Acts on the filled-in form. @returns a message and the verdict redrawn, or what is wrong with the form */
  take: (
    request: Request,
    id: string,
    form: Form,
    filledIn: FilledIn,
  ) => Promise<{ said: string; html?: string } | { form: Form; errors: FormErrors }>;
}

/** The HTML of a form about a verdict. @param what the last part of its route */
const dialogOf = (form: Form, id: string, what: string): string =>
  fragmentHtml(<FormDialog form={form} action={`/ui/verdicts/${id}/${what}`} />);

/** Registers the routes of verdicts: the list, single verdicts with their prompts, votes and forms. */
export function registerVerdicts(router: Router, context: PageContext): void {
  const { store, now } = context;

  /** The votes on a verdict, and whether the visitor may rule on it; null while it is hidden from them. */
  const peopleOf = async (request: Request, { visible: { kind, record } }: Shown) => {
    if (kind === 'hidden') return null;
    const why = await refusal(context.roles, 'rule', actorOf(request), record.source);
    return { voted: await readVoted(store, record.id), mayRule: why === null };
  };

  router.get(
    '/verdicts',
    saying(async (request, response) => {
      const filter = Filter.parse(request.query);
      const page = await findFor(context, request, searchOf(filter), LISTED);
      const children = <VerdictsPage filter={filter} page={page} context={context} />;
      sendPage(request, response, { title: 'Verdicts', at: '/verdicts', children });
    }),
  );
  router.get(
    '/verdicts/:id',
    saying(async (request, response) => {
      const shown = await shownTo(context, request, String(request.params.id));
      if (shown === null) return refuse(request, response, 404, wordsIn('en').votes.gone);
      const children = <VerdictPage shown={shown} people={await peopleOf(request, shown)} />;
      sendPage(request, response, { title: 'Verdict', at: '/verdicts', children });
    }),
  );

  router.get(
    '/verdicts/:id/prompts/:index',
    saying(async (request, response) => {
      const { id, index } = request.params;
      const shown = await shownTo(context, request, String(id));
      if (shown === null || shown.visible.kind === 'hidden')
        return refuse(request, response, 404, wordsIn('en').votes.gone);
      const { record } = shown.visible;
      const judgement = allJudgements(record.verdict)[Number(index)];
      if (judgement === undefined) return refuse(request, response, 404, 'This verdict has no such prompt.');
      const prompts = await sentPrompts(context.library, record, judgement);
      const children = <PromptPage shown={shown} judgement={judgement} prompts={prompts} />;
      sendPage(request, response, { title: 'Prompt', at: '/verdicts', children });
    }),
  );

  /** The HTML of a verdict as it is now: the whole page's content if the query asks for it, otherwise the card. */
  const verdictHtml = async (request: Request, id: string): Promise<string> => {
    const shown = await shownTo(context, request, id);
    if (shown === null) return '';
    const isWhole = request.query.whole !== undefined;
    return fragmentHtml(
      isWhole ? (
        <VerdictBody shown={shown} people={await peopleOf(request, shown)} />
      ) : (
        <VerdictView shown={shown} />
      ),
    );
  };
  router.post(
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
      const form = 'form' in outcome ? outcome.form : null;
      const dialog = form === null ? null : dialogOf(form, id, 'correct');
      response.json({
        said: thumbText(outcome, voted.value, 'en'),
        html: await verdictHtml(request, id),
        dialog,
      });
    }),
  );
  /** The forms about a verdict, by the last part of their route. */
  const dialogs: Readonly<Record<string, DialogOf>> = {
    correct: {
      open: async (request, id) => {
        const shown = await shownTo(context, request, id);
        const { voter } = votingOf(context, request);
        const form = shown === null ? null : await correctionFor(context, shown.visible, voter);
        return form ?? { status: 409, why: 'Answer first: then you can say more.' };
      },
      take: async (request, id, _form, filledIn) => {
        const outcome = await castCorrection(context, votingOf(context, request), id, filledIn);
        if (outcome.kind === 'wrong') return outcome;
        const text = outcome.kind === 'kept' ? 'Thank you, that is kept.' : wordsIn('en').votes.gone;
        return { said: text, html: await verdictHtml(request, id) };
      },
    },
    rule: {
      open: async (request, id) => {
        const shown = await shownTo(context, request, id);
        const people = shown === null ? null : await peopleOf(request, shown);
        if (people?.mayRule !== true) return { status: 403, why: NO_RULING };
        const { verdict } = people.voted.record;
        const rubric = context.library.rubrics.get(verdict.rubric) ?? null;
        return rulingForm(verdict, rubric, people.voted.adjudication, 'en');
      },
      take: async (request, id, form, filledIn) => {
        const read = readRulingForm(form, filledIn);
        if ('errors' in read) return { form, errors: read.errors };
        const ruled = await ruleOn(context, votingOf(context, request), actorOf(request), id, read.ruling);
        if ('why' in ruled) return { form, errors: { [RIGHT]: ruled.why } };
        const words = wordsIn('en').manage.ruling;
        const text = ruled.ruled === 'unchanged' ? words.unchanged : words.done;
        return { said: text, html: await verdictHtml(request, id) };
      },
    },
    set: {
      open: async (request, id) => {
        const record = await readableVerdict(context, viewerOf(context, request), id);
        return 'why' in record
          ? { status: 409, why: record.why }
          : setForm(await setNames(store, now()), 'en');
      },
      take: async (request, id, form, filledIn) => {
        const record = await readableVerdict(context, viewerOf(context, request), id);
        if ('why' in record) return { form, errors: { [SET]: record.why } };
        const added = await addBySetForm(context, actorOf(request), record, filledIn);
        return 'text' in added ? { said: added.text } : { form, errors: added.errors };
      },
    },
  };
  for (const [what, { open, take }] of Object.entries(dialogs)) {
    const path = `/ui/verdicts/:id/${what}`;
    const opened = async (request: Request, response: Response, id: string): Promise<Form | null> => {
      const form = await open(request, id);
      if (!('why' in form)) return form;
      refuse(request, response, form.status, form.why);
      return null;
    };
    router.get(
      path,
      saying(async (request, response) => {
        const id = String(request.params.id);
        const form = await opened(request, response, id);
        if (form !== null) response.json({ dialog: dialogOf(form, id, what) });
      }),
    );
    router.post(
      path,
      saying(async (request, response) => {
        const id = String(request.params.id);
        const form = await opened(request, response, id);
        if (form === null) return;
        const filledIn = filledInOf(form, Sent.parse(request.body));
        const taken = await take(request, id, form, filledIn);
        response.json(
          'errors' in taken
            ? { dialog: dialogOf(refilled(taken.form, filledIn, taken.errors), id, what) }
            : taken,
        );
      }),
    );
  }
  router.post(
    '/ui/verdicts/:id/with-it',
    saying(async (request, response) => {
      const id = String(request.params.id);
      const record = await readableVerdict(context, viewerOf(context, request, 'rerun'), id);
      if ('why' in record) return refuse(request, response, 409, record.why);
      const sender = { surface: PAGE, team: '', requestedBy: visitor(request).user };
      const view = viewOf(requestId({ ...sender, key: withItKey(record) }));
      await context.views.begin(view, sender.requestedBy, record.source.channel);
      // If it was judged with these lines before, the view shows that verdict.
      await judgeWithIt(context, record, sender);
      response.json({ goTo: `/requests/${view}` });
    }),
  );
  router.post(
    '/ui/verdicts/:id/ask-model',
    saying(async (request, response) => {
      const id = String(request.params.id);
      const record = await readableVerdict(context, viewerOf(context, request, 'rerun'), id);
      if ('why' in record) return refuse(request, response, 409, record.why);
      const model = await modelToAsk(context, record);
      if (model === undefined) return refuse(request, response, 409, noModel(context));
      const key = `model:${id}:${model}`;
      const sender = { surface: PAGE, team: '', key, requestedBy: visitor(request).user };
      const view = viewOf(requestId(sender));
      // Begun before the request is taken up, because the browser goes to the view at once.
      await context.views.begin(view, sender.requestedBy, record.source.channel);
      await askModel(context, record, model, sender);
      response.json({ goTo: `/requests/${view}` });
    }),
  );
}
