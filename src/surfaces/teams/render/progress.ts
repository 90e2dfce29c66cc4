import { type CheckProgress, hiddenNote, hiddenTitle, progressTitle } from '../../progress.ts';
import { shortLine } from '../../safe-text.ts';
import { toneMark } from '../../wording.ts';
import { actions } from '../ids.ts';
import type { TeamsMessage } from '../messages.ts';
import { bold, button, lines, message, note, run } from './elements.ts';

/** Most judges shown one by one while they answer. */
const SHOWN_JUDGES = 30;
const NAME = 80;
const REASON = 200;

const stop = (checkId: string) => button('Stop', { do: actions.stop, id: checkId });

/**
 * The first thing that is shown, before anything was read. It names the request and has no buttons: should the process end between
 * Teams taking it and its id being kept, another one takes its place.
 */
export const receivedMessage = (words: string): TeamsMessage =>
  message('Reading the case…', {
    body: [lines(run('⏳ Reading the case…')), ...(words === '' ? [] : [note(shortLine(words, 160))])],
  });

/** How far a verdict is: who has answered what so far with what reason, and a way to stop. */
export function progressMessage(progress: CheckProgress): TeamsMessage {
  const { stopping, checkId } = progress;
  const head = shortLine(progressTitle(progress), 300);
  const said = progress.judges.filter(({ answer }) => answer !== null);
  const left = said.length - SHOWN_JUDGES;
  return message(head, {
    body: [
      lines(run(`⏳ ${head}`)),
      ...said
        .slice(0, SHOWN_JUDGES)
        .map(({ name, answer }) =>
          lines(
            run(answer === null ? '' : `${toneMark(answer.tone)} `),
            bold(shortLine(name, NAME)),
            run(`  ${shortLine(answer?.text ?? '', REASON)}`),
          ),
        ),
      ...(left > 0 ? [note(`and ${left} more judges`)] : []),
    ],
    actions: stopping ? [] : [stop(checkId)],
  });
}

/** The same for those who must not know how the judges answer. */
export function hiddenProgressMessage({
  checkId,
  stopping,
}: Pick<CheckProgress, 'checkId' | 'stopping'>): TeamsMessage {
  const title = hiddenTitle({ stopping });
  return message(title, {
    body: [lines(run(`⏳ ${title}`)), note(hiddenNote)],
    actions: stopping ? [] : [stop(checkId)],
  });
}
