import { randomUUID } from 'node:crypto';
import type { IAdaptiveCard } from '@microsoft/teams.cards';
import { type Words, wordsIn } from '../../words/index.ts';
import {
  type ManageForm,
  type ManageMenu,
  type Managing,
  manageForm,
  manageMenu,
  sendManageForm,
} from '../desks/index.ts';
import { refilled } from '../forms/index.ts';
import type { ButtonData, Origin } from './activities.ts';
import { actorOf, type Dialog, type Sent, type TeamsContext, viewerOf } from './context.ts';
import { actions } from './ids.ts';
import { dialogCard, opensPage, submits } from './render/elements.ts';
import { formDialog, readFormData } from './render/form.ts';
import { noticeElements } from './render/notices.ts';

/** The action of each item. */
const ITEMS = {
  rule: actions.manageRule,
  'known-answer': actions.manageKnownAnswer,
  'add-to-set': actions.addToSet,
  'start-study': actions.manageStudy,
} as const satisfies Record<Managing, string>;

/** Tells a form that is sent from a button that opens it. */
const SENT = 'sent';

const menuCard = (
  { record: { id }, offers, issue, message }: ManageMenu,
  words: Words['manage'],
): IAdaptiveCard =>
  dialogCard(message.parts.flatMap(noticeElements), [
    ...offers.map((item) => submits(words.items[item], { do: ITEMS[item], id })),
    ...opensPage(words.createIssue, issue),
  ]);

const itemOf = (action: string): ManageForm | null =>
  (['rule', 'known-answer', 'start-study'] as const).find((item) => ITEMS[item] === action) ?? null;

/**
 * Handles *Manage…* and its buttons and forms; undefined for any other button.
 * @throws JuryError `store-unavailable`
 */
export async function manageDialog(
  context: TeamsContext,
  origin: Origin,
  sent: ButtonData | Sent,
): Promise<Dialog | undefined> {
  const { id } = sent;
  const [viewer, actor] = [viewerOf(context, origin), actorOf(origin)];
  if (sent.do === actions.manage) {
    const menu = await manageMenu(context, viewer, actor, id);
    const words = wordsIn(context.texts.language).manage;
    return 'why' in menu ? { text: menu.why } : { title: words.title, card: menuCard(menu, words) };
  }
  const item = itemOf(sent.do);
  if (item === null) return undefined;
  const opened = await manageForm(context, viewer, actor, id, item);
  if ('why' in opened) return { text: opened.why };
  // Each opened form has a key of its own, which comes back with it.
  const form = typeof sent.form === 'string' ? sent.form : randomUUID();
  const data = { do: ITEMS[item], id, next: SENT, form };
  if (sent.next !== SENT) return formDialog(opened.form, data);
  const filledIn = readFormData(sent);
  const outcome = await sendManageForm(
    context,
    viewer,
    actor,
    { id, item, team: origin.tenant, form },
    filledIn,
  );
  if ('errors' in outcome) return formDialog(refilled(opened.form, filledIn, outcome.errors), data);
  return { text: 'why' in outcome ? outcome.why : outcome.text };
}
