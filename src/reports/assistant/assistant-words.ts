import { capital, counted, grouped, percent, plainLine, shortened } from '../../common/text/index.ts';
import { shareText } from '../../judging/verdict/index.ts';
import { agreedSentence, MIN_FOR_SHARE } from '../../labels/agreement/index.ts';
import { isManyUnchecked } from '../../reviews/index.ts';
import { type Interval, sum, type Trend, trendOf } from '../../statistics/index.ts';
import { duration } from '../estimates/index.ts';
import type {
  AssistantChange,
  AssistantReport,
  ChangedGroup,
  PreferenceReport,
  TrueRate,
} from './assistant-report.ts';

/** A rounded number with a minus sign rather than a hyphen; a small number that would round to 0 gets one decimal. */
function rounded(value: number, sign: boolean): string {
  const whole = Math.round(Math.abs(value));
  const text = whole === 0 && value !== 0 ? Math.abs(value).toFixed(1) : grouped(whole);
  return `${Number(text) === 0 ? '' : value < 0 ? '−' : sign ? '+' : ''}${text}`;
}

type Kind = AssistantReport['rate']['kind'];
type AssistantMix = NonNullable<AssistantChange['mix']>;

/** How shares and scores are printed: shares as whole percents, scores to one decimal. */
export const units: Record<
  Kind,
  {
    plain: (value: number) => string;
    points: (value: number, sign: boolean) => string;
    unit: (by: number) => string;
  }
> = {
  pass: {
    plain: (value) => String(Math.round(value * 100)),
    points: (value, sign) => rounded(value * 100, sign),
    unit: (by) => (Math.round(Math.abs(by) * 100) === 1 ? ' point' : ' points'),
  },
  score: {
    plain: (value) => value.toFixed(1),
    points: (value, sign) => `${value < 0 ? '−' : sign && value > 0 ? '+' : ''}${Math.abs(value).toFixed(1)}`,
    unit: () => '',
  },
};

export const between = (interval: Interval, text: (value: number) => string, joint: string): string =>
  interval.defined ? `${text(interval.low)}${joint}${text(interval.high)}` : interval.why;

/**
 * `81 % of 240 answers pass (76–86)`.
 * @param judged whether to say that these are answers as judged: judges' errors shrink a true change
 */
export function rateText(
  { rate: { kind, measure, interval }, answers, decided }: AssistantReport,
  judged = false,
): string {
  if (answers === 0) return 'nothing is judged yet; the same "jury bench run" command resumes';
  if (!measure.defined) return `none of ${counted(answers, 'answer')} could be decided`;
  const { plain } = units[kind];
  const limits = between(interval, plain, '–');
  return kind === 'pass'
    ? `${plain(measure.value)} % of ${counted(decided, judged ? 'judged answer' : 'answer')} ${decided === 1 ? 'passes' : 'pass'} (${limits})`
    : `${counted(decided, 'answer')} ${decided === 1 ? 'scores' : 'score'} ${plain(measure.value)} on average (${limits})`;
}

/** The difference in words, `6 points less than` or `the same as`, and its interval. */
export function differenceText(kind: Kind, { value, interval }: NonNullable<AssistantChange['difference']>) {
  const { points, unit } = units[kind];
  const by = points(Math.abs(value), false);
  const isSame = Number(by) === 0;
  return {
    isSame,
    text: isSame ? 'the same as' : `${by}${unit(value)} ${value < 0 ? 'less' : 'more'} than`,
    interval: between(interval, (limit) => points(limit, true), ' to '),
  };
}

/**
 * Names the requests that a difference covers, if only those in both: `on the 20 requests in both`. Null if both runs have the same requests,
 * and if others are compared, too.
 */
const bothText = ({ requests: { shared, onlyNow, onlyThen }, mix }: AssistantChange): string | null =>
  mix !== null || onlyNow + onlyThen === 0 ? null : `on the ${counted(shared, 'request')} in both`;

