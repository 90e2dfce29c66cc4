import { type EvalCase, GROUP_TAG } from '../../case/index.ts';
import { JuryError } from '../../common/index.ts';
import { counted, grouped, usd } from '../../common/text/index.ts';
import {
  drawPassages,
  estimateManual,
  loadManualPlan,
  type ManualEnd,
  makeOfManual,
  manualFormat,
  otherOrigin,
  planFor,
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

/** @throws JuryError `usage` if the file has cases that were not made of these passages and this seed */
function requireOrigin(
  kept: readonly EvalCase[],
  passages: Parameters<typeof otherOrigin>[1],
  seed: number,
  out: string,
): void {
  const other = otherOrigin(kept, passages, seed);
  if (other === null) return;
  const refused = (what: string, todo: string) =>
    new JuryError('usage', `${out} has cases ${what}. Nothing was asked or changed. ${todo}`);
  if (other.why === 'not made of a manual')
    throw refused('that this command did not make', 'Name another file with --out.');
  if (other.why === 'another manual')
    throw refused(
      'of another manual, or of this one before it was changed',
      'Name another file with --out, or the manual that it was made of.',
    );
  throw refused(
    `of seed ${other.seed}`,
    `Add --seed ${other.seed} to go on with it, or name another file with --out.`,
  );
}

/** What became of the passages, in sentences. */
function summary(end: ManualEnd, out: string): string[] {
  const { cases, others, unproven, empty, unanswered, problem, spentUsd } = end;
  const passages = new Set(cases.map(({ tags }) => tags?.[GROUP_TAG])).size;
  const right = cases.filter(({ label }) => label?.decision === 'pass').length;
  return [
    `${counted(cases.length, 'case')} of ${counted(passages, 'passage')} in ${out}: ${grouped(right)} right, ${grouped(cases.length - right)} wrong${spentUsd === 0 ? '' : `. Spent: ${spentUsd === null ? 'partly unknown' : usd(spentUsd)}`}.`,
    ...(others > 0
      ? [`${counted(others, 'case')} of an earlier run, of passages beyond --passages, kept.`]
      : []),
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
  const all = await readPassages(files.map(readManual));
  const passages = drawPassages(all, seed, flags.passages);
  if (passages.length === 0)
    throw new JuryError('bad-input', `${files.join(', ')}: has no passage that is long enough to ask about.`);
  const { plan, leftOut } = planFor(loadManualPlan(parts.env.promptFolders, PLAN), all);
  const price = parts.client.priceOf(model);
  const { calls, costUsd } = estimateManual(plan, passages, price);
  err(
    `${counted(all.length, 'passage')} read, ${grouped(passages.length)} drawn (seed ${seed}). ${counted(calls, 'call')} to ${model}, ${costUsd === null ? 'cost unknown' : `about ${usd(costUsd)}`}: a question with its right answer, and ${counted(plan.errors.length, 'wrong one')} (${plan.errors.map(({ id }) => id).join(', ')}).`,
  );
  if (leftOut.length > 0)
    err(`Left out: ${leftOut.join(', ')}, which needs another passage of the manual, and there is none.`);
  if (flags.plan) return exitCode.ok;
  if (budget !== undefined && price === null)
    throw new JuryError(
      'usage',
      `Cannot enforce a budget: the price of ${model} is unknown. Leave out --budget, or add it to the file in JURY_PRICES.`,
    );
  const file = await openAnswerFile(out);
  const progress = createManualProgress(context, passages.length);
  try {
    requireOrigin(await file.read(), all, seed, out);
    const end = await makeOfManual(
      {
        client: parts.client,
        modelId: model,
        plan,
        seed,
        schema: parts.library.caseFormat.schema,
        signal: stop,
      },
      passages,
      all,
      { file, budgetUsd: budget ?? null, concurrency, onProgress: progress.show },
    );
    // Once all are there, they are put in the order of the passages.
    if (end.kind === 'complete') await file.replace(end.cases);
    progress.close();
    for (const line of summary(end, out)) err(line);
    return codeOfEnd(end.kind, end.unanswered > 0 ? exitCode.failed : exitCode.ok);
  } finally {
    progress.close();
    await file.close();
  }
}
