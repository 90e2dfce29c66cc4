import { frequencies, groupedBy } from '../../common/index.ts';
import { percent } from '../../common/text/index.ts';
import { RULES } from '../../judges/rules/index.ts';
import { unmeasured } from '../../statistics/index.ts';
import { countOutcomes, pairedChange } from '../estimates/index.ts';
import { type Answer, type Answers, meanScore, passShare } from './answers.ts';
import type { AssistantChange, ChangedGroup } from './assistant-report.ts';

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

const judgedBy = ({ setup: { method, models } }: Judging): string => `${method} by ${models.join(' + ')}`;

/** Other settings that determine which judges answer. */
const seatsOf = ({ setup: { temperature }, manifest: { settings } }: Judging): string =>
  JSON.stringify([temperature, settings.panel, Object.entries(settings.values).sort()]);

/** Hashes of the prompts of a method with some rubrics. */
const promptsOf = ({ manifest }: Judging, method: string, rubrics: readonly string[]): string =>
  Object.entries(manifest.wordings)
    .filter(([use]) => {
      // Keys have the form `rubric, method, persona`.
      const [rubric = '', kind = ''] = use.split(', ');
      return rubrics.includes(rubric) && (kind === method || kind === RULES);
    })
    .sort()
    .join();

/**
 * Why the two runs' judgements differ: changed rubrics, method, judges or prompts. Older runs record rubrics and methods only through their
 * prompts.
 */
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
  return promptsOf(before, method, rubrics) === promptsOf(after, method, rubrics)
    ? []
    : ['the judges’ prompts changed'];
}

/**
 * What a rubric's judgements in a run depend on: equal where `judgingObstacles` finds no obstacle, unless an older run did not record
 * its rubrics and methods.
 */
export function yardstickOf(judged: Judging, rubric: string): string {
  const { method } = judged.setup;
  const { rubrics, methods } = judged.manifest.sources ?? { rubrics: {}, methods: {} };
  const prompts = promptsOf(judged, method, [rubric]);
  return JSON.stringify([rubrics[rubric], methods[method], judgedBy(judged), seatsOf(judged), prompts]);
}

/** An obstacle if judges decided a clearly different share of the same requests than before; otherwise none. */
function coverageObstacles(pairs: readonly Pair[], value: ReturnType<typeof resultOf>): string[] {
  const covered = (side: keyof Pair) =>
    pairs.filter((pair) => value(pair[side]) !== null).length / pairs.length;
  const [then, now] = [covered('then'), covered('now')];
  // The tolerance keeps rounding errors from pushing a change of exactly 5 points over the limit.
  return Math.abs(now - then) <= COVERAGE + 1e-9
    ? []
    : [`judges decided ${percent(now)} of the answers, not ${percent(then)}`];
}

/** The change over all pairs, now minus then. An unchanged answer counts as 0, even if the judges now decide otherwise. */
function differenceOf(
  pairs: readonly Pair[],
  kind: RateKind,
  value = resultOf(kind),
): AssistantChange['difference'] {
  const drifts = pairs.flatMap((pair) => {
    const [then, now] = [value(pair.then), value(pair.now)];
    const drift = isUnchanged(pair) ? 0 : (now ?? 0) - (then ?? 0);
    return then === null || now === null ? [] : [{ unit: pair.now.unit, drift }];
  });
  const n = drifts.length;
  if (n === 0) return null;
  if (pairs.every(isUnchanged))
    return {
      value: 0,
      n,
      interval: unmeasured('no answer changed', n),
      trend: 'steady',
    };
  return pairedChange(drifts, kind === 'score' ? 'score' : 'share');
}

/** A changed answer, with the criteria whose outcome changed. */
interface Changed {
  answer: Answer;
  criteria: readonly string[];
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

/** Pairs of the same request judged by the same rubric in both runs, and the reasons why their judgements can't be compared. */
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
 * The change that gates decide by: over all requests that both runs asked, counting an answer without a decision as not passing. `compared`
 * counts these requests, `changed` those with a different answer.
 * Answers that only have scores are reported separately in `scored`; null if there are none.
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

/** What changed between two runs, on the requests that are the same and judged by the same rubric in both. */
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

/**
 * How the share of passes changed for each request that both runs decided, now minus then, with the unit it belongs to; empty if the
 * runs can't be compared. The changes whose mean is `answerChange`'s difference.
 */
export function answerDrifts(before: Answers, after: Answers): { now: Answer; drift: number }[] {
  const { pairs, obstacles } = comparable(before, after);
  if ([...obstacles, ...(pairs.length === 0 ? [] : coverageObstacles(pairs, passShare))].length > 0)
    return [];
  return pairs.flatMap((pair) => {
    const [then, now] = [passShare(pair.then), passShare(pair.now)];
    if (then === null || now === null) return [];
    return [{ now: pair.now, drift: isUnchanged(pair) ? 0 : now - then }];
  });
}
