import * as z from 'zod';
import { JuryError } from '../common/index.ts';
import { counted, didYouMean } from '../common/text/index.ts';
import type { KnownFigure, NewBlockers } from '../reports/assistant/index.ts';
import type { RunSample } from '../reports/history/index.ts';
import type { Digest, DigestBlock, Snapshot } from './digest.ts';
import { knownFacts } from './how-we-know.ts';

/** The figure an alert watches, and the limit at which it fires. */
export const AlertRule = z.strictObject({
  /** `blocker`: no figure; only new blockers, which are posted whatever the rule. */
  measure: z.enum(['pass-rate', 'mean', 'change', 'coverage', 'latency', 'blocker']),
  /** Blockers: 0. Pass rate, coverage and change: shares, 0 to 1 (change: −1 to 0). Latency: ms. Mean: in units of its rubric's scale. */
  limit: z.number(),
});
export type AlertRule = z.infer<typeof AlertRule>;
export type AlertMeasure = AlertRule['measure'];

/** Anything that posts to a channel automatically. */
export const Posting = z.strictObject({
  id: z.string().min(1),
  /** IDs as used by the platform. */
  target: z.strictObject({ surface: z.string(), team: z.string(), channel: z.string() }),
  /**
   * Platform ID of the person who created it and is notified when posting fails. Null if created in a terminal: then the channel's creator is
   * notified.
   */
  owner: z.string().nullable(),
  /** When it was created or resumed, ms since the epoch. Earlier slots and runs are ignored. */
  since: z.number(),
  paused: z.boolean(),
});

export const Alert = Posting.extend({
  benchmark: z.string().min(1),
  rule: AlertRule,
  /** Name of a webhook in `JURY_WEBHOOKS` to call as well. */
  webhook: z.string().nullable(),
});
export type Alert = z.infer<typeof Alert>;

/** A figure from a run, with its 95% interval. */
export interface Figure {
  value: number;
  low: number;
  high: number;
}

/**
 * Figures by measure; null where a run has no such figure. The pass rate covers decided answers only, so undecided answers alone never trigger
 * an alert.
 */
export type Figures = Readonly<Record<AlertMeasure, Figure | null>>;

export interface NewlyFailing {
  /** The sentence on new blockers; null if there are none. */
  blockers: string | null;
  /** The largest group of new failures since the previous run and since the baseline: `Time (8), for example: closed on Sundays`. */
  worst: Readonly<Record<'before' | 'baseline', string | null>>;
  details: readonly DigestBlock[];
}

export const nothingFails: NewlyFailing = {
  blockers: null,
  worst: { before: null, baseline: null },
  details: [],
};

/** What alerts check in a finished run of a benchmark. */
export interface AlertFigures {
  /** Run name. */
  run: string;
  /** When the run began, ms since the epoch. */
  at: number;
  figures: Figures;
  /** What the run adds to earlier ones. */
  sample: RunSample;
  /** Answers that newly fail a blocker; null if no criterion is one. */
  blockers: NewBlockers | null;
  /**
   * New failures, limited to what the given channel may see.
   * @param blockers those among them that are to be posted
   */
  failing: (channel: string, blockers: NewBlockers | null) => Promise<NewlyFailing>;
}

const percent = (share: number): string => `${Math.round(share * 1000) / 10} %`;
const points = (share: number): string => {
  const tenths = Math.round(Math.abs(share) * 1000) / 10;
  return `${tenths} ${tenths === 1 ? 'point' : 'points'}`;
};
const duration = (ms: number): string =>
  ms < 1000 ? `${Math.round(ms)} ms` : `${Math.round(ms / 100) / 10} s`;

interface MeasureWords {
  /** Names that users type for it. */
  names: RegExp;
  /** Which side of the limit triggers the alert. */
  wrong: 'below' | 'above';
  /** Converts a typed number and its unit to a limit; null if it makes no sense. */
  read: (value: number, unit: string) => number | null;
  text: (value: number) => string;
  /** Why a finished run may lack this figure. */
  none: string;
}

