import { isDeepStrictEqual } from 'node:util';
import { yardstickOf } from '../../benchmark/index.ts';
import { frequencies, groupedBy } from '../../common/index.ts';
import { sum, unmeasured } from '../../statistics/index.ts';
import {
  type Change,
  type ChangeKind,
  changeBetween,
  countOutcomes,
  type ReportInterval,
  type SeparateResult,
} from '../estimates/index.ts';
import { type Answer, type Answers, type Changed, meanScore, passShare } from './answers.ts';
import type { AssistantChange, ChangedGroup, Obstacle } from './assistant-report.ts';
import { obstacleText } from './reason-words.ts';
import { type RequestMix, requestMix } from './request-mix.ts';

/** If the share of decided answers changes by more than this, the two pass rates measure different things. */
const COVERAGE = 0.05;

/** Two answers to the same request, from the earlier and the later run. */
interface Pair {
  then: Answer;
  now: Answer;
}

export type RateKind = 'pass' | 'score';

/** Scores are reported if no answer has a decision, and some have a score. */
export const rateKindOf = ({ answers }: Answers): RateKind =>
  answers.every((one) => passShare(one) === null) && answers.some((one) => meanScore(one) !== null)
    ? 'score'
    : 'pass';

export const resultOf = (kind: RateKind): ((answer: Answer) => number | null) =>
  kind === 'pass' ? passShare : meanScore;

const isUnchanged = ({ then, now }: Pair): boolean => then.response === now.response;

type Judging = Pick<Answers, 'setup' | 'manifest'>;

const judgedBy = ({ setup: { method, models } }: Judging) => ({ method, models: [...models] });

/**
 * Why the two runs' judgements differ: changed rubrics, method, judges or prompts. Older runs record rubrics and methods only through their
 * prompts.
 */
function judgingReasons(before: Judging, after: Judging, rubrics: readonly string[]): Obstacle[] {
  const { method } = after.setup;
  const yardsticks = rubrics.map((rubric) => ({
    // Of the later run's method, because judgedBy() tells of another one.
    before: yardstickOf({ manifest: before.manifest, setup: { ...before.setup, method } }, rubric),
    after: yardstickOf(after, rubric),
  }));
  const isChanged = (of: 'rubric' | 'method') =>
    yardsticks.filter((one) => {
      const [, then] = one.before[of];
      const [, now] = one.after[of];
      return then !== null && now !== null && then !== now;
    });
  const changed = isChanged('rubric').map((one) => one.after.rubric[0]);
  const named = rubrics.length === 1 ? [] : changed;
  const [was, now] = [judgedBy(before), judgedBy(after)];
  const obstacles: Obstacle[] = [
    ...(changed.length > 0 ? [{ kind: 'rubricChanged', named } as const] : []),
    ...(isChanged('method').length > 0 ? [{ kind: 'methodChanged', method } as const] : []),
    ...(isDeepStrictEqual(was, now) ? [] : [{ kind: 'judges', now, was } as const]),
  ];
  if (obstacles.length > 0) return obstacles;
  if (yardsticks.some((one) => !isDeepStrictEqual(one.before.seats, one.after.seats)))
    return [{ kind: 'seats' }];
  return yardsticks.some((one) => !isDeepStrictEqual(one.before.prompts, one.after.prompts))
    ? [{ kind: 'prompts' }]
    : [];
}

/** {@link judgingReasons} in words. */
export const judgingObstacles = (...judgings: Parameters<typeof judgingReasons>): string[] =>
  judgingReasons(...judgings).map((one) => obstacleText(one));

/** The answers of two runs, as they are compared: pairs to the same requests, and the others. */
export interface Matched {
  pairs: readonly Pair[];
  /** Answers to requests of one run only, which are compared as two samples; both empty if there are none to compare with. */
  later: readonly Answer[];
  earlier: readonly Answer[];
  /** Null if only pairs are compared. */
  mix: RequestMix | null;
  clusterBy: string;
}

/** What a run's answer counts as; null if it does not count. */
type ValueOf = (answer: Answer) => number | null;

