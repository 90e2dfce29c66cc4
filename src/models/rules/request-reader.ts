import type { EvalCase } from '../../case/case.ts';
import type { Vocabulary } from './find-mentions.ts';
import { type RequestReading, readRequest } from './read-request.ts';

/** Reads the request of a case once per vocabulary, however many personas ask about it. */
export function createRequestReader(): (evalCase: EvalCase, vocabulary: Vocabulary) => RequestReading {
  const known = new WeakMap<Vocabulary, WeakMap<EvalCase, RequestReading>>();
  return (evalCase, vocabulary) => {
    const readings = known.get(vocabulary) ?? new WeakMap<EvalCase, RequestReading>();
    known.set(vocabulary, readings);
    const reading = readings.get(evalCase) ?? readRequest(evalCase, vocabulary);
    readings.set(evalCase, reading);
    return reading;
  };
}
