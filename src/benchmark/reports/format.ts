import type { EvalCase } from '../../case/case.ts';
import { clipped } from '../../common/text.ts';
import type { Alpha } from '../../labels/answers.ts';
import type { Interval } from '../../statistics/measure.ts';
import type { SpokenTrial } from '../trial.ts';
import type { PairReport, ReportInterval, ReportMeasure } from './measures.ts';
import type { Words } from './mistake.ts';

/** In place of a missing number. */
export const NONE = '–';

function fixedNumber(value: number, digits: number): string {
  const text = Math.abs(value).toFixed(digits);
  return value < 0 && Number(text) !== 0 ? `−${text}` : text;
}

export const fixed = (measure: ReportMeasure, digits = 3): string =>
  measure.defined ? fixedNumber(measure.value, digits) : NONE;

/** `0.25–0.75`, or `−0.25 to 0.75` if a sign would be hard to see next to a dash. */
export function rangeText(interval: Interval, digits = 3): string {
  if (!interval.defined) return NONE;
  const low = fixedNumber(interval.low, digits);
  return `${low}${low.startsWith('−') ? ' to ' : '–'}${fixedNumber(interval.high, digits)}`;
}

export const percent = (measure: ReportMeasure): string =>
  measure.defined ? `${(100 * measure.value).toFixed(1)} %` : NONE;

/** `6.7–35.9 %`. */
export const percentRange = (interval: Interval): string =>
  interval.defined ? `${(100 * interval.low).toFixed(1)}–${(100 * interval.high).toFixed(1)} %` : NONE;

/** `0.161 (0.134–0.189)`: alpha with its 95 % interval. */
export const alphaText = (alpha: Alpha): string =>
  alpha.defined ? `${fixed(alpha)}${alpha.interval.defined ? ` (${rangeText(alpha.interval)})` : ''}` : NONE;

/** A difference with its sign. */
export const signed = (measure: ReportMeasure, digits = 3): string =>
  measure.defined ? signedNumber(measure.value, digits) : NONE;

const signedNumber = (value: number, digits: number): string => {
  const text = Math.abs(value).toFixed(digits);
  return `${Number(text) === 0 ? '±' : value < 0 ? '−' : '+'}${text}`;
};

export const signedRange = (interval: ReportInterval, digits = 3): string =>
  interval.defined ? `${signedNumber(interval.low, digits)} to ${signedNumber(interval.high, digits)}` : NONE;

/** Milliseconds as people read them. */
export function duration(ms: number): string {
  if (ms < 1) return ms === 0 ? '0 ms' : '<1 ms';
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1000).toFixed(1)} s`;
  return `${(ms / 60_000).toFixed(1)} min`;
}

/** A measure by one of the formats above, or a dash. */
export const shown = (measure: ReportMeasure, format: (value: number) => string): string =>
  measure.defined ? format(measure.value) : NONE;

export const pText = (measure: ReportMeasure): string =>
  measure.defined ? (measure.value < 0.001 ? '< 0.001' : measure.value.toFixed(3)) : NONE;

/** A p-value, and beside it the one adjusted for several comparisons. */
export const pTexts = ({ pValue, holm }: Pick<PairReport, 'pValue' | 'holm'>): string =>
  `p ${pText(pValue)}${holm === null ? '' : `, Holm ${pText(holm)}`}`;

/** Characters of one text in a report; longer texts are clipped visibly. */
const MAX_TEXT = 6000;

function said(judgement: SpokenTrial['judgements'][number]): Words['judgements'][number] {
  const { round, judge, decision, score, confidence, reason, rationale, message } = judgement;
  const { persona, model, sample } = judge;
  const text = clipped(rationale ?? message ?? '', MAX_TEXT);
  return { round, persona, model, sample, decision, score, confidence, reason, text };
}

/** The case's fields other than the conversation and the response. */
function givenIn(evalCase: EvalCase): string | null {
  const { id, rubric, conversation, response, label, ...rest } = evalCase;
  return Object.keys(rest).length === 0 ? null : clipped(JSON.stringify(rest, null, 1), MAX_TEXT);
}

/** The texts of a case that a report shows. */
export const textsOf = (evalCase: EvalCase): Omit<Words, 'judgements'> => ({
  conversation: evalCase.conversation.map(({ role, text }) => ({ role, text: clipped(text, MAX_TEXT) })),
  response: clipped(evalCase.response, MAX_TEXT),
  given: givenIn(evalCase),
});

/** What the judges of a trial said. */
export const judgementsOf = ({ judgements }: SpokenTrial): Words['judgements'] => judgements.map(said);

/** The texts of a case and what the judges of a trial said. */
export const wordsOf = (evalCase: EvalCase, trial: SpokenTrial): Words => ({
  ...textsOf(evalCase),
  judgements: judgementsOf(trial),
});
