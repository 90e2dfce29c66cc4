import { capital, plainLine, shortened } from '../../common/text/index.ts';
import { shareText } from '../../judging/verdict/index.ts';
import { agreedSentence, MIN_FOR_SHARE } from '../../labels/agreement/index.ts';
import { isManyUnchecked } from '../../reviews/index.ts';
import { type Interval, sum, type Trend, trendOf } from '../../statistics/index.ts';
import { type Language, wordsIn } from '../../words/index.ts';
import { duration } from '../estimates/index.ts';
import type {
  AssistantChange,
  AssistantReport,
  ChangedGroup,
  PreferenceReport,
  TrueRate,
} from './assistant-report.ts';
import { obstaclesText, truthUnknownText } from './reason-words.ts';

// Reports are in English, digests in the language of their conversation.

/** A rounded number with a minus sign rather than a hyphen; a small number that would round to 0 gets one decimal. */
function rounded(value: number, sign: boolean, language: Language): string {
  const { grouped, written } = wordsIn(language).numbers;
  const whole = Math.round(Math.abs(value));
  const tenths = Math.abs(value).toFixed(1);
  const isSmall = whole === 0 && value !== 0;
  const text = isSmall ? written(tenths) : grouped(whole);
  const isZero = Number(isSmall ? tenths : whole) === 0;
  return `${isZero ? '' : value < 0 ? '−' : sign ? '+' : ''}${text}`;
}

type Kind = AssistantReport['rate']['kind'];
type AssistantMix = NonNullable<AssistantChange['mix']>;

/** How shares and scores are printed: shares as whole percents, scores to one decimal. */
export interface Unit {
  plain: (value: number) => string;
  points: (value: number, sign: boolean) => string;
}

export function unitOf(kind: Kind, language: Language): Unit {
  const { written } = wordsIn(language).numbers;
  return kind === 'pass'
    ? {
        plain: (value) => String(Math.round(value * 100)),
        points: (value, sign) => rounded(value * 100, sign, language),
      }
    : {
        plain: (value) => written(value.toFixed(1)),
        points: (value, sign) =>
          written(`${value < 0 ? '−' : sign && value > 0 ? '+' : ''}${Math.abs(value).toFixed(1)}`),
      };
}

export const between = (
  interval: Interval,
  text: (value: number) => string,
  joint: string,
  language: Language,
): string =>
  interval.defined
    ? `${text(interval.low)}${joint}${text(interval.high)}`
    : wordsIn(language).assistant.rate.noInterval(interval.why);

/**
 * `81 % of 240 answers pass (76–86)`.
 * @param judged whether to say that these are answers as judged: judges' errors shrink a true change
 */
export function rateText(
  { rate: { kind, measure, interval }, answers, decided }: AssistantReport,
  judged: boolean,
  language: Language,
): string {
  const { rate } = wordsIn(language).assistant;
  if (answers === 0) return rate.nothing;
  if (!measure.defined) return rate.noneDecided(answers);
  const { plain } = unitOf(kind, language);
  const limits = between(interval, plain, '–', language);
  return kind === 'pass'
    ? rate.passes({ share: plain(measure.value), count: decided, judged, limits })
    : rate.scores({ mean: plain(measure.value), count: decided, limits });
}

/** The difference in words, `6 points less than` or `the same as`, and its interval. */
export function differenceText(
  kind: Kind,
  { value, interval }: NonNullable<AssistantChange['difference']>,
  language: Language,
) {
  const { difference } = wordsIn(language).assistant;
  const { points } = unitOf(kind, language);
  const by = points(Math.abs(value), false);
  const isSame = Number(unitOf(kind, 'en').points(Math.abs(value), false)) === 0;
  const isLess = value < 0;
  const isOne = Math.round(Math.abs(value) * 100) === 1;
  return {
    isSame,
    text: isSame
      ? difference.same
      : kind === 'pass'
        ? difference.points({ by, isOne, isLess })
        : difference.score({ by, isLess }),
    interval: between(interval, (limit) => points(limit, true), wordsIn(language).numbers.to, language),
  };
}

