import * as z from 'zod';
import type { Question } from '../judging/ask.ts';
import type { Finding, ScoredJudgement } from '../judging/judgement.ts';
import { asksForDecision, conclude } from '../judging/reduce.ts';
import { type Criterion, isBinary, type Rubric, type Scale } from '../judging/rubric.ts';
import { ended } from '../judging/why.ts';

const better = z.enum(['first', 'second', 'same']);
const scoreOf = { first: -1, second: 1, same: 0 } as const;

/** What a reply says of one thing. */
const Compared = z.object({ first: z.string().optional(), second: z.string().optional(), better });
/** A reply in any form. */
const Value = Compared.extend({
  criteria: z.record(z.string(), Compared),
  confidence: z.number().optional(),
});

/** How the form of a reply is described to endpoints without schema support. */
const described = (about: string, reasons: boolean) => ({
  ...(reasons ? { first: `${about} the first answer`, second: `${about} the second answer` } : {}),
  better: 'first | second | same',
});

/**
 * A judge's reply about two answers. Reasons come one for each answer and never name it, so that they hold in either order.
 *
 * @param reason the schema of a reason; null: none is asked for
 */
function pairReply(
  { criteria, confidence }: { criteria: readonly Criterion[]; confidence: boolean },
  reason: z.ZodString | null,
) {
  const reasons: z.ZodRawShape = reason === null ? {} : { first: reason, second: reason };
  const compared = z.strictObject({ ...reasons, better });
  const schema = z.strictObject({
    criteria: z.strictObject(Object.fromEntries(criteria.map(({ id }) => [id, compared]))),
    ...reasons,
    ...(confidence ? { confidence: z.number().min(0).max(1) } : {}),
    better,
  });
  const sidesOf = ({ first, second, better: said }: z.infer<typeof Compared>) => ({
    score: scoreOf[said],
    ...(first === undefined || second === undefined
      ? { rationale: null }
      : { rationale: `${first} / ${second}`, sides: { first, second } }),
  });
  return {
    schema,
    read: (reply: unknown) => {
      const value = Value.parse(reply);
      return {
        ...sidesOf(value),
        status: 'scored' as const,
        decision: 'scored' as const,
        confidence: value.confidence ?? null,
        criteria: Object.entries(value.criteria).map(
          ([id, finding]): Finding => ({ id, decision: 'scored', ...sidesOf(finding) }),
        ),
      };
    },
    text: {
      criteria: Object.fromEntries(
        criteria.map(({ id }) => [id, described('what your finding rests on in', reason !== null)]),
      ),
      ...described('in a few words, what speaks for or against', reason !== null),
      ...(confidence ? { confidence: 'a number from 0 to 1' } : {}),
    },
  };
}

/** A judgement on two answers as other judges read it, in the order in which they are shown the answers. */
export function comparedText({
  score,
  sides,
  criteria,
  confidence,
  changedWithOrder,
}: ScoredJudgement): string {
  const said = (one: Pick<Finding, 'score' | 'sides'>): string => {
    const which = (one.score ?? 0) < 0 ? 'first' : (one.score ?? 0) > 0 ? 'second' : 'same';
    return one.sides === undefined
      ? which
      : `${which}. First: ${one.sides.first} Second: ${one.sides.second}`;
  };
  return [
    `better: ${said({ score, sides })}${changedWithOrder === true ? ' (changed with the order of the answers)' : ''}`,
    ...(confidence === null ? [] : [`confidence: ${confidence}`]),
    'findings:',
    ...criteria.map((finding) => `- ${finding.id}: ${said(finding)}`),
  ].join('\n');
}

/** What the form of a reply depends on. */
export interface ReplyForm {
  criteria: readonly Criterion[];
  decide: Rubric['decide'];
  confidence: boolean;
  /** Whether judges give reasons. */
  reasons: boolean;
}

/** The form of the reply to a question by a method. @param criteria those that the judge is to answer */
export const replyFormOf = (
  { rubric, method }: Pick<Question, 'rubric' | 'method'>,
  criteria: readonly Criterion[],
): ReplyForm => ({
  criteria,
  decide: rubric.decide,
  confidence: method.confidence,
  reasons: method.reasoning !== 'none',
});

/** The content of a judgement. */
type Reply =
  | (Pick<
      ScoredJudgement,
      'decision' | 'score' | 'confidence' | 'rationale' | 'criteria' | 'caveat' | 'sides'
    > & {
      status: 'scored';
    })
  | { status: 'unscored'; reason: 'not-relevant' | 'unsupported'; message: string; criteria: Finding[] };

/** In characters. In a debate every other judge has to read a rationale. */
const MAX_RATIONALE = 20_000;

const reasoned = z
  .string()
  .refine((text) => text.length <= MAX_RATIONALE, `is longer than ${MAX_RATIONALE} characters`);
const decision = z.enum(['pass', 'fail', 'unscored']);

function numberOn(scale: Exclude<Scale, 'binary'>): z.ZodType<number> {
  if (scale.levels === undefined) return z.number().min(scale.min).max(scale.max);
  return z.int().min(scale.min).max(scale.max);
}

/** A reply in any form. */
const ReplyValue = z.object({
  criteria: z.record(
    z.string(),
    z.object({
      rationale: z.string().optional(),
      relevant: z.boolean().optional(),
      decision: decision.optional(),
      score: z.number().optional(),
    }),
  ),
  rationale: z.string().optional(),
  confidence: z.number().optional(),
  decision: z.enum(['pass', 'fail']).optional(),
});

