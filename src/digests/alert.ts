import * as z from 'zod';
import { meantBy } from '../common/text/index.ts';
import type { KnownFigure, NewBlockers } from '../reports/assistant/index.ts';
import type { RunSample } from '../reports/history/index.ts';
import { type Language, WordedError, type Words, wordsIn } from '../words/index.ts';
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
  failing: (channel: string, blockers: NewBlockers | null, language: Language) => Promise<NewlyFailing>;
}

/** A number with at most one decimal. */
const tenths = (value: number): string => String(Math.round(value * 10) / 10);
const percent = (share: number, { numbers }: Words): string => `${numbers.written(tenths(share * 100))} %`;

interface MeasureWords {
  /** Names that users type for it. */
  names: RegExp;
  /** Which side of the limit triggers the alert. */
  wrong: 'below' | 'above';
  /** Converts a typed number and its unit to a limit; null if it makes no sense. */
  read: (value: number, unit: string) => number | null;
  text: (value: number, words: Words) => string;
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
  },
  mean: {
    names: /^(mean|mean score|average|score)$/,
    wrong: 'below',
    read: (value, unit) => (unit === '' ? value : null),
    text: (value, { verdict }) => verdict.number(value),
  },
  change: {
    names: /^worse than (the )?baseline$/,
    wrong: 'below',
    read: (value, unit) =>
      /^(points?|pp|%|percent|)$/.test(unit) && value >= 0 && value < 100 ? -value / 100 : null,
    text: (share, { alerts }) => alerts.points(Math.round(Math.abs(share) * 1000) / 10),
  },
  coverage: {
    names: /^coverage$/,
    wrong: 'below',
    read: share,
    text: percent,
  },
  latency: {
    names: /^latency$/,
    wrong: 'above',
    read: (value, unit) => {
      const factor = /^(s|sec|seconds?)$/.test(unit) ? 1000 : /^(ms|milliseconds?)$/.test(unit) ? 1 : null;
      return factor === null || value <= 0 ? null : value * factor;
    },
    text: (ms, { numbers }) => numbers.duration(ms),
  },
  blocker: {
    names: /^(new )?blockers?$/,
    wrong: 'above',
    // It has no number, see `readRule`.
    read: () => null,
    text: (value) => String(value),
  },
};

/** The rule in words: `below 90 %`, `mean below 3.5`, `worse than the baseline by 3 points`, `latency above 2 s`. */
export function ruleText({ measure, limit }: AlertRule, language: Language): string {
  const words = wordsIn(language);
  const { wrong, text } = MEASURES[measure];
  return words.alerts.rule[measure]({ side: wrong, limit: text(limit, words) });
}

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
  const { name = '', side = '', number = '', unit = '' } = match?.groups ?? {};
  for (const [measure, { names, wrong: isWrong, read }] of Object.entries(MEASURES)) {
    if (match === null || !names.test(name)) continue;
    const direction = { under: 'below', over: 'above', by: 'below' }[side] ?? side;
    if (direction !== isWrong || (side === 'by') !== (measure === 'change')) continue;
    const limit = read(Number(number.replace(',', '.')), unit);
    if (limit === null)
      throw new WordedError('usage', ({ schedules }) => schedules.wrong.noLimit({ number, unit }));
    return { measure: AlertRule.shape.measure.parse(measure), limit };
  }
  const near = meantBy(name, ['mean', 'coverage', 'latency', 'worse than baseline', 'pass rate', 'blockers']);
  const said = words.trim().slice(0, 60);
  throw new WordedError('usage', ({ schedules }) => schedules.wrong.noRule({ words: said, near }));
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

/** The figure with its interval: `81 % (76–86)`, `1.2 s (1.1–1.3)`, `−6 points (−10 to −3)`. */
export function figureText(measure: AlertMeasure, { value, low, high }: Figure, language: Language): string {
  const words = wordsIn(language);
  const text = (one: number) => MEASURES[measure].text(one, words);
  if (measure !== 'change') {
    const [first, last] = [text(low), text(high)];
    const unit = / \S+$/.exec(last)?.[0] ?? '';
    const bare = (one: string) => (first.endsWith(unit) ? one.slice(0, one.length - unit.length) : one);
    return `${text(value)} (${bare(first)}–${bare(last)})`;
  }
  const signed = (one: number) =>
    words.numbers.written(`${one < 0 ? '−' : '+'}${tenths(Math.abs(one) * 100)}`);
  return words.alerts.changeFigure({ value: signed(value), low: signed(low), high: signed(high) });
}

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
export function limitText({ measure, limit }: AlertRule, language: Language): string {
  const words = wordsIn(language);
  return words.alerts.limit(MEASURES[measure].text(limit, words));
}

