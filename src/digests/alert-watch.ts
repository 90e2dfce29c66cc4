import * as z from 'zod';
import { DAY_MS } from '../common/index.ts';
import { type NewBlockers, untold } from '../reports/assistant/index.ts';
import type { RunSample } from '../reports/history/index.ts';
import {
  type Account,
  afterLook,
  type Bin,
  capitalOf,
  richestOf,
  SURE,
  type Unit,
} from '../statistics/index.ts';
import { type Alert, type AlertFigures, type AlertNews, type AlertRule, isBeyond, stateOf } from './alert.ts';

/**
 * In how much time at the limit a test may be wrong with a probability of at most 1 in 20. An alert that is wrong sends people looking for
 * what is not there: a year. A wrong "back above" is mended by the next alert, and people who have fixed something want to know: four weeks.
 */
const PERIOD_MS = { alert: 365 * DAY_MS, recovery: 28 * DAY_MS };

/**
 * What passes between two looks counts as at most this much: the first look after years should not be taken for all the looks of a year.
 */
const LONGEST_MS = 28 * DAY_MS;
/**
 * And as at least a day: several runs on one day are more likely an experiment than a plan for the year. If they go on, the bound holds for
 * each 365 runs instead.
 */
const SHORTEST_MS = DAY_MS;
/** Counts as this much if it is not known since when an alert watches. */
const UNKNOWN_MS = 7 * DAY_MS;

/** Runs that are remembered by name. Older ones that finish after all of these are not counted. */
const MAX_COUNTED = 20;

/**
 * What an alert has seen so far, kept with its progress: a run is counted by replacing this, so that it counts once whichever process
 * looks, and is still counted if that process dies.
 */
export const AlertWatch = z.strictObject({
  /** The alert's own `since` when it began to watch: once it was paused and resumed, it begins anew. */
  since: z.number(),
  /** The runs that were counted and when they began (ms since the epoch), in the order of counting. */
  counted: z.array(z.strictObject({ run: z.string(), at: z.number() })),
  /** Runs that began then or before are not counted (any more). */
  floor: z.number(),
  /** When the last run that was bet on began: what has passed since is put in before the next. 0: not known. */
  looked: z.number(),
  /** What the judgements depend on that the accounts rest on, by rubric; for changes also the baseline. */
  yardstick: z.record(z.string(), z.string()),
  /** The test for the other side: below the limit, or, once the alert was posted, above it again. Empty: nothing is known yet. */
  accounts: z.array(
    z.strictObject({ capital: z.number(), looks: z.int(), total: z.number(), n: z.number() }),
  ) satisfies z.ZodType<Account[]>,
  /** The last dataset of which it was said that these very answers are on the wrong side. */
  stated: z.string().nullable(),
  /** Whether a counted run, or the one that was there when the alert was set, was on the right side: only then did the figure fall. */
  wasRight: z.boolean().default(false),
  /** Keys of the answers that were posted because they fail a blocker, the newest last. */
  told: z.array(z.string()).default([]),
});
export type AlertWatch = z.infer<typeof AlertWatch>;

/**
 * What to begin with, unless a kept one is still good.
 * @param kept null: none, as before alerts counted runs
 * @param done when the last run began that an alert of that time had handled; null: none
 */
export function watchOf({ since }: Pick<Alert, 'since'>, kept: AlertWatch | null, done: number | null) {
  if (kept !== null && kept.since === since) return kept;
  const floor = Math.max(since, done ?? since);
  return {
    since,
    counted: [],
    floor,
    looked: floor,
    yardstick: {},
    accounts: [],
    stated: null,
    wasRight: false,
    told: [],
  } satisfies AlertWatch;
}

/** What to begin with when an alert is set or resumed, from the newest run. That run itself is not counted. */
export const watchFrom = (
  rule: AlertRule,
  { at, figures }: Pick<AlertFigures, 'at' | 'figures'>,
): AlertWatch => {
  const figure = figures[rule.measure];
  return {
    ...watchOf({ since: at }, null, at),
    wasRight: figure !== null && !isBeyond(rule, figure.value),
  };
};

/** Whether a run is still to be counted. */
export const isOpen = ({ counted, floor }: AlertWatch, run: string, at: number): boolean =>
  at > floor && counted.every((one) => one.run !== run || one.at !== at);

/** Values from 0 to 1 by unit, whose mean the rule wants at the limit or above. */
interface Watched {
  units: readonly Bin<Unit>[];
  limit: number;
  /** The mean in the terms of the rule, except for latencies: there the share of answers that took longer. */
  inRule: (mean: number) => number;
}

/** @returns totals within 0 and n, free of floating-point error */
const scaled = (units: readonly Bin<Unit>[], min: number, max: number): Bin<Unit>[] =>
  units.map(({ value: { total, n }, items }) => ({
    value: { total: Math.min(n, Math.max(0, (total - min * n) / (max - min))), n },
    items,
  }));

/** Answers remembered because they were posted. A rare failure that comes back after so many others is posted again. */
const MAX_TOLD = 300;

/**
 * The new blockers of a run that were not posted before: no test is needed for a single case that people are to check. Null if there are
 * none.
 */
export function countBlockers(
  watch: AlertWatch,
  { blockers }: Pick<AlertFigures, 'blockers'>,
): { watch: AlertWatch; blockers: NewBlockers | null } {
  const left = blockers === null ? null : untold(blockers, new Set(watch.told));
  const keys = left?.groups.flatMap((group) => group.keys) ?? [];
  if (keys.length === 0) return { watch, blockers: null };
  return { watch: { ...watch, told: [...watch.told, ...keys].slice(-MAX_TOLD) }, blockers: left };
}

