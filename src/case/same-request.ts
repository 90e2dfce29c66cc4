import { createHash } from 'node:crypto';
import { type EvalCase, WITHHELD_FIELDS } from './case.ts';

const hashOf = (value: unknown): string =>
  createHash('sha256').update(JSON.stringify(value)).digest('base64');

/** The withheld fields as one part of a hash; nothing if the case has none of them. */
const withheldOf = (evalCase: EvalCase): unknown[] => {
  const parts = WITHHELD_FIELDS.map((key) => evalCase[key] ?? null);
  return parts.some((part) => part !== null) ? [parts] : [];
};

/**
 * Two cases are the same request if this hash is the same: what the user said, and what answers are checked against.
 * Earlier answers belong to the response, not to the request.
 */
export const requestHash = (evalCase: EvalCase): string => {
  const { conversation, context, documents, groundTruth, history } = evalCase;
  return hashOf([
    conversation.filter(({ role }) => role === 'user').map(({ text }) => text),
    [context, documents, groundTruth, history].map((part) => part ?? null),
    ...withheldOf(evalCase),
  ]);
};

/** Two cases with the same request have the same answer if this hash is the same. */
export const responseHash = (evalCase: EvalCase): string => {
  const { conversation, response, recommendation, recommendations } = evalCase;
  const calls = [...conversation, evalCase].map(({ toolCalls }) => toolCalls ?? null);
  return hashOf([
    conversation.filter(({ role }) => role === 'system').map(({ text }) => text),
    [response, recommendation, recommendations].map((part) => part ?? null),
    ...(calls.some((one) => one !== null) ? [calls] : []),
  ]);
};

/** Two cases are the same, with id, rubric and label, if this hash is the same: everything but tags and trace. */
export const caseHash = ({ tags: _tags, trace: _trace, ...judged }: EvalCase): string => hashOf(judged);
