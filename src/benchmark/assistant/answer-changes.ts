import { frequencies, groupedBy } from '../../common/collections.ts';
import { percent } from '../../common/text.ts';
import { RULES } from '../../judges/rules/rules-judge.ts';
import { jackknifeEstimate } from '../../statistics/jackknife.ts';
import { type Bin, measured, singly, sum, unmeasured } from '../../statistics/measure.ts';
import { pairedDifferenceInterval, trendOf } from '../../statistics/proportions.ts';
import { countOutcomes } from '../reports/case-statistics.ts';
import type { ReportInterval } from '../reports/measures.ts';
import { type Answer, type Answers, meanScore, passShare } from './answers.ts';
import type { AssistantChange, ChangedGroup } from './assistant-report.ts';

/** Steady means that the interval rules out a larger change: five points of a pass rate. */
const STEADY = 0.05;
/** Judges that decide more or less than this share of answers otherwise measure something else. */
const COVERAGE = 0.05;

/** An answer to one request, then and now. */
interface Pair {
  then: Answer;
  now: Answer;
}

export type RateKind = 'pass' | 'score';

/** Answers are scored if none is decided. */
export const rateKindOf = ({ answers }: Answers): RateKind =>
  answers.every((one) => passShare(one) === null) && answers.some((one) => meanScore(one) !== null)
    ? 'score'
    : 'pass';

export const resultOf = (kind: RateKind): ((answer: Answer) => number | null) =>
  kind === 'pass' ? passShare : meanScore;

const isUnchanged = ({ then, now }: Pair): boolean => then.response === now.response;

const judgedBy = ({ setup: { method, models } }: Answers): string => `${method} by ${models.join(' + ')}`;

/** What else decides who answers. */
const seatsOf = ({ setup: { temperature }, manifest: { settings } }: Answers): string =>
  JSON.stringify([temperature, settings.panel, Object.entries(settings.values).sort()]);

/** How the rubrics, the method, the judges or their prompts differ. Older runs record rubrics and methods by their prompts alone. */
function judgingObstacles(before: Answers, after: Answers, rubrics: readonly string[]): string[] {
  const { method } = after.setup;
  const isChanged = (kind: 'rubrics' | 'methods') => (id: string) => {
    const [then, now] = [before, after].map(({ manifest }) => manifest.sources?.[kind][id]);
    return then !== undefined && now !== undefined && then !== now;
  };
  const changed = rubrics.filter(isChanged('rubrics'));
  const named = rubrics.length === 1 ? '' : ` ${changed.join(', ')}`;
  const obstacles = [
    ...(changed.length > 0 ? [`the rubric${named} changed`] : []),
    ...(isChanged('methods')(method) ? [`the method ${method} changed`] : []),
    ...(judgedBy(before) === judgedBy(after)
      ? []
      : [`the judges changed: ${judgedBy(after)}, not ${judgedBy(before)}`]),
  ];
  if (obstacles.length > 0) return obstacles;
  if (seatsOf(before) !== seatsOf(after))
    return ['the judges changed: other personas, settings or temperature'];
  // Their keys are `rubric, method, persona`.
  const promptsOf = ({ manifest }: Answers): string =>
    Object.entries(manifest.wordings)
      .filter(([use]) => {
        const [rubric = '', kind = ''] = use.split(', ');
        return rubrics.includes(rubric) && (kind === method || kind === RULES);
      })
      .sort()
      .join();
  return promptsOf(before) === promptsOf(after) ? [] : ['the judges’ prompts changed'];
}

/** Whether judges decide about as many of the same requests as before. */
function coverageObstacles(pairs: readonly Pair[], value: ReturnType<typeof resultOf>): string[] {
  const covered = (side: keyof Pair) =>
    pairs.filter((pair) => value(pair[side]) !== null).length / pairs.length;
  const [then, now] = [covered('then'), covered('now')];
  // Five points are five, whatever floating-point numbers make of them.
  return Math.abs(now - then) <= COVERAGE + 1e-9
    ? []
    : [`judges decided ${percent(now)} of the answers, not ${percent(then)}`];
}

/** Now minus then over all pairs; what did not change counts 0, whatever judges say of it now. */
function differenceOf(
  pairs: readonly Pair[],
  kind: RateKind,
  value = resultOf(kind),
): AssistantChange['difference'] {
  const known = pairs.flatMap((pair) => {
    const [then, now] = [value(pair.then), value(pair.now)];
    const drift = isUnchanged(pair) ? 0 : (now ?? 0) - (then ?? 0);
    return then === null || now === null ? [] : [{ unit: pair.now.unit, drift }];
  });
  const drifts = known.map(({ drift }) => drift);
  const n = drifts.length;
  if (n === 0) return null;
  const mean = sum(drifts) / n;
  if (pairs.every(isUnchanged))
    return { value: 0, n, interval: unmeasured('no answer changed', n), trend: 'steady' };
  const units = [...groupedBy(known, ({ unit }) => unit).values()].map((own) =>
    own.map(({ drift }) => drift),
  );
  if (kind === 'score' || units.length < n) {
    const meanOf = (bins: readonly Bin<readonly number[]>[]) => {
      const some = bins.flatMap(({ value: own }) => own);
      return measured(sum(some) / some.length, some.length);
    };
    const { interval } = jackknifeEstimate(
      [...singly(units)],
      meanOf,
      kind === 'score' ? 'any' : 'correlation',
    );
    // Scales differ, so that no change of a score counts as small.
    return { value: mean, n, interval, trend: trendOf(interval, kind === 'score' ? 0 : STEADY) };
  }
  const paired = pairedDifferenceInterval(
    sum(drifts.filter((drift) => drift > 0)),
    -sum(drifts.filter((drift) => drift < 0)),
    n,
  );
  const interval: ReportInterval = paired.defined ? { ...paired, by: 'paired' } : paired;
  return { value: mean, n, interval, trend: trendOf(paired, STEADY) };
}

