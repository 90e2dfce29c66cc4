import {
  type CheckProgress,
  hiddenNote,
  hiddenTitle,
  progressTitle,
  stageText,
  stateText,
} from '../../progress.ts';
import { shortLine } from '../../safe-text.ts';
import { actions } from '../ids.ts';
import type { TeamsMessage } from '../messages.ts';
import { bold, button, lines, message, note, run } from './elements.ts';

/** Most judges shown one by one while they answer. */
const SHOWN_JUDGES = 30;
const NAME = 80;

const stop = (checkId: string) => button('Stop', { do: actions.stop, id: checkId });

/**
 * The first thing that is shown, before anything was read. It names the request and has no buttons: should the process end between
 * Teams taking it and its id being kept, another one takes its place.
 */
export const receivedMessage = (words: string): TeamsMessage =>
  message('Reading the case …', {
    body: [lines(run('⏳ Reading the case …')), ...(words === '' ? [] : [note(shortLine(words, 160))])],
  });

/** Who has answered what so far, and a way to stop. */
export function progressMessage(progress: CheckProgress): TeamsMessage {
  const { judges, stopping, checkId } = progress;
  const head = shortLine(progressTitle(progress), 300);
  const left = judges.length - SHOWN_JUDGES;
  return message(head, {
    body: [
      lines(run(`⏳ ${head}`)),
      ...judges
        .slice(0, SHOWN_JUDGES)
        .map((judge) => lines(bold(shortLine(judge.name, NAME)), run(`: ${stateText(judge)}`))),
      ...(left > 0 ? [note(`and ${left} more judges`)] : []),
      note(stageText(progress)),
    ],
    actions: stopping ? [] : [stop(checkId)],
  });
}

/** The same for those who must not know how the judges answer. */
export function hiddenProgressMessage(
  progress: Pick<CheckProgress, 'title' | 'checkId' | 'stopping'>,
): TeamsMessage {
  const { checkId, stopping } = progress;
  const title = hiddenTitle(progress);
  return message(title, {
    body: [lines(run(`⏳ ${shortLine(title, 300)} …`)), note(hiddenNote)],
    actions: stopping ? [] : [stop(checkId)],
  });
}
