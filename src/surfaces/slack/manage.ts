import type { App } from '@slack/bolt';
import { type ManageForm, manageForm, manageMenu, sendManageForm } from '../desks/index.ts';
import { openSetForm } from './card-menu.ts';
import { actorOf, onClick, onForm, openView, type SlackContext, tell, viewerOf } from './context.ts';
import { actions } from './ids.ts';
import { forms, formView } from './render/form.ts';
import { manageView } from './render/manage.ts';
import { doneMessage } from './render/notices.ts';

/** Registers *Manage…* in a verdict's details, and its forms. */
export function registerManage(app: App, context: SlackContext): void {
  onClick(app, context, [actions.manage], async (click, _respond, own) => {
    const menu = await manageMenu(own, viewerOf(context, click), actorOf(click), click.value);
    await ('why' in menu
      ? tell(context, click, menu.why)
      : openView(context, click, manageView(menu, own.texts.language)));
  });
  onClick(app, context, [actions.manageSet], (click, _respond, own) => openSetForm(own, click, click.value));
  // The browser opens the address; Slack only wants to hear that the click arrived.
  onClick(app, context, [actions.openIssue], async () => {});
  const register = <Item extends ManageForm>(
    item: Item,
    action: string,
    kind: (typeof forms)[Item],
  ): void => {
    onClick(app, context, [action], async (click, _respond, own) => {
      const opened = await manageForm(own, viewerOf(context, click), actorOf(click), click.value, item);
      if ('why' in opened) await tell(context, click, opened.why);
      else await openView(context, click, formView(kind, { verdict: click.value }, opened.form));
    });
    onForm(app, context, kind, async (sent, own) => {
      const about = { id: sent.about.verdict, item, team: '', form: sent.view.id };
      const outcome = await sendManageForm(own, viewerOf(context, sent), actorOf(sent), about, sent.filledIn);
      if ('errors' in outcome) return outcome;
      if ('why' in outcome) return { after: () => tell(context, sent, outcome.why) };
      return { after: () => tell(context, sent, outcome.text, doneMessage) };
    });
  };
  register('rule', actions.manageRule, forms.rule);
  register('known-answer', actions.manageKnownAnswer, forms['known-answer']);
  register('start-study', actions.manageStudy, forms['start-study']);
}
