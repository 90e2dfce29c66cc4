import type { ITextRun } from '@microsoft/teams.cards';
import type { AnswerNames } from '../../../case/pair.ts';
import { lookedAtText, type Queue, type QueueItem, queueText } from '../../lists.ts';
import { shortLine } from '../../safe-text.ts';
import { blindQuestion, toneMark } from '../../wording.ts';
import { actions } from '../ids.ts';
import type { TeamsMessage } from '../messages.ts';
import { blindButtons, exchange, preferButtons } from './blind.ts';
import {
  type Button,
  bold,
  button,
  type Element,
  heading,
  lines,
  message,
  note,
  opensDialog,
  run,
} from './elements.ts';

const QUEUE_TITLE = 80;
const WHY = 150;

const titled = (title: string): ITextRun => bold(shortLine(title, QUEUE_TITLE) || '–');

const voteButtons = (id: string, names: AnswerNames | null): Button[] => [
  ...(names === null
    ? [
        button('👍', { do: actions.agree, id }, 'I agree with the panel'),
        button('👎', { do: actions.disagree, id }, 'I disagree with the panel'),
      ]
    : preferButtons(id, names)),
  button('🤷', { do: actions.unsure, id }, 'I am not sure'),
];

function queued(item: QueueItem): Element {
  if (item.kind === 'hidden') {
    const { record, standard } = item;
    const { id, verdict, evalCase } = record;
    return {
      type: 'Container',
      separator: true,
      items: [
        ...exchange(evalCase),
        lines(run(blindQuestion(verdict, standard))),
        {
          type: 'ActionSet',
          actions: [
            ...blindButtons(record, standard),
            opensDialog('Whole case', { do: actions.details, id }),
          ],
        },
      ],
    };
  }
  const { id, title, decision, why, reason, names } = item;
  return {
    type: 'Container',
    separator: true,
    items: [
      lines(run(`${toneMark(decision)} `), titled(title), run(`: ${shortLine(why, WHY)}`)),
      note(`Needs your vote: ${shortLine(reason, WHY)}`),
      {
        type: 'ActionSet',
        actions: [...voteButtons(id, names), opensDialog('Details', { do: actions.details, id })],
      },
    ],
  };
}

/** What needs someone's vote, for them alone. */
export function queueMessage({ items, waiting, lookedAt }: Queue): TeamsMessage {
  const text = queueText(waiting);
  const more = waiting - items.length;
  return message(text, {
    body: [
      heading(text),
      ...items.map(queued),
      ...(more > 0 ? [note(`${more} more: write “queue ${Math.min(20, waiting)}”.`)] : []),
      note(lookedAtText(lookedAt)),
    ],
  });
}
