import type { ModalView } from '@slack/types';
import type { Annotation } from '../../studies/annotation.ts';
import type { Annotator, Study } from '../../studies/study.ts';
import { orderOf, progressOf } from '../../studies/study-progress.ts';
import type { SlackContext } from './context.ts';
import { quietUpdate } from './render/blocks.ts';
import { type StudyFormMetadata, studyDone, studyForm } from './render/study-form.ts';
import { studyMessage } from './render/study-message.ts';

/** Somebody's place in a study, with what they said in it. */
export interface Seat {
  study: Study;
  annotator: Annotator;
  annotations: Annotation[];
}

/** Why somebody has no place, in words for them. */
export interface NoSeat {
  why: string;
}

export interface Clicker {
  team: string | undefined;
  user: string;
}

type DeskContext = Pick<SlackContext, 'store' | 'pseudonym' | 'identity'>;

export const pseudonymOf = ({ pseudonym, identity }: DeskContext, { team, user }: Clicker): string =>
  pseudonym({ surface: 'slack', team: team ?? identity.team, user });

/**
 * Takes somebody's place. Who they are is what Slack says of this click: nothing that a message or a form carries.
 * @throws JuryError `store-unavailable`
 */
export async function takeSeat(
  context: DeskContext,
  { id, at }: Pick<Study, 'id' | 'at'>,
  clicker: Clicker,
): Promise<Seat | NoSeat> {
  const study = await context.store.study(id);
  if (study === null || study.at !== at) return { why: 'This study is gone.' };
  const own = pseudonymOf(context, clicker);
  const annotator = study.annotators.find((one) => one.id === own);
  if (annotator === undefined) return { why: 'You have no place in this study.' };
  if (study.closed) return { why: 'This study is closed. Thank you.' };
  return { study, annotator, annotations: await context.store.annotations(id, own) };
}

/**
 * The form of a case, or what stands there when all are done.
 *
 * @param place where in the annotator's order; null for the first case that is missing
 */
export function seatView(
  { study, annotator, annotations }: Seat,
  place: number | null,
  now: number,
  message: StudyFormMetadata['message'],
): ModalView {
  const { done, next, total } = progressOf(study, annotator, annotations);
  const at = place ?? next ?? total;
  const index = orderOf(study, annotator)[at];
  const shown = index === undefined ? undefined : study.cases[index];
  const before = annotations.find((one) => one.annotator === annotator.id && one.case === index);
  // Later than what it may replace, whatever this machine's clock says.
  const opened = Math.max(now, Math.floor(before?.at ?? 0) + 1);
  const metadata = { study: study.id, at: study.at, place: at, opened, message };
  if (shown === undefined) return studyDone(study, metadata);
  return studyForm({ study, shown, metadata, answers: before?.answers ?? {}, done });
}

/** Shows in the annotator's own message how far they are, a moment later. */
export function refreshStudyMessage(
  { store, refreshes, clients }: Pick<SlackContext, 'store' | 'refreshes' | 'clients'>,
  { study, annotator }: Seat,
  message: StudyFormMetadata['message'],
): void {
  if (message === null) return;
  const { channel, ts } = message;
  refreshes.schedule(`study ${channel} ${ts}`, async () => {
    const progress = progressOf(study, annotator, await store.annotations(study.id, annotator.id));
    await clients.background.chat.update({ channel, ts, ...quietUpdate, ...studyMessage(study, progress) });
  });
}