/** What a rule watches in a run; null if the run has nothing of it. */
function watchedIn({ measure, limit }: AlertRule, sample: RunSample): Watched | null {
  const asIs = (mean: number) => mean;
  const onScale = (units: readonly Bin<Unit>[], min: number, max: number): Watched => ({
    units: scaled(units, min, max),
    limit: (limit - min) / (max - min),
    inRule: (mean) => min + mean * (max - min),
  });
  switch (measure) {
    case 'pass-rate':
      return { units: sample.passes, limit, inRule: asIs };
    case 'coverage':
      return { units: sample.decided, limit, inRule: asIs };
    case 'mean':
      return sample.scores === null
        ? null
        : onScale(sample.scores.units, sample.scores.range.min, sample.scores.range.max);
    case 'change':
      return sample.drifts === null ? null : onScale(sample.drifts.units, -1, 1);
    case 'latency':
      // The median is above the limit where more than half of the answers are.
      return {
        units: sample.latencies.map((own) => ({
          value: { total: own.filter((ms) => ms <= limit).length, n: own.length },
          items: 1,
        })),
        limit: 0.5,
        inRule: (mean) => 1 - mean,
      };
    case 'blocker':
      return null;
  }
}

/** The other way round: evidence that the mean is above the limit is evidence that what is missing to 1 is below it. */
const turned = ({ units, limit, inRule }: Watched): Watched => ({
  units: units.map(({ value: { total, n }, items }) => ({ value: { total: n - total, n }, items })),
  limit: 1 - limit,
  inRule: (mean) => inRule(1 - mean),
});

/**
 * Whether an alert begins on the wrong side, so that it waits for the way back, from the run that is there when it is set. This
 * is one look at one chosen moment, so a single deposit is at stake. What is not sure from one run is watched like any other.
 */
export function beginsWrong(rule: AlertRule, run: Pick<AlertFigures, 'figures' | 'sample'>): boolean {
  if (run.sample.fresh === 0) return stateOf(rule, run) === 'wrong';
  const watched = watchedIn(rule, run.sample);
  if (watched === null || run.figures[rule.measure] === null || watched.units.length === 0) return false;
  return capitalOf(afterLook([], watched.units, watched.limit, 1)) >= SURE;
}

/** Whether an alert waits for the way back, after news: a fact about answers that were judged again changes nothing of that. */
export const isWrongAfter = (isWrong: boolean, news: AlertNews | null): boolean =>
  news?.by === 'test' ? news.isWrong : isWrong;

/** What the judgements of this run and those before depend on, and whether these are others. */
function yardstickOf(
  { measure }: AlertRule,
  { yardstick: before }: AlertWatch,
  { yardstick, drifts }: RunSample,
) {
  const own: AlertWatch['yardstick'] =
    measure === 'change' ? { ...yardstick, baseline: drifts?.baseline ?? '' } : yardstick;
  const isOther = Object.entries(own).some(([what, hash]) => (before[what] ?? hash) !== hash);
  return { isOther, yardstick: isOther ? own : { ...before, ...own } };
}

/**
 * Counts a run and says whether it changes the alert's state. It does so if the runs so far show it, by a test that may look as often
 * as it likes (`afterLook`): with a true rate on the limit, at most one year in 20 has an alert, whether runs are weekly or daily. The
 * way back needs evidence as well: looked at often enough, the interval of one run is above the limit by chance.
 * @param isWrong whether the alert was posted and is not back yet
 */
export function countRun(
  rule: AlertRule,
  watch: AlertWatch,
  isWrong: boolean,
  { run, at, figures, sample }: Pick<AlertFigures, 'run' | 'at' | 'figures' | 'sample'>,
): { watch: AlertWatch; news: AlertNews | null } {
  const figure = figures[rule.measure];
  const all = [...watch.counted, { run, at }];
  const counted = all.slice(-MAX_COUNTED);
  const floor = Math.max(watch.floor, ...all.slice(0, -MAX_COUNTED).map((one) => one.at));
  const next = { ...watch, counted, floor };
  const watched = watchedIn(rule, sample);
  if (figure === null || watched === null) return { watch: next, news: null };
  if (sample.fresh === 0) {
    if (isWrong || watch.stated === sample.dataset || !isBeyond(rule, figure.value))
      return { watch: next, news: null };
    return {
      // A fact about these answers changes nothing about those to come: the alert goes on watching them.
      watch: { ...next, stated: sample.dataset },
      news: { isWrong: true, by: 'fact' },
    };
  }
  if (watched.units.length === 0) return { watch: next, news: null };

  const { yardstick, isOther } = yardstickOf(rule, watch, sample);
  const passed =
    watch.looked > 0 ? Math.min(LONGEST_MS, Math.max(SHORTEST_MS, at - watch.looked)) : UNKNOWN_MS;
  const { units, limit, inRule } = isWrong ? turned(watched) : watched;
  const period = PERIOD_MS[isWrong ? 'recovery' : 'alert'];
  const accounts = afterLook(isOther ? [] : watch.accounts, units, limit, passed / period);
  // Other judges' runs say nothing about whether it fell.
  const fell = !isOther && watch.wasRight;
  const wasRight = fell || !isBeyond(rule, figure.value);
  const after = { ...next, looked: Math.max(watch.looked, at), yardstick, wasRight };
  const richest = richestOf(accounts);
  if (richest === null || capitalOf(accounts) < SURE) return { watch: { ...after, accounts }, news: null };
  return {
    watch: { ...after, accounts: [], wasRight: wasRight || isWrong },
    news: {
      isWrong: !isWrong,
      by: 'test',
      fell,
      looks: richest.looks,
      mean: inRule(richest.total / richest.n),
      isPlain:
        (richest.looks === 1 && sample.fresh === sample.cases) ||
        stateOf(rule, { figures }) === (isWrong ? 'clear' : 'wrong'),
    },
  };
}
