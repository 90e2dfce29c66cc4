import { JuryError } from '../../common/errors.ts';
import type { KeyValue } from '../../common/key-value.ts';
import type { DigestPoster, PostKey } from '../../digests/digest-poster.ts';
import { TEAMS } from './ids.ts';
import type { Messages, Target } from './messages.ts';
import type { Places } from './places.ts';
import { digestDetails, digestMessage } from './render/digest.ts';
import { errorMessage } from './render/notices.ts';

interface PosterParts {
  store: KeyValue;
  messages: Messages;
  places: Places;
  now: () => number;
}

/** Teams keeps no key with a message, so the store keeps the message's id under the key: longer than a slot is retried. */
const KEPT_MS = 7 * 86_400_000;

const keyOf = ({ schedule, slot, part }: PostKey): string => `teams-digest:${schedule}/${slot}/${part}`;

const targetOf = (channel: string, thread: string | null): Target => ({ channel, thread });

/** Posts digests to Teams. */
export const createTeamsDigestPoster = ({ store, messages, places, now }: PosterParts): DigestPoster => ({
  surface: TEAMS,
  post: async ({ channel }, digest, key, thread) => {
    const shown = key.part === 'main' ? digestMessage(digest) : digestDetails(digest);
    const id = await messages.post(targetOf(channel, thread), shown);
    await store.setIfAbsent(keyOf(key), id, now(), KEPT_MS);
    return id;
  },
  find: (_target, key) => store.get(keyOf(key), now()),
  notify: async ({ team }, person, problem) => {
    const channel = person === null ? null : await places.personal(team, person);
    if (channel === null)
      throw new JuryError('usage', 'The owner of the digest has no personal chat with Jury.');
    await messages.post(targetOf(channel, null), errorMessage(problem));
  },
});