/** How the kinds of other requests compare: `of the same kinds`, or `at the same mix of language`. */
export function kindsText({ adjusted, unadjusted }: Pick<AssistantMix, 'adjusted' | 'unadjusted'>): string {
  const same = adjusted.length > 0 ? [`at the same mix of ${andList(adjusted)}`] : [];
  const another = unadjusted.length > 0 ? [`of another mix of ${andList(unadjusted)}`] : [];
  return [...same, ...another].join(' but ') || 'of the same kinds';
}

/**
 * Says that other requests are compared: `, other requests of the same kinds`, or `, 120 requests in both, the others at the same mix of
 * language`. Empty if all are the same.
 */
function othersText({ requests: { shared }, mix }: AssistantChange): string {
  if (mix === null) return '';
  const who = shared === 0 ? 'other requests' : `${counted(shared, 'request')} in both, the others`;
  return `, ${who} ${kindsText(mix)}`;
}

const andList = (names: readonly string[]): string => names.join(' and ');

const pText = (p: number): string => (p < 0.001 ? 'p < 0.001' : `p = ${p.toFixed(3)}`);

/** `New is better: preferred for 24 of 31 requests, 77 % (60–89), p = 0.003 by sign test; 9 the same`. */
export function preferenceText({ names: [nameA, nameB], A, B, same, share, pValue }: PreferenceReport): {
  text: string;
  trend: Trend;
} {
  const { measure, interval } = share;
  if (!measure.defined || !interval.defined || !pValue.defined)
    return {
      text: `No difference was found between ${nameA} and ${nameB} on ${counted(same, 'request')}`,
      trend: 'unknown',
    };
  const isB = B >= A;
  const [name, n] = isB ? [nameB, B] : [nameA, A];
  const [low, high] = isB ? [interval.low, interval.high] : [1 - interval.high, 1 - interval.low];
  const whole = (value: number): string => String(Math.round(value * 100));
  const trend = trendOf({ ...interval, low: interval.low - 0.5, high: interval.high - 0.5 }, 0);
  const head = trend === 'unknown' ? `Neither ${nameA} nor ${nameB} is clearly better` : `${name} is better`;
  const figures = `${trend === 'unknown' ? `${name} is ` : ''}preferred for ${n} of ${counted(A + B, 'request')}, ${whole(n / (A + B))} % (${whole(low)}–${whole(high)}), ${pText(pValue.value)} by sign test`;
  return { text: `${head}: ${figures}${same === 0 ? '' : `; ${same} the same`}`, trend };
}

/** How many judgements changed with the order of the answers: those count as ties. */
export const orderText = ({ changed: { n, of } }: PreferenceReport): string =>
  of === 0
    ? 'How sure is this: not known; the judgements were made elsewhere, and the order of the answers is not recorded'
    : n === 0
      ? `How sure is this: all ${counted(of, 'judgement')} are the same in both orders`
      : `How sure is this: ${n} of ${counted(of, 'judgement')} changed with the order of the answers and count as ties`;

/**
 * The headline on an assistant.
 * @param then the day or run compared with
 * @param name null if there is only one benchmark
 */
export function headlineText(
  report: AssistantReport,
  change: AssistantChange | null,
  then: string,
  name: string | null = null,
): { text: string; trend: Trend } {
  if (report.preference !== null) {
    const { text, trend } = preferenceText(report.preference);
    return { text: name === null ? text : `${name}: ${text}`, trend };
  }
  const rate = rateText(report);
  const [who, prefix] = name === null ? ['The assistant', ''] : [`The assistant (${name})`, `${name}: `];
  const alone = name === null ? capital(rate) : `${prefix}${rate}`;
  if (change === null) return { text: alone, trend: 'unknown' };
  const { difference, obstacles, requests, mix } = change;
  if (difference === null) {
    const why = obstacles.length > 0 ? obstacles.join('; ') : 'no answer was decided both times';
    return { text: `${alone}. Not comparable with ${then}: ${why}`, trend: 'unknown' };
  }
  const { trend } = difference;
  const both = bothText(change);
  const compared = (what: string) => (both === null ? `${what},` : `${what}; ${both},`);
  if (mix === null && requests.sameAnswer === requests.shared)
    return { text: `${who} is steady: ${compared(rate)} the same answers as ${then}`, trend };
  const { text: by, isSame, interval } = differenceText(report.rate.kind, difference);
  const result = compared(trend === 'steady' ? rateText(report, true) : rate);
  const text = `${result} ${by} ${/^\d/.test(then) ? `on ${then}` : then}`;
  const others = othersText(change);
  if (trend === 'unknown')
    return { text: `${prefix}${text}${isSame ? '' : ', which can be chance'} (${interval})${others}`, trend };
  return {
    text: `${who} ${trend === 'steady' ? 'is steady' : `got ${trend}`}: ${text} (${interval})${others}`,
    trend,
  };
}

