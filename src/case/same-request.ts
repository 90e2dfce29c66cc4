import { createHash } from 'node:crypto';
import type { EvalCase } from './case.ts';

const hashOf = (value: unknown): string =>
  createHash('sha256').update(JSON.stringify(value)).digest('base64');

/**
 * Two cases are the same request if this hash is the same: what the user said, and what answers are checked against.
 * Earlier answers belong to the response, not to the request.
 */
export const requestHash = ({ conversation, context, documents, groundTruth, history }: EvalCase): string =>
  hashOf([
    conversation.filter(({ role }) => role === 'user').map(({ text }) => text),
    [context, documents, groundTruth, history].map((part) => part ?? null),
  ]);

/** Two cases with the same request have the same answer if this hash is the same. */
export const responseHash = ({ conversation, response, recommendation, recommendations }: EvalCase): string =>
  hashOf([
    conversation.filter(({ role }) => role === 'system').map(({ text }) => text),
    [response, recommendation, recommendations].map((part) => part ?? null),
  ]);

/** Two cases are the same, with id, rubric and label, if this hash is the same: everything but the tags. */
export const caseHash = ({ tags: _, ...judged }: EvalCase): string => hashOf(judged);
