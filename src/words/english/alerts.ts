import { counted } from '../../common/text/index.ts';

type Side = 'below' | 'above';

const points = (tenths: number): string => `${tenths} ${tenths === 1 ? 'point' : 'points'}`;

/** Alerts: their rules, what they post, where they stand. */
export const alerts = {
  points,
  side: { below: 'below', above: 'above', worse: 'worse' },
  /** A rule, as after the name of a benchmark. */
  rule: {
    'pass-rate': ({ side, limit }: { side: Side; limit: string }) => `${side} ${limit}`,
    mean: ({ side, limit }: { side: Side; limit: string }) => `mean ${side} ${limit}`,
    change: ({ limit }: { side: Side; limit: string }) => `worse than the baseline by ${limit}`,
    coverage: ({ side, limit }: { side: Side; limit: string }) => `coverage ${side} ${limit}`,
    latency: ({ side, limit }: { side: Side; limit: string }) => `latency ${side} ${limit}`,
    blocker: (_: { side: Side; limit: string }): string => 'blockers',
  },
  /** What a rule is about. */
  subject: {
    'pass-rate': (benchmark: string) => benchmark,
    mean: (benchmark: string) => `mean score of ${benchmark}`,
    change: (benchmark: string) => benchmark,
    coverage: (benchmark: string) => `coverage of ${benchmark}`,
    latency: (benchmark: string) => `latency of ${benchmark}`,
    blocker: (benchmark: string) => benchmark,
  },
  /** Why a finished run has no such figure. */
  noFigure: {
    'pass-rate': 'no answer of the newest run is decided',
    mean: 'the newest run has no scores',
    change: 'the newest run is the baseline, or cannot be compared with one (“jury bench baseline” sets one)',
    coverage: 'the newest run has no answers of an assistant',
    latency: 'the newest run has too few answers with a known latency',
    blocker: 'each new one is posted',
  },
  noBlocker: 'no criterion of the newest run has “severity: blocker”',
  noRun: 'no run is finished yet',
  changeFigure: ({ value, low, high }: { value: string; low: string; high: string }) =>
    `${value} points (${low} to ${high})`,
  limit: (limit: string) => `limit ${limit}`,
  /** @param of.what the subject */
  fell: ({ what, side, limit }: { what: string; side: Side; limit: string }) =>
    `${what} ${side === 'below' ? 'fell below' : 'rose above'} ${limit}`,
  is: ({ what, side, limit }: { what: string; side: Side; limit: string }) => `${what} is ${side} ${limit}`,
  back: ({ what, side, limit }: { what: string; side: Side; limit: string }) =>
    `${what} is back ${side} ${limit}`,
  worse: ({ what, limit }: { what: string; limit: string }) =>
    `${what} is worse than its baseline by more than ${limit}`,
  noLongerWorse: ({ what, limit }: { what: string; limit: string }) =>
    `${what} is no longer worse than its baseline by more than ${limit}`,
  slow: (share: string) => `${share} of answers took longer`,
  justAt: (side: Side) => `just ${side} that`,
  judgedAgain: ({ figure, answers }: { figure: string; answers: number }) =>
    `: ${figure}. These are the same ${counted(answers, 'answer')} as before, judged again.`,
  /** @param of.runs null where only this run's new answers count */
  over: (of: { mean: string; runs: number | null; isNewOnly: boolean; now: string }) => {
    const fresh = of.isNewOnly ? ['the new answers'] : [];
    const runs = of.runs === null ? [] : [`the last ${counted(of.runs, 'run')}`];
    return `: ${of.mean} over ${[...fresh, ...runs].join(' of ')}; this run ${of.now}.`;
  },
  fixedRequests: (requests: number) =>
    ` It is about these ${counted(requests, 'request')}, the same in each run.`,
  baselineOnly: ' Worse means worse than these baseline answers.',
  newlyFailing: (most: string) => ` Newly failing: ${most}.`,
  about: ({ id, benchmark, rule }: { id: string; benchmark: string; rule: string }) =>
    `Alert ${id}: ${benchmark} ${rule}.`,
  atOnce: ' Blockers are posted at once, whatever its limit.',
  toPause: ({ command, id }: { command: string; id: string }) => ` To pause it: ${command} alert pause ${id}`,
  state: {
    already: ({ side, now }: { side: string; now: string }) =>
      `already ${side}: ${now}; only the way back is posted`,
    watching: (now: string) => `watching: ${now}`,
    notBackYet: (now: string) => `. Not back yet: ${now}`,
    watchingNow: (now: string) => `. Watching: ${now}`,
    sameAnswers: '; the same answers as before',
  },
  alsoTo: (webhook: string) => `, also to ${webhook}`,
  paused: 'paused',
  known: {
    n: {
      'pass-rate': (cases: string) => `the decided ones of ${cases}`,
      mean: (cases: string) => `those with a score, of ${cases}`,
      change: (cases: string) => `those compared of ${cases}`,
      coverage: (cases: string) => cases,
      latency: (cases: string) => `those with a known time of ${cases}`,
      blocker: (cases: string) => cases,
    },
    newOnes: (count: number) => `, ${count} of them new`,
    newAnswersOnly: ', new answers only',
    runAlone: (run: string) => `run ${run} alone`,
    runAndBaseline: (run: string) => `run ${run} and the baseline`,
    runAndBefore: (run: string) => `run ${run} and the one before`,
    notCollected: 'what was counted: no answer was collected since an earlier run',
    tested: 'all runs added up, so that each of them may be looked at',
    compared: 'this run and the one compared',
    newly: 'Newly failing',
    decided: ({ side, limit, mean }: { side: Side; limit: string; mean: string }) =>
      `${side} ${limit}: ${mean}`,
    holdsIf: {
      taken: 'the judges’ decisions, and labels where judges are measured, are right',
      timedAlike: 'times were measured alike',
      alone: 'answers do not depend on each other, or only within their groups',
      onceADay: 'there is at most a run a day',
    },
    note: {
      singleLook: 'the range is good for a single look',
      shrinks: 'judges’ errors make a true change look smaller',
      canErr: 'a decision can still be wrong',
      falseAlert: 'at the limit, at most one year in 20 has a false alert',
      falseEnd: 'at the limit, at most one of 20 spells of four weeks ends by chance',
      notOthers: 'it says nothing about other answers',
      notOtherRequests: 'it says nothing about other requests',
      baselineTaken: 'the baseline’s answers are taken as they are',
      turnByChance: 'some turn by chance in any two runs',
      blocker: 'each is a judged case, which judges may have got wrong',
    },
  },
};
