import { JuryError } from '../../common/errors.ts';
import { openStudiesOf } from '../../studies/manage-studies.ts';
import { progressOf } from '../../studies/study-progress.ts';
import type { SlackContext } from './context.ts';
import { message } from './render/blocks.ts';
import { studyMessage } from './render/study-message.ts';
import { pseudonymOf, seatView, takeSeat } from './study-desk.ts';
import { STORE_AWAY, showTo, tell } from './tell.ts';

interface Asker {
  team: string;
  channel: string;
  user: string;
  trigger_id: string;
}

/** Shown at once; more are counted. */
const MOST = 10;

/** The id of a study, null for any; undefined where the text is about something else, such as a paste. */
function readStudyCommand(text: string): string | null | undefined {
  const [whole, id] = /^\s*stud(?:y|ies)(?:[ \t]+(s\d{1,9}))?\s*$/i.exec(text) ?? [];
  return whole === undefined ? undefined : (id?.toLowerCase() ?? null);
}

async function answer(context: SlackContext, asker: Asker, id: string | null): Promise<void> {
  const { store, now, clients } = context;
  const where = { channel: asker.channel, user: asker.user };
  const own = openStudiesOf(await store.studies(), pseudonymOf(context, asker));
  const wanted = id === null ? own : own.filter((study) => study.id === id);
  const [first, ...others] = wanted;
  if (first === undefined)
    return tell(
      context,
      where,
      id === null ? 'You are asked in no open study.' : `You are asked in no open study ${id}.`,
    );
  if (others.length === 0) {
    const seat = await takeSeat(context, first, asker);
    if ('why' in seat) return tell(context, where, seat.why);
    await clients.now.views.open({ trigger_id: asker.trigger_id, view: seatView(seat, null, now(), null) });
    return;
  }
  const shown = await Promise.all(
    wanted.slice(0, MOST).map(async (study) => {
      const seat = await takeSeat(context, study, asker);
      return 'why' in seat
        ? []
        : studyMessage(study, progressOf(seat.study, seat.annotator, seat.annotations)).blocks;
    }),
  );
  const more =
    wanted.length > MOST
      ? ` ${wanted.length - MOST} more: name one, such as /jury study ${wanted[MOST]?.id}.`
      : '';
  const text = `You are asked in ${wanted.length} studies.${more}`;
  await showTo(context, where, message(text, [...message(text, []).blocks, ...shown.flat()]));
}

/** `/jury study [id]`: goes on with the next case. `false` where the text is about something else. */
export async function onStudyCommand(context: SlackContext, asker: Asker, text: string): Promise<boolean> {
  const id = readStudyCommand(text);
  if (id === undefined) return false;
  try {
    await answer(context, asker, id);
  } catch (thrown) {
    if (!(thrown instanceof JuryError)) throw thrown;
    await tell(context, { channel: asker.channel, user: asker.user }, STORE_AWAY);
  }
  return true;
}
