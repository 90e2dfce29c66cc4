import * as z from 'zod';
import { changeText, isStoreAway, JuryError, messageOf } from '../../common/index.ts';
import type { Schedule } from '../../digests/index.ts';
import { wordsIn } from '../../words/index.ts';
import { changeSchedule, nameOfSchedule } from '../desks/index.ts';
import type { Activity, Origin } from './activities.ts';
import { actorOf, type TeamsContext } from './context.ts';
import { TEAMS } from './ids.ts';
import type { TeamsMessage } from './messages.ts';
import { lines, run } from './render/elements.ts';
import { linesMessage, welcomeMessage } from './render/notices.ts';

/** What pauses when the app is removed, until it is back, and the activity that said so. */
const Paused = z.array(
  z.union([
    z.strictObject({ id: z.string(), removal: z.string() }),
    // Earlier versions kept the id alone.
    z.string().transform((id) => ({ id, removal: '' })),
  ]),
);
type Paused = z.infer<typeof Paused>;
const readPaused = (text: string | null): Paused => Paused.parse(JSON.parse(text ?? '[]'));
const pausedKey = (channel: string): string => `teams-paused:${channel}`;
const KEPT_MS = 400 * 86_400_000;

type Leaving = Pick<TeamsContext, 'store' | 'places' | 'nameOf' | 'languages' | 'log' | 'now'> & {
  messages: Pick<TeamsContext['messages'], 'post'>;
  digestSources: Pick<TeamsContext['digestSources'], 'alerts'>;
};

/** What posts in a conversation; for a team, in any of its channels. */
async function postingIn({ store, places }: Leaving, channel: string): Promise<Schedule[]> {
  const found: Schedule[] = [];
  for (const schedule of await store.schedules()) {
    const { surface, channel: at } = schedule.target;
    if (surface !== TEAMS) continue;
    if (at === channel || (await places.find(at))?.team === channel) found.push(schedule);
  }
  return found;
}

/**
 * Pauses what posts in a conversation that the app was removed from. What is to pause is kept first, so that nothing is missing if a
 * step fails and Teams says once more that the app was removed.
 *
 * @returns a function that tells whoever set it up
 * @throws JuryError `store-unavailable`
 */
export async function leaveConversation(
  context: Leaving,
  { channelData, id: activity, timestamp = '' }: Pick<Activity, 'id' | 'timestamp' | 'channelData'>,
  origin: Origin,
): Promise<() => Promise<void>> {
  const { store, places, now } = context;
  const { tenant, user, kind } = origin;
  const removal = activity ?? timestamp;
  if (kind === 'direct') await places.forgetPersonal(tenant, user);
  const removed = channelData?.team?.id ?? origin.channel;
  const key = pausedKey(removed);
  const pausing = (await postingIn(context, removed)).filter((schedule) => !schedule.paused);
  if (pausing.length > 0) {
    const withThese = (text: string | null) => {
      // What an earlier removal has paused may still be.
      const others = readPaused(text).filter((one) => pausing.every(({ id }) => id !== one.id));
      return JSON.stringify([...others, ...pausing.map(({ id }) => ({ id, removal }))]);
    };
    await changeText(store, key, withThese, now(), KEPT_MS);
  }
  for (const schedule of pausing) {
    const by = { actor: actorOf(origin), surface: TEAMS, channel: schedule.target.channel };
    await changeSchedule(context, by, schedule, 'pause').catch((thrown) => {
      // Someone has removed it meanwhile.
      if (!(thrown instanceof JuryError) || isStoreAway(thrown)) throw thrown;
    });
  }
  const kept = readPaused(await store.get(key, now()));
  const isPausedBy = ({ id, paused }: Schedule) =>
    paused && kept.some((one) => one.id === id && one.removal === removal);
  const paused = (await postingIn(context, removed)).filter(isPausedBy);
  return () => tellOwners(context, paused);
}

/** Tells each owner; one who cannot be told is no reason for the others not to be. */
async function tellOwners(
  { places, messages, nameOf, languages, log }: Leaving,
  paused: readonly Schedule[],
): Promise<void> {
  for (const schedule of paused) {
    const { owner, target } = schedule;
    const own = owner === null ? null : await places.personal(target.team, owner);
    if (own === null) continue;
    const language = await languages.ofPerson(owner ?? '', own);
    const { paused: pausedText } = wordsIn(language).announcements.removed;
    const text = pausedText(nameOfSchedule(schedule, language));
    await messages
      .post({ channel: own, thread: null }, linesMessage(nameOf, [[text]]))
      .catch((thrown) =>
        log.warn(
          { schedule: schedule.id, why: messageOf(thrown) },
          'teams: the owner of what is paused could not be told',
        ),
      );
  }
}

/**
 * The first message in a conversation, which names what is paused since the app was last removed.
 * @throws JuryError `store-unavailable`
 */
export async function greeting(
  { store, texts: { language }, now }: TeamsContext,
  { channelData }: Activity,
  { channel }: Origin,
): Promise<TeamsMessage> {
  const welcome = welcomeMessage(language);
  const key = pausedKey(channelData?.team?.id ?? channel);
  const kept = readPaused(await store.get(key, now()));
  const still = (await store.schedules()).filter(
    ({ id, paused }) => paused && kept.some((one) => one.id === id),
  );
  if (still.length === 0) return welcome;
  const texts = still.map((one) => {
    const verb = 'rule' in one ? 'alert' : 'digest';
    const { since } = wordsIn(language).announcements.removed;
    return since({ what: nameOfSchedule(one, language), resume: `${verb} resume ${one.id}` });
  });
  const { card } = welcome;
  return {
    ...welcome,
    card: { ...card, body: [...texts.map((text) => lines(run(text))), ...(card.body ?? [])] },
  };
}
