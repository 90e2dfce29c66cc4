import { percent, usd } from '../common/text/index.ts';
import { MIN_FOR_SHARE } from '../labels/agreement/index.ts';
import { type AssistantReport, type KnownFigure, knownFigures } from '../reports/assistant/index.ts';
import { shareLimits } from '../reports/estimates/index.ts';
import type { AssistantHistory, BenchmarkRun, JudgesHistory } from '../reports/history/index.ts';
import { type Language, type Words, wordsIn } from '../words/index.ts';
import {
  benchmarkChange,
  intervalOfRun,
  labelChange,
  newestRun,
  rightShare,
  shareInterval,
  shareOfRun,
} from './change-since-last.ts';
import { type DigestBlock, type DigestData, type LabelTotals, labelsBefore } from './digest.ts';
import { bestRun, facts, judgeRows, whereText } from './digest-blocks.ts';

/** Parts of a digest whose numbers are explained as they are printed. */
export interface PrintedParts {
  /** What the headline says of further benchmarks: `2 others got worse`. */
  others: string | undefined;
  chart: readonly DigestBlock[];
  /** Numbers that are counted, not estimated. */
  outcomes: readonly DigestBlock[];
  regressions: readonly DigestBlock[];
  checks: readonly DigestBlock[];
}

/** Trials, and how many independent ones they are worth: repeats are not independent, nor are cases of a group. */
const trialsText = ({ n, cases }: Pick<BenchmarkRun, 'n' | 'cases'>, { known }: Words): string =>
  known.n.trials({ n, worth: Math.round(cases) });

/** The share of a run, and its cost. */
function ofRun({ name }: JudgesHistory, run: BenchmarkRun, language: Language): KnownFigure[] {
  const words = wordsIn(language);
  const { figure, n, source, holdsIf, note, by } = words.known;
  const { costUsd } = run;
  return [
    {
      figure: figure.judgesAgree({
        name,
        share: percent(shareOfRun(run)),
        limits: shareInterval(intervalOfRun(run), language),
      }),
      n: trialsText(run, words),
      source: source.run(run.name),
      holdsIf: [holdsIf.labelsRight],
      note: [note.noDecisionWrong],
      by: by.wilson,
    },
    ...(costUsd === null
      ? []
      : [
          {
            figure: words.known.figureIn({ name, figure: usd(costUsd) }),
            n: n.allCalls,
            source: source.prices(run.name),
            holdsIf: [holdsIf.pricesPaid],
            note: [note.cacheFree],
            by: null,
          },
        ]),
  ];
}

/** How a run compares with the last digest, and with the best so far. */
function ofComparison(history: JudgesHistory, run: BenchmarkRun, language: Language): KnownFigure[] {
  const words = wordsIn(language);
  const { figure, n, source, holdsIf, note, by } = words.known;
  const { name, compared, lead } = history;
  const [moved, best] = [benchmarkChange(history, language), bestRun(history)];
  const known: KnownFigure[] = [];
  if (moved !== null && compared !== null)
    known.push({
      figure: figure.points({ name, points: moved.points, interval: moved.interval }),
      n: n.bothRuns(trialsText(compared, words)),
      source: source.runs({ was: compared.against, now: run.name }),
      holdsIf: [holdsIf.casesAlone],
      note: [note.sameCases],
      by: by.paired,
    });
  if (lead !== undefined && compared !== null)
    known.push({
      figure: words.known.figureIn({
        name: words.digests.judges.of(name),
        figure: lead.text[language].replace(/\.$/, ''),
      }),
      n: n.bothRuns(trialsText(compared, words)),
      source: source.runs({ was: compared.against, now: run.name }),
      holdsIf: [holdsIf.casesAlone],
      note: [note.allConfigurations],
      by: by.holm,
    });
  if (best !== undefined && best.name !== run.name)
    known.push({
      figure: figure.best({ name, share: percent(shareOfRun(best)) }),
      n: trialsText(best, words),
      source: source.run(best.name),
      holdsIf: [],
      note: [note.bestOfSeveral],
      by: null,
    });
  return known;
}

function ofJudges(history: JudgesHistory, language: Language): KnownFigure[] {
  const run = newestRun(history);
  return run === null || run.n === 0
    ? []
    : [...ofRun(history, run, language), ...ofComparison(history, run, language)];
}

function ofVotes(data: DigestData, totals: LabelTotals): KnownFigure[] {
  const { language } = data;
  const { known: words, digests } = wordsIn(language);
  const { successes, n } = rightShare(totals.settled);
  const source = words.source.votes({ where: whereText(data), rule: digests.settledBy });
  const before = labelsBefore(data);
  const moved = before === null ? null : labelChange(totals, before, language);
  const old = before === null ? 0 : rightShare(before.settled).n;
  const known: KnownFigure[] = [];
  if (moved !== null && moved.since.n >= MIN_FOR_SHARE && old >= MIN_FOR_SHARE)
    known.push({
      figure: words.figure.votesMoved({
        share: percent(moved.since.successes / moved.since.n),
        points: moved.points,
        interval: moved.interval,
      }),
      n: words.n.votesSince({ since: moved.since.n, before: old }),
      source,
      holdsIf: [words.holdsIf.choseAlike],
      note: [words.note.chosen],
      by: words.by.newcombe,
    });
  if (n >= MIN_FOR_SHARE)
    known.push({
      figure: words.figure.votes({
        share: percent(successes / n),
        limits: shareInterval(shareLimits({ successes, n }), language),
      }),
      n: words.n.settled(n),
      source,
      holdsIf: [],
      note: [words.note.chosen],
      by: words.by.wilson,
    });
  return known;
}