/** One line on what changed since a baseline. */
export function baselineText({ rate }: AssistantReport, change: AssistantChange): string {
  const { baseline, difference, obstacles, failing, passing, requests } = change;
  if (difference === null) return `Not comparable with the baseline ${baseline}: ${obstacles.join('; ')}`;
  const { text, interval } = differenceText(rate.kind, difference);
  const turned = `${grouped(sizeOf(failing))} newly fail, ${grouped(sizeOf(passing))} newly pass`;
  const both = bothText(change);
  const where = both === null ? '' : ` ${both}`;
  return `${capital(text)} the baseline ${baseline}${where} (${interval})${othersText(change)}${requests.shared === 0 ? '' : `: ${turned}`}`;
}

const list = (builds: readonly string[]): string => builds.join(', ');

/** How many answers stayed the same, and of how many not even the verdict is another. */
const unchangedTexts = ({ requests: { shared, sameAnswer }, takenOver = 0 }: AssistantChange): string[] => [
  ...(sameAnswer > 0 && sameAnswer < shared ? [`${counted(sameAnswer, 'answer')} unchanged`] : []),
  ...(takenOver > 0 ? [`${counted(takenOver, 'verdict')} taken over`] : []),
];

/** What is compared: `Build 2 against 1 · same 240 requests, same judges`. */
export function basisText(report: AssistantReport, change: AssistantChange | null): string {
  const { answers, decided, preference } = report;
  const builds = preference === null ? report.builds : [];
  const against = change === null || change.builds.length === 0 ? '' : ` against ${list(change.builds)}`;
  const { shared = 0, onlyNow = 0, onlyThen = 0 } = change?.requests ?? {};
  const leftOut = change?.mix?.leftOut ?? 0;
  const same =
    onlyNow + onlyThen === 0
      ? `same ${counted(shared, 'request')}`
      : shared === 0
        ? `${counted(onlyNow, 'request')} now, ${grouped(onlyThen)} others then`
        : `${counted(shared, 'request')} in both, ${grouped(onlyNow)} only now, ${grouped(onlyThen)} only then`;
  return [
    ...(builds.length === 0 ? [] : [`${builds.length === 1 ? 'Build' : 'Builds'} ${list(builds)}${against}`]),
    ...(change === null || change.obstacles.length > 0
      ? []
      : [`${builds.length === 0 ? same.replace(/^s/, 'S') : same}, same judges`]),
    ...(leftOut > 0 ? [`${counted(leftOut, 'request')} without one of their kind left out`] : []),
    ...(change === null ? [] : unchangedTexts(change)),
    ...(decided < answers ? [`${grouped(answers - decided)} of ${grouped(answers)} not decided`] : []),
  ].join(' · ');
}

export function sharedText({ tag, value, n }: NonNullable<ChangedGroup['shared']>, all: number): string {
  const who = n < all ? `${grouped(n)} of them` : n === 2 ? 'both' : 'all';
  if (tag === 'weekday') return `${who} on ${capital(value)}s`;
  return `${who} ${tag === 'language' ? `in ${value}` : `with ${tag} ${value}`}`;
}

/** A label and a line of text for each group. */
export const groupRows = (groups: readonly ChangedGroup[]): { label: string; value: string }[] =>
  groups.map(({ title, n, reason, shared }) => ({
    label: `${title ?? 'Other'} ${grouped(n)}`,
    value: [
      ...(shared === null ? [] : [sharedText(shared, n)]),
      ...(reason === null ? [] : [n > 1 ? `such as “${reason}”` : reason]),
    ].join('; '),
  }));

