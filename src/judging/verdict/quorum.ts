import { type Judgement, notRelevantOf, scoredOf } from './judgement.ts';

/** The answers that a panel's verdict needs: more than half. */
export const quorumOf = (panelSize: number): number => Math.floor(panelSize / 2) + 1;

/** Whether enough judges answered; finding the rubric not relevant is an answer. */
export const hasQuorum = (round: readonly Judgement[], panelSize: number): boolean =>
  scoredOf(round).length + notRelevantOf(round).length >= quorumOf(panelSize);

/** Whether so many judges find the rubric not relevant that this is the panel's answer. */
export const isNotRelevant = (notRelevant: number, panelSize: number): boolean =>
  notRelevant >= quorumOf(panelSize);
