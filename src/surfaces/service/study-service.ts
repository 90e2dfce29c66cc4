import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import { repeatedly } from '../../common/async.ts';
import { messageOf } from '../../common/errors.ts';
import type { KeyValue } from '../../common/key-value.ts';
import type { StudyStore } from '../../studies/annotation.ts';
import { inviteAnnotators, type StudyPoster } from '../../studies/manage-studies.ts';
import type { StudyEntry } from '../../studies/study.ts';

const EVERY_MS = 5_000;

/** Invites the annotators of new studies for as long as the service runs. */
export function startStudies(
  store: StudyStore & KeyValue,
  poster: StudyPoster,
  now: () => number,
  log: Logger,
): { stop: () => Promise<void> } {
  const inviter = { store, poster, holder: randomUUID(), now };
  /** Studies of which all annotators are invited: they are not looked at again. */
  const settled = new Set<string>();
  let failing = false;

  async function settle(study: StudyEntry): Promise<void> {
    const key = `${study.id} ${study.at}`;
    if (study.closed || settled.has(key)) return;
    const invited = await inviteAnnotators(inviter, study);
    for (const one of invited)
      if (one.outcome === 'failed')
        log.warn({ study: study.id, reason: one.reason }, 'study: an annotator could not be invited');
    if (invited.every(({ outcome }) => outcome === 'sent' || outcome === 'known')) settled.add(key);
  }
  async function look(): Promise<void> {
    try {
      for (const study of await store.studies()) await settle(study);
      failing = false;
    } catch (thrown) {
      if (!failing)
        log.warn({ reason: messageOf(thrown) }, 'study: studies cannot be read, it is tried again');
      failing = true;
    }
  }
  return { stop: repeatedly(EVERY_MS, look) };
}
