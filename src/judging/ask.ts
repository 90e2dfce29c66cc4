import { createHash } from 'node:crypto';
import * as z from 'zod';
import type { EvalCase } from '../case/index.ts';
import type { Redactor } from '../case/redact/index.ts';
import { isEndpointRefused, JuryError, messageOf } from '../common/index.ts';
import { counted, readJson } from '../common/text/index.ts';
import type { Criterion, Method, Persona, Rubric } from './standards/index.ts';
import {
  type EndpointTrouble,
  type Finding,
  isScored,
  type Judge,
  Judgement,
  type UnscoredReason,
  unknownUsage,
  type Verdict,
  withoutAnswer,
} from './verdict/index.ts';

/** The ratings of a rubric's criteria, made before the panel answers. */
export interface Ratings {
  rubric: Rubric;
  /** One judgement per rater, with findings in the rubric's order. */
  judgements: readonly Judgement[];
}

/**
 * Whose daily limits the calls of a question count toward, in addition to the shared one. The ids are pseudonyms. An absent payer is not
 * limited.
 */
export interface Payers {
  person?: string;
  conversation?: string;
  /** A program, identified by its API token. */
  token?: string;
}

/** What a judge is asked in one round. */
export interface Question {
  judge: Judge;
  /** Null for a neutral judge. */
  persona: Persona | null;
  /** The personas to play in turn; usually empty. */
  cast: readonly Persona[];
  rubric: Rubric;
  /** The rubric's criteria that apply to this case. */
  criteria: readonly Criterion[];
  method: Method;
  evalCase: EvalCase;
  round: number;
  /** Present if the method rates criteria first. */
  ratings?: Ratings;
  /** The earlier rounds that the judge may see, oldest first, in seat order; including its own answers. */
  seen: readonly (readonly Judgement[])[];
  temperature: number;
  /** Seed for endpoints that take one. */
  seed: number | null;
  /** On the clock of `performance.now()` (ms). */
  deadlineAt: number;
  signal: AbortSignal;
  payers?: Payers;
}

/**
 * Asks any kind of judge. Does not reject for a judge's failure: that is an unscored judgement. Rejects with a JuryError
 * `endpoint-refused` if this and every later question would fail until a setting is changed. Resolves soon after the question's signal
 * aborts.
 */
export type Ask = (question: Question) => Promise<Judgement>;

/** Thrown by an {@link Ask} whose endpoint refuses every question until a setting is changed. */
export class EndpointRefusedError extends JuryError {
  /** What is wrong; null if it does not say. */
  readonly trouble: EndpointTrouble | null;

  constructor(message: string, trouble: EndpointTrouble | null) {
    super('endpoint-refused', message);
    this.trouble = trouble;
  }
}

/** Like `ask`, but it rejects only if the endpoint refuses every question: other failures are judgements. */
export const withoutFailures =
  (ask: Ask): Ask =>
  async (question) => {
    try {
      return await ask(question);
    } catch (thrown) {
      if (isEndpointRefused(thrown)) throw thrown;
      return withoutAnswer(question, 'error', messageOf(thrown), unknownUsage);
    }
  };

/** A question about an existing verdict, addressed to one judge or to the panel. */
export interface VerdictQuestion {
  evalCase: EvalCase;
  verdict: Verdict;
  /** ID of the persona asked; null: the panel. */
  judge: string | null;
  /** The model that answers. */
  model: string;
  /** The question in the person's own words. */
  asked: string;
  signal: AbortSignal;
  /** On the clock of `performance.now()` (ms). */
  deadlineAt: number;
  payers?: Payers;
}

/** An answer to a question about a verdict, with the words of the case on which it is based; or why there is none. */
type Explanation =
  | { status: 'answered'; text: string; words: string[] }
  | { status: 'unanswered'; reason: UnscoredReason; message: string };

/** Answers a question about a verdict. Does not reject for a model's failure. */
export type Explain = (question: VerdictQuestion) => Promise<Explanation>;

/**
 * What to do with lines that may or may not belong to an answer. `answer`: read them as part of it. `remark`: leave them out.
 * `refuse`: judge nothing. Without a choice, models leave them out, and exact checks judge only if they make no difference.
 */
export const UnsureChoice = z.enum(['answer', 'remark', 'refuse']);
export type UnsureChoice = z.infer<typeof UnsureChoice>;

/** How to judge, as set by a request or a channel; defaults come from the case and its rubric. */
export const JudgeRequest = z.strictObject({
  rubric: z.string().exactOptional().describe('Id of a rubric. Default: chosen by what is in the case.'),
  method: z.string().exactOptional().describe('Id of a method. Default: the one of the rubric.'),
  models: z
    .array(z.string())
    .exactOptional()
    .describe(
      'The models of the judges, each as `provider/model`, or `rules` for the exact checks. Default: the configured one.',
    ),
  panel: z
    .array(z.string())
    .exactOptional()
    .describe('Ids of the personas of the judges. Default: those of the rubric.'),
  unsure: UnsureChoice.exactOptional().describe(
    'What lines of a paste are that may or may not belong to the answer: `answer` judges with them, `remark` without them, `refuse` judges nothing. Default: they are left out where they make no difference; otherwise nothing is judged, and the error has both readings.',
  ),
  trustReader: z
    .boolean()
    .exactOptional()
    .describe(
      'Whether to judge a paste without labels by what a model reads in it. Default: nothing is judged, and the error has what the model read.',
    ),
});
export type JudgeRequest = z.infer<typeof JudgeRequest>;

