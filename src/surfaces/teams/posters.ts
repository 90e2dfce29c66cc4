import { JuryError } from '../../common/errors.ts';
import type { KeyValue } from '../../common/key-value.ts';
import type { DigestPoster, PostKey } from '../../digests/delivery.ts';
import type { Digest } from '../../digests/digest.ts';
import type { StudyPoster } from '../../studies/manage-studies.ts';
import type { OpenSurface } from '../surface.ts';
import { kindOf, TEAMS } from './ids.ts';
import type { Messages, Target } from './messages.ts';
import type { Places } from './places.ts';
import { chartOf, digestDetails, digestMessage } from './render/digest.ts';
import { heading, message } from './render/elements.ts';
import { errorMessage, linesMessage } from './render/notices.ts';
import { studyMessage } from './studies.ts';

interface PosterParts {
  store: KeyValue;
  messages: Messages;
  places: Places;
  now: () => number;
}

/** Teams keeps no key with a message, so the store keeps the message's id under the key: longer than a slot is retried. */
const KEPT_MS = 7 * 86_400_000;
const INVITED_MS = 400 * 86_400_000;

const keyOf = ({ schedule, slot, part }: PostKey): string => `teams-digest:${schedule}/${slot}/${part}`;

const targetOf = (channel: string, thread: string | null): Target => ({ channel, thread });

/** Largest picture of a card, which is a third longer in it: the rest of the digest has to fit beside it. */
const PICTURE_BYTES = 9_000;

/** The chart as a picture within the card, so that no other server has to be reached for it; null where there is none. */
export async function pictureOf(blocks: Digest['blocks']): Promise<string | null> {
  const chart = chartOf(blocks);
  if (chart === undefined) return null;
  const { smallTrendPng } = await import('../charts/trend-png.ts');
  const png = await smallTrendPng(chart, PICTURE_BYTES).catch(() => null);
  return png === null ? null : `data:image/png;base64,${Buffer.from(png).toString('base64')}`;
}

/**
 * Posts digests to Teams: first the headline alone, which becomes the digest once its id is kept. So a process that dies in between
 * leaves a headline behind, and never a second digest.
 */
export const createTeamsDigestPoster = ({ store, messages, places, now }: PosterParts): DigestPoster => ({
  surface: TEAMS,
  command: '@Jury',
  post: async ({ channel }, digest, key, thread) => {
    const isMain = key.part === 'main';
    const picture = await pictureOf(isMain ? digest.blocks : digest.details);
    const shown = isMain ? digestMessage(digest, picture) : digestDetails(digest, picture);
    const target = targetOf(channel, thread);
    const begun = async (): Promise<string> => {
      const headline = { body: [heading(shown.summary)] };
      const id = await messages.post(target, message(shown.summary, headline));
      await store.setIfAbsent(keyOf(key), id, now(), KEPT_MS);
      return id;
    };
    const id = (await store.get(keyOf(key), now())) ?? (await begun());
    await messages.update(target, id, shown);
    return id;
  },
  // Posting again finds it, and finishes it.
  find: async () => null,
  notify: async ({ team }, person, problem) => {
    const channel = person === null ? null : await places.personal(team, person);
    if (channel === null)
      throw new JuryError('usage', 'The owner of the digest has no personal chat with Jury.');
    await messages.post(targetOf(channel, null), errorMessage(problem));
  },
});

/** Invites annotators in Teams, in their personal chat with Jury. */
export const createTeamsStudyPoster = ({ store, messages, places, now }: PosterParts): StudyPoster => ({
  surface: TEAMS,
  invite: async ({ team, user }, study, key) => {
    const channel = await places.personal(team, user);
    if (channel === null)
      throw new JuryError(
        'usage',
        'this person has no personal chat with Jury: they install the app in Teams and write “hello” to it.',
      );
    const sent = `teams-invite:${key}`;
    if ((await store.get(sent, now())) !== null) return;
    const id = await messages.post(
      targetOf(channel, null),
      studyMessage(study, { done: 0, total: study.cases }),
    );
    await store.setIfAbsent(sent, id, now(), INVITED_MS);
  },
});

/** Tells a conversation of a change that was made for all of it. @param nameOf what people are called, as far as it is known */
export const createTeamsAnnouncer =
  (messages: Messages, nameOf: Places['nameOf']): OpenSurface['announce'] =>
  async (channel, line) => {
    if (kindOf(channel) !== 'direct')
      await messages.post(targetOf(channel, null), linesMessage(nameOf, [line]));
  };
