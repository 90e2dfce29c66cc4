/**
 * What people do to a verdict: votes, blind answers, reactions, rulings, gold cases. It knows no buttons; permissions are checked
 * before it is called. Start reading: `cast-vote.ts`.
 */
export {
  Adjudication,
  type AdjudicationStore,
  addGold,
  errorProblem,
  type GoldCase,
  type GoldOutcome,
  isGoldRight,
  keepRuling,
  type NoteRuling,
  type Ruled,
  type Ruling,
  rightOfLabel,
  rulingOn,
  type Voted,
  withoutAnswer,
} from './adjudication.ts';
export {
  addToBlind,
  type CastOutcome,
  castBlind,
  castByReaction,
  castThumbVote,
  firstOffered,
  hasSeen,
  sameAnswer,
  standingVote,
  takeBackBlind,
  takeBackReaction,
  type Voter,
  type VoteStore,
  voteOf,
} from './cast-vote.ts';
