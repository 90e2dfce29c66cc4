import { createHash } from 'node:crypto';
import type { EvalCase } from '../../case/index.ts';
import { caseIdOf } from '../../judging/index.ts';

const hashOf = (value: unknown): string =>
  createHash('sha256').update(JSON.stringify(value)).digest('base64');

/**
 * What makes two cases the same request: the user's turns, and what answers are checked against. Earlier answers belong to the
 * response, not to the request.
 */
export const requestHash = ({ conversation, context, documents, groundTruth, history }: EvalCase): string =>
  hashOf([
    conversation.filter(({ role }) => role === 'user').map(({ text }) => text),
    [context, documents, groundTruth, history].map((part) => part ?? null),
  ]);

/** What makes two answers to a request the same. */
export const answerHash = ({ conversation, response, recommendation, recommendations }: EvalCase): string =>
  hashOf([
    conversation.filter(({ role }) => role === 'system').map(({ text }) => text),
    [response, recommendation, recommendations].map((part) => part ?? null),
  ]);

/** What makes two cases the same in all that was judged, and in their labels. Tags are left out. */
export const contentHash = ({ tags: _, ...judged }: EvalCase): string => hashOf(judged);

/** Identifies a case and its content. */
export interface CaseMark {
  id: string;
  /** Content hash, including the label. */
  hash: string;
  labeled: boolean;
}

/** Identifies a case across runs. */
export const markOf = (evalCase: EvalCase): CaseMark => ({
  id: caseIdOf(evalCase),
  hash: contentHash(evalCase),
  labeled: evalCase.label !== undefined,
});