/** The rows of the table by judge. */
function ofEachJudge(data: DigestData, totals: LabelTotals): KnownFigure[] {
  const { known: words } = wordsIn(data.language);
  return judgeRows(data, totals).map(({ judge, agree: share, interval: limits, verdicts }) => ({
    figure: words.figure.eachJudge({ judge, share, limits }),
    n: words.n.settled(Number(verdicts)),
    source: words.source.votesOnJudges(whereText(data)),
    holdsIf: [],
    note: [words.note.chosen],
    by: words.by.wilson,
  }));
}

function ofChart(blocks: readonly DigestBlock[], { known: words }: Words): KnownFigure[] {
  return blocks.flatMap((block) =>
    block.kind !== 'trend'
      ? []
      : block.series.map(({ name, values }) => ({
          figure: `${block.title}: ${name} ${values.map((value) => value ?? '–').join(' → ')}`,
          n: words.n.eachPoint,
          source: words.source.points,
          holdsIf: [],
          note: [words.note.mayHaveChanged],
          by: null,
        })),
  );
}

/** Facts that are counted: their numbers are their own n. */
const ofCounts = (
  blocks: readonly DigestBlock[],
  about: Pick<KnownFigure, 'source' | 'holdsIf' | 'note'>,
): KnownFigure[] =>
  blocks.flatMap((block) =>
    block.kind === 'facts'
      ? [
          {
            figure: block.title,
            n: block.facts.map(({ label, value }) => `${label} ${value}`).join('; '),
            ...about,
            by: null,
          },
        ]
      : [],
  );

/** Verdicts that are hidden until voted on, which a note counts. */
function ofHidden(data: DigestData): KnownFigure[] {
  const { hidden } = data.recent;
  const { known: words } = wordsIn(data.language);
  return hidden === 0
    ? []
    : [
        {
          figure: words.figure.hidden,
          n: String(hidden),
          source: words.source.hidden(whereText(data)),
          holdsIf: [],
          note: [words.note.onlyCost],
          by: null,
        },
      ];
}

function ofPrinted(data: DigestData, parts: PrintedParts): KnownFigure[] {
  const { others, chart, outcomes, regressions, checks } = parts;
  const words = wordsIn(data.language);
  const { figure, n, source, holdsIf, note } = words.known;
  return [
    ...(others === undefined
      ? []
      : [
          {
            figure: figure.ofBenchmarks(others),
            n: n.benchmarks(data.benchmarks.length),
            source: source.ranges,
            holdsIf: [],
            note: [note.oneOfTwenty],
            by: null,
          },
        ]),
    ...ofChart(chart, words),
    ...ofCounts(outcomes, { source: source.outcomes, holdsIf: [], note: [note.runLeftOut] }),
    ...ofCounts(regressions, {
      source: source.turned,
      holdsIf: [holdsIf.labelsRight],
      note: [note.casesTurn],
    }),
    ...ofCounts(checks, {
      source: source.checks(whereText(data)),
      holdsIf: [holdsIf.pricesPaid],
      note: [],
    }),
    ...ofHidden(data),
  ];
}

/** As the facts of a section. */
export function knownFacts(all: readonly KnownFigure[], language: Language): DigestBlock[] {
  const { title, line } = wordsIn(language).known;
  return facts(
    title,
    all.map((one) => ({ label: one.figure, value: line(one) })),
  );
}

/** The report as this digest speaks of it: blockers only of a new run. */
const newlyIn = ({ last }: DigestData, { name, report, runs }: AssistantHistory): AssistantReport =>
  last?.runs[name] === runs.at(-1)?.name ? { ...report, blockers: null, slices: null } : report;

/** Every number of a digest with what it rests on; nothing if all that it has are counts. */
export function howWeKnow(data: DigestData, totals: LabelTotals, printed: PrintedParts): DigestBlock[] {
  const { language } = data;
  const estimates = [
    ...data.benchmarks.flatMap((history) =>
      history.subject === 'judges'
        ? ofJudges(history, language)
        : knownFigures(newlyIn(data, history), language).map((known) => ({
            ...known,
            figure: wordsIn(language).known.figureIn({ name: history.name, figure: known.figure }),
          })),
    ),
    ...ofVotes(data, totals),
    ...ofEachJudge(data, totals),
  ];
  return knownFacts(estimates.length === 0 ? [] : [...estimates, ...ofPrinted(data, printed)], language);
}
