import * as z from 'zod';
import { counted, plainText } from '../../common/text/index.ts';
import { changeSections, groupRows } from '../../reports/assistant/index.ts';
import { type Comparison, casesOf, Flip, leftOutTexts, nameOfPair } from '../../reports/comparison/index.ts';
import type { RunSummary } from '../index.ts';

/** What an agent reads before its first call. */
export const INSTRUCTIONS = [
  'Jury judges the answers of assistants (chatbots, voice assistants) with a panel of LLM judges, or with exact checks.',
  'To judge an answer, call `judge` with a paste: "User: …" and "System: …" on lines of their own, then what the rubric needs, such as "Date: 2026-03-02", "Time: 20:35" or "Rating: 4.3". The last "System:" line is the answer that is judged. Write what was said and nothing of your own; `parse` shows how a text is read, and judges nothing.',
  'A verdict is `pass`, `fail`, `scored` or `undecided`. `undecided` is not a pass: `why` says what is missing. Quote reasons as the judges gave them.',
  'Judging can cost money and take a minute: judge each case once, and repeat a call only with the same `idempotencyKey`.',
  'For benchmarks, call `list_runs`, then `compare_runs` with an earlier and a later run of the same series.',
].join('\n\n');

const percent = (share: number): string => `${Math.round(share * 1_000) / 10} %`;

function scoreText({ score, trials, planned }: RunSummary): string {
  if (score === null) return trials < planned ? 'not finished' : 'no score yet';
  const { kind, measure, interval } = score;
  if (!measure.defined) return measure.why;
  const written = kind === 'pass-rate' ? percent : (value: number) => value.toFixed(2);
  const name = { 'pass-rate': 'pass', 'mean-score': 'mean score', f1: 'F1 of the judges' }[kind];
  const range = interval.defined ? ` (${written(interval.low)} to ${written(interval.high)})` : '';
  return `${written(measure.value)} ${name}${range}`;
}

/** A run in a line: `nightly-20261123: 81.3 % pass (76.2 % to 86 %), 240 cases, 2026-11-23, series nightly`. */
export const runLine = (run: RunSummary): string =>
  plainText(
    `${run.id}: ${scoreText(run)}, ${counted(run.cases, 'case')}, ${run.createdAt.slice(0, 10)}, series ${run.series}`,
  );

/** Two runs, compared, as far as an agent can read: the words of the report, and the first cases of each kind. */
export const ComparedRuns = z.strictObject({
  first: z.string(),
  second: z.string(),
  summary: z.string().describe('What changed, in sentences.'),
  differences: z.array(z.string()).describe('How the runs themselves differ, such as in their judges.'),
  notes: z.array(z.string()).describe('What to bear in mind.'),
  sharedCases: z.int().describe('Cases that are the same in both runs, the answer included.'),
  answers: z
    .strictObject({ newlyFailing: z.int(), newlyPassing: z.int() })
    .nullable()
    .describe(
      'Of an assistant: answers to the same requests that turned. Null for runs that measure judges.',
    ),
  configurations: z
    .array(
      z.strictObject({
        name: z.string(),
        cases: z.int().describe('Cases that both have judged.'),
        nowRight: z.int().describe('Cases with a label that only the second run decides rightly.'),
        nowWrong: z.int().describe('Cases with a label that only the first run decides rightly.'),
        otherwiseDifferent: z.int(),
        changedCases: z.array(Flip).describe('The first of them; the counts are of all.'),
      }),
    )
    .describe('The same answers, judged in both runs, by configuration.'),
  leftOut: z.array(z.string()).describe('What is not compared, and why.'),
});
export type ComparedRuns = z.infer<typeof ComparedRuns>;

/** How many left-out cases are named. */
const NAMED = 10;

const groupsSize = (groups: readonly { n: number }[]): number => groups.reduce((sum, { n }) => sum + n, 0);

/** @param most how many changed cases of each configuration are listed */
export function comparedRuns(comparison: Comparison, most: number): ComparedRuns {
  const { first, second, lead, changes, notes, cases, assistant, pairs } = comparison;
  const [change] = assistant?.changes ?? [];
  const sections = assistant === null ? [] : changeSections(assistant);
  const ofAnswers = sections.flatMap(({ headline, basis, turned }) => [
    headline,
    basis,
    ...turned.flatMap(({ title, groups }) => [
      title,
      ...groupRows(groups).map(({ label, value }) => `- ${label}: ${value}`),
    ]),
  ]);
  // The lead about an assistant is the first of these headlines.
  const summary = (assistant === null ? [lead ?? ''] : ofAnswers).filter((line) => line !== '');
  return {
    first,
    second,
    summary: plainText(summary.join('\n')),
    differences: changes,
    notes,
    sharedCases: cases.shared,
    answers:
      change === undefined
        ? null
        : { newlyFailing: groupsSize(change.failing), newlyPassing: groupsSize(change.passing) },
    configurations: pairs.map(({ pair, flips }) => {
      const count = (kind: Flip['kind']) => flips.filter((flip) => flip.kind === kind).length;
      return {
        name: nameOfPair(pair),
        cases: casesOf(pair),
        nowRight: count('fixed'),
        nowWrong: count('broken'),
        otherwiseDifferent: count('other') + count('unlabeled'),
        changedCases: flips.slice(0, most),
      };
    }),
    leftOut: leftOutTexts(comparison, NAMED),
  };
}

const KINDS: Readonly<Record<Flip['kind'], string>> = {
  broken: 'now wrong',
  fixed: 'now right',
  other: 'wrong in another way',
  unlabeled: 'different, without a label',
};

/** The same as text. */
export function comparedText(compared: ComparedRuns): string {
  const { first, second, summary, differences, notes, sharedCases, configurations, leftOut } = compared;
  const lines = configurations.flatMap(({ name, cases, changedCases, ...counts }) => {
    const changed = counts.nowRight + counts.nowWrong + counts.otherwiseDifferent;
    const more = changed - changedCases.length;
    return [
      `${name}: ${counted(cases, 'case')}, ${counts.nowWrong} now wrong, ${counts.nowRight} now right, ${counts.otherwiseDifferent} otherwise different`,
      ...changedCases.map((flip) => `- ${flip.caseId}: ${flip.first} → ${flip.second} (${KINDS[flip.kind]})`),
      ...(more > 0 ? [`- and ${more} more: ask with a larger "cases"`] : []),
    ];
  });
  return plainText(
    [
      `${first} → ${second}`,
      summary,
      ...differences.map((one) => `Differs: ${one}`),
      `${counted(sharedCases, 'case')} with the same answer in both`,
      ...lines,
      ...leftOut.map((one) => `Left out: ${one}`),
      ...notes,
    ]
      .filter((line) => line !== '')
      .join('\n'),
  );
}
