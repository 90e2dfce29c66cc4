import { capital } from '../../common/text/index.ts';
import { type Language, type Words, wordsIn } from '../../words/index.ts';
import type { ReportInterval } from '../estimates/index.ts';
import type { AssistantChange, AssistantReport, ChangedGroup } from './assistant-report.ts';
import {
  agreedText,
  basisText,
  checkedText,
  differenceText,
  kindsText,
  latencyText,
  orderText,
  preferenceText,
  rateText,
  sharedText,
  sinceText,
  sizeOf,
  slowestRows,
  steadinessOf,
  totalOf,
  truthText,
  turnedText,
} from './assistant-words.ts';
import { obstaclesText, truthUnknownText } from './reason-words.ts';
import { slicesTable } from './slice-words.ts';

/** A printed number: how many items it rests on, where it comes from, and what has to hold for it. */
export interface KnownFigure {
  /** As it is printed. */
  figure: string;
  n: string;
  source: string;
  /** What is taken for granted, as the rest of “right only if”. */
  holdsIf: string[];
  /** What else to know of it. */
  note: string[];
  /** The name of the method. */
  by: string | null;
}

/** A run's report, and the language to speak of it in. */
interface Told {
  report: AssistantReport;
  language: Language;
  words: Words;
}

const methodText = ({ known }: Words, interval: ReportInterval): string =>
  interval.defined ? known.by[interval.by] : known.noRange(interval.why);

/** @param n effective number of independent answers; null if none belong together */
const togetherText = ({ known }: Words, n: number | null | undefined): string =>
  n === null || n === undefined ? '' : known.n.together(Math.round(n));

function rateFigure({ report, language, words }: Told): KnownFigure[] {
  const { answers, decided, rate, run, method, models, independent } = report;
  const { n, source, holdsIf, note } = words.known;
  if (answers === 0) return [];
  return [
    {
      figure: rateText(report, false, language),
      n: `${n.decided({ decided, of: answers })}${togetherText(words, rate.kind === 'pass' ? independent?.passed : null)}`,
      source: source.judgedRun({ run, method, models }),
      holdsIf: decided < answers ? [holdsIf.othersAlike(answers - decided)] : [],
      note: [note.judged],
      by: methodText(words, rate.interval),
    },
  ];
}

/** `Time 8 (6 of them on Sundays)`, without the reasons: these quote conversations. */
function groupText({ title, n, shared }: ChangedGroup, language: Language): string {
  const { assistant, known } = wordsIn(language);
  const group = assistant.groups.labeled({ title: title ?? assistant.groups.otherInList, n });
  return shared === null
    ? group
    : known.figure.groupShared({ group, shared: sharedText(shared, n, language) });
}

function turnedFigures({ report: { run }, language, words }: Told, change: AssistantChange): KnownFigure[] {
  const { failing, passing, requests } = change;
  const { n, source, note } = words.known;
  const turned = (groups: readonly ChangedGroup[], to: 'fail' | 'pass'): KnownFigure[] =>
    groups.length === 0
      ? []
      : [
          {
            figure: turnedText(groups, to, language),
            n: `${n.inBoth(requests.shared)}; ${groups.map((group) => groupText(group, language)).join(', ')}`,
            source: source.runs({ was: change.baseline ?? change.run, now: run }),
            holdsIf: [],
            note: [note.notOthers, note.turnByChance],
            by: null,
          },
        ];
  return [...turned(failing, 'fail'), ...turned(passing, 'pass')];
}

