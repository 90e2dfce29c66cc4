import { groupedBy } from '../common/collections.ts';
import { isSameJudge, isScored, type Judge, type Judgement } from './judgement.ts';
import type { Range, Verdict } from './verdict.ts';
import { scoreText } from './why.ts';

/** Outcome of a verdict, criterion or judgement, for marks and colors. */
export type Tone = 'pass' | 'fail' | 'scored' | 'undecided' | 'not-judged' | 'not-relevant' | 'unscored';

/** What one judge says, or several in the same words. */
export interface Opinion {
  judge: string;
  tone: Tone;
  /** `fail`, `score 3 of 4`, `no answer (timeout)`, with the confidence if the judge stated one. */
  stance: string;
  text: string;
  /** Earlier stances, oldest first, if the judge changed its mind in a debate. */
  before: string[];
  caveat: string | null;
}

/** Titles of personas by id. */
export interface PersonaTexts {
  personaTitle: (id: string) => string;
}

/** A judge's name on its panel: the persona, with the model or sample number if those vary. */
export function judgeName(
  { judge }: Pick<Judgement, 'judge'>,
  panel: readonly Judge[],
  texts: PersonaTexts,
): string {
  const severalModels = new Set(panel.map(({ model }) => model)).size > 1;
  const samples = panel.some(
    ({ sample, model, persona }) => sample > 0 && persona === judge.persona && model === judge.model,
  );
  const who = judge.persona === null ? judge.model : texts.personaTitle(judge.persona);
  const model = severalModels && judge.persona !== null ? ` (${judge.model})` : '';
  const sample = samples ? ` #${judge.sample + 1}` : '';
  return `${who}${model}${sample}`;
}

/** A judgement's answer in a few words. */
export function stanceOf(judgement: Judgement, scale: Range | undefined): string {
  if (!isScored(judgement))
    return judgement.reason === 'not-relevant' ? 'not relevant' : `no answer (${judgement.reason})`;
  const { decision, score, confidence } = judgement;
  const answer = decision === 'scored' ? `score ${scoreText(score, scale)}` : decision;
  return confidence === null ? answer : `${answer}, ${Math.round(confidence * 100)} % sure`;
}

/** An earlier stance; the latest one shows the scale. */
const shortStance = (judgement: Judgement): string =>
  isScored(judgement) && judgement.score !== null
    ? scoreText(judgement.score, undefined)
    : stanceOf(judgement, undefined);

export const toneOf = (judgement: Judgement): Tone => {
  if (isScored(judgement)) return judgement.decision;
  return judgement.reason === 'not-relevant' ? 'not-relevant' : 'unscored';
};

/** The judges of all judgements, so a judge may occur several times. */
export const judgesOf = ({ judgements }: Pick<Verdict, 'judgements'>): Judge[] =>
  judgements.map(({ judge }) => judge);

function opinionOf(judgement: Judgement, verdict: Verdict, texts: PersonaTexts): Opinion {
  const { scale } = verdict;
  const before = verdict.judgements
    .filter((other) => other.round < judgement.round && isSameJudge(other.judge, judgement.judge))
    .map((other) => ({ stance: stanceOf(other, scale), short: shortStance(other) }));
  const changed = before.some(({ stance }) => stance !== stanceOf(judgement, scale));
  return {
    judge: judgeName(judgement, judgesOf(verdict), texts),
    tone: toneOf(judgement),
    stance: stanceOf(judgement, scale),
    text: isScored(judgement) ? judgement.rationale : judgement.message,
    before: changed ? before.map(({ short }) => short) : [],
    caveat: isScored(judgement) ? (judgement.caveat ?? null) : null,
  };
}

/** Judgements as opinions; what several judges say in the same words is one. */
export function opinionsOf(
  judgements: readonly Judgement[],
  verdict: Verdict,
  texts: PersonaTexts,
): Opinion[] {
  const all = judgements.map((judgement) => opinionOf(judgement, verdict, texts));
  const same = groupedBy(all, ({ judge: _, ...content }) => JSON.stringify(content));
  return [...same.values()].flatMap(([first, ...others]) =>
    first === undefined ? [] : [{ ...first, judge: [first, ...others].map(({ judge }) => judge).join(', ') }],
  );
}