/** Stores the judges' answers on one case until its verdict is saved. */
export interface AnswerShelf {
  /** The kept judgement, as text; null if there is none. @param question identifies it among those about the case */
  read(question: string): Promise<string | null>;
  write(question: string, judgement: string): Promise<void>;
}

/**
 * Identifies a question by everything that may change its answer. That includes the personas' texts, because settings change them,
 * and the case, because a message's case may be read again and two answers may be in either order.
 */
const questionId = (question: Question): string => {
  const { rubric, criteria, method, round, judge, persona, cast, seen, ratings, evalCase } = question;
  return createHash('sha256')
    .update(
      JSON.stringify([
        rubric.id,
        criteria.map(({ id }) => id),
        method.id,
        round,
        judge,
        seen,
        ratings?.judgements,
        evalCase,
        [persona, ...cast].map((one) => one?.voice),
      ]),
    )
    .digest('hex');
};

/**
 * A judge that keeps each answer at once and uses kept ones, so that a process that takes over a case does not pay twice. Failures of
 * the shelf do not lose answers.
 */
export function recallAsk(ask: Ask, shelf: AnswerShelf): Ask {
  return async (question) => {
    const id = questionId(question);
    const kept = readJson(Judgement, (await shelf.read(id).catch(() => null)) ?? '');
    if (kept !== null) return kept.value;
    const judgement = await ask(question);
    if (isScored(judgement) && judgement.usage.attempts > 0)
      await shelf.write(id, JSON.stringify(judgement)).catch(() => {});
    return judgement;
  };
}

/** A statement of a judge, redacted. */
function redacted<Said extends Pick<Finding, 'rationale' | 'sides'>>(
  { text }: Redactor,
  finding: Said,
): Said {
  const { rationale, sides } = finding;
  return {
    ...finding,
    rationale: rationale === null ? null : text(rationale),
    ...(sides === undefined ? {} : { sides: { first: text(sides.first), second: text(sides.second) } }),
  };
}

function redactedJudgement(redactor: Redactor, judgement: Judgement): Judgement {
  const { text } = redactor;
  const { caveat } = judgement;
  const words = {
    criteria: judgement.criteria.map((finding) => redacted(redactor, finding)),
    ...(caveat === undefined ? {} : { caveat: text(caveat) }),
  };
  return isScored(judgement)
    ? { ...redacted(redactor, judgement), ...words }
    : { ...judgement, ...words, message: text(judgement.message) };
}

/** A judge that reads the original case, as exact checks must, but whose words are redacted. */
export const redactedWords =
  (redactor: Redactor, ask: Ask): Ask =>
  async (question) =>
    redactedJudgement(redactor, await ask(question));

/** A judge that reads only the redacted case. Other judges' answers that it sees are already redacted. */
export const redactedCase = (redactor: Redactor, ask: Ask): Ask =>
  redactedWords(redactor, (question) => ask({ ...question, evalCase: redactor.case(question.evalCase) }));

/**
 * A redacted case, including the names of its answers: people see those in full, but an answer to a question would repeat
 * them.
 */
function withoutNames(redactor: Redactor, evalCase: EvalCase): EvalCase {
  const shown = redactor.case(evalCase);
  if (shown.answerNames === undefined) return shown;
  const [first, second] = shown.answerNames;
  return { ...shown, answerNames: [redactor.text(first), redactor.text(second)] };
}

/** Answers questions about verdicts with redacted texts, even for verdicts stored before redaction was turned on. */
export const redactedExplain =
  (redactor: Redactor, explain: Explain): Explain =>
  (question) => {
    const { verdict, evalCase, asked } = question;
    return explain({
      ...question,
      evalCase: withoutNames(redactor, evalCase),
      asked: redactor.text(asked),
      verdict: {
        ...verdict,
        why: redactor.text(verdict.why),
        criteria: verdict.criteria.map((criterion) => redacted(redactor, criterion)),
        judgements: verdict.judgements.map((judgement) => redactedJudgement(redactor, judgement)),
      },
    });
  };

/**
 * `3 details were redacted before the judges saw this: 2 phone numbers, 1 VIN`, or empty.
 *
 * @param counts stand-ins by name
 * @param isExact whether only exact checks judge, which read the case as it was pasted
 */
export function redactionRemarks(counts: ReadonlyMap<string, number>, isExact: boolean): string[] {
  const total = [...counts.values()].reduce((sum, count) => sum + count, 0);
  if (total === 0) return [];
  const which = [...counts].map(([name, count]) => counted(count, name, pluralOf(name))).join(', ');
  const were = `${counted(total, 'detail')} ${total === 1 ? 'was' : 'were'} redacted`;
  return [`${were} ${isExact ? 'here' : 'before the judges saw this'}: ${which}`];
}

const pluralOf = (name: string): string => (/(?:s|x|ch|sh)$/.test(name) ? `${name}es` : `${name}s`);
