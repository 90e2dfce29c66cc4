import * as z from 'zod';
import { asksForDecision, conclude } from '../judging/conclude.ts';
import type { Finding, ScoredJudgement } from '../judging/judgement.ts';
import { type Criterion, isBinary, type Rubric, type Scale } from '../judging/rubric.ts';

/** What decides the form of a reply. */
export interface ReplyForm {
  criteria: readonly Criterion[];
  decide: Rubric['decide'];
  confidence: boolean;
}

/** What a reply says, before it is anyone's judgement. */
type Reply =
  | (Pick<ScoredJudgement, 'decision' | 'score' | 'confidence' | 'rationale' | 'criteria' | 'caveat'> & {
      status: 'scored';
    })
  | { status: 'unscored'; reason: 'not-relevant' | 'unsupported'; message: string; criteria: Finding[] };

/** Longest reason in characters. Nobody reads more, and in a debate every other judge would have to. */
const LONGEST_REASON = 20_000;

const reasoned = z
  .string()
  .refine((text) => text.length <= LONGEST_REASON, `is longer than ${LONGEST_REASON} characters`);
const reason = { rationale: reasoned };
const decided = z.strictObject({ ...reason, decision: z.enum(['pass', 'fail', 'unscored']) });
const ifRelevant = z.strictObject({ ...reason, relevant: z.boolean(), decision: decided.shape.decision });

function numberOn(scale: Exclude<Scale, 'binary'>): z.ZodType<number> {
  if (scale.levels === undefined) return z.number().min(scale.min).max(scale.max);
  return z.int().min(scale.min).max(scale.max);
}

/** What a reply says of one criterion, whatever its form. */
interface ReplyFinding {
  rationale: string;
  relevant?: boolean;
  decision?: 'pass' | 'fail' | 'unscored';
  score?: number;
}

/** What every reply says, whatever its form. */
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
  const sure = { confidence: z.number().min(0).max(1) };
  const decision = { decision: z.enum(['pass', 'fail']) };
  if (!asksForDecision(criteria, decide)) return confidence ? plain.extend(sure) : plain;
  return confidence ? plain.extend({ ...sure, ...decision }) : plain.extend(decision);
}

/** Where a reply's decision and its own findings disagree, in words. */
function contradiction(decision: 'pass' | 'fail', findings: readonly Finding[]): string | undefined {
  const having = (wanted: Finding['decision']) => findings.filter((finding) => finding.decision === wanted);
  const failing = having('fail').map(({ id }) => id);
  if (decision === 'pass' && failing.length > 0)
    return `says pass although it finds a fault in ${failing.join(', ')}`;
  const open = having('unscored').map(({ id }) => id);
  if (decision === 'pass' && open.length > 0)
    return `says pass although it could not tell ${open.join(', ')}`;
  if (decision === 'fail' && failing.length === 0) return 'says fail although it finds no criterion failed';
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
  const told = criteria.some((finding) => finding.decision !== 'unscored');
  if (decision === 'pass' && !told)
    return {
      status: 'unscored',
      reason: 'unsupported',
      message: `could tell no criterion: ${rationale}`,
      criteria,
    };
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
      return { status: 'unscored', reason: 'not-relevant', message: rationale, criteria };
    case 'inconclusive':
      return { status: 'unscored', reason: 'unsupported', message: rationale, criteria };
  }
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
      return { ok: true, value: read(form, checked.data) };
    },
  };
}

/** The reply's form as text for the prompt, for endpoints that take no schema. */
export function replyFormText({ criteria, decide, confidence }: ReplyForm): string {
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
