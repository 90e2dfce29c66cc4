import type { DoubleAnswer, DoubleRequest } from './model-double.ts';

/** The criteria that a request asks about, from its schema. */
export function criteriaOf({ schema }: DoubleRequest): string[] {
  const at = (value: unknown, key: string): unknown =>
    typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined;
  const criteria = at(at(at(schema, 'properties'), 'criteria'), 'properties');
  return typeof criteria === 'object' && criteria !== null ? Object.keys(criteria) : [];
}

export const isDebate = (request: DoubleRequest): boolean => criteriaOf(request).join() === 'overall';

const ROLES = [
  'get what you mean',
  'You are an expert on',
  'You are a linguist',
  'how people and computers work together',
];
export const roleOf = ({ system }: DoubleRequest): number =>
  ROLES.findIndex((words) => system.includes(words));

/** A reply that gives each criterion asked about the score that `scoreOf` says, for a reason. */
export const scores = (
  request: DoubleRequest,
  scoreOf: (id: string) => number,
  reasonFor = (id: string) => `reason-for-${id}.`,
): DoubleAnswer => ({
  json: {
    criteria: Object.fromEntries(
      criteriaOf(request).map((id) => [id, { rationale: reasonFor(id), score: scoreOf(id) }]),
    ),
    rationale: `role-${roleOf(request)} says so.`,
  },
});
