import { RULES } from '../../judges/rules/rules-judge.ts';
import { visibleVerdict } from '../../labels/visible-verdict.ts';
import type { VoteValue } from '../../labels/vote.ts';
import { recordRequest } from '../../requests/spot-check.ts';
import { draftAgain } from '../ask-desk.ts';
import { castAnswer, castThumb, voteTexts } from '../vote-desk.ts';
import type { ButtonData, Origin } from './activities.ts';
import { type TeamsContext, viewerOf } from './context.ts';
import { actions, TEAMS } from './ids.ts';
import { blindAnswerOf } from './render/blind.ts';
import { sharedMessage } from './render/card.ts';
import { thumbText, votingOf } from './votes.ts';

const HIDDEN = 'Answer first: then you see this verdict.';

/** Judges the same case by the first model that is connected, in the same thread; pressed twice, it is judged once. */
async function askModel(context: TeamsContext, origin: Origin, id: string): Promise<string> {
  const { store, checks, models, now } = context;
  const visible = await visibleVerdict(store, id, viewerOf(context, origin), now());
  if (visible === null) return voteTexts.gone;
  if (visible.kind === 'hidden') return HIDDEN;
  const model = models.find((one) => one !== RULES);
  if (model === undefined) return 'No model is connected. Set JURY_MODEL to connect one.';
  const { record } = visible;
  const { evalCase, verdict, source } = record;
  const { check, status } = await recordRequest(
    store,
    {
      surface: TEAMS,
      team: origin.tenant,
      key: `${source.channel}:model:${id}:${model}`,
      channel: source.channel,
      thread: draftAgain(record).thread,
      requestedBy: origin.user,
      input: { kind: 'cases', cases: [{ evalCase, assumed: verdict.assumed }] },
      wish: { rubric: verdict.rubric, models: [model] },
      again: id,
    },
    now(),
  );
  if (status === 'added') void checks.take(check.id);
  return `Asking ${model}.`;
}

const SHARED_MS = 30 * 86_400_000;

/** Posts the card to the channel in whose thread it stands, once. */
async function share(context: TeamsContext, origin: Origin, id: string): Promise<string> {
  const { store, messages, cards, nameOf, now } = context;
  const visible = await visibleVerdict(store, id, viewerOf(context, origin), now());
  if (visible === null) return voteTexts.gone;
  if (visible.kind === 'hidden') return HIDDEN;
  const { record } = visible;
  const { channel, thread } = record.source;
  if (record.blind === true) return 'Everyone votes before they see this verdict, so it cannot be shared.';
  if (origin.kind !== 'channel' || thread === null)
    return 'This card already stands where everyone here can see it.';
  const kept = await store.setIfAbsent(`shared:${id}`, origin.user, now(), SHARED_MS);
  if (!kept.set) return 'This verdict has been shared to the channel already.';
  const shared = sharedMessage(await cards.inputOf(record), nameOf(origin.user));
  try {
    await messages.post({ channel, thread: null }, shared);
  } catch (thrown) {
    await store.delete(`shared:${id}`);
    throw thrown;
  }
  return 'Shared to the channel.';
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
      return askModel(context, origin, id);
    case actions.share:
      return share(context, origin, id);
    default: {
      const answer = blindAnswerOf(button.do, score);
      if (answer === null) return null;
      return (await castAnswer(context, voting, id, answer)) ?? 'Your answer counts.';
    }
  }
}