/**
 * Names the requests that a difference covers, if only those in both: `on the 20 requests in both`. Null if both runs have the same requests,
 * and if others are compared, too.
 */
const bothText = (
  { requests: { shared, onlyNow, onlyThen }, mix }: AssistantChange,
  language: Language,
): string | null =>
  mix !== null || onlyNow + onlyThen === 0 ? null : wordsIn(language).assistant.onBoth(shared);

/** How the kinds of other requests compare: `of the same kinds`, or `at the same mix of language`. */
export function kindsText(
  { adjusted, unadjusted }: Pick<AssistantMix, 'adjusted' | 'unadjusted'>,
  language: Language = 'en',
): string {
  const { kinds } = wordsIn(language).assistant;
  const same = adjusted.length > 0 ? [kinds.sameMix(adjusted)] : [];
  const another = unadjusted.length > 0 ? [kinds.otherMix(unadjusted)] : [];
  return [...same, ...another].join(kinds.but) || kinds.same;
}

/**
 * Says that other requests are compared: `, other requests of the same kinds`, or `, 120 requests in both, the others at the same mix of
 * language`. Empty if all are the same.
 */
const othersText = ({ requests: { shared }, mix }: AssistantChange, language: Language): string =>
  mix === null ? '' : wordsIn(language).assistant.others({ shared, kinds: kindsText(mix, language) });

const pText = (p: number): string => (p < 0.001 ? 'p < 0.001' : `p = ${p.toFixed(3)}`);

/** `New is better: preferred for 24 of 31 requests, 77 % (60–89), p = 0.003 by sign test; 9 the same`. */
export function preferenceText(
  { names, A, B, same, share, pValue }: PreferenceReport,
  language: Language,
): {
  text: string;
  trend: Trend;
} {
  const { preference } = wordsIn(language).assistant;
  const [nameA, nameB] = names;
  const { measure, interval } = share;
  if (!measure.defined || !interval.defined || !pValue.defined)
    return { text: preference.none({ names, same }), trend: 'unknown' };
  const isB = B >= A;
  const [name, n] = isB ? [nameB, B] : [nameA, A];
  const [low, high] = isB ? [interval.low, interval.high] : [1 - interval.high, 1 - interval.low];
  const whole = (value: number): string => String(Math.round(value * 100));
  const trend = trendOf({ ...interval, low: interval.low - 0.5, high: interval.high - 0.5 }, 0);
  const isOpen = trend === 'unknown';
  const figures = preference.figures({
    name: isOpen ? name : null,
    n,
    of: A + B,
    share: whole(n / (A + B)),
    limits: `${whole(low)}–${whole(high)}`,
    p: wordsIn(language).numbers.written(pText(pValue.value)),
    same,
  });
  return { text: `${isOpen ? preference.neither(names) : preference.better(name)}: ${figures}`, trend };
}