/** The change over all answers, now minus then. An unchanged answer counts as no change, even if the judges now decide otherwise. */
function changeOf(
  { pairs, later, earlier, mix, clusterBy }: Matched,
  kind: ChangeKind,
  value: ValueOf,
): Change<ReportInterval> | null {
  const unitOf = ({ tags, place }: Answer, run: string): string =>
    JSON.stringify(tags[clusterBy] === undefined ? [run, place] : [tags[clusterBy]]);
  const separate = (answers: readonly Answer[], run: string): SeparateResult[] =>
    answers.flatMap((answer) => {
      const own = value(answer);
      if (own === null) return [];
      return [{ unit: unitOf(answer, run), stratum: mix?.kindOf(answer) ?? '', value: own }];
    });
  return changeBetween(
    {
      pairs: pairs.flatMap((pair) => {
        const [before, after] = [value(pair.then), value(pair.now)];
        if (before === null || after === null) return [];
        const drift = isUnchanged(pair) ? 0 : after - before;
        return [{ unit: unitOf(pair.now, 'later'), gained: Math.max(0, drift), lost: Math.max(0, -drift) }];
      }),
      later: separate(later, 'later'),
      earlier: separate(earlier, 'earlier'),
    },
    kind,
  );
}

/** The share of answers that are decided in the earlier and in the later run. */
function coverageOf({ pairs, earlier, later }: Matched, value: ValueOf): [then: number, now: number] {
  const covered = (answers: readonly Answer[]) =>
    answers.filter((answer) => value(answer) !== null).length / answers.length;
  return [
    covered([...pairs.map((pair) => pair.then), ...earlier]),
    covered([...pairs.map((pair) => pair.now), ...later]),
  ];
}

/** Whether judges decide another share of these answers than before, beyond chance. Of few answers, a share differs by chance. */
export function isOddlyDecided(matched: Matched, value: ValueOf): boolean {
  const [then, now] = coverageOf(matched, value);
  return Math.abs(now - then) > COVERAGE && changeBy(matched, value) !== 'unknown';
}

/** An obstacle if judges decided a clearly different share of the answers than before; otherwise none. */
function coverageObstacles(matched: Matched, value: ValueOf): Obstacle[] {
  const { mix } = matched;
  const [then, now] = coverageOf(matched, value);
  // The tolerance keeps rounding errors from pushing a change of exactly 5 points over the limit.
  if (Math.abs(now - then) <= COVERAGE + 1e-9) return [];
  // Of other requests, another share can be decided by chance.
  const isChance = mix !== null && changeBy(matched, value) === 'unknown';
  return isChance ? [] : [{ kind: 'coverage', now, was: then }];
}

/** Whether more or fewer answers are decided. */
const changeBy = (matched: Matched, value: ValueOf) =>
  changeOf(matched, 'answers', (answer) => (value(answer) === null ? 0 : 1))?.trend ?? 'unknown';

/** A change as reports print it. */
export type RunChange = Change<ReportInterval>;

/** See {@link changeOf}; null if nothing can be compared. */
export function differenceOf(
  matched: Matched,
  kind: RateKind,
  value: ValueOf = resultOf(kind),
): RunChange | null {
  const found = changeOf(matched, kind === 'score' ? 'score' : 'answers', value);
  if (found === null || matched.mix !== null || !matched.pairs.every(isUnchanged)) return found;
  const interval = unmeasured('no answer changed', found.n);
  const bounds = { defined: true, n: found.n, low: 0, high: 0, level: 0.95 } as const;
  return { value: 0, n: found.n, interval, bounds, trend: 'steady' };
}

/** Changed answers that have something in common. */
export interface RawGroup extends Pick<ChangedGroup, 'n' | 'shared'> {
  /** Null: no criterion changed. */
  criterion: string | null;
  answers: readonly Answer[];
}

/** A tag that at least half of these answers share, and that is clearly more common among them than among all answers. */
function sharedTag(own: readonly Answer[], all: readonly Answer[]): RawGroup['shared'] {
  const count = (answers: readonly Answer[]) =>
    frequencies(answers.flatMap(({ tags }) => Object.entries(tags).map((tag) => JSON.stringify(tag))));
  const everywhere = count(all);
  const best = [...count(own)].find(([pair, n]) => {
    const expected = ((everywhere.get(pair) ?? 0) / all.length) * own.length;
    return n >= 2 && 2 * n >= own.length && n >= 1.5 * expected && !pair.startsWith('["build",');
  });
  if (best === undefined) return null;
  const [tag = '', value = '']: string[] = JSON.parse(best[0]);
  return { tag, value, n: best[1] };
}

/** Groups changed answers, largest group first. Each answer is in the largest group that it fits. */
export function groupsOf(changed: readonly Changed[], all: readonly Answer[]): RawGroup[] {
  const groups: RawGroup[] = [];
  let left = changed;
  while (left.length > 0) {
    const [criterion = null] = frequencies(left.flatMap(({ criteria }) => criteria)).keys();
    const isOwn = ({ criteria }: Changed) => criterion === null || criteria.includes(criterion);
    const answers = left.filter(isOwn).map(({ answer }) => answer);
    groups.push({ criterion, n: answers.length, shared: sharedTag(answers, all), answers });
    left = left.filter((one) => !isOwn(one));
  }
  return groups;
}

