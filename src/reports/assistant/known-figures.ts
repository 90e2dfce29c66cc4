import { capital, counted, grouped } from '../../common/text/index.ts';
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
import { slicesTable } from './slice-words.ts';

/** A printed number: how many items it rests on, where it comes from, and what has to hold for it. */
export interface KnownFigure {
  /** As it is printed. */
  figure: string;
  n: string;
  source: string;
  assumes: string;
}

type Method = Extract<ReportInterval, { defined: true }>['by'];

const METHODS: Readonly<Record<Method, string>> = {
  wilson: 'Wilson’s interval',
  paired: 'paired interval (Agresti and Min)',
  newcombe: 'interval of two samples (Newcombe)',
  ranks: 'interval of a median',
  jackknife: 'jackknife',
  corrected: 'interval that counts the errors of the judges’ error rates, too (Lang and Reiczigel)',
};

const methodText = (interval: ReportInterval): string =>
  interval.defined ? METHODS[interval.by] : `no interval: ${interval.why}`;

/** @param n effective number of independent answers; null if none belong together */
const togetherText = (n: number | null | undefined): string =>
  n === null || n === undefined
    ? ''
    : `; those of a group belong together and count as ${grouped(Math.round(n))}`;

/** What people do not see in a rate: judges who err in both directions. */
const JUDGED = 'it is what judges say, who can be wrong';

function rateFigure(report: AssistantReport): KnownFigure[] {
  const { answers, decided, rate, run, method, models, independent } = report;
  if (answers === 0) return [];
  const left =
    decided < answers ? `; the ${grouped(answers - decided)} others would have come out alike` : '';
  return [
    {
      figure: rateText(report),
      n: `${counted(decided, 'answer')} decided of ${grouped(answers)}${togetherText(rate.kind === 'pass' ? independent?.passed : null)}`,
      source: `run ${run}, ${method} with ${models.join(', ')}; ${methodText(rate.interval)}`,
      assumes: `${JUDGED}${left}`,
    },
  ];
}

/** What a change needs to be one of the assistant. */
function changeAssumes({ mix }: AssistantChange, isSteady: boolean): string {
  const judged = isSteady
    ? 'it is a change of judged answers: judges’ errors hide part of a true one'
    : 'it is a change of judged answers: judges’ errors shrink a true one';
  if (mix === null) return `${judged}; judges, prompts and rubric are the same (checked)`;
  return `${judged}; requests of both runs came about alike (they are compared ${kindsText(mix)})`;
}

/** `Time 8 (6 of them on Sundays)`, without the reasons: these quote conversations. */
const groupText = ({ title, n, shared }: ChangedGroup): string =>
  `${title ?? 'other'} ${grouped(n)}${shared === null ? '' : ` (${sharedText(shared, n)})`}`;

function turnedFigures(run: string, change: AssistantChange): KnownFigure[] {
  const { failing, passing, requests } = change;
  const turned = (groups: readonly ChangedGroup[], to: 'fail' | 'pass'): KnownFigure[] =>
    groups.length === 0
      ? []
      : [
          {
            figure: turnedText(groups, to),
            n: `${counted(requests.shared, 'request')} in both runs; ${groups.map(groupText).join(', ')}`,
            source: `runs ${change.baseline ?? change.run} and ${run}; counted`,
            assumes: 'nothing about other requests; some turn by chance in any two runs',
          },
        ];
  return [...turned(failing, 'fail'), ...turned(passing, 'pass')];
}

function changeFigures(report: AssistantReport, change: AssistantChange): KnownFigure[] {
  const { run, rate } = report;
  const { difference, obstacles, baseline } = change;
  const against = baseline === null ? change.run : `the baseline ${baseline}`;
  if (difference === null)
    return [
      {
        figure: `No change since ${against} is given`,
        n: basisText(report, change) || counted(report.answers, 'answer'),
        source: `runs ${change.run} and ${run}: ${obstacles.join('; ') || 'no answer was decided both times'}`,
        assumes: 'a change needs the same judges, prompts, rubric and language',
      },
    ];
  const { text, interval } = differenceText(rate.kind, difference);
  const isSteady = difference.trend === 'steady';
  const steady =
    isSteady && difference.interval.defined
      ? '; steady: interval and score test rule out five points either way'
      : '';
  return [
    {
      figure: `${capital(text)} ${against} (${interval})`,
      n: `${counted(difference.n, 'request')} compared: ${basisText(report, change)}`,
      source: `runs ${change.run} and ${run}; ${methodText(difference.interval)}${steady}`,
      assumes: changeAssumes(change, isSteady),
    },
    ...turnedFigures(run, change),
  ];
}

/** What each source of the true rate needs. */
function truthFigure(report: AssistantReport): KnownFigure[] {
  const { truth, run } = report;
  const share = truthText(report);
  if (truth.source === null)
    return [
      {
        figure: 'How many answers truly pass is not known',
        n: counted(report.answers, 'answer'),
        source: truth.why,
        assumes: 'votes and labels of chosen answers say nothing about the others',
      },
    ];
  if (share === null) return [];
  const by = methodText(truth.interval);
  const figure = capital(share);
  const right = 'people who check are right';
  switch (truth.source) {
    case 'labels':
      return [
        {
          figure,
          n: `all ${grouped(truth.n)} decided answers`,
          source: `labels of run ${run}; ${by}`,
          assumes: 'the labels are right',
        },
      ];
    case 'sample':
      return [
        {
          figure,
          n: checkedText(truth),
          source: `answers of run ${run} that people checked, weighted by stratum; ${by}`,
          assumes: `${right}; drawn but unchecked answers are like those of their stratum`,
        },
      ];
    case 'other-samples':
      return [
        {
          figure,
          n: checkedText(truth),
          source: `how often these judges were wrong there (Rogan and Gladen); ${by}`,
          assumes: `judges miss as many right and wrong answers now as then; ${right}`,
        },
      ];
  }
}

