import type { IAdaptiveCard, ITextRun } from '@microsoft/teams.cards';
import type { AnswerNames } from '../../../case/index.ts';
import {
  blindLines,
  ranked,
  type SummaryLine,
  someCanTryAgain,
  summaryShown,
  summaryText,
  TRY_AGAIN,
} from '../../chat/index.ts';
import {
  agreementText,
  type Home,
  type ListedVerdict,
  lookedAtText,
  ownText,
  QUEUE_SHOWN,
  type Queue,
  queueText,
} from '../../views/index.ts';
import { inBrowser, shortLine, toneMark } from '../../wording/index.ts';
import { actions } from '../ids.ts';
import type { TeamsMessage } from '../messages.ts';
import { blindButtons, preferButtons } from './details.ts';
import {
  type Button,
  bold,
  button,
  buttonRow,
  buttonRows,
  CARD_BYTES,
  dialogCard,
  type Element,
  fitting,
  heading,
  lines,
  message,
  note,
  opensDialog,
  opensPage,
  run,
  submits,
} from './elements.ts';
import { noticeElements } from './notices.ts';

/** As many as fit on a card. */
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
  const summary =
    line.kind === 'blind'
      ? lines(run('🗳️ '), title, run(' – judged, answer first'))
      : lines(run(`${toneMark(line.decision)} `), title, run(` – ${shortLine(line.reason, REASON)}`));
  return [row(summary, opens('Open', { do: actions.details, id: line.id }))];
}

/** The message for a request with several cases: a row for each case that does not pass, and a button that lists the rest. */
export function summaryMessage(checkId: string, all: readonly SummaryLine[]): TeamsMessage {
  const text = summaryText(all);
  const { shown, passes, rest } = summaryShown(all, MOST_ROWS);
  const showing = opensDialog('Show', { do: actions.cases, id: checkId, page: all.length });
  const isOpen = all.some(({ kind }) => kind === 'pending');
  const counts = (others: number): Element[] => [
    ...(others > 0 ? [row(lines(run(`${others} more that do not pass`)), showing)] : []),
    ...(passes > 0 ? [row(lines(run(`✅ ${passes}${shown.length > 0 ? ' more' : ''}`)), showing)] : []),
  ];
  return message(text, {
    body: [heading(text), ...shown.flatMap((line) => lineRow(line, opensDialog))],
    foot: (left) => counts(rest + left.length),
    actions: isOpen
      ? [button('Stop', { do: actions.stop, id: checkId })]
      : someCanTryAgain(all)
        ? [button(TRY_AGAIN, { do: actions.tryAgain, id: checkId })]
        : [],
  });
}

/** All judged cases of a check, failures first, with a count of those that do not fit. */
export function casesCard(all: readonly SummaryLine[]): IAdaptiveCard {
  if (all.length === 0) return dialogCard([note('These verdicts are no longer kept.')]);
  const rows = ranked(all).flatMap((line) => lineRow(line, submits));
  const { shown, left } = fitting(rows, CARD_BYTES - 500);
  return dialogCard([...shown, ...(left.length === 0 ? [] : [note(`${left.length} more do not fit here.`)])]);
}

const QUEUE_TITLE = 80;
const WHY = 150;
const RESPONSE = 100;
/** How many recent verdicts are shown. */
const RECENT = 5;

const titled = (title: string): ITextRun => bold(shortLine(title, QUEUE_TITLE) || '–');
const apart = (...items: Element[]): Element => ({ type: 'Container', separator: true, items });

function voteButtons(id: string, names: AnswerNames | null, queue: number): Button[] {
  const about = { id, queue };
  return [
    ...(names === null
      ? [
          button('👍', { ...about, do: actions.agree }, 'I agree with the panel'),
          opensDialog('👎', { id, do: actions.disagree }, 'I disagree with the panel'),
        ]
      : preferButtons(about, names)),
    button('🤷', { ...about, do: actions.unsure }, 'I am not sure'),
  ];
}

function queued(item: ListedVerdict, asked: number): Element {
  if (item.kind === 'hidden') {
    const { record, standard } = item;
    const opens = opensDialog('Whole case', { do: actions.details, id: record.id, queue: asked });
    return apart(
      ...blindLines(record, standard).flatMap(noticeElements),
      ...buttonRows(...blindButtons({ id: record.id, queue: asked }, record, standard), opens),
    );
  }
  const { id, title, decision, why, reason, names } = item;
  return apart(
    lines(run(`${toneMark(decision)} `), titled(title), run(`: ${shortLine(why, WHY)}`)),
    note(`Needs your vote: ${shortLine(reason ?? '', WHY)}`),
    buttonRow(...voteButtons(id, names, asked), opensDialog('Details', { do: actions.details, id })),
  );
}

function recentRow(listed: ListedVerdict): Element {
  const { id, title, response } = listed;
  const about = listed.kind === 'hidden' ? 'answer first' : `${shortLine(listed.why, WHY)} · ${listed.votes}`;
  const mark = listed.kind === 'hidden' ? '🗳️' : toneMark(listed.decision);
  return row(
    lines(run(`${mark} `), titled(title), run(` → ${shortLine(response, RESPONSE)}\n${about}`)),
    opensDialog(listed.kind === 'hidden' ? 'Answer' : 'Open', { do: actions.details, id }),
  );
}

/** Shown below the queue in a person's own chat. */
export type Lately = Pick<Home, 'recent' | 'agreement' | 'own'>;

function latelyElements({ recent, agreement, own }: Lately): Element[] {
  const ownVotesText = ownText(own);
  return [
    ...(ownVotesText === null ? [] : [note(ownVotesText)]),
    ...(recent.length === 0 ? [] : [heading('Recent verdicts'), ...recent.slice(0, RECENT).map(recentRow)]),
    heading('Agreement so far'),
    note(agreementText(agreement)),
  ];
}

/**
 * The verdicts that need a person's vote.
 *
 * @param lately null if others can read the message
 * @param said the result of a vote just given here, shown first
 */
export function queueMessage(
  { items, waiting, asked, lookedAt, page = null }: Queue,
  lately: Lately | null,
  said: readonly Element[] = [],
): TeamsMessage {
  const text = queueText(waiting);
  const others = waiting - items.length;
  const most = Math.min(QUEUE_SHOWN.most, waiting);
  const after = (count: number): Element => {
    const text = note(`${count} more, after these.`);
    const showsMore = others > 0 && asked < most;
    return showsMore ? row(text, button('More', { do: actions.queue, queue: most })) : text;
  };
  return message(text, {
    body: [...said, heading(text), ...items.map((item) => queued(item, asked))],
    foot: (left) => [
      ...(others + left.length > 0 ? [after(others + left.length)] : []),
      note(lookedAtText(lookedAt)),
      ...(lately === null ? [] : latelyElements(lately)),
    ],
    actions: opensPage(inBrowser.queue, page),
  });
}