/** A changed answer with the criteria that changed with it. */
interface Changed {
  answer: Answer;
  criteria: readonly string[];
}

/** Changed answers by what they have in common. */
export interface RawGroup extends Pick<ChangedGroup, 'n' | 'shared'> {
  /** Null: no criterion changed. */
  criterion: string | null;
  answers: readonly Answer[];
}

/** A tag that at least half of some answers share, and clearly more of them than of all. */
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

/** The largest group first; each answer is in the largest group that it fits. */
function groupsOf(changed: readonly Changed[], all: readonly Answer[]): RawGroup[] {
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

export interface RawChange extends Omit<AssistantChange, 'failing' | 'passing' | 'baseline' | 'builds'> {
  failing: RawGroup[];
  passing: RawGroup[];
}

const without = (some: readonly string[], others: readonly string[]): string[] =>
  some.filter((id) => !others.includes(id));

/** Answers to the same requests. Of a request that a log has several times, the first is paired with the first, and so on. */
function askedTwice(before: Answers, after: Answers): Pair[] {
  const known = groupedBy(before.answers, ({ id }) => id);
  return after.answers.flatMap((now): Pair[] => {
    const then = known.get(now.id)?.shift();
    return then?.request === now.request ? [{ then, now }] : [];
  });
}

/** The requests that are the same in both runs and judged by the same rubric, and why their judgements cannot be compared. */
function comparable(before: Answers, after: Answers) {
  const asked = askedTwice(before, after);
  const pairs = asked.filter(({ then, now }) => then.rubric === now.rubric);
  const rubricsOf = (some: readonly Pair[], side: keyof Pair) => [
    ...new Set(some.map((pair) => pair[side].rubric)),
  ];
  const obstacles =
    asked.length === 0
      ? ['no request is the same']
      : pairs.length === 0
        ? [`the rubric is ${rubricsOf(asked, 'now').join(', ')}, not ${rubricsOf(asked, 'then').join(', ')}`]
        : judgingObstacles(before, after, rubricsOf(pairs, 'now'));
  return { pairs, obstacles };
}

/**
 * The change over all requests that both runs asked, where an answer without a decision does not pass: what a gate decides by. `compared`
 * counts these requests, `changed` those with another answer. Answers that are scored have a change of their own, null if none is scored
 * both times.
 */
export function strictChange(before: Answers, after: Answers) {
  const { pairs, obstacles } = comparable(before, after);
  const isDecided = (answer: Answer) => passShare(answer) !== null;
  const isScored = ({ then, now }: Pair) =>
    !isDecided(then) && !isDecided(now) && [then, now].some((one) => meanScore(one) !== null);
  const scored = pairs.filter(isScored);
  const decided = pairs.filter((pair) => !isScored(pair));
  const hasDecisions =
    scored.length === 0 || decided.some(({ then, now }) => isDecided(then) || isDecided(now));
  const passing = ({ facts }: Answer) => countOutcomes(facts).pass / facts.length;
  return {
    obstacles,
    compared: pairs.length,
    changed: pairs.filter((pair) => !isUnchanged(pair)).length,
    passRate: hasDecisions ? differenceOf(decided, 'pass', passing) : null,
    scored:
      scored.length === 0
        ? null
        : {
            mean: differenceOf(scored, 'score'),
            pairs: scored.map((pair) => ({
              before: pair.then.facts,
              after: (isUnchanged(pair) ? pair.then : pair.now).facts,
            })),
          },
  };
}

/** What changed between two runs, on the requests that are the same in both and judged by the same rubric. */
export function answerChange(before: Answers, after: Answers): RawChange {
  const { pairs, ...found } = comparable(before, after);
  const kind = rateKindOf(after);
  const obstacles = [
    ...found.obstacles,
    ...(pairs.length === 0 ? [] : coverageObstacles(pairs, resultOf(kind))),
  ];
  const unchanged = pairs.filter(isUnchanged);
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
  return {
    run,
    at: Date.parse(createdAt),
    requests: {
      shared: pairs.length,
      onlyNow: after.answers.length - pairs.length,
      onlyThen: before.answers.length - pairs.length,
      sameAnswer: unchanged.length,
    },
    obstacles,
    difference: obstacles.length > 0 ? null : differenceOf(pairs, kind),
    unchanged: {
      n: unchanged.length,
      flipped: unchanged.filter(({ then, now }) => then.outcome !== now.outcome).length,
    },
    failing: groupsOf(changedOf(turned('pass', 'fail'), 'now', 'then'), after.answers),
    passing: groupsOf(changedOf(turned('fail', 'pass'), 'then', 'now'), after.answers),
  };
}
