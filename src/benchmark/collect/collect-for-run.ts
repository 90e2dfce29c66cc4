import { type EvalCase, KeptCase } from '../../case/case.ts';
import { JuryError } from '../../common/errors.ts';
import type { KeyValue } from '../../common/key-value.ts';
import { readJson } from '../../common/text.ts';
import type { Proxies } from '../../judges/llm/proxies.ts';
import type { Library } from '../../prompting/library.ts';
import { fileAt } from '../../prompting/prompt-files.ts';
import type { BenchmarkDefinition } from '../benchmark-definition.ts';
import { type AnswerShelf, collectAnswers } from './collect-answers.ts';
import { openSystem, type SystemClient } from './system.ts';
import { readSystemFile } from './system-file.ts';

/** Long enough to resume a run; then its cases are in the run itself. */
const KEPT_MS = 7 * 86_400_000;

/** The answers to the requests of a run, where every process finds them. */
function runShelf(store: KeyValue, run: string, ids: readonly string[], now: () => number): AnswerShelf {
  const keyOf = (id: string): string => `collected:${run}:${id}`;
  return {
    read: async () => {
      const texts = await Promise.all(ids.map((id) => store.get(keyOf(id), now())));
      return texts.flatMap((text) => readJson(KeptCase, text ?? '')?.value ?? []);
    },
    add: async (evalCase) => {
      await store.setIfAbsent(keyOf(evalCase.id ?? ''), JSON.stringify(evalCase), now(), KEPT_MS);
    },
  };
}

export interface RunCollection {
  definition: BenchmarkDefinition;
  run: string;
  store: KeyValue;
  library: Library;
  client: SystemClient;
  proxies: Proxies;
  maxCaseChars: number;
  /** A variable of the environment. */
  variable: (name: string) => string | undefined;
  now: () => number;
  stop: AbortSignal;
}

/**
 * Has the system of a benchmark answer its requests. Its budget holds for the answers where their price is known, and its time limit.
 * Called again for the same run, by any process, it resumes.
 *
 * @throws JuryError that says why the answers are not all there; the reason of `stop`
 */
export async function collectForRun(
  cases: readonly EvalCase[],
  { definition, run, store, library, client, proxies, maxCaseChars, variable, now, stop }: RunCollection,
): Promise<EvalCase[]> {
  const { caseFormat: format } = library;
  const { system: path = '', budget, minutes } = definition;
  const system = openSystem(readSystemFile(fileAt(path), format, variable), client, proxies);
  try {
    const late = AbortSignal.timeout(minutes * 60_000);
    const end = await collectAnswers(cases, {
      system,
      shelf: runShelf(
        store,
        run,
        cases.flatMap(({ id }) => id ?? []),
        now,
      ),
      format,
      maxCaseChars,
      budgetUsd: budget === 'none' || !system.isPriced ? null : budget,
      stop: AbortSignal.any([stop, late]),
    });
    if (end.kind === 'complete') return end.cases;
    stop.throwIfAborted();
    const why = end.kind === 'stopped' ? `it took longer than ${minutes} minutes` : end.why;
    throw new JuryError(
      'bad-input',
      `${system.name} answered ${end.kept - end.unanswered} of ${cases.length} requests: ${why}`,
    );
  } finally {
    await system.close();
  }
}