function changeFigures(told: Told, change: AssistantChange): KnownFigure[] {
  const { report, language, words } = told;
  const { known, assistant, numbers } = words;
  const { run, rate } = report;
  const { difference, obstacles, baseline, mix } = change;
  const against = baseline === null ? change.run : assistant.against.baseline(baseline);
  const both = { was: change.run, now: run };
  if (difference === null) {
    const why =
      obstacles.length > 0 ? obstaclesText(change, language) : assistant.headline.nothingDecidedTwice;
    return [
      {
        figure: known.figure.noChange(against),
        n: basisText(report, change, language) || numbers.answers(report.answers),
        source: known.source.runsWhy({ ...both, why }),
        holdsIf: [],
        note: [known.note.changeNeeds],
        by: null,
      },
    ];
  }
  const { text, interval } = differenceText(rate.kind, difference, language);
  const isSteady = difference.trend === 'steady';
  return [
    {
      figure: known.figure.change({ by: capital(text), against, interval }),
      n: known.n.compared({ n: difference.n, basis: basisText(report, change, language) }),
      source: known.source.runs(both),
      holdsIf: mix === null ? [] : [known.holdsIf.requestsAlike(kindsText(mix, language))],
      note: [
        isSteady ? known.note.hides : known.note.shrinks,
        ...(isSteady && difference.interval.defined ? [known.note.steady] : []),
        ...(mix === null ? [known.note.sameChecked] : []),
      ],
      by: methodText(words, difference.interval),
    },
    ...turnedFigures(told, change),
  ];
}

/** What each source of the true rate needs. */
function truthFigure({ report, language, words }: Told): KnownFigure[] {
  const { truth, run } = report;
  const { known } = words;
  const { n, source, holdsIf, note } = known;
  const share = truthText(report, language);
  if (truth.source === null)
    return [
      {
        figure: known.figure.truthUnknown,
        n: words.numbers.answers(report.answers),
        source: source.unknown(truthUnknownText(truth, language)),
        holdsIf: [],
        note: [note.chosenSaysNothing],
        by: null,
      },
    ];
  if (share === null) return [];
  const base = { figure: capital(share), note: [], by: methodText(words, truth.interval) };
  switch (truth.source) {
    case 'labels':
      return [
        { ...base, n: n.allDecided(truth.n), source: source.labels(run), holdsIf: [holdsIf.labelsRight] },
      ];
    case 'sample':
      return [
        {
          ...base,
          n: checkedText(truth, language),
          source: source.checkedAnswers(run),
          holdsIf: [holdsIf.checkersRight, holdsIf.uncheckedAlike],
        },
      ];
    case 'other-samples':
      return [
        {
          ...base,
          n: checkedText(truth, language),
          source: source.errorsThere,
          holdsIf: [holdsIf.errorsSame, holdsIf.checkersRight],
        },
      ];
  }
}

function correctedFigure({ report, language, words: { known, numbers } }: Told): KnownFigure[] {
  const [change] = report.changes;
  const since = sinceText(report, language);
  if (since === null || change?.corrected == null || truthText(report, language) === null) return [];
  return [
    {
      figure: known.figure.truly(since),
      n: numbers.answers(change.corrected.n),
      source: known.source.bothLabels({ was: change.run, now: report.run }),
      holdsIf: [known.holdsIf.bothRates],
      note: [],
      by: known.by.both,
    },
  ];
}

/** How often judges agree with the labels, where that is printed. */
function agreementFigure({ report, words }: Told): KnownFigure[] {
  const { known } = words;
  const agreed = agreedText(report);
  const { truth, labels, decided, independent, run } = report;
  if (agreed === null || (truth.source !== null && truth.source !== 'labels')) return [];
  return [
    {
      figure: known.figure.agreed(agreed),
      n: `${known.n.labeled(totalOf(labels))}${togetherText(words, independent?.agreed)}`,
      source: known.source.labels(run),
      holdsIf: [known.holdsIf.labelsRight],
      note: totalOf(labels) < decided ? [known.note.chosenUnknown] : [],
      by: known.by.wilson,
    },
  ];
}

