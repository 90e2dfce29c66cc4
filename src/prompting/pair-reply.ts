import * as z from 'zod';
import type { Finding, ScoredJudgement } from '../judging/judgement.ts';
import type { Criterion } from '../judging/rubric.ts';

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
export function pairReply(
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
