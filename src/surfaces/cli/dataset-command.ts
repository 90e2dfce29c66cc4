import { writeFile } from 'node:fs/promises';
import { checkCase } from '../../benchmark/datasets/check-dataset.ts';
import { loadDomain, loadInstructions } from '../../benchmark/datasets/domain.ts';
import { generate, type Sources, type UserCases } from '../../benchmark/datasets/generate.ts';
import { paraphrase } from '../../benchmark/datasets/paraphrase.ts';
import { routeService } from '../../benchmark/datasets/route-service.ts';
import { assumedRouterOf, type Router } from '../../benchmark/datasets/scene.ts';
import type { EvalCase } from '../../case/case.ts';
import { JuryError, messageOf } from '../../common/errors.ts';
import { RULES } from '../../judges/rules/rules-judge.ts';
import { entry } from '../../judging/library.ts';
import type { Rubric } from '../../judging/rubric.ts';
import type { Parts } from '../parts.ts';
import { type ExitCode, exitCode, type Terminal } from './console.ts';
import { counted, jsonLine } from './plain-text.ts';

export interface GenerateOptions {
  users: number;
  seed: number;
  /** A file; standard output where there is none. */
  out?: string;
  /** The model that says requests in other words. */
  paraphrase?: string;
}

/** Writes cases as JSONL. @throws JuryError `usage` where the file cannot be written */
export async function putCases(
  terminal: Terminal,
  cases: readonly EvalCase[],
  out: string | undefined,
): Promise<void> {
  if (out === undefined) {
    for (const one of cases) terminal.out(jsonLine(one));
    return;
  }
  try {
    await writeFile(out, cases.map((one) => `${jsonLine(one)}\n`).join(''));
  } catch (thrown) {
    throw new JuryError('usage', `Cannot write ${out}: ${messageOf(thrown)}.`, { cause: thrown });
  }
}

/** Where drive times come from: the route service that is configured, else the assumptions of the rubric's own check. */
const routerOf = (rubric: Rubric, address: string | undefined, signal: AbortSignal): Router =>
  address === undefined ? assumedRouterOf(rubric) : routeService(address, { signal });

/** Says the requests in other words where the exact checks can still read them. */
async function rephrased(
  parts: Parts,
  terminal: Terminal,
  users: readonly UserCases[],
  rubric: Rubric,
  modelId: string,
  signal: AbortSignal,
): Promise<UserCases[]> {
  const {
    counts,
    problem,
    users: changed,
  } = await paraphrase(users, {
    client: parts.client,
    modelId,
    instructions: loadInstructions(parts.env.promptFolders),
    isConfirmed: async (evalCase) =>
      (await checkCase(evalCase, () => rubric, parts.ask, signal)).kind === 'confirmed',
    signal,
  });
  const kept = [
    ...(counts.unchanged > 0 ? [`${counts.unchanged} came back unchanged`] : []),
    ...(counts.unreadable > 0 ? [`${counts.unreadable} could no longer be read as labeled`] : []),
    ...(counts.unanswered > 0 ? [`${counts.unanswered} got no answer (${problem})`] : []),
  ];
  terminal.err(
    `${modelId} rephrased ${counts.rephrased} of ${counted(users.length, 'request')}${kept.length > 0 ? `; the original was kept where ${kept.join(', ')}` : ''}.`,
  );
  return changed;
}

/** `jury dataset generate`: labeled cases from a domain's wording, one right and one for each error a user. */
export async function generateCommand(
  parts: Parts,
  terminal: Terminal,
  domainId: string,
  options: GenerateOptions,
  signal: AbortSignal,
): Promise<ExitCode> {
  const { users, seed, out, paraphrase: modelId } = options;
  const { domain, areas } = loadDomain(parts.env.promptFolders, domainId);
  const rubric = entry('rubric', parts.library.rubrics, domain.rubric);
  if (modelId === RULES)
    throw new JuryError('usage', '"rules" cannot rephrase: name a model such as openai/gpt-4o-mini.');
  if (modelId !== undefined) parts.requireModel(modelId);
  const router = routerOf(rubric, parts.env.settings.JURY_ROUTE_URL, signal);
  const sources: Sources = { domain, areas, rubric, router, schema: parts.library.caseFormat.schema };
  const made = await generate(sources, seed, users);
  const said = modelId === undefined ? made : await rephrased(parts, terminal, made, rubric, modelId, signal);
  if (signal.aborted) return exitCode.interrupted;
  const cases = said.flat();
  await putCases(terminal, cases, out);
  terminal.err(
    `${counted(cases.length, 'case')} of ${counted(users, 'user')}, seed ${seed}${out === undefined ? '' : `, in ${out}`}. Drive times: ${router.basis}.`,
  );
  return exitCode.ok;
}
