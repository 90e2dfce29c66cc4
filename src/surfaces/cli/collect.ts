import {
  type CollectEnd,
  casesById,
  collectAnswers,
  identified,
  openSystem,
  readSystemFile,
  requestFormat,
  requireSameOrigin,
  unansweredReason,
} from '../../benchmark/collect/index.ts';
import type { EvalCase } from '../../case/index.ts';
import { groupedBy, onAbort } from '../../common/index.ts';
import { counted, grouped, plainLine, usd } from '../../common/text/index.ts';
import { readDataset } from '../../datasets/index.ts';
import { fileAt } from '../../prompting/index.ts';
import { openAnswerFile } from '../../stores/index.ts';
import { caseOptions, systemPorts } from '../index.ts';
import { type CommandContext, codeOfEnd, type ExitCode, exitCode } from '../terminal/index.ts';
import { createCollectProgress } from './progress.ts';

interface CollectFlags {
  system: string;
  out: string;
  build?: string;
  concurrency?: number;
  rate?: number;
  budget?: number;
  retryFailed: boolean;
}

/** How many assumptions are listed; the rest are counted. */
const SHOWN_NOTES = 10;

/** `jury collect`: asks a system under test to answer a dataset's requests. */
export async function collect(
  context: CommandContext,
  files: readonly string[],
  flags: CollectFlags,
): Promise<ExitCode> {
  const { stop, err } = context;
  const parts = await context.parts();
  const { caseFormat } = parts.library;
  const file = readSystemFile(fileAt(flags.system), caseFormat, parts.env.variable);
  if (file.openai !== undefined) parts.requireModel(file.openai.model);
  const options = caseOptions(parts);
  const dataset = await readDataset(context, files, { ...options, format: requestFormat(caseFormat) }, stop);
  const cases = identified(dataset);
  const assumed = [
    ...groupedBy(
      dataset.flatMap((one) => one.assumed),
      (note) => note,
    ),
  ];
  for (const [note, { length }] of assumed.slice(0, SHOWN_NOTES))
    err(`Assumed: ${note} (${counted(length, 'case')})`);
  if (assumed.length > SHOWN_NOTES)
    err(`and ${assumed.length - SHOWN_NOTES} more assumptions ("jury parse" lists all)`);
  const system = openSystem(
    {
      ...file,
      build: flags.build ?? file.build,
      concurrency: flags.concurrency ?? file.concurrency,
      perSecond: flags.rate ?? file.perSecond,
    },
    systemPorts(parts),
  );
  const shelf = await openAnswerFile(flags.out);
  const progress = createCollectProgress(context, cases.length);
  const forget = onAbort(stop, () =>
    progress.stopping('answers that were asked for are waited for and kept'),
  );
  try {
    if (flags.retryFailed) {
      const kept = await shelf.read();
      requireSameOrigin(casesById(kept), casesById(cases), system);
      await shelf.replace(kept.filter((one) => unansweredReason(one) === null));
    }
    const before = (await shelf.read()).length;
    const end = await collectAnswers(cases, {
      system,
      shelf,
      ...options,
      budgetUsd: flags.budget ?? null,
      stop,
      onProgress: progress.show,
    });
    // Once every answer is there, they are put in the order of the dataset.
    if (end.kind === 'complete') await shelf.replace(end.cases);
    progress.close();
    for (const line of summary(end, cases, before, flags.out)) err(line);
    return codeOfEnd(end.kind, end.unanswered > 0 ? exitCode.failed : exitCode.ok);
  } finally {
    forget();
    progress.close();
    await system.close();
    await shelf.close();
  }
}

const seconds = (ms: number): string => (ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`);

/** What was collected, what got no answer, and what to do next. */
function summary(end: CollectEnd, asked: readonly EvalCase[], before: number, out: string): string[] {
  const { cases, kept, unanswered, spentUsd } = end;
  const latencies = cases.flatMap(({ latencyMs }) => latencyMs ?? []).sort((a, b) => a - b);
  const median = latencies[Math.floor((latencies.length - 1) / 2)];
  const took =
    median === undefined ? '' : `, in ${seconds(median)} (median), at most ${seconds(latencies.at(-1) ?? 0)}`;
  const cost = spentUsd === 0 ? '' : `. Spent: ${spentUsd === null ? 'partly unknown' : usd(spentUsd)}`;
  const [silent] = cases.filter((one) => unansweredReason(one) !== null);
  const labeled = new Set(cases.flatMap(({ id, label }) => (label === undefined ? [] : [id])));
  const answered = new Set(cases.map(({ id }) => id));
  const unlabeled = asked.filter(({ id, label }) => label && answered.has(id) && !labeled.has(id)).length;
  const next = 'The same command resumes.';
  return [
    `${grouped(kept)} of ${counted(asked.length, 'case')} in ${out}${before > 0 ? ` (${grouped(before)} from before)` : ''}: ${grouped(kept - unanswered)} answered${took}${cost}.`,
    ...(silent === undefined
      ? []
      : [
          `${counted(unanswered, 'request')} got no answer, such as "${plainLine(silent.id ?? '')}" ${plainLine(silent.response)}. --retry-failed asks again.`,
        ]),
    ...(unlabeled > 0
      ? [`${counted(unlabeled, 'label')} left out: they say what is right about other answers.`]
      : []),
    ...(end.kind === 'stopped' ? [`Stopped. ${next}`] : []),
    ...(end.kind === 'budget' || end.kind === 'refused' ? [`Stopped: ${end.why}. ${next}`] : []),
  ];
}
