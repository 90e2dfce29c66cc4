import { counted, percent, usd } from '../common/text/index.ts';
import { MIN_FOR_SHARE } from '../labels/agreement/index.ts';
import { SETTLED_BY } from '../labels/index.ts';
import { type AssistantReport, type KnownFigure, knownFigures } from '../reports/assistant/index.ts';
import { shareLimits } from '../reports/estimates/index.ts';
import type { AssistantHistory, BenchmarkRun, JudgesHistory } from '../reports/history/index.ts';
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
function trialsText({ n, cases }: Pick<BenchmarkRun, 'n' | 'cases'>): string {
  const worth = Math.round(cases);
  return `${counted(n, 'trial')}${worth < n ? `, which count as ${worth} independent ones` : ''}`;
}

/** The share of a run, and its cost. */
function ofRun({ name }: JudgesHistory, run: BenchmarkRun): KnownFigure[] {
  const { costUsd } = run;
  return [
    {
      figure: `${name}: the judges agree with the labels on ${percent(shareOfRun(run))} (${shareInterval(intervalOfRun(run))})`,
      n: trialsText(run),
      source: `run ${run.name}; Wilson’s interval, by case or group`,
      assumes: 'the labels are right; a trial without a decision counts as wrong',
    },
    ...(costUsd === null
      ? []
      : [
          {
            figure: `${name}: ${usd(costUsd)}`,
            n: 'all calls of the run',
            source: `run ${run.name}; tokens times prices`,
            assumes: 'the prices that are set are those that are paid; answers from the cache cost nothing',
          },
        ]),
  ];
}

/** How a run compares with the last digest, and with the best so far. */
function ofComparison(history: JudgesHistory, run: BenchmarkRun): KnownFigure[] {
  const { name, compared, lead } = history;
  const [moved, best] = [benchmarkChange(history), bestRun(history)];
  const known: KnownFigure[] = [];
  if (moved !== null && compared !== null)
    known.push({
      figure: `${name}: ${moved.points} points since the last digest (${moved.interval})`,
      n: `${trialsText(compared)}, in both runs`,
      source: `runs ${compared.against} and ${run.name}; paired interval (Agresti and Min)`,
      assumes:
        'the same cases and configurations in both (checked); cases do not depend on each other, or groups of them do not',
    });
  if (lead !== undefined && compared !== null)
    known.push({
      figure: `The judges of ${name}: ${lead.text}`,
      n: `${trialsText(compared)}, in both runs`,
      source: `runs ${compared.against} and ${run.name}; a test of each configuration, adjusted for all of them (Holm)`,
      assumes: 'the same cases in both; without a change, either run could have come to either outcome',
    });
  if (best !== undefined && best.name !== run.name)
    known.push({
      figure: `${name}: best so far ${percent(shareOfRun(best))}`,
      n: trialsText(best),
      source: `run ${best.name}`,
      assumes: 'nothing; the best of several runs looks better than it is',
    });
  return known;
}

function ofJudges(history: JudgesHistory): KnownFigure[] {
  const run = newestRun(history);
  return run === null || run.n === 0 ? [] : [...ofRun(history, run), ...ofComparison(history, run)];
}

const CHOSEN = 'people vote on what they choose, or are shown: no random sample of what is judged';

function ofVotes(data: DigestData, totals: LabelTotals): KnownFigure[] {
  const { successes, n } = rightShare(totals.settled);
  const where = whereText(data);
  const before = labelsBefore(data);
  const moved = before === null ? null : labelChange(totals, before);
  const old = before === null ? 0 : rightShare(before.settled).n;
  const known: KnownFigure[] = [];
  if (moved !== null && moved.since.n >= MIN_FOR_SHARE && old >= MIN_FOR_SHARE)
    known.push({
      figure: `People agree with ${percent(moved.since.successes / moved.since.n)} since the last digest, ${moved.points} points (${moved.interval})`,
      n: `${counted(moved.since.n, 'verdict')} since, ${old} before`,
      source: `votes ${where} (${SETTLED_BY}); interval of two samples (Newcombe)`,
      assumes: `${CHOSEN}; they chose alike before and since`,
    });
  if (n >= MIN_FOR_SHARE)
    known.push({
      figure: `People agree with ${percent(successes / n)} (${shareInterval(shareLimits({ successes, n }))})`,
      n: `${counted(n, 'verdict')} settled by votes`,
      source: `votes ${where} (${SETTLED_BY}); Wilson’s interval`,
      assumes: CHOSEN,
    });
  return known;
}

