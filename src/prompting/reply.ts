import { z } from 'zod';
import type { Finding, ScoredJudgement } from '../core/judgement.ts';
import type { Criterion } from '../core/rubric.ts';
import { isBinary, type Scale } from '../core/scale.ts';

/** What decides the form of a reply. */
export interface ReplyForm {
  criteria: readonly Criterion[];
  binary: boolean;
  confidence: boolean;
}

/** What a reply says, before it is anyone's judgement. */
type Reply = Pick<ScoredJudgement, 'decision' | 'score' | 'confidence' | 'rationale' | 'criteria' | 'caveat'>;

const decided = z.strictObject({ rationale: z.string(), decision: z.enum(['pass', 'fail', 'unscored']) });

function numberOn(scale: Exclude<Scale, 'binary'>): z.ZodType<number> {
  if (scale.levels === undefined) return z.number().min(scale.min).max(scale.max);
  const levels = Object.keys(scale.levels).map(Number);
  return z
    .int()
    .min(Math.min(...levels))
    .max(Math.max(...levels));
}

const findingSchema = ({ scale }: Criterion) =>
  isBinary(scale) ? decided : z.strictObject({ rationale: z.string(), score: numberOn(scale) });

/** One schema for all forms is read with; which keys are required is the form's. */
function schemaOf({ criteria, binary, confidence }: ReplyForm) {
  return z.strictObject({
    criteria: z.strictObject(
      Object.fromEntries(criteria.map((criterion) => [criterion.id, findingSchema(criterion)])),
    ),
    rationale: z.string(),
    ...(confidence ? { confidence: z.number().min(0).max(1) } : {}),
    ...(binary ? { decision: z.enum(['pass', 'fail']) } : {}),
  });
}

/** What every accepted reply has, whatever its form; the form's own schema has been applied before. */
const Common = z.object({
  criteria: z.record(
    z.string(),
    z.object({
      rationale: z.string(),
      decision: decided.shape.decision.optional(),
      score: z.number().optional(),
    }),
  ),
  rationale: z.string(),
  confidence: z.number().optional(),
  decision: z.enum(['pass', 'fail']).optional(),
});

/** Where a reply's decision and its own findings disagree, in words. */
function contradiction(decision: 'pass' | 'fail', findings: readonly Finding[]): string | undefined {
  const failing = findings.filter((finding) => finding.decision === 'fail').map(({ id }) => id);
  if (decision === 'pass' && failing.length > 0)
    return `says pass although it finds a fault in ${failing.join(', ')}`;
  if (decision === 'fail' && failing.length === 0) return 'says fail although it finds no criterion failed';
  return undefined;
}

function read({ binary }: ReplyForm, value: z.infer<typeof Common>): Reply {
  const criteria = Object.entries(value.criteria).map(
    ([id, finding]): Finding => ({
      id,
      decision: finding.decision ?? 'scored',
      score: finding.score ?? null,
      rationale: finding.rationale,
    }),
  );
  const confidence = value.confidence ?? null;
  const { rationale } = value;
  if (binary && value.decision !== undefined) {
    const caveat = contradiction(value.decision, criteria);
    const reply: Reply = { decision: value.decision, score: null, confidence, rationale, criteria };
    return caveat === undefined ? reply : { ...reply, caveat };
  }
  const scores = criteria.map(({ score }) => score).filter((score) => score !== null);
  const mean = scores.reduce((sum, score) => sum + score, 0) / Math.max(1, scores.length);
  return { decision: 'scored', score: mean, confidence, rationale, criteria };
}

const problemsOf = (error: z.ZodError): string =>
  error.issues
    .slice(0, 3)
    .map((issue) => `${issue.path.join('.') || 'the reply'}: ${issue.message}`)
    .join('; ');

type ReplyReader = (value: unknown) => { ok: true; value: Reply } | { ok: false; problem: string };

export interface ReplyContract {
  /** Strict JSON schema: every key required, none besides, reasons before what follows from them. */
  json: Record<string, unknown>;
  /** Reads a parsed reply; anything that the schema does not describe is a problem, never a guess. */
  read: ReplyReader;
}

/** The schema that a judge's reply must have, and its reader. */
export function replyContract(form: ReplyForm): ReplyContract {
  const schema = schemaOf(form);
  const { $schema: _, ...json } = z.toJSONSchema(schema, { target: 'draft-7' });
  return {
    json,
    read: (value) => {
      const checked = schema.safeParse(value);
      if (!checked.success) return { ok: false, problem: problemsOf(checked.error) };
      return { ok: true, value: read(form, Common.parse(checked.data)) };
    },
  };
}

/** The reply's form as text for the prompt, for endpoints that take no schema. */
export function replyFormText({ criteria, binary, confidence }: ReplyForm): string {
  const finding = ({ scale }: Criterion) =>
    isBinary(scale)
      ? { rationale: 'your reason', decision: 'pass | fail | unscored' }
      : { rationale: 'your reason', score: `a number from ${scale.min} to ${scale.max}` };
  return JSON.stringify(
    {
      criteria: Object.fromEntries(criteria.map((criterion) => [criterion.id, finding(criterion)])),
      rationale: 'your main reason, for a colleague who has not read the findings',
      ...(confidence ? { confidence: 'a number from 0 to 1' } : {}),
      ...(binary ? { decision: 'pass | fail' } : {}),
    },
    null,
    1,
  );
}
