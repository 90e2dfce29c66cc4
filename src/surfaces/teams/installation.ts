import * as z from 'zod';
import type { Schedule } from '../../digests/index.ts';
import { wordsIn } from '../../words/index.ts';
import { changeSchedule, nameOfSchedule } from '../desks/index.ts';
import type { Activity, Origin } from './activities.ts';
import { actorOf, type TeamsContext } from './context.ts';
import { TEAMS } from './ids.ts';
import type { TeamsMessage } from './messages.ts';
import { lines, run } from './render/elements.ts';
import { linesMessage, welcomeMessage } from './render/notices.ts';

/** What was paused when the app was removed, until it is back. */
const Paused = z.array(z.string());
const pausedKey = (channel: string): string => `teams-paused:${channel}`;
const KEPT_MS = 400 * 86_400_000;

/** What posts in a conversation; for a team, in any of its channels. */
async function postingIn({ store, places }: TeamsContext, channel: string): Promise<Schedule[]> {
  const found: Schedule[] = [];
  for (const schedule of await store.schedules()) {
    const { surface, channel: at } = schedule.target;
    if (surface !== TEAMS) continue;
    if (at === channel || (await places.find(at))?.team === channel) found.push(schedule);
  }
  return found;
}

/**
 * Pauses what posts in a conversation that the app was removed from.
 * @returns a function that tells whoever set it up
 * @throws JuryError `store-unavailable`
 */
export async function leaveConversation(
  context: TeamsContext,
  { channelData }: Activity,
  origin: Origin,
): Promise<() => Promise<void>> {
  const { store, places, messages, nameOf, now, languages } = context;
  const { tenant, user, kind } = origin;
  if (kind === 'direct') await places.forgetPersonal(tenant, user);
  const removed = channelData?.team?.id ?? origin.channel;
  const paused: Schedule[] = [];
  for (const schedule of await postingIn(context, removed)) {
    const { channel } = schedule.target;
    const by = { actor: actorOf(origin), surface: TEAMS, channel };
    if (await changeSchedule(context, by, schedule, 'pause')) paused.push(schedule);
  }
  if (paused.length > 0) {
    await store.delete(pausedKey(removed));
    await store.setIfAbsent(pausedKey(removed), JSON.stringify(paused.map(({ id }) => id)), now(), KEPT_MS);
  }
  return async () => {
    for (const schedule of paused) {
      const { owner, target } = schedule;
      const own = owner === null ? null : await places.personal(target.team, owner);
      if (own === null) continue;
      const language = await languages.ofPerson(owner ?? '', own);
      const { paused: pausedText } = wordsIn(language).announcements.removed;
      const text = pausedText(nameOfSchedule(schedule, language));
      await messages.post({ channel: own, thread: null }, linesMessage(nameOf, [[text]]));
    }
  };
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
  const ids = Paused.parse(JSON.parse((await store.get(key, now())) ?? '[]'));
  const still = (await store.schedules()).filter(({ id, paused }) => paused && ids.includes(id));
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
