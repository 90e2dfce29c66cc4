/**
 * What `import … from 'jury'` gives: judging an assistant's answers from a program. Importing it does nothing; the first
 * call reads the environment and `.env`, as the command line does. The code is in `index.ts`; the package's types are made
 * from this file alone.
 * @module
 */
import type { EvalCase } from './case/case.ts';
import type { Parsed } from './case/paste/parse-input.ts';
import type { CallOptions } from './judging/judge-case.ts';
import type { Verdict } from './judging/verdict.ts';
import type { Library } from './prompting/library.ts';

export type { ErrorCode } from './common/errors.ts';
export { JuryError } from './common/errors.ts';
export type { DeliberationEvent } from './judging/deliberate.ts';
export type { Judgement } from './judging/judgement.ts';
export type { Method } from './judging/method.ts';
export type { Persona } from './judging/persona.ts';
export type { Rubric } from './judging/rubric.ts';
export { UnsureError } from './judging/unsure.ts';
export type { CallOptions, EvalCase, Library, Parsed, Verdict };

/** A case, or the text of one as `jury judge` takes it: a paste or JSON. */
export type CaseInput = string | EvalCase;

export interface JuryOptions {
  /** Variables that count more than the environment's: `{ OPENAI_API_KEY: '…', JURY_MODEL: 'openai/gpt-4o-mini' }`. */
  variables?: Readonly<Record<string, string>>;
}

/** A panel with settings of its own. Its calls share connections, limits and what was learned about endpoints. */
export interface Jury {
  judge: typeof judge;
  parseCase: typeof parseCase;
  loadLibrary: typeof loadLibrary;
  /** Ends what is open. Without it, nothing keeps the process alive either. */
  close: () => Promise<void>;
}

/** @throws JuryError `config` that lists every wrong variable */
export declare function createJury(options?: JuryOptions): Jury;

/**
 * Judges one case.
 *
 * @returns the verdict, in which a judge's failure is its judgement
 * @throws UnsureError with both readings, where lines may or may not belong to the answer and the outcome depends on them: the option
 *   `unsure` says which is meant
 * @throws JuryError `bad-input` for what cannot be read as one case or lacks fields, `usage` for unknown ids and invalid
 *   combinations, `config` for a model that cannot be asked, `endpoint-refused` for a key or model that an endpoint refuses
 */
export declare function judge(input: CaseInput, options?: CallOptions): Promise<Verdict>;

/** A case as it was understood, with what was assumed; or what is wrong with it and what it lacks. Judges nothing. */
export declare function parseCase(input: CaseInput): Parsed;

/** The rubrics, methods and personas that there are. @throws JuryError `bad-file` that lists every problem of own files */
export declare function loadLibrary(): Promise<Library>;
