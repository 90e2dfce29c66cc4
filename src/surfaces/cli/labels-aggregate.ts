import { counted, grouped, jsonLine } from '../../common/text/index.ts';
import { entry } from '../../judging/standards/index.ts';
import { labelJson } from '../../labels/exchange/index.ts';
import {
  type Agreeing,
  createComparison,
  type LabelComparison,
  type LabeledVerdict,
  type LabelQuery,
  type LabelRule,
  readModel,
  type Settled,
  settledText,
  tallyWords,
  usualRule,
  type VerdictLabel,
  type VoterModel,
  walkLabels,
} from '../../labels/index.ts';
import { fixed, percent } from '../../reports/estimates/index.ts';
import { quantileOfSorted } from '../../statistics/index.ts';
import {
  type Column,
  type CommandContext,
  type ExitCode,
  exitCode,
  type Screen,
  tableOf,
} from '../terminal/index.ts';

interface AggregateOptions {
  rubric?: string;
  by: NonNullable<LabelQuery['by']>;
  minVotes: number;
  /** Whether each voter's reliability is shown, under a pseudonym. */
  voters: boolean;
  json: boolean;
}

/** How many verdicts a terminal shows; the rest are counted. */
const MOST_ROWS = 40;
/** Fewer votes than this say little about a voter. */
const FEW_VOTES = 5;

const shortly = (settled: Settled | null): string =>
  settled === null ? '–' : settled.settled ? settledText(settled) : 'open';

/** `3–1–0`: agree, disagree, unsure; for an undecided verdict, what people say is right. */
const votesCell = (label: VerdictLabel): string => {
  const { agree, disagree, unsure } = label.tally;
  return label.judged.decision === 'undecided' ? tallyWords(label) : `${agree}–${disagree}–${unsure}`;
};

const columns: readonly Column<LabeledVerdict>[] = [
  ['verdict', ({ voted }) => voted.record.id],
  ['rubric', ({ voted }) => voted.record.verdict.rubric],
  ['judged', ({ label: { judged } }) => String(judged.score ?? judged.decision), 'left'],
  ['votes', ({ label }) => votesCell(label)],
  ['majority', ({ label }) => shortly(label.majority), 'left'],
  ['Dawid–Skene', ({ label }) => shortly(label.modelled), 'left'],
  ['P(pass)', ({ label }) => label.passProbability?.toFixed(3) ?? '–'],
  ['label', ({ label }) => `${shortly(label.label)}${label.adjudication === null ? '' : ' (ruled)'}`, 'left'],
];

function summaryLines(
  { counts, verdicts, scored, settled, ruled }: LabelComparison,
  options: AggregateOptions,
): string[] {
  const n = (kind: Agreeing) => counts.get(kind) ?? 0;
  return [
    `${counted(verdicts, 'verdict')} with votes or rulings; ${settled} with a label (by ${options.by}, with at least ${counted(options.minVotes, 'vote')}), ${ruled} of them by a ruling.`,
    `Majority and Dawid–Skene without rulings: ${n('same')} the same, ${n('other')} different, ${n('only majority')} by majority alone, ${n('only dawid-skene')} by Dawid–Skene alone, ${n('neither')} open.`,
    ...(scored > 0
      ? [`${counted(scored, 'verdict')} with a score: settled by the median, not part of the model.`]
      : []),
  ];
}

/** How well the model fits, and how reliable voters are overall; single voters are listed only on request. */
function modelLines({ converged, iterations, logLikelihood, voters }: VoterModel): string[] {
  const reliabilities = voters
    .flatMap(({ reliability }) => (reliability.defined ? [reliability.value] : []))
    .sort((a, b) => a - b);
  const [lowest, highest] = [reliabilities[0], reliabilities.at(-1)];
  if (lowest === undefined || highest === undefined)
    return ['No vote says what is right, so there is no model.'];
  const few = voters.filter(({ reliability }) => reliability.n < FEW_VOTES).length;
  const share = (value: number) => `${(100 * value).toFixed(1)} %`;
  return [
    `The model ${converged ? 'converged' : 'did NOT converge'} after ${counted(iterations, 'iteration')}; log-likelihood ${logLikelihood.toFixed(2)}.`,
    `${counted(voters.length, 'voter')}: right in ${share(lowest)} to ${share(highest)} of verdicts, median ${share(quantileOfSorted(reliabilities, 0.5))}${few > 0 ? `; ${few} with fewer than ${FEW_VOTES} votes` : ''}. --voters lists them by pseudonym.`,
  ];
}

function voterTable(screen: Screen, { voters }: VoterModel): string[] {
  // By pseudonym, not by reliability: this is not a ranking.
  const sorted = [...voters].sort((a, b) => (a.voter < b.voter ? -1 : 1));
  const share = (n: number, value = 0) => fixed({ defined: true, n, value });
  return tableOf(screen, sorted, [
    ['voter', ({ voter }) => voter],
    ['votes', ({ reliability }) => String(reliability.n)],
    ['right', ({ reliability }) => percent(reliability)],
    ['says pass of a pass', ({ reliability, confusion }) => share(reliability.n, confusion[0]?.[0])],
    ['says fail of a fail', ({ reliability, confusion }) => share(reliability.n, confusion[1]?.[1])],
  ]);
}

const modelJson = ({ converged, iterations, logLikelihood, voters }: VoterModel, withVoters: boolean) => ({
  kind: 'model',
  converged,
  iterations,
  logLikelihood,
  voters: withVoters
    ? voters.map(({ voter, reliability, confusion }) => ({
        voter,
        votes: reliability.n,
        right: reliability.defined ? reliability.value : null,
        passOfPass: confusion[0]?.[0] ?? null,
        failOfFail: confusion[1]?.[1] ?? null,
      }))
    : voters.length,
});

/** `jury labels aggregate`: each verdict's label by majority and by the model of voters, side by side. */
export async function aggregate(context: CommandContext, options: AggregateOptions): Promise<ExitCode> {
  const { err, out, screen, stop } = context;
  const parts = await context.parts();
  const { rubric, by, minVotes, json } = options;
  if (rubric !== undefined) entry('rubric', parts.library.rubrics, rubric);
  const store = await parts.store();
  const rule: LabelRule = { ...usualRule, minVotes };
  const query = { by, rule, ...(rubric === undefined ? {} : { rubric }) };
  const model = await readModel(store, rubric);
  const all = createComparison(MOST_ROWS);
  if (json) out(jsonLine(modelJson(model, options.voters)));
  for await (const labeled of walkLabels(store, query, model)) {
    if (stop.aborted) return exitCode.interrupted;
    if (json) out(jsonLine({ kind: 'verdict', ...labelJson(labeled) }));
    else all.add(labeled);
  }
  if (json) return exitCode.ok;
  if (all.verdicts === 0) {
    err(
      `There are no votes and no rulings yet${rubric === undefined ? '' : ` under the rubric "${rubric}"`}.`,
    );
    return exitCode.ok;
  }
  const { differing, others } = all.rows;
  const shown = [...differing, ...others].slice(0, MOST_ROWS);
  for (const line of tableOf(screen, shown, columns, 2)) out(line);
  const more = all.verdicts - shown.length;
  if (more > 0) out(`  and ${grouped(more)} more (--json lists all)`);
  out('');
  for (const line of [...summaryLines(all, options), ...modelLines(model)]) out(line);
  if (options.voters) for (const line of ['', ...voterTable(screen, model)]) out(line);
  return exitCode.ok;
}
