/**
 * The public API of `import … from 'jury'`: judge an assistant's answers from code. Importing it has no side effects; the first
 * call reads the environment and `.env`, as the command line does. Verdicts are returned and not kept, and models are asked anew by
 * every call. The implementation is in `index.ts`; the package's type declarations are generated from this file alone.
 * @module
 */
import type { EvalCase } from './case/case.ts';
import type { Parsed } from './case/paste/parse-input.ts';
import type { CallOptions } from './judging/judge-case.ts';
import type { Verdict } from './judging/verdict/verdict.ts';
import type { Library } from './prompting/library.ts';

export type { ErrorCode } from './common/errors.ts';
export { JuryError } from './common/errors.ts';
export type { DeliberationEvent } from './judging/deliberate.ts';
export type { Method } from './judging/standards/method.ts';
export type { Persona } from './judging/standards/persona.ts';
export type { Rubric } from './judging/standards/rubric.ts';
export { UnsureError } from './judging/unsure-lines.ts';
export type { Judgement } from './judging/verdict/judgement.ts';
export type { CallOptions, EvalCase, Library, Parsed, Verdict };

/** A case, or its text as `jury judge` accepts it: a paste or JSON. */
export type CaseInput = string | EvalCase;

/** Settings for {@link createJury}. */
export interface JuryOptions {
  /**
   * Variables that override the environment: `{ OPENAI_API_KEY: '…', JURY_MODEL: 'openai/gpt-4o-mini' }`. Default: none, so the
   * environment alone counts.
   */
  variables?: Readonly<Record<string, string>>;
}

/** The same functions with settings of their own. Their calls share connections, limits and what was learned about endpoints. */
export interface Jury {
  judge: typeof judge;
  parseCase: typeof parseCase;
  loadLibrary: typeof loadLibrary;
  /** Closes open connections. Optional: they do not keep the process alive. */
  close: () => Promise<void>;
}

/**
 * The functions below with settings of your own, such as another key or model.
 * @throws JuryError `config` that lists every invalid variable
 */
export declare function createJury(options?: JuryOptions): Jury;

/**
 * Judges one case. A call to a model has up to 120 s and the verdict 600 s, unless `JURY_CALL_TIMEOUT_S` and
 * `JURY_VERDICT_TIMEOUT_S` say otherwise.
 * @param input a case, or a text that holds a single one
 * @param options how to judge; what is absent comes from the case, then from its rubric, then from the environment
 * @returns the verdict. A judge that gave no answer is an unscored judgement in it, not an error
 * @throws UnsureError with both readings, if lines may or may not belong to the answer and the outcome depends on them; choose one
 *   with the option `unsure`
 * @throws JuryError `bad-input` for input that cannot be read as one case or lacks fields, `usage` for unknown ids and invalid
 *   combinations, `config` for a model that cannot be asked, `endpoint-refused` if an endpoint refuses the key or model
 */
export declare function judge(input: CaseInput, options?: CallOptions): Promise<Verdict>;

/**
 * Parses a case without judging it; asks no model.
 * @returns the case with what was assumed, or the problem with what is missing. It never throws for unreadable input
 */
export declare function parseCase(input: CaseInput): Parsed;

/**
 * Reads the rubrics, methods and personas: the built-in ones, and those in `JURY_PROMPTS_DIR`.
 * @throws JuryError `bad-file` that lists every problem in your own files
 */
export declare function loadLibrary(): Promise<Library>;
