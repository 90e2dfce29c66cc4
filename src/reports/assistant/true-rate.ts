import { groupedBy } from '../../common/index.ts';
import { MIN_FOR_SHARE } from '../../labels/agreement/index.ts';
import {
  isSampleOf,
  type ReviewedAnswer as KeptAnswer,
  type ReviewedRun as KeptRun,
  type ReviewDesign,
} from '../../reviews/index.ts';
import {
  type CorrectedShare,
  carriedShare,
  correctedDifference,
  type Known,
  type PartlyKnown,
  postStratifiedShare,
  type SampledAnswer,
  sum,
  trendOf,
} from '../../statistics/index.ts';
import { STEADY } from '../estimates/index.ts';
import { askedTwice, rateKindOf } from './answer-changes.ts';
import { type Answer, type Answers, passShare } from './answers.ts';
import type { AssistantChange, TrueRate, Unknown } from './assistant-report.ts';
import { unknownText } from './reason-words.ts';

/** What counts here of an answer that was drawn by chance and that people checked. */
export type ReviewedAnswer = Pick<
  KeptAnswer,
  'place' | 'unit' | 'rubric' | 'decision' | 'split' | 'stratum' | 'right'
>;

type Stratum = ReviewDesign['strata'][number];

/** The checked answers of a run, and how they were drawn: each of a stratum with the same probability. */
export interface ReviewedRun extends Pick<KeptRun, 'made'> {
  design: Pick<ReviewDesign, 'run'> & {
    strata: readonly Pick<Stratum, 'name' | 'decision' | 'split' | 'size' | 'checked'>[];
  };
  answers: readonly ReviewedAnswer[];
  unchecked: readonly KeptRun['unchecked'][number][];
}

type Right = Known['right'];

const truthOf = ({ facts }: Answer): Right | null => facts[0]?.truth ?? null;

/** The decision of an answer over its repeats; half and half counts as a split pass. */
function judgedOf(answer: Answer, passed: number, known: Known | null): PartlyKnown {
  const isSplit = (passed > 0 && passed < 1) || answer.facts.some((fact) => fact.isSplit);
  return { decision: passed >= 0.5 ? 'pass' : 'fail', isSplit, unit: answer.unit, known };
}

/** The answers that the first repeat decided, with its decisions: samples are drawn from these. */
const firstJudged = ({ answers }: Answers, knownOf: (answer: Answer) => Known | null) =>
  answers.flatMap((answer) => {
    const first = answer.facts.find(({ repeat }) => repeat === 1);
    if (first === undefined || (first.outcome !== 'pass' && first.outcome !== 'fail')) return [];
    const { outcome: decision, isSplit } = first;
    const judged: PartlyKnown = { decision, isSplit, unit: answer.unit, known: knownOf(answer) };
    return [{ answer, judged }];
  });

/** The decided answers, each with what `knownOf` knows about it. */
const judgedAnswers = ({ answers }: Answers, knownOf: (answer: Answer) => Known | null) =>
  answers.flatMap((answer) => {
    const passed = passShare(answer);
    return passed === null ? [] : [{ answer, judged: judgedOf(answer, passed, knownOf(answer)) }];
  });

type Judged = ReturnType<typeof judgedAnswers>;

/**
 * The checked answers of a run, weighted by how many of the run each stands for: 1 over the probability of being drawn and checked. Those
 * of a stratum stand for the ones that were drawn and not checked, too.
 */
function weighted({ design, answers }: ReviewedRun): (ReviewedAnswer & { weight: number })[] {
  const weights = new Map(design.strata.map(({ name, size, checked }) => [name, size / checked]));
  return answers.flatMap((one) => {
    const weight = weights.get(one.stratum);
    return weight === undefined ? [] : [{ ...one, weight }];
  });
}

/**
 * What is not known of samples: how many were drawn and not checked, or checked by people who were not sure, and strata without any. Of a
 * sample with several rubrics only those of `rubrics` count; how large a stratum of one of them is, only its drawn answers tell.
 */