export interface RawChange
  extends Omit<AssistantChange, 'failing' | 'passing' | 'baseline' | 'builds' | 'corrected'> {
  failing: RawGroup[];
  passing: RawGroup[];
}

const without = (some: readonly string[], others: readonly string[]): string[] =>
  some.filter((id) => !others.includes(id));

/** Pairs the answers to the same requests. If a request occurs several times, its first occurrences are paired, then its second, and so on. */
export function askedTwice(before: Answers, after: Answers): Pair[] {
  const earlier = groupedBy(before.answers, ({ id }) => id);
  return after.answers.flatMap((now): Pair[] => {
    const then = earlier.get(now.id)?.shift();
    return then?.request === now.request ? [{ then, now }] : [];
  });
}

/**
 * The answers that are judged by the same rubric in both runs, and the reasons why their judgements can't be compared. Requests that only one
 * run has are compared with those that only the other has, if there are any.
 */
export function comparable(before: Answers, after: Answers): Matched & { obstacles: Obstacle[] } {
  const asked = askedTwice(before, after);
  const pairs = asked.filter(({ then, now }) => then.rubric === now.rubric);
  const rubricsOf = (some: readonly Answer[]) => [...new Set(some.map(({ rubric }) => rubric))];
  const [rubricsThen, rubricsNow] = [rubricsOf(before.answers), rubricsOf(after.answers)];
  const paired = new Set(pairs.flatMap((pair) => [pair.then, pair.now]));
  const alone = ({ answers }: Answers, others: readonly string[]) =>
    answers.filter((answer) => !paired.has(answer) && others.includes(answer.rubric));
  const [later, earlier] = [alone(after, rubricsThen), alone(before, rubricsNow)];
  const isBoth = later.length > 0 && earlier.length > 0;
  const { clusterBy } = after;
  const mix = isBoth ? requestMix(later, earlier, clusterBy) : null;
  const rubrics = rubricsOf([...pairs.map((pair) => pair.now), ...(isBoth ? later : [])]);
  const obstacles: Obstacle[] =
    before.answers.length === 0 || after.answers.length === 0
      ? [{ kind: 'noSameRequest' }]
      : rubrics.length === 0
        ? [{ kind: 'rubricIs', now: rubricsNow, was: rubricsThen }]
        : [...judgingReasons(before, after, rubrics), ...(mix?.obstacles ?? [])];
  return {
    pairs,
    later: isBoth ? later : [],
    earlier: isBoth ? earlier : [],
    mix,
    clusterBy,
    obstacles,
  };
}

/**
 * The change that gates decide by: over all requests, counting an answer without a decision as not passing. Answers that only have scores are
 * reported separately in `scored`; null if there are none.
 */
export function strictChange(before: Answers, after: Answers) {
  const matched = comparable(before, after);
  const { pairs, mix, obstacles } = matched;
  const isDecided = (answer: Answer) => passShare(answer) !== null;
  const hasScore = (answer: Answer) => meanScore(answer) !== null;
  const isScored = ({ then, now }: Pair) => !isDecided(then) && !isDecided(now) && [then, now].some(hasScore);
  // Where some answers have scores, one without a decision lacks a score.
  const isScoredRun = [...matched.later, ...matched.earlier].some((one) => !isDecided(one) && hasScore(one));
  const isScoredAlone = (answer: Answer) => isScoredRun && !isDecided(answer);
  const scored = {
    ...matched,
    pairs: pairs.filter(isScored),
    later: matched.later.filter(isScoredAlone),
    earlier: matched.earlier.filter(isScoredAlone),
  };
  const decided = {
    ...matched,
    pairs: pairs.filter((pair) => !isScored(pair)),
    later: matched.later.filter((answer) => !isScoredAlone(answer)),
    earlier: matched.earlier.filter((answer) => !isScoredAlone(answer)),
  };
  const hasScored = scored.pairs.length + scored.later.length + scored.earlier.length > 0;
  const hasDecisions =
    !hasScored ||
    [...decided.pairs.flatMap(({ then, now }) => [then, now]), ...decided.later, ...decided.earlier].some(
      isDecided,
    );
  const passing = ({ facts }: Answer) => countOutcomes(facts).pass / facts.length;
  return {
    obstacles: obstacles.map((one) => obstacleText(one)),
    /** Requests in both runs, and those of each that are compared with others. */
    pairs: pairs.length,
    others: { later: matched.later.length, earlier: matched.earlier.length },
    mix,
    /** Whether no answer is another, and no request. */
    isSame: mix === null && pairs.every(isUnchanged),
    passRate: hasDecisions ? differenceOf(decided, 'pass', passing) : null,
    scored: hasScored
      ? {
          mean: differenceOf(scored, 'score'),
          pairs: scored.pairs.map((pair) => ({
            before: pair.then.facts,
            after: (isUnchanged(pair) ? pair.then : pair.now).facts,
          })),
          later: scored.later.map(({ facts }) => facts),
          earlier: scored.earlier.map(({ facts }) => facts),
        }
      : null,
  };
}

