import type { EvalCase } from '../case/case.ts';
import { counted, firstSentence, usd } from '../common/text.ts';
import { isSameJudge, isScored, type Judge, type Judgement } from './judgement.ts';
import { type CriterionVerdict, type Range, shareText, type Trust, type Verdict } from './verdict.ts';

/** Outcome of a verdict, criterion or judgement, for marks and colors. */
export type Tone = 'pass' | 'fail' | 'scored' | 'undecided' | 'not-judged' | 'not-relevant' | 'unscored';

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

export interface CriterionRow {
  title: string;
  tone: Tone;
  /** `3–0` on binary scales, the mean score (`2.5 of 4`) on others; empty if no judge was asked. */
  tally: string;
  text: string;
}

/** A part of a card. Every surface renders each kind with one exhaustive switch. */
export type CardBlock =
  | { kind: 'headline'; tone: Tone; label: string; title: string; why: string }
  | { kind: 'trust'; share: string; such: string }
  | { kind: 'exchange'; user: string; system: string }
  | { kind: 'criteria'; rows: CriterionRow[] }
  | { kind: 'opinions'; title: string; role: 'dissent' | 'agreement' | 'unscored'; opinions: Opinion[] }
  | { kind: 'notes'; title: string; lines: string[] }
  | { kind: 'facts'; facts: { label: string; value: string }[] };

/** A verdict as neutral data; surfaces decide how it looks. */
export type Card = CardBlock[];

export interface CardTexts {
  personaTitle: (id: string) => string;
}

export const cardTexts = ({ personas }: { personas: ReadonlyMap<string, { title: string }> }): CardTexts => ({
  personaTitle: (id) => personas.get(id)?.title ?? id,
});

const round2 = (value: number): string => String(Math.round(value * 100) / 100);

const LABELS: Record<Verdict['decision'], string> = {
  pass: 'PASS',
  fail: 'FAIL',
  scored: 'SCORE',
  undecided: 'UNDECIDED',
};