/** Which side of its limit an alert is for: `below`, `above`, or `worse` than a baseline. */
export const wrongSideText = ({ measure }: AlertRule, language: Language): string =>
  wordsIn(language).alerts.side[measure === 'change' ? 'worse' : MEASURES[measure].wrong];

/** The mean over several runs; of latencies, the share of slow answers. */
function meanText(
  { measure, limit }: AlertRule,
  mean: number,
  side: 'below' | 'above',
  words: Words,
): string {
  if (measure === 'latency') return words.alerts.slow(percent(mean, words));
  const text = (value: number) => MEASURES[measure].text(value, words);
  if (text(mean) === text(limit)) return words.alerts.justAt(side);
  return measure === 'change' ? `${mean < 0 ? '−' : '+'}${text(mean)}` : text(mean);
}

/** On which side of the limit the news puts a figure. */
const sideOf = ({ measure }: AlertRule, { isWrong }: AlertNews): 'below' | 'above' =>
  isWrong === (MEASURES[measure].wrong === 'below') ? 'below' : 'above';

/** The figure that an alert is posted with: that of this run, and of the runs before where only all of them together show it. */
function evidenceText(
  rule: AlertRule,
  { figures, sample }: AlertFigures,
  news: AlertNews,
  language: Language,
): string {
  const words = wordsIn(language);
  const figure = figures[rule.measure];
  if (figure === null) return '.';
  const now = figureText(rule.measure, figure, language);
  if (news.by === 'fact')
    return words.alerts.judgedAgain({ figure: now.replace(/ \(.*/, ''), answers: sample.cases });
  if (news.isPlain) return `: ${now}.`;
  return words.alerts.over({
    mean: meanText(rule, news.mean, sideOf(rule, news), words),
    runs: news.looks > 1 ? news.looks : null,
    isNewOnly: sample.fresh < sample.cases,
    now,
  });
}

/** What the alert speaks of, where that is less than one might think. */
function scopeText(
  { measure }: AlertRule,
  { sample: { isFixed, cases } }: AlertFigures,
  { alerts }: Words,
): string {
  return `${isFixed ? alerts.fixedRequests(cases) : ''}${measure === 'change' ? alerts.baselineOnly : ''}`;
}

/** What has to hold for the figure of a single run, and what else to know of it. */
function restsOn(measure: AlertMeasure, { alerts }: Words): Pick<KnownFigure, 'holdsIf' | 'note'> {
  const { holdsIf, note } = alerts.known;
  switch (measure) {
    case 'pass-rate':
    case 'mean':
    case 'blocker':
      return { holdsIf: [holdsIf.taken], note: [] };
    case 'change':
      return { holdsIf: [], note: [note.shrinks] };
    case 'coverage':
      return { holdsIf: [], note: [note.canErr] };
    case 'latency':
      return { holdsIf: [holdsIf.timedAlike], note: [] };
  }
}

/** @param text the sentence on new blockers, which begins with how many there are */
const blockersKnown = (
  { run, sample }: AlertFigures,
  text: string | null,
  { alerts: { known }, numbers }: Words,
): KnownFigure[] =>
  text === null
    ? []
    : [
        {
          figure: text.replace(/:.*/s, ''),
          n: numbers.cases(sample.cases),
          source: known.runAndBefore(run),
          holdsIf: [],
          note: [known.note.blocker],
          by: null,
        },
      ];

/** Every number of an alert with what it rests on: the figure of this run, what decided, and what newly fails. */
function knownIn(
  rule: AlertRule,
  { run, figures, sample }: AlertFigures,
  news: AlertNews,
  worst: NewlyFailing['worst'],
  language: Language,
): KnownFigure[] {
  const words = wordsIn(language);
  const { known } = words.alerts;
  const since = WORST_SINCE[rule.measure];
  const most = since === null ? null : worst[since];
  const figure = figures[rule.measure];
  if (figure === null) return [];
  const { wrong, text } = MEASURES[rule.measure];
  const { cases, fresh, isFixed } = sample;
  const limit = text(rule.limit, words);
  const { holdsIf, note } = restsOn(rule.measure, words);
  const all: KnownFigure[] = [
    {
      figure: figureText(rule.measure, figure, language),
      n: `${known.n[rule.measure](words.numbers.cases(cases))}${fresh < cases ? known.newOnes(fresh) : ''}`,
      source: rule.measure === 'change' ? known.runAndBaseline(run) : known.runAlone(run),
      holdsIf,
      note: [...note, known.note.singleLook],
      by: null,
    },
  ];
  if (news.by === 'fact')
    all.push({
      figure: words.alerts.rule['pass-rate']({ side: wrong, limit }),
      n: words.numbers.answers(cases),
      source: known.notCollected,
      holdsIf: [],
      note: [known.note.notOthers],
      by: null,
    });
  else {
    const side = sideOf(rule, news);
    all.push({
      figure: known.decided({ side, limit, mean: meanText(rule, news.mean, side, words) }),
      n: `${words.numbers.runs(news.looks)}${fresh < cases ? known.newAnswersOnly : ''}`,
      source: known.tested,
      holdsIf: [known.holdsIf.alone, known.holdsIf.onceADay],
      note: [
        news.isWrong ? known.note.falseAlert : known.note.falseEnd,
        ...(isFixed ? [known.note.notOtherRequests] : []),
        ...(rule.measure === 'change' ? [known.note.baselineTaken] : []),
      ],
      by: words.known.by.betting,
    });
  }
  if (most !== null && news.isWrong)
    all.push({
      figure: known.newly,
      n: most.replace(/, (?:for example|zum Beispiel): .*/s, ''),
      source: known.compared,
      holdsIf: [],
      note: [known.note.turnByChance],
      by: null,
    });
  return all;
}

/** What an alert says of its limit: `nightly fell below 90 %: 81 % (76–86). Newly failing: Time (8).` */
function limitNews(
  { benchmark, rule }: Alert,
  figures: AlertFigures,
  news: AlertNews,
  worst: NewlyFailing['worst'],
  language: Language,
) {
  const words = wordsIn(language);
  const { alerts } = words;
  const { isWrong } = news;
  const { measure } = rule;
  const { wrong, text } = MEASURES[measure];
  const limit = text(rule.limit, words);
  const what = alerts.subject[measure](benchmark);
  const other = wrong === 'below' ? 'above' : 'below';
  const came = news.by === 'fact' || !news.fell ? alerts.is : alerts.fell;
  const [fell, back] =
    measure === 'change'
      ? [alerts.worse({ what, limit }), alerts.noLongerWorse({ what, limit })]
      : [came({ what, side: wrong, limit }), alerts.back({ what, side: other, limit })];
  const since = WORST_SINCE[measure];
  const most = since === null ? null : worst[since];
  const newly = isWrong && most !== null ? alerts.newlyFailing(most) : '';
  return `${isWrong ? fell : back}${evidenceText(rule, figures, news, language)}${newly}`;
}

/**
 * The alert as posted: `nightly fell below 90 %: 81 % (76–86). Newly failing: Time (8).`, or, if it takes several runs to show it,
 * `nightly fell below 90 %: 87.2 % over the last 5 runs; this run 88 % (81–93).` Before it, or alone, new blockers.
 * @param news null: nothing new of the limit
 * @param to the command of the chat, and the language of the conversation
 */
export function alertDigest(
  alert: Alert,
  figures: AlertFigures,
  news: AlertNews | null,
  { worst, details, blockers }: NewlyFailing,
  { command, language }: { command: string; language: Language },
): Digest {
  const words = wordsIn(language);
  const { alerts } = words;
  const { id, benchmark, rule } = alert;
  const limit = news === null ? [] : [limitNews(alert, figures, news, worst, language)];
  const isPosted = news?.isWrong === true || blockers !== null;
  const scope = news === null ? '' : scopeText(rule, figures, words);
  const about = `${alerts.about({ id, benchmark, rule: ruleText(rule, language) })}${scope}`;
  const known = [
    ...blockersKnown(figures, blockers, words),
    ...(news === null ? [] : knownIn(rule, figures, news, worst, language)),
  ];
  const atOnce = blockers === null || rule.measure === 'blocker' ? '' : alerts.atOnce;
  return {
    headline: [...(blockers === null ? [] : [blockers]), ...limit].join(' '),
    trend: isPosted ? 'alert' : 'recovery',
    quiet: false,
    note: null,
    blocks: [{ kind: 'text', text: `${about}${atOnce}${alerts.toPause({ command, id })}` }],
    details: [...details, ...knownFacts(known, language)],
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