/** What changed between two runs, on answers that are judged by the same rubric in both. */
export function answerChange(before: Answers, after: Answers): RawChange {
  const { obstacles: found, ...matched } = comparable(before, after);
  const { pairs, mix } = matched;
  const kind = rateKindOf(after);
  const hasAnswers = pairs.length > 0 || mix !== null;
  const obstacles = [...found, ...(hasAnswers ? coverageObstacles(matched, resultOf(kind)) : [])];
  const difference = obstacles.length > 0 ? null : differenceOf(matched, kind);
  const unchanged = pairs.filter(isUnchanged);
  // A judgement that was taken over is not a second one: it says nothing of how steady judges are.
  const again = unchanged.filter(({ then, now }) => then.judgedIn !== now.judgedIn);
  const taken = unchanged.length - again.length;
  const turned = (from: Answer['outcome'], to: Answer['outcome']): Pair[] =>
    obstacles.length > 0
      ? []
      : pairs.filter((pair) => !isUnchanged(pair) && pair.then.outcome === from && pair.now.outcome === to);
  const changedOf = (some: readonly Pair[], one: keyof Pair, other: keyof Pair): Changed[] =>
    some.map((pair) => {
      const fresh = without(pair[one].failing, pair[other].failing);
      return { answer: pair.now, criteria: fresh.length > 0 ? fresh : pair[one].failing };
    });
  const { name: run, createdAt } = before.manifest;
  const { value = 0, n = 0, interval = unmeasured('', 0), trend = 'unknown' } = difference ?? {};
  return {
    run,
    at: Date.parse(createdAt),
    requests: {
      shared: pairs.length,
      onlyNow: after.answers.length - pairs.length,
      onlyThen: before.answers.length - pairs.length,
      sameAnswer: unchanged.length,
    },
    mix: mix === null ? null : { adjusted: mix.adjusted, unadjusted: mix.unadjusted, leftOut: mix.leftOut },
    obstacles: obstacles.map((one) => obstacleText(one)),
    ...(obstacles.length === 0 ? {} : { because: obstacles }),
    difference: difference === null ? null : { value, n, interval, trend },
    ...(taken === 0 ? {} : { takenOver: taken }),
    unchanged: {
      n: again.length,
      flipped: again.filter(({ then, now }) => then.outcome !== now.outcome).length,
    },
    failing: groupsOf(changedOf(turned('pass', 'fail'), 'now', 'then'), after.answers),
    passing: groupsOf(changedOf(turned('fail', 'pass'), 'then', 'now'), after.answers),
  };
}

/**
 * How far each decided answer passes more or less often than the earlier run's: than its answer to the same request or, for a request
 * that the earlier run lacks, than its answers to others of the same kind on average. That average is taken as it is, without its own
 * uncertainty. A kind that the earlier run lacks is left out. Empty if the runs can't be compared.
 */
export function answerDrifts(before: Answers, after: Answers): { now: Answer; drift: number }[] {
  const { obstacles, ...matched } = comparable(before, after);
  const { pairs, later, earlier, mix } = matched;
  if (obstacles.length > 0 || (pairs.length === 0 && mix === null)) return [];
  if (coverageObstacles(matched, passShare).length > 0) return [];
  const paired = pairs.flatMap((pair) => {
    const [then, now] = [passShare(pair.then), passShare(pair.now)];
    if (then === null || now === null) return [];
    return [{ now: pair.now, drift: isUnchanged(pair) ? 0 : now - then }];
  });
  if (mix === null) return paired;
  const sharesThen = groupedBy(
    earlier.flatMap((answer) => {
      const share = passShare(answer);
      return share === null ? [] : [{ kind: mix.kindOf(answer), share }];
    }),
    ({ kind }) => kind,
  );
  const others = later.flatMap((now) => {
    const share = passShare(now);
    const then = sharesThen.get(mix.kindOf(now));
    if (share === null || then === undefined) return [];
    return [{ now, drift: share - sum(then.map((one) => one.share)) / then.length }];
  });
  return [...paired, ...others];
}
