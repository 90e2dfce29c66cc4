import type { App, RespondFn, ViewSubmitAction } from '@slack/bolt';
import type { ModalView } from '@slack/types';
import { JuryError } from '../../common/errors.ts';
import type { FilledIn, FormErrors } from '../form.ts';
import { shownErrors } from '../form.ts';
import { orTell, problemText, type SlackContext } from './context.ts';
import { Click, Submission } from './payloads.ts';
import { type FormKind, readAbout, readFormState } from './render/form.ts';

/** Answers clicks, each after it was acknowledged; who clicked is told what went wrong. */
export function onClick(
  app: App,
  context: SlackContext,
  ids: readonly string[],
  answer: (click: Click, respond: RespondFn) => Promise<unknown>,
): void {
  for (const id of ids)
    app.action(id, async ({ ack, body, respond }) => {
      await ack();
      const click = Click.parse(body);
      await orTell(context, click, () => answer(click, respond));
    });
}

/**
 * Answers clicks that count: each is acknowledged once it is kept, so that Slack shows it where a process dies before.
 *
 * @param keep keeps what a click says
 * @param show shows what came of it to the person who clicked
 */
export function onVoteClick<Kept>(
  app: App,
  context: SlackContext,
  ids: readonly string[],
  keep: (click: Click) => Promise<Kept>,
  show: (kept: Kept, click: Click, respond: RespondFn) => Promise<unknown>,
): void {
  for (const id of ids)
    app.action(id, async ({ ack, body, respond }) => {
      const click = Click.parse(body);
      await orTell(context, click, async () => {
        const kept = await keep(click).finally(() => ack());
        await show(kept, click, respond);
      });
    });
}

/** A form as it was sent. */
export type SentForm<About> = Submission & { about: About; filledIn: FilledIn };

/** What comes of it: errors by the id of the field, another view in its place, or what is done after it has closed. */
type FormOutcome = { errors: FormErrors } | { view: ModalView } | { after: () => Promise<unknown> } | null;

/** Answers forms that are sent; what went wrong is shown in the form, so that nothing that was filled in is lost. */
export function onForm<About>(
  app: App,
  context: SlackContext,
  kind: FormKind<About>,
  answer: (sent: SentForm<About>) => Promise<FormOutcome>,
): void {
  app.view<ViewSubmitAction>(kind.callback, async ({ ack, body }) => {
    const sent = Submission.parse(body);
    const filledIn = readFormState(sent.view.state);
    const [first = ''] = Object.keys(filledIn);
    const outcome = await answer({ ...sent, about: readAbout(kind, sent.view), filledIn }).catch((thrown) => {
      if (!(thrown instanceof JuryError)) throw thrown;
      return { errors: { [first]: problemText(thrown) } };
    });
    if (outcome === null) return ack();
    if ('errors' in outcome)
      return ack({ response_action: 'errors', errors: shownErrors(outcome.errors, filledIn, first) });
    if ('view' in outcome) return ack({ response_action: 'update', view: outcome.view });
    await ack();
    await orTell(context, sent, outcome.after);
  });
}

/** What a view is opened with: the click, command or shortcut, and the view that it was made in. */
type Opener = Pick<Click, 'trigger'> & Partial<Pick<Click, 'view'>>;

/** Opens a view for who clicked; over the one that they clicked in, where there is one. */
export async function openView(
  { clients }: Pick<SlackContext, 'clients'>,
  { view: open, trigger }: Opener,
  view: ModalView,
): Promise<void> {
  const shown = { trigger_id: trigger, view };
  await (open?.type === 'modal' ? clients.now.views.push(shown) : clients.now.views.open(shown));
}

/** Puts another view in the place of the one that was clicked in, unless that one has changed meanwhile; opens it where there is none. */
export async function replaceView(
  context: Pick<SlackContext, 'clients'>,
  click: Opener,
  view: ModalView,
): Promise<void> {
  const { view: open } = click;
  if (!open || open.type === 'home') return openView(context, click, view);
  await context.clients.now.views.update({ view_id: open.id, hash: open.hash, view });
}
