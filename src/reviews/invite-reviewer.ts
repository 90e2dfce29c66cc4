import { type KeyValue, type Sender, type SentOnce, sendOnce } from '../common/index.ts';
import type { Person } from '../labels/access/index.ts';
import {
  choiceOf,
  claimedBy,
  deletePerson,
  invitedThisWeek,
  noteAsked,
  readWeeks,
  wasAsked,
} from './kept-reviews.ts';
import { isOffered, isSaidBy, type ReviewParts, samplesFor, standingOffers } from './manage-reviews.ts';
import { openSlots, type ReviewEntry } from './review-sample.ts';
import { type ReviewInvitation, reviewInvitation } from './review-words.ts';

/** A surface on which people can be invited. */
export interface ReviewPoster {
  /** The surface of the people it can reach. */
  surface: string;
  /**
   * Sends a person the message from which they check answers, unless one with this key has already been sent to them. Rejects with a
   * JuryError `usage` if it can never be sent.
   *
   * @param key the same for everyone who is invited that week
   * @param since when the week began, ms since the epoch: no message with this key is older
   */
  invite(person: Person, invitation: ReviewInvitation, key: string, since: number): Promise<void>;
}

/** How many answers there are for a person to check this week. @throws JuryError `store-unavailable` */
export async function countToReview(
  { store, now }: Pick<ReviewParts, 'store' | 'now'>,
  voter: string,
): Promise<number> {
  const at = now();
  const weeks = await readWeeks(store, voter, at);
  const [week] = weeks;
  if (week.skipped) return 0;
  const standing = await standingOffers(store, voter, weeks, at);
  const samples = await samplesFor(store, voter, null, at);
  let left = 0;
  for (const { run, entries, votes, perWeek } of samples) {
    const room = Math.max(0, perWeek - week.offers.length);
    let own = 0;
    for (const entry of entries) {
      if (own === room) break;
      if (isSaidBy(entry, voter) || isOffered(weeks, run, entry.place)) continue;
      if (await isFree(store, run, entry, votes, voter, at)) own += 1;
    }
    left += own;
  }
  const most = Math.max(0, ...samples.map(({ perWeek }) => perWeek - week.offers.length));
  return standing.length + Math.min(left, most);
}

/** Whether fewer people than are wanted have answered or are asked about an answer now. */
async function isFree(
  store: KeyValue,
  run: string,
  entry: ReviewEntry,
  votes: number,
  voter: string,
  now: number,
): Promise<boolean> {
  for (const slot of openSlots(entry, votes)) {
    const claimed = await claimedBy(store, { run, place: entry.place, slot }, now);
    if (claimed === null || claimed === voter) return true;
  }
  return false;
}

/** `none`: there is nothing to check, the person is checking already, or does not want to be asked. */
export type InvitedReviewer = SentOnce | { outcome: 'none' };

/**
 * Invites a person by a private message if there is something for them to check: volunteers once a week; others once in 30 days, with what
 * it is about. No matter how many processes call this or die halfway, each message is sent once.
 *
 * @throws JuryError `store-unavailable`; calling it again resumes
 */
export async function inviteReviewer(
  sender: Pick<ReviewParts, 'store'> & Sender,
  poster: ReviewPoster,
  { person, voter }: { person: Person; voter: string },
): Promise<InvitedReviewer> {
  const { store, now } = sender;
  const at = now();
  const choice = await choiceOf(store, voter, at);
  if (choice === 'never' || (choice === null && (await wasAsked(store, voter, at))))
    return { outcome: 'none' };
  const weeks = await readWeeks(store, voter, at);
  if ((await standingOffers(store, voter, weeks, at)).length > 0) return { outcome: 'none' };
  const count = await countToReview(sender, voter);
  if (count === 0) return { outcome: 'none' };
  const { key, week, since, keptMs } = invitedThisWeek(voter, at);
  const send = () =>
    poster.invite(person, reviewInvitation(count, choice === null, 'en'), `review:${week}`, since);
  const invited = await sendOnce(sender, key, send, keptMs);
  if (choice === null && (invited.outcome === 'sent' || invited.outcome === 'known'))
    await noteAsked(store, voter, at);
  // Someone who is erased meanwhile must not come back: erasing takes them out of the samples, then deletes what was noted.
  if ((await samplesFor(store, voter, null, at)).length === 0) await deletePerson(store, voter, at);
  return invited;
}