function steadinessFigure({ report, language, words: { known } }: Told): KnownFigure[] {
  const said = steadinessOf(report, false, language);
  const { flips, run, changes } = report;
  const repeated = flips?.defined === true ? [known.n.repeated(flips.n)] : [];
  const unchanged = changes
    .slice(0, 1)
    .flatMap(({ run: earlier, unchanged: { n } }) =>
      n === 0 ? [] : [known.n.unchangedSince({ n, run: earlier })],
    );
  return said.length === 0
    ? []
    : [
        {
          figure: capital(said.join('; ')),
          n: [...repeated, ...unchanged].join('; '),
          source: known.source.run(run),
          holdsIf: [],
          note: [known.note.steadyCanErr],
          by: null,
        },
      ];
}

function latencyFigure({ report, language, words: { known } }: Told): KnownFigure[] {
  const { latency, run } = report;
  const figure = latencyText(report, language);
  return latency === null || figure === null
    ? []
    : [
        {
          figure,
          n: known.n.timed({
            n: latency.n,
            slowest: slowestRows(report, language).map(({ label }) => label),
          }),
          source: known.source.timed(run),
          holdsIf: [known.holdsIf.timedAlike],
          note: [known.note.untimed],
          by: null,
        },
      ];
}

function preferenceFigures({ report, language, words: { known } }: Told): KnownFigure[] {
  const { preference, run, method, models } = report;
  if (preference === null) return [];
  const { A, B, same, changed } = preference;
  return [
    {
      figure: preferenceText(preference, language).text,
      n: known.n.preferred({ n: A + B, of: A + B + same }),
      source: known.source.judgedRun({ run, method, models }),
      holdsIf: [],
      note: [known.note.judged, known.note.neitherBetter],
      by: known.by.sign,
    },
    {
      figure: orderText(preference, language),
      n: known.n.judgements(changed.of),
      source: changed.of === 0 ? known.source.imported(run) : known.source.bothOrders(run),
      holdsIf: [],
      note: [known.note.orderIsNone],
      by: null,
    },
  ];
}

/** The rows of the table by value of a tag, as it prints them; the change has no date here. */
function sliceFigures({ report, language, words: { known, assistant } }: Told): KnownFigure[] {
  const table = slicesTable(report, assistant.against.runBefore, language);
  return (table?.rows ?? []).map(([value = '', n = '', share = '', limits = '', change = '–']) => ({
    figure: known.figure.slice({ value, share, limits, change: change === '–' ? null : change }),
    n: known.n.decidedAnswers(n),
    source: known.source.eachSlice(report.run),
    holdsIf: [],
    note: [known.note.judged, known.note.allValues],
    by: known.by.wilsonAndHolm,
  }));
}

function blockerFigures({ report, language, words: { known, assistant } }: Told): KnownFigure[] {
  const { blockers, run, answers, changes } = report;
  const before = changes.find(({ baseline }) => baseline === null)?.run;
  const n = sizeOf(blockers?.groups ?? []);
  return n === 0
    ? []
    : [
        {
          figure: assistant.blockers.count(n),
          n: known.n.blockers({
            answers,
            others: blockers?.others ?? null,
            groups: (blockers?.groups ?? []).map((group) => groupText(group, language)).join(', '),
          }),
          source:
            before === undefined
              ? known.source.firstBlockers(run)
              : known.source.runs({ was: before, now: run }),
          holdsIf: [],
          note: [known.note.blocker],
          by: null,
        },
      ];
}

/** Every number that an assistant's sentences print, with what it rests on. It has no text of any case. */
export function knownFigures(report: AssistantReport, language: Language): KnownFigure[] {
  const told = { report, language, words: wordsIn(language) };
  if (report.preference !== null) return [...preferenceFigures(told), ...latencyFigure(told)];
  return [
    ...blockerFigures(told),
    ...rateFigure(told),
    ...report.changes.flatMap((change) => changeFigures(told, change)),
    ...sliceFigures(told),
    ...truthFigure(told),
    ...correctedFigure(told),
    ...agreementFigure(told),
    ...steadinessFigure(told),
    ...latencyFigure(told),
  ];
}
