import type { EvalCase } from '../../case/index.ts';
import type { Parsed } from '../../case/paste/index.ts';
import type { JudgeRequest } from '../../judging/index.ts';
import type { Verdict } from '../../judging/verdict/index.ts';
import type { Library } from '../../prompting/index.ts';
import type { Comparison, Side } from '../../reports/comparison/index.ts';
import type { RunSummary } from '../index.ts';

/** How far the panel is. */
export interface AgentProgress {
  /** Answers so far. */
  given: number;
  /** Answers if there are as many rounds as there can be. */
  most: number;
  message: string;
}

/** A request of an agent to judge one case: a text, or a case as JSON. */
interface AgentRequest {
  input: string | Readonly<Record<string, unknown>>;
  wish: JudgeRequest;
  /** With a key the verdict is kept, and the same request again gets the same verdict. */
  key: string | undefined;
}

/** A verdict for an agent. */
export interface AgentVerdict {
  /** Absent if it is not kept. */
  id?: string;
  verdict: Verdict;
  /** The case as it is shown to people. */
  shown: EvalCase;
  /** Which of the agent's own daily limits left judges unasked. */
  limits?: string;
}

/**
 * What the tools act on: this process, or a service in the name of a program. Every function may reject with a `JuryError` whose message
 * says what to do.
 */
export interface AgentDesk {
  library: Library;
  /** Judges if a request names no models. */
  defaultModel: string;
  /** Whether every verdict is kept, and judging goes on after an agent has gone if its request has a key. */
  isService: boolean;
  parse: (paste: string) => Promise<readonly Parsed[]>;
  /** @param signal ends the judging, unless the request has a key and this is a service */
  judge: (
    request: AgentRequest,
    signal: AbortSignal,
    onProgress: (progress: AgentProgress) => void,
  ) => Promise<AgentVerdict>;
  /** Null if there is none, or it is not for this agent. */
  verdict: (id: string) => Promise<AgentVerdict | null>;
  /** The newest first. */
  runs: () => Promise<readonly RunSummary[]>;
  /** What changed from `first` to `second`. */
  compare: (first: Side, second: Side) => Promise<Comparison>;
  /** Called with failures that no agent can mend. */
  failed: (thrown: unknown) => void;
}