function correctedFigure(report: AssistantReport): KnownFigure[] {
  const [change] = report.changes;
  const since = sinceText(report);
  if (since === null || change?.corrected == null || truthText(report) === null) return [];
  return [
    {
      figure: `Truly passing: ${since}`,
      n: counted(change.corrected.n, 'answer'),
      source: `labels or checked answers of both runs, ${change.run} and ${report.run}; interval from those of both rates (MOVER)`,
      assumes: 'what both rates need; the same mix of requests',
    },
  ];
}

/** How often judges agree with the labels, where that is printed. */
function agreementFigure(report: AssistantReport): KnownFigure[] {
  const agreed = agreedText(report);
  const { truth, labels, decided, independent, run } = report;
  if (agreed === null || (truth.source !== null && truth.source !== 'labels')) return [];
  const chosen = totalOf(labels) < decided ? '; how the labeled ones were chosen is not known' : '';
  return [
    {
      figure: `Judges agree with the labels on ${agreed}`,
      n: `${counted(totalOf(labels), 'labeled answer')}${togetherText(independent?.agreed)}`,
      source: `labels of run ${run}; Wilson’s interval`,
      assumes: `the labels are right${chosen}`,
    },
  ];
}

function steadinessFigure(report: AssistantReport): KnownFigure[] {
  const said = steadinessOf(report, 'judges');
  const { flips, run, changes } = report;
  const repeated = flips?.defined === true ? [`${counted(flips.n, 'answer')} judged repeatedly`] : [];
  const unchanged = changes
    .slice(0, 1)
    .flatMap(({ run: earlier, unchanged: { n } }) =>
      n === 0 ? [] : [`${grouped(n)} unchanged since run ${earlier}`],
    );
  return said.length === 0
    ? []
    : [
        {
          figure: capital(said.join('; ')),
          n: [...repeated, ...unchanged].join('; '),
          source: `run ${run}; counted`,
          assumes: 'judges that agree with themselves can still be wrong',
        },
      ];
}

function latencyFigure(report: AssistantReport): KnownFigure[] {
  const { latency, run } = report;
  const figure = latencyText(report);
  return latency === null || figure === null
    ? []
    : [
        {
          figure,
          n: `${counted(latency.n, 'answer')} with a known time; the slowest: ${slowestRows(report)
            .map(({ label }) => label)
            .join(', ')}`,
          source: `run ${run}, as the system or the data says`,
          assumes: 'times were measured alike; answers without one are left out',
        },
      ];
}

function preferenceFigures(report: AssistantReport): KnownFigure[] {
  const { preference, run, method, models } = report;
  if (preference === null) return [];
  const { A, B, same, changed } = preference;
  return [
    {
      figure: preferenceText(preference).text,
      n: `${counted(A + B, 'request')} with a preference of ${grouped(A + B + same)}`,
      source: `run ${run}, ${method} with ${models.join(', ')}; Wilson’s interval, exact sign test`,
      assumes: `${JUDGED}; where neither is better says nothing`,
    },
    {
      figure: orderText(preference),
      n: counted(changed.of, 'judgement'),
      source: changed.of === 0 ? `run ${run}, imported` : `run ${run}, asked in both orders; counted`,
      assumes: 'a preference that changes with the order is none',
    },
  ];
}

/** The rows of the table by value of a tag, as it prints them; the change has no date here. */
function sliceFigures(report: AssistantReport): KnownFigure[] {
  const table = slicesTable(report, 'the run before');
  return (table?.rows ?? []).map(([value = '', n = '', share = '', limits = '', change = '–']) => ({
    figure: `${value}: ${share} (${limits})${change === '–' ? '' : `, change ${change}`}`,
    n: `${n} decided answers`,
    source: `run ${report.run}; the interval of the share is for itself, that of the change as of two runs`,
    assumes: `${JUDGED}; “worse” allows for all values looked at (Holm)`,
  }));
}

function blockerFigures({ blockers, run, answers, changes }: AssistantReport): KnownFigure[] {
  const before = changes.find(({ baseline }) => baseline === null)?.run;
  const n = sizeOf(blockers?.groups ?? []);
  const others = blockers?.others ?? null;
  return n === 0
    ? []
    : [
        {
          figure: counted(n, 'blocker'),
          n: `${counted(answers, 'answer')}${others === null ? '' : `; ${others.now} of them answer other requests, before ${others.before} did`}; ${(blockers?.groups ?? []).map(groupText).join(', ')}`,
          source: `${before === undefined ? `run ${run}, with none before it` : `runs ${before} and ${run}`}; counted, without a test`,
          assumes: 'nothing; each is a judged case, which judges may have got wrong',
        },
      ];
}

/** Every number that an assistant's sentences print, with what it rests on. It has no text of any case. */
export function knownFigures(report: AssistantReport): KnownFigure[] {
  if (report.preference !== null) return [...preferenceFigures(report), ...latencyFigure(report)];
  return [
    ...blockerFigures(report),
    ...rateFigure(report),
    ...report.changes.flatMap((change) => changeFigures(report, change)),
    ...sliceFigures(report),
    ...truthFigure(report),
    ...correctedFigure(report),
    ...agreementFigure(report),
    ...steadinessFigure(report),
    ...latencyFigure(report),
  ];
}