const share = (value: number, unit: string): number | null => {
  const read = unit === '' && value <= 1 ? value : value / 100;
  return /^(%|percent|prozent|)$/.test(unit) && read > 0 && read <= 1 ? read : null;
};

const MEASURES: Readonly<Record<AlertMeasure, MeasureWords>> = {
  'pass-rate': {
    names: /^(pass[- ]?rate|passes|pass)?$/,
    wrong: 'below',
    read: share,
    text: percent,
    none: 'no answer of the newest run is decided',
  },
  mean: {
    names: /^(mean|mean score|average|score)$/,
    wrong: 'below',
    read: (value, unit) => (unit === '' ? value : null),
    text: (value) => String(Math.round(value * 100) / 100),
    none: 'the newest run has no scores',
  },
  change: {
    names: /^worse than (the )?baseline$/,
    wrong: 'below',
    read: (value, unit) =>
      /^(points?|pp|%|percent|)$/.test(unit) && value >= 0 && value < 100 ? -value / 100 : null,
    text: points,
    none: 'the newest run is the baseline, or cannot be compared with one (“jury bench baseline” sets one)',
  },
  coverage: {
    names: /^coverage$/,
    wrong: 'below',
    read: share,
    text: percent,
    none: 'the newest run has no answers of an assistant',
  },
  latency: {
    names: /^latency$/,
    wrong: 'above',
    read: (value, unit) => {
      const factor = /^(s|sec|seconds?)$/.test(unit) ? 1000 : /^(ms|milliseconds?)$/.test(unit) ? 1 : null;
      return factor === null || value <= 0 ? null : value * factor;
    },
    text: duration,
    none: 'the newest run has too few answers with a known latency',
  },
  blocker: {
    names: /^(new )?blockers?$/,
    wrong: 'above',
    // It has no number, see `readRule`.
    read: () => null,
    text: String,
    none: 'each new one is posted',
  },
};

/** The rule in words: `below 90 %`, `mean below 3.5`, `worse than the baseline by 3 points`, `latency above 2 s`. */
export function ruleText({ measure, limit }: AlertRule): string {
  const { wrong, text } = MEASURES[measure];
  if (measure === 'blocker') return 'blockers';
  if (measure === 'change') return `worse than the baseline by ${text(limit)}`;
  const name = measure === 'pass-rate' ? '' : `${measure} `;
  return `${name}${wrong} ${text(limit)}`;
}

const EXAMPLES =
  '“below 90 %”, “mean below 3.5”, “worse than baseline by 3 points”, “coverage below 95 %”, “latency above 2 s” or “blockers”';

/**
 * Parses a rule: the words after the benchmark's name.
 * @throws JuryError `usage` with examples of valid rules
 */
export function readRule(words: string): AlertRule {
  const text = words.trim().toLowerCase().replaceAll(/\s+/g, ' ');
  if (MEASURES.blocker.names.test(text)) return { measure: 'blocker', limit: 0 };
  const match =
    /^(?<name>.*?) ?\b(?<side>below|under|above|over|by) (?<number>\d+(?:[.,]\d+)?) ?(?<unit>%|[a-z]*)$/.exec(
      text,
    );
  const wrong = (why: string) => new JuryError('usage', `${why} Write ${EXAMPLES}.`);
  const { name = '', side = '', number = '', unit = '' } = match?.groups ?? {};
  for (const [measure, { names, wrong: isWrong, read }] of Object.entries(MEASURES)) {
    if (match === null || !names.test(name)) continue;
    const direction = { under: 'below', over: 'above', by: 'below' }[side] ?? side;
    if (direction !== isWrong || (side === 'by') !== (measure === 'change')) continue;
    const limit = read(Number(number.replace(',', '.')), unit);
    if (limit === null) throw wrong(`“${number}${unit === '' ? '' : ` ${unit}`}” is not a limit here.`);
    return { measure: AlertRule.shape.measure.parse(measure), limit };
  }
  const near = didYouMean(name, [
    'mean',
    'coverage',
    'latency',
    'worse than baseline',
    'pass rate',
    'blockers',
  ]);
  throw wrong(`“${words.trim().slice(0, 60)}” is not an alert rule.${near}`);
}