function gapsOf(runs: readonly ReviewedRun[], rubrics: readonly string[]) {
  const isMeant = ({ rubric }: { rubric: string }) => rubrics.includes(rubric);
  const strata = runs.flatMap(({ design, answers, unchecked }) => {
    const isWhole = [...answers, ...unchecked].every(isMeant);
    return design.strata.map((stratum) => {
      const isIn = (one: { stratum: string; rubric: string }) => one.stratum === stratum.name && isMeant(one);
      const left = unchecked.filter(isIn).length;
      const checked = answers.filter(isIn).length;
      return { ...stratum, checked, size: isWhole ? stratum.size : left + checked };
    });
  });
  const named = groupedBy(strata, ({ name }) => name);
  const unchecked = runs.flatMap((run) => run.unchecked.filter(isMeant));
  return {
    unchecked: unchecked.length,
    unsure: unchecked.filter(({ isUnsure }) => isUnsure).length,
    unseen: [...named.values()].flatMap((own) => {
      const [first] = own;
      const size = sum(own.map((one) => one.size));
      if (first === undefined || size === 0 || own.some(({ checked }) => checked > 0)) return [];
      const { decision, split } = first;
      return [{ decision, split, size }];
    }),
  };
}

const rubricsOf = ({ answers, unchecked }: ReviewedRun): string[] =>
  [...answers, ...unchecked].map(({ rubric }) => rubric);

/** A true rate and what it rests on; `own` is null unless it rests on what is known about these very answers. */
interface FoundRate {
  rate: TrueRate;
  own: { judged: Judged; share: CorrectedShare } | null;
}

const none = (because: Unknown): FoundRate => ({
  rate: { source: null, why: unknownText(because), because },
  own: null,
});

const estimateOf = (
  { measure, interval }: Pick<CorrectedShare, 'measure' | 'interval'>,
  by: 'wilson' | 'corrected',
) => ({ measure, interval: interval.defined ? { ...interval, by } : interval });

/** From labels of all these answers; null if there are not enough of them. */
function fromLabels(now: Answers): FoundRate | null {
  const judged = judgedAnswers(now, (answer) => {
    const right = truthOf(answer);
    return right === null ? null : { right, weight: 1 };
  });
  if (judged.length < MIN_FOR_SHARE || judged.some((one) => one.judged.known === null)) return null;
  const share = postStratifiedShare(judged.map((one) => one.judged));
  if (!share.interval.defined) return null;
  return {
    rate: { source: 'labels', n: judged.length, ...estimateOf(share, 'wilson') },
    own: { judged, share },
  };
}

/** From answers of this run that were drawn and checked; null if these are not enough. */
function fromOwnSample(now: Answers, sample: ReviewedRun | undefined): FoundRate | null {
  if (sample === undefined) return null;
  const checked = new Map(weighted(sample).map((one) => [one.place, one]));
  const judged = firstJudged(now, ({ place }) => checked.get(place) ?? null);
  const n = judged.filter((one) => one.judged.known !== null).length;
  if (n < MIN_FOR_SHARE) return null;
  const share = postStratifiedShare(judged.map((one) => one.judged));
  if (!share.interval.defined) return null;
  return {
    rate: { source: 'sample', n, ...gapsOf([sample], rubricsOf(sample)), ...estimateOf(share, 'wilson') },
    own: { judged, share },
  };
}

/**
 * From answers of other runs that were drawn and checked; null if these are not enough. Judges err differently by each rubric, so there is
 * no such rate of a run with several.
 */
function fromOtherSamples(now: Answers, others: readonly ReviewedRun[]): FoundRate | null {
  const first = firstJudged(now, () => null);
  const rubrics = [...new Set(first.map(({ answer }) => answer.rubric))];
  const runs = others.flatMap((run) => {
    const answers = run.answers.filter(({ rubric }) => rubrics.includes(rubric));
    return answers.length === 0 ? [] : [{ ...run, answers }];
  });
  const sampled = runs.flatMap((run) =>
    weighted(run).map((one): SampledAnswer => {
      const { decision, split, unit, right, weight, stratum } = one;
      return {
        decision,
        isSplit: split,
        unit,
        right,
        weight,
        draw: JSON.stringify([run.design.run, stratum]),
      };
    }),
  );
  const n = sampled.length;
  if (n < MIN_FOR_SHARE) return null;
  if (rubrics.length > 1)
    return none({ kind: 'severalRubrics', rubrics: rubrics.length, checked: n, runs: runs.length });
  const judged = first.map((one) => one.judged);
  const share = carriedShare(judged, sampled);
  if (!share.interval.defined)
    return none({ kind: 'noInterval', checked: n, runs: runs.length, why: share.interval.why });
  return {
    rate: {
      source: 'other-samples',
      n,
      ...gapsOf(runs, rubrics),
      runs: runs.length,
      ...estimateOf(share, 'corrected'),
    },
    own: null,
  };
}

