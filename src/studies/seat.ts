import { type Annotation, orderOf, progressOf, type StudyStore } from './annotation.ts';
import type { Annotator, Study } from './study.ts';

/** An annotator's place in a study, with what they said in it. */
export interface Seat {
  study: Study;
  annotator: Annotator;
  annotations: readonly Annotation[];
}

/**
 * The seat of a person, or why they have none, in words for them.
 *
 * @param own the pseudonym of who asks, as the platform names them: never what a message or a form carries
 * @throws JuryError `store-unavailable`
 */
export async function takeSeat(
  store: Pick<StudyStore, 'study' | 'annotations'>,
  { id, at }: Pick<Study, 'id' | 'at'>,
  own: string,
): Promise<Seat | { why: string }> {
  const study = await store.study(id);
  if (study === null || study.at !== at) return { why: 'This study is gone.' };
  const annotator = study.annotators.find((one) => one.id === own);
  if (annotator === undefined) return { why: 'You have no place in this study.' };
  if (study.closed) return { why: 'This study is closed. Thank you.' };
  return { study, annotator, annotations: await store.annotations(id, own) };
}

/**
 * A case in an annotator's order.
 *
 * @param place where in the annotator's order; null for the first case that is missing
 */
export function caseAt({ study, annotator, annotations }: Seat, place: number | null, now: number) {
  const { done, next, total } = progressOf(study, annotator, annotations);
  const at = place ?? next ?? total;
  const index = orderOf(study, annotator)[at];
  const shown = index === undefined ? undefined : study.cases[index];
  const before = annotations.find((one) => one.annotator === annotator.id && one.case === index);
  return {
    /** Where in their order; as many as there are cases when all are done. */
    place: at,
    /** Null when all are done. */
    current: index === undefined || shown === undefined ? null : { index, shown, before },
    /** When it was opened, ms: later than what it may replace, whatever this machine's clock says. */
    opened: Math.max(now, Math.floor(before?.at ?? 0) + 1),
    /** How many cases are annotated. */
    done,
  };
}