/** Whether a value is past the limit. */
export function isBeyond({ measure, limit }: AlertRule, value: number): boolean {
  return MEASURES[measure].wrong === 'below' ? value < limit : value > limit;
}

/** Whether the interval of one run, looked at once, is all past the limit (`wrong`), all on the right side (`clear`), or neither. */
export type AlertState = 'wrong' | 'clear' | 'open';

export function stateOf(rule: AlertRule, { figures }: Pick<AlertFigures, 'figures'>): AlertState {
  const figure = figures[rule.measure];
  if (figure === null) return 'open';
  const ends = [figure.low, figure.high].map((end) => isBeyond(rule, end));
  return ends.every(Boolean) ? 'wrong' : ends.some(Boolean) ? 'open' : 'clear';
}

/**
 * What an alert says after a run was counted. `test`: the runs so far show it; over the last `looks` of them the mean was `mean` (for
 * latencies: the share of answers past the limit), `isPlain` where this run alone shows it too, and `fell` if a run before was on the
 * right side. `fact`: nothing was collected anew, and these very answers are on the wrong side.
 */
export type AlertNews = { isWrong: boolean } & (
  | { by: 'test'; fell: boolean; looks: number; mean: number; isPlain: boolean }
  | { by: 'fact' }
);

/** Why a run has no such figure. */
export const noFigureText = (measure: AlertMeasure): string => MEASURES[measure].none;

/** The figure with its interval: `81 % (76–86)`, `1.2 s (1.1–1.3)`, `−6 points (−10 to −3)`. */
export function figureText(measure: AlertMeasure, { value, low, high }: Figure): string {
  const { text } = MEASURES[measure];
  if (measure !== 'change') {
    const [first, last] = [text(low), text(high)];
    const unit = / \S+$/.exec(last)?.[0] ?? '';
    const bare = (one: string) => (first.endsWith(unit) ? one.slice(0, one.length - unit.length) : one);
    return `${text(value)} (${bare(first)}–${bare(last)})`;
  }
  const signed = (one: number) => `${one < 0 ? '−' : '+'}${Math.abs(Math.round(one * 1000) / 10)}`;
  return `${signed(value)} points (${signed(low)} to ${signed(high)})`;
}

const NAMES: Readonly<Record<AlertMeasure, string>> = {
  'pass-rate': '',
  mean: 'mean score of ',
  change: '',
  coverage: 'coverage of ',
  latency: 'latency of ',
  blocker: '',
};

/** Which comparison an alert on a measure quotes. Null for coverage and latency, which new failures don't explain. */
const WORST_SINCE: Readonly<Record<AlertMeasure, keyof NewlyFailing['worst'] | null>> = {
  'pass-rate': 'before',
  mean: 'before',
  change: 'baseline',
  coverage: null,
  latency: null,
  blocker: null,
};

/** The limit as in `Watching: 88 % (81–93), limit 90 %`. */
export const limitText = ({ measure, limit }: AlertRule): string => `limit ${MEASURES[measure].text(limit)}`;

/** Which side of its limit an alert is for: `below`, `above`, or `worse` than a baseline. */
export const wrongSideText = ({ measure }: AlertRule): string =>
  measure === 'change' ? 'worse' : MEASURES[measure].wrong;

/** The mean over several runs; of latencies, the share of slow answers. */
function meanText({ measure, limit }: AlertRule, mean: number, side: 'below' | 'above'): string {
  if (measure === 'latency') return `${percent(mean)} of answers took longer`;
  const { text } = MEASURES[measure];
  if (text(mean) === text(limit)) return `just ${side} that`;
  return measure === 'change' ? `${mean < 0 ? '−' : '+'}${text(mean)}` : text(mean);
}

