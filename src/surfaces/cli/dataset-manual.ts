import { JuryError } from '../../common/index.ts';
import { counted, grouped, usd } from '../../common/text/index.ts';
import {
  drawPassages,
  estimateManual,
  loadManualPlan,
  type ManualEnd,
  makeOfManual,
  manualFormat,
  readPassages,
} from '../../datasets/index.ts';
import { modelParts } from '../../judges/llm/index.ts';
import { RULES } from '../../judges/rules/index.ts';
import { fileAt } from '../../prompting/index.ts';
import { openAnswerFile } from '../../stores/index.ts';
import { type CommandContext, codeOfEnd, type ExitCode, exitCode } from '../terminal/index.ts';
import { createManualProgress } from './progress.ts';

interface ManualFlags {
  model: string;
  out: string;
  passages: number;
  seed: number;
  budget?: number;
  concurrency: number;
  plan: boolean;
}

/** The plan that comes with Jury. */
const PLAN = 'factual';

/** @throws JuryError `usage` for a file that is no manual, `bad-input` if it cannot be read */
function readManual(name: string) {
  const format = manualFormat(name);
  if (format === null)
    throw new JuryError(
      'usage',
      `${name}: is not a manual that can be read. Name Markdown (.md), HTML (.html) or text (.txt); convert a PDF first, such as with "pdftotext -layout manual.pdf manual.txt".`,
    );
  return { text: fileAt(name).text, format };
}

/** What became of the passages, in sentences. */
function summary(end: ManualEnd, out: string, passages: number): string[] {
  const { cases, unproven, empty, unanswered, problem, spentUsd } = end;
  const right = cases.filter(({ label }) => label?.decision === 'pass').length;
  return [
    `${counted(cases.length, 'case')} of ${counted(passages, 'passage')} in ${out}: ${grouped(right)} right, ${grouped(cases.length - right)} wrong${spentUsd === 0 ? '' : `. Spent: ${spentUsd === null ? 'partly unknown' : usd(spentUsd)}`}.`,
    ...(empty > 0 ? [`${counted(empty, 'passage')} answered no question.`] : []),
    ...(unproven > 0
      ? [`${counted(unproven, 'answer')} left out: their quotes do not stand in the passage.`]
      : []),
    ...(unanswered > 0
      ? [`${counted(unanswered, 'answer')} missing (${problem}). The same command asks for them again.`]
      : []),
    ...(end.kind === 'complete'
      ? cases.length === 0
        ? []
        : [
            'The labels are the model’s (tags.label: model). Have people check them before you trust a number: jury study create.',
          ]
      : ['The same command resumes.']),
  ];
}

/** `jury dataset manual`: makes factual cases of a manual, each with the words of the manual that prove or contradict the answer. */
export async function casesOfManual(
  context: CommandContext,
  files: readonly string[],
  flags: ManualFlags,
): Promise<ExitCode> {
  const { stop, err } = context;
  const { model, out, seed, budget, concurrency } = flags;
  if (model === RULES)
    throw new JuryError('usage', '"rules" cannot write questions: name a model such as openai/gpt-4o.');
  const parts = await context.parts({ cache: true });
  if (flags.plan) modelParts(model);
  else parts.requireModel(model);
  const plan = loadManualPlan(parts.env.promptFolders, PLAN);
  const all = await readPassages(files.map(readManual));
  const passages = drawPassages(all, seed, flags.passages);
  if (passages.length === 0)
    throw new JuryError('bad-input', `${files.join(', ')}: has no passage that is long enough to ask about.`);
  const price = parts.client.priceOf(model);
  const { calls, costUsd } = estimateManual(plan, passages, price);
  err(
    `${counted(all.length, 'passage')} read, ${grouped(passages.length)} drawn (seed ${seed}). ${counted(calls, 'call')} to ${model}, ${costUsd === null ? 'cost unknown' : `about ${usd(costUsd)}`}: a question with its right answer, and ${counted(plan.errors.length, 'wrong one')} (${plan.errors.map(({ id }) => id).join(', ')}).`,
  );
  if (flags.plan) return exitCode.ok;
  if (budget !== undefined && price === null)
    throw new JuryError(
      'usage',
      `Cannot enforce a budget: the price of ${model} is unknown. Leave out --budget, or add it to the file in JURY_PRICES.`,
    );
  const file = await openAnswerFile(out);
  const progress = createManualProgress(context, passages.length);
  try {
    const end = await makeOfManual(
      { client: parts.client, modelId: model, plan, schema: parts.library.caseFormat.schema, signal: stop },
      passages,
      all,
      { file, budgetUsd: budget ?? null, concurrency, onProgress: progress.show },
    );
    // Once all are there, they are put in the order of the passages.
    if (end.kind === 'complete') await file.replace(end.cases);
    progress.close();
    for (const line of summary(end, out, passages.length)) err(line);
    return codeOfEnd(end.kind, end.unanswered > 0 ? exitCode.failed : exitCode.ok);
  } finally {
    progress.close();
    await file.close();
  }
}