/** How many judgements changed with the order of the answers: those count as ties. */
export function orderText({ changed: { n, of } }: PreferenceReport, language: Language): string {
  const { preference } = wordsIn(language).assistant;
  if (of === 0) return preference.orderUnknown;
  return n === 0 ? preference.orderSame(of) : preference.orderChanged({ n, of });
}

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
  language: Language = 'en',
): { text: string; trend: Trend } {
  const words = wordsIn(language).assistant;
  const named = (text: string): string =>
    name === null ? text : wordsIn(language).known.figureIn({ name, figure: text });
  if (report.preference !== null) {
    const { text, trend } = preferenceText(report.preference, language);
    return { text: named(text), trend };
  }
  const rate = rateText(report, false, language);
  const who = words.headline.who(name);
  const alone = name === null ? capital(rate) : named(rate);
  if (change === null) return { text: alone, trend: 'unknown' };
  const { difference, obstacles, requests, mix } = change;
  if (difference === null) {
    const why = obstacles.length > 0 ? obstaclesText(change, language) : words.headline.nothingDecidedTwice;
    return { text: words.headline.notComparable({ alone, was: then, why }), trend: 'unknown' };
  }
  const { trend } = difference;
  const both = bothText(change, language);
  const compared = (what: string) => words.comparedOn({ what, both });
  if (mix === null && requests.sameAnswer === requests.shared)
    return { text: words.headline.sameAnswers({ who, rate: compared(rate), was: then }), trend };
  const { text: by, isSame, interval } = differenceText(report.rate.kind, difference, language);
  const result = compared(trend === 'steady' ? rateText(report, true, language) : rate);
  const text = `${result} ${by} ${words.against.on(then)}`;
  const others = othersText(change, language);
  if (trend === 'unknown')
    return {
      text: `${named(text)}${isSame ? '' : words.difference.perhapsChance} (${interval})${others}`,
      trend,
    };
  return { text: `${who} ${words.headline.trend[trend]}: ${text} (${interval})${others}`, trend };
}

/** One line on what changed since a baseline. */
export function baselineText(
  { rate }: AssistantReport,
  change: AssistantChange,
  language: Language = 'en',
): string {
  const words = wordsIn(language).assistant.baseline;
  const { difference, failing, passing, requests } = change;
  const name = change.baseline ?? '';
  if (difference === null) return words.notComparable({ name, why: obstaclesText(change, language) });
  const { text: by, interval } = differenceText(rate.kind, difference, language);
  const turned = words.turned({ failing: sizeOf(failing), passing: sizeOf(passing) });
  const where = bothText(change, language);
  const line = words.line({ by, name, where, interval, others: othersText(change, language) });
  return `${line}${requests.shared === 0 ? '' : turned}`;
}

/** How many answers stayed the same, and of how many not even the verdict is another. */
function unchangedTexts(
  { requests: { shared, sameAnswer }, takenOver = 0 }: AssistantChange,
  language: Language,
): string[] {
  const { basis } = wordsIn(language).assistant;
  return [
    ...(sameAnswer > 0 && sameAnswer < shared ? [basis.unchanged(sameAnswer)] : []),
    ...(takenOver > 0 ? [basis.takenOver(takenOver)] : []),
  ];
}

/** What is compared: `Build 2 against 1 · same 240 requests, same judges`. */
export function basisText(
  report: AssistantReport,
  change: AssistantChange | null,
  language: Language = 'en',
): string {
  const { basis } = wordsIn(language).assistant;
  const { answers, decided, preference } = report;
  const builds = preference === null ? report.builds : [];
  const { shared = 0, onlyNow: now = 0, onlyThen: was = 0 } = change?.requests ?? {};
  const leftOut = change?.mix?.leftOut ?? 0;
  const same =
    now + was === 0
      ? basis.same(shared)
      : shared === 0
        ? basis.others({ now, was })
        : basis.both({ shared, now, was });
  return [
    ...(builds.length === 0 ? [] : [basis.builds({ builds, against: change?.builds ?? [] })]),
    ...(change === null || change.obstacles.length > 0
      ? []
      : [`${builds.length === 0 ? capital(same) : same}, ${basis.sameJudges}`]),
    ...(leftOut > 0 ? [basis.leftOut(leftOut)] : []),
    ...(change === null ? [] : unchangedTexts(change, language)),
    ...(decided < answers ? [basis.notDecided({ open: answers - decided, of: answers })] : []),
  ].join(' · ');
}

export function sharedText(
  { tag, value, n }: NonNullable<ChangedGroup['shared']>,
  all: number,
  language: Language = 'en',
): string {
  const { groups } = wordsIn(language).assistant;
  const who = groups.share({ n, all });
  if (tag === 'weekday') return groups.onWeekday({ who, day: value });
  return tag === 'language'
    ? groups.inLanguage({ who, language: value })
    : groups.withTag({ who, tag, value });
}