/** The figure that an alert is posted with: that of this run, and of the runs before where only all of them together show it. */
function evidenceText(rule: AlertRule, { figures, sample }: AlertFigures, news: AlertNews): string {
  const figure = figures[rule.measure];
  if (figure === null) return '.';
  const now = figureText(rule.measure, figure);
  if (news.by === 'fact')
    return `: ${now.replace(/ \(.*/, '')}. These are the same ${counted(sample.cases, 'answer')} as before, judged again.`;
  if (news.isPlain) return `: ${now}.`;
  const { wrong } = MEASURES[rule.measure];
  const side = news.isWrong === (wrong === 'below') ? 'below' : 'above';
  const fresh = sample.fresh < sample.cases ? ['the new answers'] : [];
  const runs = news.looks > 1 ? [`the last ${counted(news.looks, 'run')}`] : [];
  const over = [...fresh, ...runs].join(' of ');
  return `: ${meanText(rule, news.mean, side)} over ${over}; this run ${now}.`;
}

/** What the alert speaks of, where that is less than one might think. */
function scopeText({ measure }: AlertRule, { sample: { isFixed, cases } }: AlertFigures): string {
  const requests = isFixed ? ` It is about these ${counted(cases, 'request')}, the same in each run.` : '';
  const baseline = measure === 'change' ? ' Worse means worse than these baseline answers.' : '';
  return `${requests}${baseline}`;
}

const TAKEN = 'decisions, and labels where judges are measured, are taken as they are';

/** What the figure of a single run rests on, and what it assumes. */
const RESTS_ON: Readonly<Record<AlertMeasure, { of: string; assumes: string }>> = {
  'pass-rate': { of: 'those that count of ', assumes: TAKEN },
  mean: { of: 'those with a score of ', assumes: TAKEN },
  change: {
    of: 'those compared of ',
    assumes: 'it is a change of judged answers: judges’ errors shrink a true one',
  },
  coverage: { of: '', assumes: 'nothing; a decision can still be wrong' },
  latency: { of: 'those with a known time of ', assumes: 'times were measured alike' },
  blocker: { of: '', assumes: TAKEN },
};

/** @param text the sentence on new blockers, which begins with how many there are */
const blockersKnown = ({ run, sample }: AlertFigures, text: string | null): KnownFigure[] =>
  text === null
    ? []
    : [
        {
          figure: text.replace(/:.*/s, ''),
          n: counted(sample.cases, 'case'),
          source: `run ${run} and the one before; counted, without a test`,
          assumes: 'nothing; each is a judged case, which judges may have got wrong',
        },
      ];

/** Every number of an alert with what it rests on: the figure of this run, what decided, and what newly fails. */
function knownIn(
  rule: AlertRule,
  { run, figures, sample }: AlertFigures,
  news: AlertNews,
  worst: NewlyFailing['worst'],
): KnownFigure[] {
  const since = WORST_SINCE[rule.measure];
  const most = since === null ? null : worst[since];
  const figure = figures[rule.measure];
  if (figure === null) return [];
  const { wrong, text } = MEASURES[rule.measure];
  const { cases, fresh, isFixed } = sample;
  const limit = text(rule.limit);
  const { of, assumes } = RESTS_ON[rule.measure];
  const known: KnownFigure[] = [
    {
      figure: figureText(rule.measure, figure),
      n: `${of}${counted(cases, 'case')}${fresh < cases ? `, ${fresh} of them new` : ''}`,
      source: `run ${run} ${rule.measure === 'change' ? 'and the baseline' : 'alone'}; 95 % interval`,
      assumes: `${assumes}; good for a single look`,
    },
  ];
  if (news.by === 'fact')
    known.push({
      figure: `${wrong} ${limit}`,
      n: counted(cases, 'answer'),
      source: 'counted, without a test: no answer was collected since an earlier run',
      assumes: 'nothing about other answers',
    });
  else {
    const side = news.isWrong === (wrong === 'below') ? 'below' : 'above';
    const bound = news.isWrong
      ? 'one year in 20 has a false alert'
      : 'one of 20 spells of four weeks ends by chance';
    known.push({
      figure: `${side} ${limit}: ${meanText(rule, news.mean, side)}`,
      n: `${counted(news.looks, 'run')}${fresh < cases ? ', new answers only' : ''}`,
      source: `a test by betting that adds up runs and may look at each; at the limit, at most ${bound}`,
      assumes: `answers do not depend on each other, or groups of them do not; at most a run a day${isFixed ? '; nothing about other requests' : ''}${rule.measure === 'change' ? '; the baseline’s answers are taken as they are' : ''}`,
    });
  }
  if (most !== null && news.isWrong)
    known.push({
      figure: 'Newly failing',
      n: most.replace(/, for example: .*/s, ''),
      source: 'this run and the one compared; counted',
      assumes: 'some turn by chance in any two runs',
    });
  return known;
}