/** A judge's name on its panel: the persona, with the model or sample number if those vary. */
export function judgeName(
  { judge }: Pick<Judgement, 'judge'>,
  panel: readonly Judge[],
  texts: CardTexts,
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

/** A score, with the scale's maximum if that is known. */
const scoreText = (score: number | null, scale: Range | undefined): string =>
  `${score === null ? '–' : round2(score)}${scale === undefined ? '' : ` of ${round2(scale.max)}`}`;

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
export const judgesOf = ({ judgements }: Verdict): Judge[] => judgements.map(({ judge }) => judge);

function opinionOf(judgement: Judgement, verdict: Verdict, texts: CardTexts): Opinion {
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

function rowOf(criterion: CriterionVerdict): CriterionRow {
  const { tally, decision, score, scale } = criterion;
  const votes = tally.pass + tally.fail > 0 ? `${tally.pass}–${tally.fail}` : '';
  return {
    title: criterion.title,
    tone: decision,
    tally: decision === 'scored' && score !== null ? scoreText(score, scale) : votes,
    text: firstSentence(criterion.rationale),
  };
}

/** Merges identical opinions. */
function merged(opinions: readonly Opinion[]): Opinion[] {
  const groups = new Map<string, Opinion>();
  for (const opinion of opinions) {
    const { judge, ...content } = opinion;
    const key = JSON.stringify(content);
    const first = groups.get(key);
    groups.set(key, first === undefined ? opinion : { ...first, judge: `${first.judge}, ${judge}` });
  }
  return [...groups.values()];
}

/** The deciding round in three groups: against the outcome, for it, and without an answer. */
function opinionBlocks(verdict: Verdict, texts: CardTexts): CardBlock[] {
  // If nothing could be rated, the panel was not asked, and there are only the raters.
  const last =
    verdict.decidedInRound === null
      ? (verdict.ratings ?? [])
      : verdict.judgements.filter(({ round }) => round === verdict.decidedInRound);
  const against = (judgement: Judgement) =>
    isScored(judgement) &&
    (verdict.decision === 'pass' || verdict.decision === 'fail') &&
    judgement.decision !== verdict.decision;
  const block = (
    title: string,
    role: 'dissent' | 'agreement' | 'unscored',
    list: Judgement[],
  ): CardBlock[] =>
    list.length === 0
      ? []
      : [
          {
            kind: 'opinions',
            title,
            role,
            opinions: merged(list.map((judgement) => opinionOf(judgement, verdict, texts))),
          },
        ];
  return [
    ...block('Dissent', 'dissent', last.filter(against)),
    ...block(
      'Panel',
      'agreement',
      last.filter((judgement) => isScored(judgement) && !against(judgement)),
    ),
    ...block(
      'No answer counted',
      'unscored',
      last.filter((judgement) => !isScored(judgement)),
    ),
  ];
}

/** Number and unit stay on one line. */
const seconds = (ms: number): string =>
  ms < 1000 ? `${Math.round(ms)}\u00a0ms` : `${round2(ms / 1000)}\u00a0s`;

/** What it cost; unknown prices are said as such. */
export function costText(costUsd: number | null): string {
  return costUsd === null ? 'unknown' : usd(costUsd);
}

function factsOf(verdict: Verdict): { label: string; value: string }[] {
  const said = [...(verdict.ratings ?? []), ...verdict.judgements];
  const models = [...new Set(said.map(({ judge }) => judge.model))];
  const { calls, rounds, tally, usage } = verdict;
  const saved =
    tally.notAsked > 0 && rounds > 0 && !verdict.cancelled ? `, ${tally.notAsked} not needed` : '';
  const cached = said
    .filter((judgement) => judgement.usage.fromCache)
    .reduce((total, { calls: questions = 1 }) => total + questions, 0);
  return [
    { label: 'rubric', value: verdict.rubric },
    { label: 'method', value: verdict.method },
    { label: models.length === 1 ? 'model' : 'models', value: models.join(', ') || 'none asked' },
    {
      label: 'asked',
      value: `${counted(calls, 'call')}${saved}${rounds > 1 ? ` in ${rounds} rounds` : ''}${cached > 0 ? `, ${cached} from cache` : ''}`,
    },
    { label: 'cost', value: models.every((model) => model === 'rules') ? 'free' : costText(usage.costUsd) },
    { label: 'took', value: seconds(verdict.durationMs) },
  ];
}

const notesOf = (title: string, lines: readonly string[]): CardBlock[] =>
  lines.length === 0 ? [] : [{ kind: 'notes', title, lines: [...lines] }];

/** A block of its own, so that surfaces can leave it out. */
const trustOf = (trust: Trust | undefined): CardBlock[] =>
  trust === undefined
    ? []
    : [
        {
          kind: 'trust',
          share: `Colleagues agreed with ${shareText(trust)} of similar verdicts`,
          such: `same rubric, method, models and decision, in the ${trust.days} days before`,
        },
      ];

/** A verdict's card: outcome and reason, trust, exchange, criteria, dissent before agreement, assumptions and remarks, facts. */
export function cardOf(verdict: Verdict, evalCase: EvalCase, texts: CardTexts, trust?: Trust): Card {
  const asked = evalCase.conversation.findLast(({ role }) => role === 'user');
  const score = verdict.score === null ? '' : ` ${scoreText(verdict.score, verdict.scale)}`;
  return [
    {
      kind: 'headline',
      tone: verdict.decision,
      label: `${LABELS[verdict.decision]}${score}`,
      title: verdict.caseId,
      why: verdict.why,
    },
    ...trustOf(trust),
    { kind: 'exchange', user: asked?.text ?? '', system: evalCase.response },
    { kind: 'criteria', rows: verdict.criteria.map(rowOf) },
    ...opinionBlocks(verdict, texts),
    ...notesOf('Assumed', verdict.assumed),
    ...notesOf('Remarks', verdict.remarks),
    { kind: 'facts', facts: factsOf(verdict) },
  ];
}
