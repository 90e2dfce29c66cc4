import * as z from 'zod';
import { asksForDecision, conclude } from '../judging/conclude.ts';
import type { Finding, ScoredJudgement } from '../judging/judgement.ts';
import { type Criterion, isBinary, type Rubric, type Scale } from '../judging/rubric.ts';
import { pairReply } from './pair-reply.ts';

/** What the form of a reply depends on. */
export interface ReplyForm {
  criteria: readonly Criterion[];
  decide: Rubric['decide'];
  confidence: boolean;
}

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
const reason = { rationale: reasoned };
const decided = z.strictObject({ ...reason, decision: z.enum(['pass', 'fail', 'unscored']) });
const ifRelevant = z.strictObject({ ...reason, relevant: z.boolean(), decision: decided.shape.decision });

function numberOn(scale: Exclude<Scale, 'binary'>): z.ZodType<number> {
  if (scale.levels === undefined) return z.number().min(scale.min).max(scale.max);
  return z.int().min(scale.min).max(scale.max);
}

/** A finding in any form of reply. */
interface ReplyFinding {
  rationale: string;
  relevant?: boolean;
  decision?: 'pass' | 'fail' | 'unscored';
  score?: number;
}

/** A reply in any form. */
interface ReplyValue {
  criteria: Record<string, ReplyFinding>;
  rationale: string;
  confidence?: number | undefined;
  decision?: 'pass' | 'fail' | undefined;
}

function findingSchema({ scale, mayNotApply }: Criterion): z.ZodType<ReplyFinding> {
  if (!isBinary(scale)) return z.strictObject({ ...reason, score: numberOn(scale) });
  return mayNotApply ? ifRelevant : decided;
}

function schemaOf({ criteria, decide, confidence }: ReplyForm): z.ZodType<ReplyValue> {
  const plain = z.strictObject({
    criteria: z.strictObject(
      Object.fromEntries(criteria.map((criterion) => [criterion.id, findingSchema(criterion)])),
    ),
    rationale: reasoned,
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

function read({ decide }: ReplyForm, value: ReplyValue): Reply {
  const criteria = Object.entries(value.criteria).map(
    ([id, { rationale, relevant = true, decision, score }]): Finding => ({
      id,
      decision: relevant ? (decision ?? 'scored') : 'not-relevant',
      score: score ?? null,
      rationale,
    }),
  );
  const { rationale, confidence = null, decision } = value;
  const unscored = (reason: 'not-relevant' | 'unsupported', message = rationale) =>
    ({ status: 'unscored', reason, message, criteria }) as const;
  if (decision === 'pass' && criteria.every((finding) => finding.decision === 'unscored'))
    return unscored('unsupported', `could not decide any criterion: ${rationale}`);
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
      return unscored('not-relevant');
    case 'inconclusive':
      return unscored('unsupported');
  }
}

const problemsOf = (error: z.ZodError): string =>
  error.issues
    .slice(0, 3)
    .map((issue) => `${issue.path.join('.') || 'the reply'}: ${issue.message}`)
    .join('; ');

/** A schema with the reader of what it accepts. */
const contractOf = <Value>(schema: z.ZodType<Value>, toReply: (value: Value) => Reply) => {
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
  const pair = pairReply(form, reasoned);
  return contractOf(pair.schema, pair.read);
}

/** The form of a reply as prompt text, for endpoints without schema support. */
export function replyFormText(form: ReplyForm): string {
  const { criteria, decide, confidence } = form;
  if (decide === 'pair') return JSON.stringify(pairReply(form, reasoned).text, null, 1);
  const finding = ({ scale, mayNotApply }: Criterion) =>
    isBinary(scale)
      ? {
          rationale: 'your reason',
          ...(mayNotApply ? { relevant: 'true | false' } : {}),
          decision: 'pass | fail | unscored',
        }
      : {
          rationale: 'your reason',
          score: `a ${scale.levels === undefined ? '' : 'whole '}number from ${scale.min} to ${scale.max}`,
        };
  return JSON.stringify(
    {
      criteria: Object.fromEntries(criteria.map((criterion) => [criterion.id, finding(criterion)])),
      rationale: 'your main reason, for a colleague who has not read the findings',
      ...(confidence ? { confidence: 'a number from 0 to 1' } : {}),
      ...(asksForDecision(criteria, decide) ? { decision: 'pass | fail' } : {}),
    },
    null,
    1,
  );
}
