import type { VoteValue } from '../../labels/vote.ts';
import { askModel, modelToAsk, readableVerdict, shareOnce } from '../card-desk.ts';
import { castAnswer, castThumb, thumbText } from '../vote-desk.ts';
import type { ButtonData, Origin } from './activities.ts';
import { type TeamsContext, viewerOf } from './context.ts';
import { actions, kindOf, TEAMS } from './ids.ts';
import { blindAnswerOf } from './render/blind.ts';
import { sharedMessage } from './render/card.ts';
import { votingOf } from './votes.ts';

/** Judges the same case by the first model that is connected; pressed twice, it is judged once. */
async function pressAskModel(context: TeamsContext, origin: Origin, id: string): Promise<string> {
  const record = await readableVerdict(context, viewerOf(context, origin), id);
  if ('why' in record) return record.why;
  const model = modelToAsk(context);
  if (model === undefined) return 'No model is connected. Set JURY_MODEL to connect one.';
  const { tenant: team, user: requestedBy } = origin;
  const key = `${record.source.channel}:model:${id}:${model}`;
  await askModel(context, record, model, { surface: TEAMS, team, key, requestedBy });
  return `Asking ${model}.`;
}

/** Posts the card to the channel in whose thread it stands, once. */
async function pressShare(context: TeamsContext, origin: Origin, id: string): Promise<string> {
  const { messages, cards, nameOf } = context;
  const record = await readableVerdict(context, viewerOf(context, origin), id);
  if ('why' in record) return record.why;
  const { channel, kind = kindOf(channel) } = record.source;
  const why = await shareOnce(context, record, kind === 'channel', async () => {
    const shared = sharedMessage(await cards.inputOf(record), nameOf(origin.user));
    await messages.post({ channel, thread: null }, shared);
  });
  return why ?? 'Shared to the channel.';
}

/**
 * What a button on a verdict does, on its card or in a dialog.
 *
 * @returns what is said of it to the person who pressed; null for a button of another kind
 * @throws JuryError `store-unavailable`: nothing was counted
 */
export async function pressed(
  context: TeamsContext,
  origin: Origin,
  button: ButtonData,
): Promise<string | null> {
  const { id, score } = button;
  const voting = votingOf(context, origin);
  const thumb = async (value: VoteValue | null) =>
    thumbText(await castThumb(context, voting, id, value), value);
  switch (button.do) {
    case actions.agree:
    case actions.disagree:
    case actions.unsure:
      return thumb(button.do);
    case actions.retract:
      return thumb(null);
    case actions.askModel:
      return pressAskModel(context, origin, id);
    case actions.share:
      return pressShare(context, origin, id);
    default: {
      const answer = blindAnswerOf(button.do, score);
      if (answer === null) return null;
      return (await castAnswer(context, voting, id, answer)) ?? 'Your answer counts.';
    }
  }
}
