import { isScored } from '../judging/judgement.ts';
import { rangeOfVerdict } from '../judging/verdict.ts';
import type { LabelRule } from './label.ts';
import { decidingJudges, saidOf, type VotedVerdict } from './vote-queue.ts';

/** Why a verdict is in the queue. */
export type QueueReason =
  | { kind: 'undecided' }
  | { kind: 'judges-split'; more: number; fewer: number }
  | { kind: 'scores-apart'; lowest: number; highest: number }
  | { kind: 'judges-unsure'; confidence: number }
  | { kind: 'judges-unscored'; unscored: number; asked: number }
  | { kind: 'votes-split'; more: number; fewer: number }
  | { kind: 'few-votes'; votes: number; least: number };

/** Mean confidence of the judges below which it is told. */
const SURE = 0.7;
/** Share of the scale that scores have to differ by to be told. */
const APART = 0.25;

function ofJudges({ record }: VotedVerdict): QueueReason[] {
  const judges = decidingJudges(record);
  const scored = judges.filter(isScored);
  const passes = scored.filter(({ decision }) => decision === 'pass').length;
  const fails = scored.filter(({ decision }) => decision === 'fail').length;
  const scores = scored.flatMap(({ score }) => score ?? []);
  const [lowest, highest] = [Math.min(...scores), Math.max(...scores)];
  const range = rangeOfVerdict(record.verdict);
  const stated = scored.flatMap(({ confidence }) => confidence ?? []);
  const confidence = stated.reduce((sum, one) => sum + one, 0) / stated.length;
  return [
    ...(passes > 0 && fails > 0
      ? [{ kind: 'judges-split' as const, more: Math.max(passes, fails), fewer: Math.min(passes, fails) }]
      : record.verdict.decision === 'undecided'
        ? [{ kind: 'undecided' as const }]
        : []),
    ...(range !== null && scores.length > 1 && highest - lowest >= APART * (range.max - range.min)
      ? [{ kind: 'scores-apart' as const, lowest, highest }]
      : []),
    ...(stated.length > 0 && confidence < SURE ? [{ kind: 'judges-unsure' as const, confidence }] : []),
    ...(scored.length > 0 && scored.length < judges.length
      ? [{ kind: 'judges-unscored' as const, unscored: judges.length - scored.length, asked: judges.length }]
      : []),
  ];
}

function ofVotes(one: VotedVerdict, { least }: Pick<LabelRule, 'least'>): QueueReason[] {
  const said = saidOf(one);
  const passes = said.filter((right) => right.kind === 'decision' && right.decision === 'pass').length;
  const fails = said.filter((right) => right.kind === 'decision' && right.decision === 'fail').length;
  if (passes > 0 && fails > 0)
    return [{ kind: 'votes-split', more: Math.max(passes, fails), fewer: Math.min(passes, fails) }];
  return said.length < least ? [{ kind: 'few-votes', votes: said.length, least }] : [];
}

/** Why somebody should vote on a verdict: first what the judges give cause for, then what the votes do. */
export const reasonsOf = (one: VotedVerdict, rule: Pick<LabelRule, 'least'>): QueueReason[] => [
  ...ofJudges(one),
  ...ofVotes(one, rule),
];

const round2 = (value: number): string => String(Math.round(value * 100) / 100);

function textOf(reason: QueueReason): string {
  switch (reason.kind) {
    case 'undecided':
      return 'the panel could not decide';
    case 'judges-split':
      return `judges split ${reason.more}–${reason.fewer}`;
    case 'scores-apart':
      return `judges score from ${round2(reason.lowest)} to ${round2(reason.highest)}`;
    case 'judges-unsure':
      return `judges are ${Math.round(reason.confidence * 100)} % sure`;
    case 'judges-unscored':
      return `${reason.unscored} of ${reason.asked} judges gave no answer`;
    case 'votes-split':
      return `votes split ${reason.more}–${reason.fewer}`;
    case 'few-votes':
      return reason.votes === 0
        ? `no vote of at least ${reason.least}`
        : `${reason.votes} ${reason.votes === 1 ? 'vote' : 'votes'} of at least ${reason.least}`;
  }
}

/** `judges split 2–1, 1 vote of at least 3`. */
export const reasonsText = (reasons: readonly QueueReason[]): string => reasons.map(textOf).join(', ');