/** The rows of the table by judge. */
const ofEachJudge = (data: DigestData, totals: LabelTotals): KnownFigure[] =>
  judgeRows(data, totals).map(({ Judge, Agree, '95 % interval': limits, Verdicts }) => ({
    figure: `${Judge}: people agree with ${Agree} (${limits})`,
    n: `${Verdicts} verdicts settled by votes`,
    source: `votes ${whereText(data)}, by what each implies of the judge; Wilson’s interval`,
    assumes: CHOSEN,
  }));

function ofChart(blocks: readonly DigestBlock[]): KnownFigure[] {
  return blocks.flatMap((block) =>
    block.kind !== 'trend'
      ? []
      : block.series.map(({ name, values }) => ({
          figure: `${block.title}: ${name} ${values.map((value) => value ?? '–').join(' → ')}`,
          n: 'that of each point',
          source: 'each point for itself, as it was counted then',
          assumes: 'nothing; judges, prompts and requests may have changed between points',
        })),
  );
}

/** Facts that are counted: their numbers are their own n. */
const ofCounts = (blocks: readonly DigestBlock[], source: string, assumes: string): KnownFigure[] =>
  blocks.flatMap((block) =>
    block.kind === 'facts'
      ? [
          {
            figure: block.title,
            n: block.facts.map(({ label, value }) => `${label} ${value}`).join('; '),
            source,
            assumes,
          },
        ]
      : [],
  );

/** Verdicts that are hidden until voted on, which a note counts. */
const ofHidden = ({ recent: { hidden }, scope }: DigestData): KnownFigure[] =>
  hidden === 0
    ? []
    : [
        {
          figure: 'Verdicts that are hidden until people vote',
          n: String(hidden),
          source: `what was judged ${whereText({ scope })} in the last seven days; counted`,
          assumes: 'nothing; they are in the cost alone',
        },
      ];

function ofPrinted(data: DigestData, parts: PrintedParts): KnownFigure[] {
  const { others, chart, outcomes, regressions, checks } = parts;
  return [
    ...(others === undefined
      ? []
      : [
          {
            figure: `Of the benchmarks, ${others}`,
            n: counted(data.benchmarks.length, 'benchmark'),
            source: 'the 95 % interval of each for itself',
            assumes: 'nothing; of 20 benchmarks without a change, one may look changed',
          },
        ]),
    ...ofChart(chart),
    ...ofCounts(
      outcomes,
      'the runs for this digest; counted',
      'nothing; such a run is left out or incomplete',
    ),
    ...ofCounts(
      regressions,
      'the two runs compared; counted',
      'the labels are right; some cases turn by chance in any two runs',
    ),
    ...ofCounts(
      checks,
      `what was judged and voted on ${whereText(data)}; counted, and tokens times prices`,
      'the prices that are set are those that are paid; shares as above',
    ),
    ...ofHidden(data),
  ];
}

/** As the facts of a section. */
export const knownFacts = (all: readonly KnownFigure[]): DigestBlock[] =>
  facts(
    'How we know',
    all.map(({ figure, n, source, assumes }) => ({
      label: figure,
      value: `n: ${n}. From: ${source}. Assumes: ${assumes}`,
    })),
  );

/** The report as this digest speaks of it: blockers only of a new run. */
const newlyIn = ({ last }: DigestData, { name, report, runs }: AssistantHistory): AssistantReport =>
  last?.runs[name] === runs.at(-1)?.name ? { ...report, blockers: null, slices: null } : report;

/** Every number of a digest with what it rests on; nothing if all that it has are counts. */
export function howWeKnow(data: DigestData, totals: LabelTotals, printed: PrintedParts): DigestBlock[] {
  const estimates = [
    ...data.benchmarks.flatMap((history) =>
      history.subject === 'judges'
        ? ofJudges(history)
        : knownFigures(newlyIn(data, history)).map((known) => ({
            ...known,
            figure: `${history.name}: ${known.figure}`,
          })),
    ),
    ...ofVotes(data, totals),
    ...ofEachJudge(data, totals),
  ];
  return knownFacts(estimates.length === 0 ? [] : [...estimates, ...ofPrinted(data, printed)]);
}
