import type { EvalCase } from '../../case/case.ts';
import type { Vocabulary } from './find-mentions.ts';
import type { RequestReading } from './read-request.ts';

/** All that a check may look at. */
export interface Matter {
  evalCase: EvalCase;
  request: RequestReading;
  vocabulary: Vocabulary;
}
