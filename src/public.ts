/**
 * The public API of `import … from 'jury'`: judge an assistant's answers from code. Importing it has no side effects; the first
 * call reads the environment and `.env`, just as the command line does. The implementation is in `index.ts`; the package's type
 * declarations are generated from this file alone.
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

export interface JuryOptions {
  /** Variables that override the environment: `{ OPENAI_API_KEY: '…', JURY_MODEL: 'openai/gpt-4o-mini' }`. */
  variables?: Readonly<Record<string, string>>;
}

/** A panel with its own settings. Its calls share connections, limits and what has been learned about endpoints. */
export interface Jury {
  judge: typeof judge;
  parseCase: typeof parseCase;
  loadLibrary: typeof loadLibrary;
  /** Closes open connections. Optional: they do not keep the process alive. */
  close: () => Promise<void>;
}

/** @throws JuryError `config` that lists every invalid variable */
export declare function createJury(options?: JuryOptions): Jury;

/**
 * Judges one case.
 * @returns the verdict; a judge that failed appears in it as a failed judgement
 * @throws UnsureError with both readings, if lines may or may not belong to the answer and the outcome depends on them; choose one
 *   with the option `unsure`
 * @throws JuryError `bad-input` for input that cannot be read as one case or lacks fields, `usage` for unknown ids and invalid
 *   combinations, `config` for a model that cannot be asked, `endpoint-refused` if an endpoint refuses the key or model
 */
export declare function judge(input: CaseInput, options?: CallOptions): Promise<Verdict>;

/** Parses a case without judging it. Returns the case and the assumptions made, or what is wrong or missing. */
export declare function parseCase(input: CaseInput): Parsed;

/** The available rubrics, methods and personas. @throws JuryError `bad-file` that lists every problem in custom files */
export declare function loadLibrary(): Promise<Library>;
