/**
 * What people do to a verdict: votes, blind answers, reactions, rulings, gold cases. It knows no buttons; permissions are checked
 * before it is called. Start reading: `cast-vote.ts`.
 */
export {
  Adjudication,
  type AdjudicationStore,
  errorProblem,
  keepRuling,
  type NoteRuling,
  type Ruled,
  type Ruling,
  rulingOn,
  type Voted,
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
export {
  addGold,
  addVerdictAsGold,
  GOLD_ROLE,
  type GoldCase,
  type GoldOutcome,
  isGoldRight,
  rightOfLabel,
  withoutAnswer,
} from './gold-case.ts';
export { noteRulingShown, noteRulingsToShow, rulingsToShow } from './rulings-to-show.ts';
