import type { IAdaptiveCard, ITextRun } from '@microsoft/teams.cards';
import type { AnswerNames } from '../../../case/pair.ts';
import { lookedAtText, type Queue, type QueueItem, queueText } from '../../lists.ts';
import { shortLine } from '../../safe-text.ts';
import { ranked, type SummaryLine, summaryShown, summaryText } from '../../summary.ts';
import { blindQuestion, inBrowser, toneMark } from '../../wording.ts';
import { actions } from '../ids.ts';
import type { TeamsMessage } from '../messages.ts';
import { blindButtons, exchange, preferButtons } from './blind.ts';
import {
  type Button,
  bold,
  button,
  buttonRow,
  dialogCard,
  type Element,
  fitted,
  heading,
  lines,
  message,
  note,
  opensDialog,
  opensPage,
  run,
  submits,
} from './elements.ts';

/** Within what a card takes. */
const MOST_ROWS = 25;
const TITLE = 90;
const REASON = 120;

/** A row with a button at its end. */
const row = (line: Element, action: Button): Element => ({
  type: 'ColumnSet',
  columns: [
    { type: 'Column', width: 'stretch', verticalContentAlignment: 'Center', items: [line] },
    { type: 'Column', width: 'auto', items: [buttonRow(action)] },
  ],
});

function lineRow(line: SummaryLine, opens: typeof opensDialog): Element[] {
  if (line.kind === 'pending') return [];
  const title = bold(shortLine(line.title, TITLE));
  if (line.kind === 'problem')
    return [lines(run('⚠️ '), title, run(` – not judged: ${shortLine(line.problem, REASON)}`))];
  const said =
    line.kind === 'blind'
      ? lines(run('🗳️ '), title, run(' – judged, answer first'))
      : lines(run(`${toneMark(line.decision)} `), title, run(` – ${shortLine(line.reason, REASON)}`));
  return [row(said, opens('Open', { do: actions.details, id: line.id }))];
}

/** Several cases of one request in one message: a row each but for those that pass, which one button lists. */
export function summaryMessage(checkId: string, all: readonly SummaryLine[]): TeamsMessage {
  const text = summaryText(all);
  const { shown, passes, rest } = summaryShown(all, MOST_ROWS);
  const showing = opensDialog('Show', { do: actions.cases, id: checkId, page: all.length });
  const isOpen = all.some(({ kind }) => kind === 'pending');
  return message(text, {
    body: [
      heading(text),
      ...shown.flatMap((line) => lineRow(line, opensDialog)),
      ...(rest > 0 ? [row(lines(run(`${rest} more that do not pass`)), showing)] : []),
      ...(passes > 0 ? [row(lines(run(`✅ ${passes}${shown.length > 0 ? ' more' : ''}`)), showing)] : []),
    ],
    actions: isOpen ? [button('Stop', { do: actions.stop, id: checkId })] : [],
  });
}

/** All judged cases of a check, the failing first; what does not fit is counted. */
export const casesCard = (all: readonly SummaryLine[]): IAdaptiveCard =>
  dialogCard(
    all.length === 0
      ? [note('These verdicts are no longer kept.')]
      : fitted(
          ranked(all).flatMap((line) => lineRow(line, submits)),
          [],
          (left) => `${left} more do not fit here.`,
        ),
  );

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
  const apart = (...items: Element[]): Element => ({ type: 'Container', separator: true, items });
  if (item.kind === 'hidden') {
    const { record, standard } = item;
    const opens = opensDialog('Whole case', { do: actions.details, id: record.id });
    return apart(
      ...exchange(record.evalCase),
      lines(run(blindQuestion(record.verdict, standard))),
      buttonRow(...blindButtons(record, standard), opens),
    );
  }
  const { id, title, decision, why, reason, names } = item;
  return apart(
    lines(run(`${toneMark(decision)} `), titled(title), run(`: ${shortLine(why, WHY)}`)),
    note(`Needs your vote: ${shortLine(reason, WHY)}`),
    buttonRow(...voteButtons(id, names), opensDialog('Details', { do: actions.details, id })),
  );
}

/** What needs someone's vote, for them alone. */
export function queueMessage(
  { items, waiting, lookedAt, page = null }: Queue,
  own: string | null,
): TeamsMessage {
  const text = queueText(waiting);
  const more = waiting - items.length;
  return message(text, {
    body: [
      heading(text),
      ...items.map(queued),
      ...(more > 0 ? [note(`${more} more: write “queue ${Math.min(20, waiting)}”.`)] : []),
      note(lookedAtText(lookedAt)),
      ...(own === null ? [] : [note(own)]),
    ],
    actions: opensPage(inBrowser.queue, page),
  });
}