/** Why there is no true rate. */
function whyNone(now: Answers, sample: ReviewedRun | undefined): Unknown {
  const judged = judgedAnswers(now, () => null);
  const labeled = judged.filter(({ answer }) => truthOf(answer) !== null).length;
  if (labeled > 0 && labeled === judged.length)
    return labeled < MIN_FOR_SHARE
      ? { kind: 'fewLabels', needed: MIN_FOR_SHARE, count: labeled }
      : { kind: 'oneGroup' };
  return { kind: 'needsChecks', needed: MIN_FOR_SHARE, checked: sample?.answers.length ?? null };
}

function findRate(now: Answers, reviewed: readonly ReviewedRun[]): FoundRate {
  if (rateKindOf(now) === 'score') return none({ kind: 'scores' });
  const isOwn = ({ design: { run }, made }: ReviewedRun): boolean => isSampleOf({ run, made }, now.manifest);
  const sample = reviewed.find(isOwn);
  return (
    fromLabels(now) ??
    fromOwnSample(now, sample) ??
    fromOtherSamples(
      now,
      reviewed.filter((run) => !isOwn(run)),
    ) ??
    none(whyNone(now, sample))
  );
}

/**
 * The share of decided answers that are truly right: from labels of all of them; otherwise from those of them that were drawn with known
 * probabilities and checked; otherwise from answers of other runs by the same judges that were. Votes and labels of some of the answers
 * do not count: people vote on what is suspicious, and how the labeled ones were chosen is not known.
 * @param reviewed checked answers of this run, and of others that the same judges decided by the same prompts and rubrics at about the
 * same time: judges change with their models
 */
export const trueRate = (now: Answers, reviewed: readonly ReviewedRun[]): TrueRate =>
  findRate(now, reviewed).rate;

type OwnRate = NonNullable<FoundRate['own']>;

/** The influences of answers, summed up by unit. @param unitOf undefined for answers that are left out */
function influenceBy(
  { judged, share }: OwnRate,
  unitOf: (answer: Answer) => number | undefined,
): Map<number, number> {
  const sums = new Map<number, number>();
  for (const [at, { answer }] of judged.entries()) {
    const unit = unitOf(answer);
    if (unit !== undefined) sums.set(unit, (sums.get(unit) ?? 0) + (share.influence[at] ?? 0));
  }
  return sums;
}

/** The correlation of two true rates: above 0 where they are about answers to the same requests. */
function correlationOf(later: OwnRate, earlier: OwnRate, pairs: ReturnType<typeof askedTwice>): number {
  const unitNow = new Map(pairs.map(({ then, now }) => [then.place, now.unit]));
  const [now, then] = [later, earlier].map((own) => influenceBy(own, ({ unit }) => unit));
  const shared = influenceBy(earlier, ({ place }) => unitNow.get(place));
  const squares = (sums = new Map<number, number>()): number =>
    sum([...sums.values()].map((one) => one ** 2));
  const scale = Math.sqrt(squares(now) * squares(then));
  const both = sum([...shared].map(([unit, one]) => one * (now?.get(unit) ?? 0)));
  return scale === 0 ? 0 : Math.max(-1, Math.min(1, both / scale));
}

/**
 * How the true rate changed between two runs, later minus earlier; null unless both are known from their own answers: rates from other
 * runs' samples share the errors of these.
 */
export function correctedChange(
  now: Answers,
  then: Answers,
  reviewed: readonly ReviewedRun[] = [],
): AssistantChange['difference'] {
  const [later, earlier] = [findRate(now, reviewed).own, findRate(then, reviewed).own];
  if (later === null || earlier === null) return null;
  const { measure, interval } = correctedDifference(
    later.share,
    earlier.share,
    correlationOf(later, earlier, askedTwice(then, now)),
  );
  if (!measure.defined || !interval.defined) return null;
  return {
    value: measure.value,
    n: measure.n,
    interval: { ...interval, by: 'corrected' },
    trend: trendOf(interval, STEADY.answers),
  };
}
