import { type AmongPeople, amongPeople } from './among-people.ts';
import { type JudgesAndPeople, judgesAndPeople } from './judges-and-people.ts';
import { verdictsIn } from './verdicts-in.ts';
import type { VoteTally } from './vote.ts';
import type { CountRow } from './vote-counts.ts';

/** How far people agree with the judges and among themselves. */
export interface Agreement {
  /** With a vote; at least so many, where several judges of the group sit on one verdict. */
  verdicts: number;
  votes: VoteTally;
  judges: JudgesAndPeople;
  people: AmongPeople;
}

/**
 * Agreement from counts of one kind of subject, with intervals by verdict. Costs by the distinct tallies, not by the votes. What
 * nobody voted on does not enter.
 *
 * @param least votes that agree or disagree without which a subject does not enter
 */
export function agreementOf(rows: readonly CountRow[], least = 0): Agreement {
  const voted = rows.filter(({ tally: { agree, disagree, unsure }, items }) => {
    const said = agree + disagree;
    return items > 0 && said + unsure > 0 && said >= least;
  });
  const votes = { agree: 0, disagree: 0, unsure: 0 };
  for (const { tally, items } of voted) {
    votes.agree += items * tally.agree;
    votes.disagree += items * tally.disagree;
    votes.unsure += items * tally.unsure;
  }
  return {
    verdicts: verdictsIn(voted),
    votes,
    judges: judgesAndPeople(voted),
    people: amongPeople(voted),
  };
}
