import type { App } from '@slack/bolt';
import type { SlackContext } from '../context.ts';
import { createHome } from '../home.ts';
import type { Kept } from '../keep-event.ts';
import { createShowLists } from '../show-lists.ts';
import { registerAsk } from './ask.ts';
import { registerBlind } from './blind.ts';
import { registerChecks } from './checks.ts';
import { registerDetails } from './details.ts';
import { registerHome } from './home.ts';
import { registerJudgeForm } from './judge-form.ts';
import { registerLifecycle } from './lifecycle.ts';
import { registerSettings } from './settings.ts';
import { registerStudies } from './studies.ts';
import { registerVotes } from './votes.ts';

/** Everything that the app answers to. @param keptOf what was kept of a request's body before it was acknowledged */
export function registerListeners(app: App, context: SlackContext, keptOf: (body: object) => Kept): void {
  const publishHome = createHome(context);
  const showLists = createShowLists(context, publishHome);
  registerChecks(app, context, keptOf);
  registerVotes(app, context, keptOf, showLists);
  registerBlind(app, context, showLists);
  registerAsk(app, context);
  registerJudgeForm(app, context);
  registerDetails(app, context);
  registerSettings(app, context);
  registerStudies(app, context);
  registerHome(app, context, publishHome);
  registerLifecycle(app, context);
}
