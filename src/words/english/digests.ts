import { counted, grouped } from '../../common/text/index.ts';

/** Digests, apart from what they say of an assistant. */
export const digests = {
  /** Locale of days and times. */
  locale: 'en-GB',
  /** @param day such as `16 Nov 2026` */
  hourOf: ({ day, hour }: { day: string; hour: number }) => `${day}, ${hour}h`,
  where: { here: 'in this conversation', everywhere: 'in all conversations' },
  settledBy: 'three votes or more, more than half of them on one side',
  elsewhere: 'a request from another channel',
  reasonElsewhere: 'its reason is shown there only',
  interval: ({ low, high }: { low: string; high: string }) => `95 % interval ${low} to ${high}`,
  noInterval: (why: string) => `no interval: ${why}`,
  trends: { worse: 'Worse', better: 'Better', steady: 'Steady', unknown: 'Not clear yet' },
  othersTurned: {
    worse: (count: number) => `${counted(count, 'other')} got worse`,
    better: (count: number) => `${counted(count, 'other')} got better`,
    steady: (count: number) => `${counted(count, 'other')} held steady`,
  },
  judges: {
    of: (name: string) => `The judges of ${name}`,
    headline: ({
      name,
      trend,
      text,
    }: {
      name: string;
      trend: 'better' | 'worse' | 'unknown';
      text: string;
    }) => `The judges of ${name}${trend === 'unknown' ? '' : ` got ${trend}`}: ${text}`,
    moved: (of: {
      trend: string;
      share: string;
      n: number;
      name: string;
      points: string;
      interval: string;
    }) =>
      `${of.trend}: the judges agree with the labels on ${of.share} of ${counted(of.n, 'trial')} of ${of.name}, ${of.points} points since the last digest (${of.interval})`,
    first: (of: { share: string; n: number; name: string; interval: string }) =>
      `The judges agree with the labels on ${of.share} of ${counted(of.n, 'trial')} of ${of.name} (${of.interval}); the next digest will compare.`,
  },
  votes: {
    since: (of: { share: string; n: number; where: string; points: string; interval: string }) =>
      `People agree with ${of.share} of ${counted(of.n, 'verdict')} settled by votes ${of.where} since the last digest, ${of.points} points compared with before (${of.interval}); people choose what they vote on, so this shows no trend.`,
    now: (of: { share: string; n: number; where: string; interval: string }) =>
      `People agree with ${of.share} of ${counted(of.n, 'verdict')} settled by votes ${of.where} (${of.interval}).`,
  },
  activity: (of: { checks: number; where: string; settled: number; from: number }) =>
    `${of.checks === 0 ? 'No spot checks' : counted(of.checks, 'spot check')} ${of.where}; ${counted(of.settled, 'verdict')} settled by votes so far (from ${of.from} on, this says how often people agree with the panel).`,
  notFinished: (names: readonly string[]) => `; ${names.join(', ')} did not finish.`,
  quiet: ({ day, where }: { day: string; where: string | null }) =>
    `All quiet since ${day}: nothing was ${where === null ? 'judged, voted on or measured' : `judged or voted on ${where}, or measured`}.`,
  late: (due: string) => `Late: this digest was due on ${due}.`,
  notes: {
    votes: ({ where, rule }: { where: string; rule: string }) =>
      `Votes and spot checks are those ${where}. Votes settle a verdict: ${rule}; what is not settled counts for neither side.`,
    trials: 'Trials without a decision count as not right.',
    rates:
      'Pass rates leave out undecided answers. Better and worse are said only of a change that is too large to be chance.',
    allTime: 'Votes and spot checks cover all time.',
    since: ({ moment, timezone }: { moment: string; timezone: string }) => `Since: ${moment} (${timezone}).`,
    hidden: (count: number) =>
      `${counted(count, 'verdict')} of the last seven days ${count === 1 ? 'is' : 'are'} hidden until people vote and ${count === 1 ? 'counts' : 'count'} only toward the cost.`,
  },
  benchmarks: {
    title: 'Benchmarks',
    columns: {
      name: 'Benchmark',
      right: 'Right',
      interval: '95 % interval',
      trials: 'Of trials',
      since: 'Since the last digest',
      best: 'Best so far',
      cost: 'Cost',
    },
    thisOne: 'this one',
    notKnown: 'not known',
    attention: 'Benchmarks that need attention',
    unanswered: ({ count, trials }: { count: number; trials: number }) =>
      `judges did not answer in ${count} of ${counted(trials, 'trial')}`,
    incomplete: (of: { run: string; trials: number; planned: number; why: string }) =>
      `run ${of.run} left out, stopped after ${of.trials} of ${counted(of.planned, 'trial')}: ${of.why}`,
    notRun: (why: string) => `could not run: ${why}`,
    others: 'Other benchmarks',
    leftOut: 'Left out',
    count: (n: number) => counted(n, 'benchmark'),
  },
  trend: {
    passing: 'Answers that pass',
    right: 'Right decisions',
    byRun: ({ what, drawn, all }: { what: string; drawn: number; all: number }) =>
      `${what} by run, %${drawn < all ? `; the first ${drawn} of ${all}` : ''}`,
    votes: 'Verdicts that people agree with, by week, %',
    agree: 'agree',
  },
  regressions: {
    byType: ({ count, first }: { count: number; first: number | null }) =>
      `${counted(count, 'regression')} by error type${first === null ? '' : `, of the first ${first}`}`,
    otherKinds: (count: number) => counted(count, 'other kind'),
    title: 'Right before, wrong now',
    allCases: 'All changed cases, with what the judges said',
    allAnswers: 'All changed answers, with what the judges said',
    besides: (title: string) => `${title}; besides the blockers`,
    line: (of: { name: string; caseId: string; category: string; why: string | null }) =>
      `${of.name}, ${of.caseId} (${of.category})${of.why === null ? '' : `: ${of.why}`}`,
    slowest: 'Slowest answers',
  },
  checks: {
    title: ({ where, isSince }: { where: string; isSince: boolean }) =>
      `Spot checks and votes ${where} ${isSince ? 'since' : 'so far'}`,
    spotChecks: 'Spot checks',
    none: 'none',
    votes: 'Votes',
    takenBack: (count: number) => `${count} taken back`,
    settled: 'All verdicts settled by votes',
    agree: ({ n, share, interval }: { n: number; share: string; interval: string }) =>
      `${n}, and people agree with ${share} of them (${interval})`,
    ties: (count: number) => counted(count, 'tie'),
    unsure: (count: number) => counted(count, '“unsure” vote'),
    cost: 'Cost of the spot checks',
    runsCost: 'Cost of the benchmark runs',
    atLeast: (cost: string) => `at least ${cost}`,
    decided: ({ count, decision }: { count: number; decision: string }) => `${count} ${decision}`,
    preferred: ({ count, name }: { count: number; name: string }) => `${count} for ${name}`,
    tied: (count: number) => `${count} tied`,
    ofTwo: (count: number) => `${count} of two answers`,
  },
  byJudge: {
    title: (where: string) => `How often people agree with each judge ${where}`,
    columns: { judge: 'Judge', agree: 'Agree', interval: '95 % interval', verdicts: 'Verdicts' },
  },
  disputed: {
    title: (read: number | null) => `Most disputed${read === null ? '' : ` of the newest ${grouped(read)}`}`,
    line: ({ title, agree, disagree }: { title: string; agree: number; disagree: number }) =>
      `${title}: ${agree} agree, ${disagree} disagree`,
  },
  message: {
    details: 'Details',
    detailsOf: 'Details of the digest',
    createIssue: 'create issue',
    open: 'open',
    more: (count: number) => `${count} more`,
    moreRows: (count: number) => `${count} more rows`,
    fromTo: ({ name, first, last }: { name: string; first: string; last: string }) =>
      `${name} from ${first} % to ${last} %`,
    pause: 'Pause',
  },
  failed: {
    digest: ({ id, reason, next }: { id: string; reason: string; next: string }) =>
      `The digest ${id} could not be posted: ${reason}. ${next}`,
    thread: ({ id, reason, next }: { id: string; reason: string; next: string }) =>
      `The thread under the digest ${id} could not be posted: ${reason}. ${next}`,
    alert: ({ id, reason, next }: { id: string; reason: string; next: string }) =>
      `The alert ${id} could not be posted: ${reason}. ${next}`,
    alertThread: ({ id, reason, next }: { id: string; reason: string; next: string }) =>
      `The thread under the alert ${id} could not be posted: ${reason}. ${next}`,
    webhook: ({ id, reason, next }: { id: string; reason: string; next: string }) =>
      `The webhook of the alert ${id} could not be posted: ${reason}. ${next}`,
    givesUp: {
      digest: 'Jury has given up on it; the next digest will be posted as usual.',
      alert: 'Jury has given up on it; the next alert will be posted as usual.',
    },
    tries: {
      digest: 'Jury keeps trying for up to three days; "jury digest list" shows what is set up.',
      alert: 'Jury keeps trying for up to three days; "jury alert list" shows what is set up.',
    },
  },
};
