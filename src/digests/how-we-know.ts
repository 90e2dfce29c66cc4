import { counted, grouped, percent } from '../common/text/index.ts';
import { MIN_FOR_SHARE } from '../labels/agreement/index.ts';
import { SETTLED_BY } from '../labels/index.ts';
import type { AssistantChange } from '../reports/assistant/index.ts';
import type { AssistantHistory, JudgesHistory } from '../reports/history/index.ts';
import { benchmarkChange, newestRun, rightShare, shareOfRun } from './change-since-last.ts';
import type { DigestBlock, DigestData, LabelTotals } from './digest.ts';
import { facts, whereText } from './digest-blocks.ts';

/** A number of a digest: how many items it rests on, where it comes from, and what has to hold for it. */
interface Known {
  figure: string;
  n: string;
  source: string;
  assumes: string;
}

function ofJudges(history: JudgesHistory): Known[] {
  const { name, compared, lead } = history;
  const [run, moved] = [newestRun(history), benchmarkChange(history)];
  if (run === null || run.n === 0) return [];
  return [
    {
      figure: `${name}: the judges agree with the labels on ${percent(shareOfRun(run))}`,
      n: `${counted(run.n, 'trial')} of ${counted(run.cases, 'case')}`,
      source: `run ${run.name}; Wilson’s interval, by case`,
      assumes: 'the labels are right; a trial without a decision counts as wrong',
    },
    ...(moved === null || compared === null
      ? []
      : [
          {
            figure: `${name}: ${moved.points} points since the last digest`,
            n: `${counted(compared.cases, 'case')} in both runs`,
            source: `runs ${compared.against} and ${run.name}; paired interval (Agresti and Min)`,
            assumes: 'the same cases and configurations in both; cases do not depend on each other',
          },
        ]),
    ...(lead === undefined || compared === null
      ? []
      : [
          {
            figure: `${name}: what changed among its configurations`,
            n: `${counted(compared.cases, 'case')} in both runs`,
            source: `runs ${compared.against} and ${run.name}; a test of each, adjusted for all of them (Holm)`,
            assumes: 'the same cases in both; without a change, either run could have come to either outcome',
          },
        ]),
  ];
}

const changeKnown = (
  name: string,
  run: string,
  { run: against, difference, requests }: AssistantChange,
): Known[] =>
  difference === null
    ? []
    : [
        {
          figure: `${name}: the change since ${against}`,
          n: `${counted(difference.n, 'request')} decided both times, of ${grouped(requests.shared)} in both`,
          source: `runs ${against} and ${run}; 95 % interval of the difference`,
          assumes: 'the same requests, judges, prompts and rubric in both; it is a change of judged answers',
        },
      ];

function ofAssistant({ name, report }: AssistantHistory): Known[] {
  const { rate, run, decided, answers, changes, latency, models } = report;
  return [
    ...(rate.measure.defined
      ? [
          {
            figure: `${name}: ${rate.kind === 'pass' ? `${percent(rate.measure.value)} of the answers pass` : 'the mean score'}`,
            n: `${counted(decided, 'answer')} decided of ${grouped(answers)}`,
            source: `run ${run}, judged by ${models.join(', ')}; 95 % interval of these answers`,
            assumes: 'judges can be wrong: it is the share that they pass, not the share that is right',
          },
        ]
      : []),
    ...changes.flatMap((change) => changeKnown(name, run, change)),
    ...(latency === null
      ? []
      : [
          {
            figure: `${name}: how long answers take`,
            n: counted(latency.n, 'answer'),
            source: `run ${run}, as the system or the data says`,
            assumes: 'times were measured alike; answers without a time are left out',
          },
        ]),
  ];
}

function ofVotes(data: DigestData, { settled, judges }: LabelTotals): Known[] {
  const { successes, n } = rightShare(settled);
  const where = whereText(data);
  const assumes = 'people vote on what they choose, or are shown: no random sample of what is judged';
  const known = Object.values(judges).filter((counts) => rightShare(counts).n >= MIN_FOR_SHARE).length;
  return [
    ...(n < MIN_FOR_SHARE
      ? []
      : [
          {
            figure: `People agree with ${percent(successes / n)}`,
            n: `${counted(n, 'verdict')} settled by votes`,
            source: `votes ${where} (${SETTLED_BY}); Wilson’s interval`,
            assumes,
          },
        ]),
    ...(known === 0
      ? []
      : [
          {
            figure: `How often people agree with ${known === 1 ? 'a judge' : `${known} judges`}`,
            n: 'as in the table, settled answers of each',
            source: `votes ${where}, by what each implies is right`,
            assumes,
          },
        ]),
  ];
}

/** Every number of a digest with what it rests on; nothing if the digest has no number that needs it. */
export function howWeKnow(data: DigestData, totals: LabelTotals): DigestBlock[] {
  const all = [
    ...data.benchmarks.flatMap((history) =>
      history.subject === 'judges' ? ofJudges(history) : ofAssistant(history),
    ),
    ...ofVotes(data, totals),
  ];
  return facts(
    'How we know',
    all.map(({ figure, n, source, assumes }) => ({
      label: figure,
      value: `n: ${n}. From: ${source}. Assumes: ${assumes}`,
    })),
  );
}