const findingSchema = ({ scale, mayNotApply }: Criterion, reason: z.ZodRawShape) =>
  z.strictObject({
    ...reason,
    ...(mayNotApply ? { relevant: z.boolean() } : {}),
    ...(isBinary(scale) ? { decision } : { score: numberOn(scale) }),
  });

function schemaOf({ criteria, decide, confidence, reasons }: ReplyForm): z.ZodType {
  const reason: z.ZodRawShape = reasons ? { rationale: reasoned } : {};
  const plain = z.strictObject({
    criteria: z.strictObject(
      Object.fromEntries(criteria.map((criterion) => [criterion.id, findingSchema(criterion, reason)])),
    ),
    ...reason,
  });
  const stated = confidence ? plain.extend({ confidence: z.number().min(0).max(1) }) : plain;
  return asksForDecision(criteria, decide) ? stated.extend({ decision: z.enum(['pass', 'fail']) }) : stated;
}

/** How a reply's decision contradicts its own findings, in words. */
function contradiction(decision: 'pass' | 'fail', findings: readonly Finding[]): string | undefined {
  const having = (wanted: Finding['decision']) =>
    findings.filter((finding) => finding.decision === wanted).map(({ id }) => id);
  const [failing, open] = [having('fail'), having('unscored')];
  if (decision === 'pass' && failing.length > 0)
    return `says pass although ${failing.join(', ')} ${failing.length === 1 ? 'fails' : 'fail'}`;
  if (decision === 'pass' && open.length > 0)
    return `says pass although it could not decide ${open.join(', ')}`;
  if (decision === 'fail' && failing.length === 0) return 'says fail although no criterion fails';
  return undefined;
}

function read({ decide }: ReplyForm, reply: unknown): Reply {
  const value = ReplyValue.parse(reply);
  const criteria = Object.entries(value.criteria).map(
    ([id, { rationale = null, relevant = true, decision, score }]): Finding => ({
      id,
      decision: relevant ? (decision ?? 'scored') : 'not-relevant',
      ...(relevant || decision === undefined ? {} : { ifRelevant: decision }),
      score: score ?? null,
      rationale,
    }),
  );
  const { rationale = null, confidence = null, decision } = value;
  const unscored = (reason: 'not-relevant' | 'unsupported', message: string) =>
    ({ status: 'unscored', reason, message: rationale ?? message, criteria }) as const;
  if (decision === 'pass' && criteria.every((finding) => finding.decision === 'unscored')) {
    const message = ended('could not decide any criterion', rationale ?? '');
    return { ...unscored('unsupported', message), message };
  }
  const scored = { status: 'scored', score: null, confidence, rationale, criteria } as const;
  if (decision !== undefined) {
    const caveat = contradiction(decision, criteria);
    return caveat === undefined ? { ...scored, decision } : { ...scored, decision, caveat };
  }
  const conclusion = conclude(criteria, decide);
  switch (conclusion.kind) {
    case 'decision':
      return { ...scored, decision: conclusion.decision };
    case 'score':
      return { ...scored, decision: 'scored', score: conclusion.score };
    case 'not-relevant':
      return unscored('not-relevant', 'no criterion is relevant');
    case 'inconclusive':
      return unscored('unsupported', 'could not decide every criterion');
  }
}

const problemsOf = (error: z.ZodError): string =>
  error.issues
    .slice(0, 3)
    .map((issue) => `${issue.path.join('.') || 'the reply'}: ${issue.message}`)
    .join('; ');

/** A schema with the reader of what it accepts. */
const contractOf = (schema: z.ZodType, toReply: (value: unknown) => Reply) => {
  const { $schema: _, ...json } = z.toJSONSchema(schema, { target: 'draft-7' });
  return {
    /** Strict JSON schema: all keys required, no others allowed, reasons before decisions. */
    json,
    /** Reads a parsed reply. Anything outside the schema is a problem; nothing is guessed. */
    read: (value: unknown): { ok: true; value: Reply } | { ok: false; problem: string } => {
      const { success, data, error } = schema.safeParse(value);
      return success ? { ok: true, value: toReply(data) } : { ok: false, problem: problemsOf(error) };
    },
  };
};

/** The schema and reader of a judge's reply. */
export function replyContract(form: ReplyForm) {
  if (form.decide !== 'pair') return contractOf(schemaOf(form), (value) => read(form, value));
  const pair = pairReply(form, form.reasons ? reasoned : null);
  return contractOf(pair.schema, pair.read);
}

/** The form of a reply as prompt text, for endpoints without schema support. */
export function replyFormText(form: ReplyForm): string {
  const { criteria, decide, confidence, reasons } = form;
  const reason = (text: string) => (reasons ? { rationale: text } : {});
  if (decide === 'pair') return JSON.stringify(pairReply(form, reasons ? reasoned : null).text, null, 1);
  const finding = ({ scale, mayNotApply }: Criterion) =>
    isBinary(scale)
      ? {
          ...reason('your reason'),
          ...(mayNotApply ? { relevant: 'true | false' } : {}),
          decision: 'pass | fail | unscored',
        }
      : {
          ...reason('your reason'),
          score: `a ${scale.levels === undefined ? '' : 'whole '}number from ${scale.min} to ${scale.max}`,
        };
  return JSON.stringify(
    {
      criteria: Object.fromEntries(criteria.map((criterion) => [criterion.id, finding(criterion)])),
      ...reason('your main reason, for a colleague who has not read the findings'),
      ...(confidence ? { confidence: 'a number from 0 to 1' } : {}),
      ...(asksForDecision(criteria, decide) ? { decision: 'pass | fail' } : {}),
    },
    null,
    1,
  );
}
