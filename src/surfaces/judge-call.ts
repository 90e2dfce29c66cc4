import type { EvalCase } from '../case/case.ts';
import type { CaseFormat } from '../case/case-format.ts';
import { type Parsed, parseInput } from '../case/paste/parse-input.ts';
import { JuryError } from '../common/errors.ts';
import { type CallOptions, type CasePlan, judgeCase } from '../judging/judge-case.ts';
import type { Verdict } from '../judging/verdict.ts';
import { type Planning, planRequest } from '../requests/judge-one.ts';
import type { Parts } from './parts.ts';

interface ParseOptions {
  maxCaseChars: number;
  format: CaseFormat;
}

/** The one case that programs hand over at a time, or why there is none. */
export function parseOne(input: string | EvalCase, options: ParseOptions): Parsed {
  const text = typeof input === 'string' ? input : JSON.stringify(input);
  const [first, ...more] = parseInput(text, options);
  if (first !== undefined && more.length === 0) return first;
  const problem = `These are ${more.length + 1} cases: send them one by one.`;
  return { problem, missing: [], understood: {} };
}

/** What every request of a program is planned by. */
export const planningOf = ({
  env: { settings },
  library,
  requireModel,
}: Pick<Parts, 'env' | 'library' | 'requireModel'>): Planning => ({
  library,
  requireModel,
  defaultModel: settings.JURY_MODEL,
  settings: settings.JURY_SETTINGS,
});

/**
 * Settles what a call asks for, before any judge is asked.
 *
 * @throws JuryError `bad-input` for what cannot be read as a case or lacks fields, `usage` for unknown ids and invalid
 *   combinations, `config` for a model that cannot be asked
 */
export function planCall(parts: Parts, input: string | EvalCase, options: CallOptions): CasePlan {
  const { env, library, requireModel } = parts;
  const { signal: _signal, onEvent: _onEvent, ...wish } = options;
  const parsed = parseOne(input, {
    maxCaseChars: env.settings.JURY_MAX_CASE_CHARS,
    format: library.caseFormat,
  });
  if ('problem' in parsed) throw new JuryError('bad-input', parsed.problem);
  return planRequest(planningOf({ env, library, requireModel }), parsed, wish);
}

/** @throws JuryError `endpoint-refused` if a model's endpoint answers no question until a setting is changed */
export const judgeCall = (
  { ask, now, timeoutMs }: Parts,
  plan: CasePlan,
  { signal = new AbortController().signal, onEvent }: CallOptions,
): Promise<Verdict> =>
  judgeCase(plan, { ask, now, timeoutMs, signal, ...(onEvent === undefined ? {} : { onEvent }) });
