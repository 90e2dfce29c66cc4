import { command } from '../ids.ts';
import { context, header, italic, message, paragraph, type SlackMessage, words } from './blocks.ts';
import { type QueueItem, queueBlocks } from './verdict-lists.ts';

/** How many verdicts are listed where nobody says how many; and most of one message. */
export const QUEUE_SHOWN = { usual: 5, most: 20 } as const;

/** Buttons of a queue are known by their block, which says how many were asked for. */
const blockId = (shown: number, index: number): string => `queue ${shown} ${index}`;

/** How many verdicts the queue lists that a button stands in; null where it stands in none. */
export function queueOfBlock(id: string | null | undefined): number | null {
  const [, shown] = /^queue (\d{1,2}) \d{1,2}$/.exec(id ?? '') ?? [];
  return shown === undefined ? null : Number(shown);
}

interface QueueInput {
  /** Those that are shown, and how many there are in all. */
  items: readonly QueueItem[];
  waiting: number;
  asked: number;
  /** How many verdicts were looked at at most. */
  lookedAt: number;
}

/** What needs somebody's vote, for them alone. */
export function queueMessage({ items, waiting, asked, lookedAt }: QueueInput): SlackMessage {
  const left = waiting - items.length;
  const text =
    waiting === 0
      ? 'No verdict needs your vote.'
      : `${waiting} ${waiting === 1 ? 'verdict needs' : 'verdicts need'} your vote.`;
  const more =
    left === 0
      ? []
      : [
          paragraph(
            italic(
              asked < QUEUE_SHOWN.most
                ? `and ${left} more: ${command} queue ${Math.min(QUEUE_SHOWN.most, waiting)}`
                : `and ${left} more, after these`,
            ),
          ),
        ];
  return message(text, [
    header('Verdicts that need votes'),
    ...(waiting === 0 ? [paragraph(words(text))] : queueBlocks(items, (index) => blockId(asked, index))),
    ...more,
    context(
      `Of the newest ${lookedAt} verdicts in your conversations. Those that need your vote most come first.`,
    ),
  ]);
}
