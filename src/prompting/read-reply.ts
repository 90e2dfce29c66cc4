import * as z from 'zod';
import { jsonSchemaOf } from '../common/index.ts';
import { asksForDecision, conclude, type Question } from '../judging/index.ts';
import { type Criterion, isBinary, type Rubric } from '../judging/standards/index.ts';
import { ended, type Finding, type ScoredJudgement } from '../judging/verdict/index.ts';

const better = z.enum(['first', 'second', 'same']);
const scoreOf = { first: -1, second: 1, same: 0 } as const;

/** A comparison of two answers, overall or on one criterion. */
const Compared = z.object({ first: z.string().optional(), second: z.string().optional(), better });
/** A pair reply in any form, for reading after validation. */
const Value = Compared.extend({
  criteria: z.record(z.string(), Compared),
  confidence: z.number().optional(),
});

/** A judgement on two answers as shown to other judges, in the order in which they see the answers. */
export function comparedText({
  score,
  sides,
  criteria,
  confidence,
  changedWithOrder,
}: ScoredJudgement): string {
  const preferenceText = (one: Pick<Finding, 'score' | 'sides'>): string => {
    const which = (one.score ?? 0) < 0 ? 'first' : (one.score ?? 0) > 0 ? 'second' : 'same';
    return one.sides === undefined
      ? which
      : `${which}. First: ${one.sides.first} Second: ${one.sides.second}`;
  };
  return [
    `better: ${preferenceText({ score, sides })}${changedWithOrder === true ? ' (changed with the order of the answers)' : ''}`,
    ...(confidence === null ? [] : [`confidence: ${confidence}`]),
    'findings:',
    ...criteria.map((finding) => `- ${finding.id}: ${preferenceText(finding)}`),
  ].join('\n');
}

/** What determines the format of a reply. */
export interface ReplyForm {
  criteria: readonly Criterion[];
  decide: Rubric['decide'];
  confidence: boolean;
  /** Whether judges give reasons. */
  reasons: boolean;
  /** Whether judges may leave a criterion unscored. Default: true. */
  mayLeaveOpen?: boolean;
}

/** The reply format for a question. @param criteria those the judge should answer */
export const replyFormOf = (
  { rubric, method }: Pick<Question, 'rubric' | 'method'>,
  criteria: readonly Criterion[],
): ReplyForm => ({
  criteria,
  decide: rubric.decide,
  confidence: method.confidence,
  reasons: method.reasoning !== 'none',
  mayLeaveOpen: rubric.mayLeaveOpen !== false,
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

/** In characters. In a debate every other judge reads the rationale. */
const MAX_RATIONALE = 20_000;

const reasoned = z
  .string()
  .refine((text) => text.length <= MAX_RATIONALE, `is longer than ${MAX_RATIONALE} characters`);
const decision = z.enum(['pass', 'fail', 'unscored']);
const passFail = z.enum(['pass', 'fail']);

/** A part of a reply: its schema, and its description for endpoints without schema support. */
interface Part {
  schema: z.ZodType;
  text: unknown;
}

const part = (schema: z.ZodType, text: string): Part => ({ schema, text });
type Parts = Readonly<Record<string, Part>>;

/** Combines parts by key. All are required, and no others are allowed. */
function whole(parts: Parts) {
  const each = <T>(of: (one: Part) => T) =>
    Object.fromEntries(Object.entries(parts).map(([key, one]) => [key, of(one)]));
  return { schema: z.strictObject(each(({ schema }) => schema)), text: each(({ text }) => text) };
}

/** A reply with one finding per criterion. */
const withFindings = (
  { criteria, confidence }: ReplyForm,
  finding: (criterion: Criterion) => Part,
  summary: Parts,
  outcome: Parts,
) =>
  whole({
    criteria: whole(Object.fromEntries(criteria.map((criterion) => [criterion.id, finding(criterion)]))),
    ...summary,
    ...(confidence ? { confidence: part(z.number().min(0).max(1), 'a number from 0 to 1') } : {}),
    ...outcome,
  });

/** A judge's reply about two answers. It gives a separate reason for each answer, without naming it, so that reasons hold in either order. */
function pairReply(form: ReplyForm): Part {
  const outcome = { better: part(better, 'first | second | same') };
  const reasons = (about: string): Parts => {
    const of = (answer: string) => part(reasoned, `${about} the ${answer} answer`);
    return form.reasons ? { first: of('first'), second: of('second') } : {};
  };
  const finding = whole({ ...reasons('what your finding rests on in'), ...outcome });
  const summary = reasons('in a few words, what speaks for or against');
  const { schema, text } = withFindings(form, () => finding, summary, outcome);
  const { confidence, ...rest } = text;
  // Confidence is described last, as in the prompts of earlier verdicts.
  return { schema, text: { ...rest, confidence } };
}

function singleReply(form: ReplyForm): Part {
  const reason = (text: string): Parts => (form.reasons ? { rationale: part(reasoned, text) } : {});
  const finding = ({ scale, mayNotApply }: Criterion): Part => {
    if (isBinary(scale))
      return whole({
        ...reason('your reason'),
        ...(mayNotApply ? { relevant: part(z.boolean(), 'true | false') } : {}),
        decision:
          form.mayLeaveOpen === false
            ? part(passFail, 'pass | fail')
            : part(decision, 'pass | fail | unscored'),
      });
    const { min, max, levels } = scale;
    const [number, kind] = levels === undefined ? [z.number(), ''] : [z.int(), 'whole '];
    const score = part(number.min(min).max(max), `a ${kind}number from ${min} to ${max}`);
    return whole({ ...reason('your reason'), score });
  };
  const decides = asksForDecision(form.criteria, form.decide);
  return withFindings(
    form,
    finding,
    reason('your main reason, for a colleague who has not read the findings'),
    decides ? { decision: part(passFail, 'pass | fail') } : {},
  );
}

const replyOf = (form: ReplyForm): Part => (form.decide === 'pair' ? pairReply(form) : singleReply(form));

/** A single-answer reply in any form, for reading after validation. */
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
  decision: passFail.optional(),
});

/** How a reply's decision contradicts its own findings, if it does. */
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

function readPair(reply: unknown): Reply {
  const value = Value.parse(reply);
  const sidesOf = ({ first, second, better: preferred }: z.infer<typeof Compared>) => ({
    score: scoreOf[preferred],
    ...(first === undefined || second === undefined
      ? { rationale: null }
      : { rationale: `${first} / ${second}`, sides: { first, second } }),
  });
  return {
    ...sidesOf(value),
    status: 'scored',
    decision: 'scored',
    confidence: value.confidence ?? null,
    criteria: Object.entries(value.criteria).map(
      ([id, finding]): Finding => ({ id, decision: 'scored', ...sidesOf(finding) }),
    ),
  };
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

/** The schema and reader of a judge's reply. */
export function replyContract(form: ReplyForm) {
  const { schema } = replyOf(form);
  return {
    /** Strict JSON schema: all keys required, no others allowed, reasons before decisions. */
    json: jsonSchemaOf(schema),
    /** Reads a parsed reply. Anything that does not match the schema is a problem; nothing is guessed. */
    read: (value: unknown): { ok: true; value: Reply } | { ok: false; problem: string } => {
      const { success, data, error } = schema.safeParse(value);
      if (!success) return { ok: false, problem: problemsOf(error) };
      return { ok: true, value: form.decide === 'pair' ? readPair(data) : read(form, data) };
    },
  };
}

/** The reply format as prompt text, for endpoints without schema support. */
export const replyFormText = (form: ReplyForm): string => JSON.stringify(replyOf(form).text, null, 1);