/** What an alert says of its limit: `nightly fell below 90 %: 81 % (76–86). Newly failing: Time (8).` */
function limitNews(
  { benchmark, rule }: Alert,
  figures: AlertFigures,
  news: AlertNews,
  worst: NewlyFailing['worst'],
) {
  const { isWrong } = news;
  const { measure, limit } = rule;
  const { wrong, text } = MEASURES[measure];
  const what = `${NAMES[measure]}${benchmark}`;
  const [other, verb] = wrong === 'below' ? ['above', 'fell'] : ['below', 'rose'];
  const side = news.by === 'fact' || !news.fell ? 'is' : verb;
  const [fell, back] =
    measure === 'change'
      ? [
          `is worse than its baseline by more than ${text(limit)}`,
          `is no longer worse than its baseline by more than ${text(limit)}`,
        ]
      : [`${side} ${wrong} ${text(limit)}`, `is back ${other} ${text(limit)}`];
  const since = WORST_SINCE[measure];
  const most = since === null ? null : worst[since];
  const newly = isWrong && most !== null ? ` Newly failing: ${most}.` : '';
  return `${what} ${isWrong ? fell : back}${evidenceText(rule, figures, news)}${newly}`;
}

/**
 * The alert as posted: `nightly fell below 90 %: 81 % (76–86). Newly failing: Time (8).`, or, if it takes several runs to show it,
 * `nightly fell below 90 %: 87.2 % over the last 5 runs; this run 88 % (81–93).` Before it, or alone, new blockers.
 * @param news null: nothing new of the limit
 */
export function alertDigest(
  alert: Alert,
  figures: AlertFigures,
  news: AlertNews | null,
  { worst, details, blockers }: NewlyFailing,
  command: string,
): Digest {
  const { id, benchmark, rule } = alert;
  const limit = news === null ? [] : [limitNews(alert, figures, news, worst)];
  const isPosted = news?.isWrong === true || blockers !== null;
  const about = `Alert ${id}: ${benchmark} ${ruleText(rule)}.${news === null ? '' : scopeText(rule, figures)}`;
  const known = [
    ...blockersKnown(figures, blockers),
    ...(news === null ? [] : knownIn(rule, figures, news, worst)),
  ];
  const atOnce = blockers === null ? '' : ' Blockers are posted at once, whatever its limit.';
  return {
    headline: [...(blockers === null ? [] : [blockers]), ...limit].join(' '),
    trend: isPosted ? 'alert' : 'recovery',
    quiet: false,
    note: null,
    blocks: [
      {
        kind: 'text',
        text: `${about}${rule.measure === 'blocker' ? '' : atOnce} To pause it: ${command} alert pause ${id}`,
      },
    ],
    details: [...details, ...knownFacts(known)],
    ...(isPosted ? { pause: id } : {}),
  };
}

/** The webhook payload. Chat tools show `text`, so it must not contain their link and mention markup; the other fields are for programs. */
export const webhookBody = (
  { id, benchmark, rule }: Alert,
  content: { digest: Digest; snapshot: Snapshot } | null,
): Readonly<Record<string, unknown>> => ({
  text: content?.digest.headline.replaceAll('<', '‹').replaceAll('>', '›'),
  alert: id,
  benchmark,
  rule,
  // As posted: a blocker, or a fact about answers that were judged again, is no good news.
  state: content?.digest.trend === 'alert' ? 'wrong' : 'clear',
  ...(content?.snapshot.blockers === undefined ? {} : { blockers: content.snapshot.blockers }),
  run: content?.snapshot.runs[benchmark],
});