export const sizeOf = (groups: readonly ChangedGroup[]): number => sum(groups.map(({ n }) => n));

/** `12 answers newly fail`. */
export const turnedText = (groups: readonly ChangedGroup[], to: 'fail' | 'pass'): string => {
  const n = sizeOf(groups);
  return `${counted(n, 'answer')} newly ${to}${n === 1 ? (to === 'fail' ? 's' : 'es') : ''}`;
};

export const totalOf = ({ tp, fp, fn, tn }: AssistantReport['labels']): number =>
  Math.round(tp + fp + fn + tn);

/** How often judges agree with the labels there are: `88 % (78–93, n = 80)`; null if there are too few. */
export function agreedText({ labels, independent }: AssistantReport): string | null {
  const n = totalOf(labels);
  if (n < MIN_FOR_SHARE) return null;
  return shareText({ agreed: Math.round(labels.tp + labels.tn), n }, independent?.agreed);
}

/** What the judges do otherwise when they are asked again. */
export function steadinessOf({ flips, changes }: AssistantReport, who: 'they' | 'judges'): string[] {
  const again =
    flips?.defined === true ? [`asked again, ${who} decide ${percent(flips.value)} differently`] : [];
  const unchanged = changes
    .slice(0, 1)
    .flatMap(({ unchanged: { n, flipped }, obstacles }) =>
      flipped === 0 || obstacles.length > 0
        ? []
        : [`${who} now decide ${grouped(flipped)} of ${grouped(n)} unchanged answers differently`],
    );
  return [...again, ...unchanged];
}

type CheckedRate = Extract<TrueRate, { unchecked: number }>;

/** `that judges failed and split on` */
const unseenText = ({ decision, split }: CheckedRate['unseen'][number]): string =>
  `that judges ${decision === 'pass' ? 'passed' : 'failed'}${split === null ? '' : split ? ' and split on' : ' unanimously'}`;

/** What people checked, `40 of these answers, drawn by chance`, with those that were not if they are many, or of some kind all. */
export function checkedText(truth: CheckedRate): string {
  const { n, unchecked, unsure, unseen } = truth;
  const whose =
    truth.source === 'sample'
      ? 'of these answers'
      : `answers of ${counted(truth.runs, 'other run')} with the same judges`;
  const drawn = n + unchecked;
  const gaps = [
    ...(isManyUnchecked({ drawn, unchecked })
      ? [`${grouped(unchecked)} of the ${grouped(drawn)} drawn were not checked`]
      : []),
    ...(unsure > 0 ? [`${grouped(unsure)} not sure`] : []),
    ...unseen.map((one) => `none of the ${grouped(one.size)} ${unseenText(one)} was checked`),
  ];
  return [`${grouped(n)} ${whose}, drawn by chance`, ...gaps].join('; ');
}

/** The run that the first change is since, in words: `before`, `the baseline release`. */
const sinceWhat = ({ baseline }: Pick<AssistantChange, 'baseline'>): string =>
  baseline === null ? 'before' : `the baseline ${baseline}`;

/** How the true rate changed since the first run that is compared: `7 points less than before (−13 to −1)`; null if not known. */
export function sinceText({ changes: [change] }: AssistantReport): string | null {
  if (change === undefined || change.corrected === null) return null;
  const { corrected } = change;
  const { text, isSame, interval } = differenceText('pass', corrected);
  const isOpen = corrected.trend === 'unknown' && !isSame;
  return `${text} ${sinceWhat(change)}${isOpen ? ', which can be chance' : ''} (${interval})`;
}

/** `allowing for judges’ errors, 78 % (69–87)`; null if it is not known. */
export function truthText({ truth, rate }: AssistantReport): string | null {
  if (truth.source === null || !truth.measure.defined || !rate.measure.defined) return null;
  const { plain } = units.pass;
  const share = `${plain(truth.measure.value)} %`;
  const limits = between(truth.interval, plain, '–');
  return truth.source === 'labels'
    ? `by the labels alone, ${share} pass (${limits})`
    : `allowing for judges’ errors, ${share} (${limits})`;
}

