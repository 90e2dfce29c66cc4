import type { App } from '@slack/bolt';
import type { SlackContext } from '../context.ts';
import type { Kept } from '../keep-event.ts';
import { registerChecks } from './checks.ts';
import { registerVotes } from './votes.ts';

/** Everything that the app answers to. @param keptOf what was kept of a request's body before it was acknowledged */
export function registerListeners(app: App, context: SlackContext, keptOf: (body: object) => Kept): void {
  registerChecks(app, context, keptOf);
  registerVotes(app, context, keptOf);
}
