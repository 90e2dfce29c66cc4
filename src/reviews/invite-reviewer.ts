import { changeWeek, choiceOf, readWeeks } from './kept-reviews.ts';
import { isOffered, isSaidBy, type ReviewParts, samplesFor } from './manage-reviews.ts';
import { openSlots } from './review-sample.ts';
import { type ReviewInvitation, reviewInvitation } from './review-words.ts';

/**
 * Invites a person once a week by a private message, if there is something for them to check. Resolves to whether they were invited.
 *
 * @param post sends the message; if it rejects, the person counts as not invited
 * @throws JuryError `store-unavailable`; whatever `post` throws
 */
export async function inviteReviewer(
  { store, now }: Pick<ReviewParts, 'store' | 'now'>,
  voter: string,
  post: (invitation: ReviewInvitation) => Promise<void>,
): Promise<boolean> {
  const at = now();
  if ((await choiceOf(store, voter, at)) !== 'volunteer') return false;
  const weeks = await readWeeks(store, voter, at);
  const [week] = weeks;
  if (week.skipped || week.invited) return false;
  const samples = await samplesFor(store, voter, null, at);
  const left = samples.flatMap((sample) => {
    const { run, entries, votes, perWeek } = sample;
    const open = entries.filter(
      (entry) =>
        openSlots(entry, votes).length > 0 && !isSaidBy(entry, voter) && !isOffered(weeks, run, entry.place),
    );
    return open.slice(0, Math.max(0, perWeek - week.offers.length));
  });
  const most = Math.max(0, ...samples.map(({ perWeek }) => perWeek - week.offers.length));
  const count = Math.min(left.length, most);
  if (count === 0) return false;
  const mark = (invited: boolean) =>
    changeWeek(store, voter, (now) => (now.invited === invited ? null : { ...now, invited }), at);
  if (!(await mark(true))) return false;
  try {
    await post(reviewInvitation(count));
  } catch (thrown) {
    await mark(false);
    throw thrown;
  }
  return true;
}
