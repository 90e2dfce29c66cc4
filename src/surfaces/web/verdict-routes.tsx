import type { Request, Router } from 'express';
import * as z from 'zod';
import { setNames } from '../../benchmark/datasets/case-sets.ts';
import { allJudgements } from '../../judging/why.ts';
import { readVoted } from '../../labels/labels.ts';
import { BlindAnswer, VoteValue } from '../../labels/vote.ts';
import { sentPrompts } from '../../prompting/sent-prompts.ts';
import { requestId } from '../../requests/spot-check.ts';
import { addBySetForm, askModel, modelToAsk, NO_MODEL, readableVerdict, setForm } from '../card-desk.ts';
import { refilled } from '../form.ts';
import { castAnswer, castCorrection, castThumb, correctionFor, thumbText, voteTexts } from '../vote-desk.ts';
import { visitor } from './access.ts';
import { findFor, type PageContext, shownTo, votingOf } from './context.ts';
import { FormDialog, filledInOf } from './form.tsx';
import { PAGE } from './ids.ts';
import { fragmentHtml, pageHtml } from './layout.tsx';
import { refuse, saying } from './routes.ts';
import { type Shown, Verdict } from './verdict.tsx';
import { PromptPage, VerdictBody, VerdictPage } from './verdict-page.tsx';
import { Filter, searchOf, VerdictsPage } from './verdict-pages.tsx';
import { viewOf } from './views.ts';

const LISTED = 50;
const Voted = z.union([
  z.strictObject({ value: VoteValue.nullable() }),
  z.strictObject({ answer: BlindAnswer }),
]);
const Sent = z.record(z.string(), z.array(z.string()));

/** Verdicts: the list, one of them, and what people do with it. */
export function registerVerdicts(own: Router, context: PageContext): void {
  const { store, now } = context;

  /** What people say of a verdict; null while the visitor is to answer first. */
  const votedOf = async ({ visible: { kind, record } }: Shown) =>
    kind === 'hidden' ? null : readVoted(store, record.id);

  own.get(
    '/verdicts',
    saying(async (request, response) => {
      const filter = Filter.parse(request.query);
      const page = await findFor(context, request, searchOf(filter), LISTED);
      const children = <VerdictsPage filter={filter} page={page} context={context} />;
      response
        .type('html')
        .send(pageHtml({ title: 'Verdicts', at: '/verdicts', who: visitor(request), children }));
    }),
  );
  own.get(
    '/verdicts/:id',
    saying(async (request, response) => {
      const shown = await shownTo(context, request, String(request.params.id));
      if (shown === null) return refuse(response, 404, voteTexts.gone);
      const children = <VerdictPage shown={shown} voted={await votedOf(shown)} />;
      response
        .type('html')
        .send(pageHtml({ title: 'Verdict', at: '/verdicts', who: visitor(request), children }));
    }),
  );

  own.get(
    '/verdicts/:id/prompts/:index',
    saying(async (request, response) => {
      const { id, index } = request.params;
      const shown = await shownTo(context, request, String(id));
      if (shown === null || shown.visible.kind === 'hidden') return refuse(response, 404, voteTexts.gone);
      const { record } = shown.visible;
      const judgement = allJudgements(record.verdict)[Number(index)];
      if (judgement === undefined) return refuse(response, 404, 'This verdict has no such prompt.');
      const prompts = await sentPrompts(context.library, record, judgement);
      const children = <PromptPage shown={shown} judgement={judgement} prompts={prompts} />;
      response
        .type('html')
        .send(pageHtml({ title: 'Prompt', at: '/verdicts', who: visitor(request), children }));
    }),
  );

  /** A verdict as it stands now: on its own page with all that stands around it. */
  const verdictHtml = async (request: Request, id: string): Promise<string> => {
    const shown = await shownTo(context, request, id);
    if (shown === null) return '';
    const isWhole = request.query.whole !== undefined;
    return fragmentHtml(
      isWhole ? <VerdictBody shown={shown} voted={await votedOf(shown)} /> : <Verdict shown={shown} />,
    );
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
      if ('why' in record) return refuse(response, 409, record.why);
      const model = await modelToAsk(context, record);
      if (model === undefined) return refuse(response, 409, NO_MODEL);
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
}