/** A label and a line of text for each group. */
export function groupRows(
  groups: readonly ChangedGroup[],
  language: Language = 'en',
): { label: string; value: string }[] {
  const words = wordsIn(language).assistant.groups;
  return groups.map(({ title, n, reason, shared }) => ({
    label: words.labeled({ title: title ?? words.other, n }),
    value: [
      ...(shared === null ? [] : [sharedText(shared, n, language)]),
      ...(reason === null ? [] : [n > 1 ? words.suchAs(reason) : reason]),
    ].join('; '),
  }));
}

export const sizeOf = (groups: readonly ChangedGroup[]): number => sum(groups.map(({ n }) => n));

/** `12 answers newly fail`. */
export const turnedText = (
  groups: readonly ChangedGroup[],
  to: 'fail' | 'pass',
  language: Language = 'en',
): string => wordsIn(language).assistant.turned({ n: sizeOf(groups), to });

export const totalOf = ({ tp, fp, fn, tn }: AssistantReport['labels']): number =>
  Math.round(tp + fp + fn + tn);

/** How often judges agree with the labels there are: `88 % (78–93, n = 80)`; null if there are too few. */
export function agreedText({ labels, independent }: AssistantReport): string | null {
  const n = totalOf(labels);
  if (n < MIN_FOR_SHARE) return null;
  return shareText({ agreed: Math.round(labels.tp + labels.tn), n }, independent?.agreed);
}

/** What the judges do otherwise when they are asked again. @param they whether the sentence has named them */
export function steadinessOf(
  { flips, changes }: AssistantReport,
  they: boolean,
  language: Language,
): string[] {
  const { sure } = wordsIn(language).assistant;
  const { percent } = wordsIn(language).numbers;
  const again = flips?.defined === true ? [sure.flips({ they, share: percent(flips.value) })] : [];
  const unchanged = changes
    .slice(0, 1)
    .flatMap(({ unchanged: { n, flipped }, obstacles }) =>
      flipped === 0 || obstacles.length > 0 ? [] : [sure.unchanged({ they, flipped, n })],
    );
  return [...again, ...unchanged];
}

type CheckedRate = Extract<TrueRate, { unchecked: number }>;

/** What people checked, `40 of these answers, drawn by chance`, with those that were not if they are many, or of some kind all. */
export function checkedText(truth: CheckedRate, language: Language): string {
  const { sure } = wordsIn(language).assistant;
  const { n, unchecked, unsure, unseen } = truth;
  const drawn = n + unchecked;
  const gaps = [
    ...(isManyUnchecked({ drawn, unchecked }) ? [sure.unchecked({ count: unchecked, drawn })] : []),
    ...(unsure > 0 ? [sure.notSure(unsure)] : []),
    ...unseen.map(sure.unseen),
  ];
  const runs = truth.source === 'sample' ? null : truth.runs;
  return [sure.drawn({ n, runs }), ...gaps].join('; ');
}

/** The run that the first change is since, in words: `before`, `the baseline release`. */
const sinceWhat = ({ baseline }: Pick<AssistantChange, 'baseline'>, language: Language): string => {
  const { against } = wordsIn(language).assistant;
  return baseline === null ? against.before : against.baseline(baseline);
};

/** How the true rate changed since the first run that is compared: `7 points less than before (−13 to −1)`; null if not known. */
export function sinceText({ changes: [change] }: AssistantReport, language: Language): string | null {
  if (change === undefined || change.corrected === null) return null;
  const { corrected } = change;
  const { text, isSame, interval } = differenceText('pass', corrected, language);
  const isOpen = corrected.trend === 'unknown' && !isSame;
  const doubt = isOpen ? wordsIn(language).assistant.difference.perhapsChance : '';
  return `${text} ${sinceWhat(change, language)}${doubt} (${interval})`;
}