/** How many answers truly pass, beside what the judges say, and from what that is known; why not if it is not. */
function trustText(report: AssistantReport): string {
  const { rate, truth, decided, answers } = report;
  const [agreed, share] = [agreedText(report), truthText(report)];
  if (share === null || truth.source === null || !rate.measure.defined) {
    const why = truth.source === null ? truth.why : 'no answer was decided';
    const chosen = totalOf(report.labels) < decided ? '; how the labeled ones were chosen is not known' : '';
    const some = agreed === null ? '' : `; judges agree with the labels on ${agreed}${chosen}`;
    const end = steadinessOf(report, 'they').map((one) => `; ${one}`);
    return `How sure is this: not known yet; ${why}${some}${end.join('')}`;
  }
  const basis =
    truth.source === 'labels'
      ? `All ${grouped(truth.n)} ${decided < answers ? 'decided answers' : 'answers'} are labeled`
      : `People checked ${checkedText(truth)}`;
  const since = sinceText(report);
  const known = `${basis}; ${share}${since === null ? '' : `, ${since}`}`;
  const agreement =
    truth.source !== 'labels' || agreed === null ? '' : `, and judges agree with them on ${agreed}`;
  const steadiness = steadinessOf(report, 'judges').join('; ');
  const end = steadiness === '' ? '' : ` ${capital(steadiness)}.`;
  return `Judges pass ${units.pass.plain(rate.measure.value)} %. ${known}${agreement}.${end}`;
}

/** What people's votes say of verdicts like these; null if there are too few. */
export function votesText({ votes }: AssistantReport): string | null {
  return agreedSentence({ agreed: votes.tp + votes.tn, n: totalOf(votes) }, 'en');
}

/** Maximum length of a request in a list of the slowest, in characters. */
const MAX_REQUEST = 60;

const medianText = (median: number): string => `Half of the answers take ${duration(median)} or less`;

/** How long answers take; null if no time is known. */
export function latencyText({ latency }: AssistantReport): string | null {
  const most = latency?.slowest[0]?.ms;
  if (latency === null || most === undefined) return null;
  return `${medianText(latency.median)}, the slowest ${duration(most)}`;
}

/** The slowest answers, labeled with their times. */
export const slowestRows = ({ latency }: AssistantReport): { label: string; value: string }[] =>
  (latency?.slowest ?? []).map(({ request, ms }) => ({
    label: duration(ms),
    value: `“${shortened(plainLine(request), MAX_REQUEST)}”`,
  }));

/** How sure the rate or the preference of a run is. */
export const sureText = (report: AssistantReport): string =>
  report.preference === null ? trustText(report) : orderText(report.preference);

/** The report's section on each change (or a single one if there is none): a sentence, its basis, and the answers that changed. */
export function changeSections(report: AssistantReport) {
  const changes = report.changes.length === 0 ? [null] : report.changes;
  return changes.map((change) => {
    const baseline = change?.baseline ?? null;
    const then = baseline === null ? (change?.run ?? '') : `the baseline ${baseline}`;
    const turned = [
      { title: turnedText(change?.failing ?? [], 'fail'), groups: change?.failing ?? [] },
      { title: turnedText(change?.passing ?? [], 'pass'), groups: change?.passing ?? [] },
    ];
    return {
      headline: headlineText(report, change, then).text,
      basis: basisText(report, change),
      turned: turned.filter(({ groups }) => groups.length > 0),
    };
  });
}

/** The report's closing lines about the answers, apart from changes. */
export function closingLines(report: AssistantReport): string[] {
  const slowest = slowestRows(report).map(({ label, value }) => `${label} ${value}`);
  const { latency } = report;
  const times = latency === null ? [] : [`${medianText(latency.median)}. The slowest: ${slowest.join(', ')}`];
  const votes = report.preference === null ? votesText(report) : null;
  return [...times, sureText(report), ...(votes === null ? [] : [votes])];
}
