import type { Study } from '../../../studies/study.ts';
import { oneLine, shortened } from '../../safe-text.ts';
import { actions } from '../ids.ts';
import { bold, button, buttonRow, message, paragraph, type SlackMessage, words } from './blocks.ts';

type Named = Pick<Study, 'id' | 'at' | 'name' | 'closed'>;

/** Names a study for good: ids come back when a study is removed. */
export const studyValue = ({ id, at }: Pick<Study, 'id' | 'at'>): string => `${id} ${at}`;

/** Reads {@link studyValue}, maybe with a whole number behind it; null where it is none of ours. */
export function readStudyValue(text: string): { id: string; at: number; place: number; page: number } | null {
  const [, id, at, place, page] =
    /^(\S{1,40}) (\d{1,16}(?:\.\d{1,9})?)(?: (\d{1,6}))?(?: (\d{1,6}))?$/.exec(text) ?? [];
  return id === undefined ? null : { id, at: Number(at), place: Number(place ?? 0), page: Number(page ?? 0) };
}

const casesText = (total: number): string => `${total} case${total === 1 ? '' : 's'}`;

function standText({ closed }: Named, { done, total }: { done: number; total: number }): string {
  if (closed) return `The study is closed; ${done} of ${total} are done. Thank you.`;
  if (done >= total) return `All ${casesText(total)} are done. Thank you!`;
  return done === 0
    ? `You are asked about ${casesText(total)}, by yourself: nobody sees what you say under your name. Stop whenever you like; what you sent is kept.`
    : `${done} of ${total} are done.`;
}

/** The message from which somebody annotates, in private. */
export function studyMessage(study: Named, progress: { done: number; total: number }): SlackMessage {
  const { done, total } = progress;
  const name = shortened(oneLine(study.name), 200);
  const stand = standText(study, progress);
  const label =
    done === 0 ? 'Start' : done >= total ? 'Look at my answers' : `Go on: case ${done + 1} of ${total}`;
  return message(`Study “${name}”: ${stand}`, [
    paragraph(bold(`Study “${name}”`), words(`\n${stand}`)),
    ...(study.closed
      ? []
      : [
          buttonRow(
            button({ text: label, action: actions.studyNext, value: studyValue(study), style: 'primary' }),
          ),
        ]),
  ]);
}