/** `allowing for judges’ errors, 78 % (69–87)`; null if it is not known. */
export function truthText({ truth, rate }: AssistantReport, language: Language): string | null {
  if (truth.source === null || !truth.measure.defined || !rate.measure.defined) return null;
  const { sure } = wordsIn(language).assistant;
  const { plain } = unitOf('pass', language);
  const share = plain(truth.measure.value);
  const limits = between(truth.interval, plain, '–', language);
  return truth.source === 'labels' ? sure.byLabels({ share, limits }) : sure.corrected({ share, limits });
}

/** How many answers truly pass, beside what the judges say, and from what that is known; why not if it is not. */
function trustText(report: AssistantReport, language: Language): string {
  const { sure } = wordsIn(language).assistant;
  const { rate, truth, decided, answers } = report;
  const [agreed, share] = [agreedText(report), truthText(report, language)];
  if (share === null || truth.source === null || !rate.measure.defined) {
    const why = truth.source === null ? truthUnknownText(truth, language) : sure.nothingDecided;
    const chosen = totalOf(report.labels) < decided ? [sure.chosenUnknown] : [];
    const some = agreed === null ? [] : [sure.agreed(agreed), ...chosen];
    return [sure.notKnown(why), ...some, ...steadinessOf(report, true, language)].join('; ');
  }
  const basis =
    truth.source === 'labels'
      ? sure.allLabeled({ count: truth.n, isAll: decided === answers })
      : sure.checked(checkedText(truth, language));
  const since = sinceText(report, language);
  const known = `${basis}; ${share}${since === null ? '' : `, ${since}`}`;
  const agreement = truth.source !== 'labels' || agreed === null ? '' : sure.agreedToo(agreed);
  const steadiness = steadinessOf(report, false, language).join('; ');
  const end = steadiness === '' ? '' : ` ${capital(steadiness)}.`;
  return `${sure.judgesPass(unitOf('pass', language).plain(rate.measure.value))} ${known}${agreement}.${end}`;
}

/** What people's votes say of verdicts like these; null if there are too few. */
export function votesText({ votes }: AssistantReport): string | null {
  return agreedSentence({ agreed: votes.tp + votes.tn, n: totalOf(votes) }, 'en');
}

/** Maximum length of a request in a list of the slowest, in characters. */
const MAX_REQUEST = 60;

const durationText = (ms: number, language: Language): string =>
  wordsIn(language).numbers.written(duration(ms));

/** How long answers take; null if no time is known. */
export function latencyText({ latency }: AssistantReport, language: Language = 'en'): string | null {
  const words = wordsIn(language).assistant.latency;
  const most = latency?.slowest[0]?.ms;
  if (latency === null || most === undefined) return null;
  const median = words.median(durationText(latency.median, language));
  return words.slowest({ median, most: durationText(most, language) });
}

/** The slowest answers, labeled with their times. */
export const slowestRows = (
  { latency }: AssistantReport,
  language: Language = 'en',
): { label: string; value: string }[] =>
  (latency?.slowest ?? []).map(({ request, ms }) => ({
    label: durationText(ms, language),
    value: wordsIn(language).assistant.latency.request(shortened(plainLine(request), MAX_REQUEST)),
  }));

/** How sure the rate or the preference of a run is. */
export const sureText = (report: AssistantReport, language: Language = 'en'): string =>
  report.preference === null ? trustText(report, language) : orderText(report.preference, language);

/** The report's section on each change (or a single one if there is none): a sentence, its basis, and the answers that changed. */
export function changeSections(report: AssistantReport) {
  const changes = report.changes.length === 0 ? [null] : report.changes;
  return changes.map((change) => {
    const baseline = change?.baseline ?? null;
    const then = baseline === null ? (change?.run ?? '') : wordsIn('en').assistant.against.baseline(baseline);
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
  const words = wordsIn('en').assistant.latency;
  const median = latency === null ? '' : words.median(duration(latency.median));
  const times = latency === null ? [] : [words.allSlowest({ median, slowest })];
  const votes = report.preference === null ? votesText(report) : null;
  return [...times, sureText(report), ...(votes === null ? [] : [votes])];
}
