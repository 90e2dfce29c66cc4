import { safeText } from '../common/text.ts';
import type { CardPart, CardTexts, CriterionRow } from '../judging/card.ts';
import { isOpenToAll } from '../labels/permissions.ts';
import type { VerdictRecord } from '../labels/verdict-record.ts';
import type { Answer } from '../requests/presenter.ts';
import {
  answerParts,
  budgetText,
  explainPaste,
  type NamedLines,
  type UnclearPaste,
  unreadable,
  welcome,
} from './notices.ts';
import { type CheckProgress, hiddenNote, hiddenTitle, progressTitle } from './progress.ts';
import { shortened, shortLine } from './safe-text.ts';
import { toneMark } from './wording.ts';

/** A stretch of a line: as it is, or one that stands out. */
export type Run = string | { bold: string } | { italic: string };

/** What a message shows, from top to bottom; any text may come from outside. */
export type MessagePart =
  | { kind: 'line'; runs: readonly Run[] }
  | { kind: 'title' | 'example' | 'quote' | 'note'; text: string }
  /** `more` says how many more there are. */
  | { kind: 'list'; items: readonly (readonly Run[])[]; more: string | null };

/**
 * What a button does: opens the form about a draft, a verdict's details, or the next case of a study; judges a request as it reads now, or
 * stops it.
 */
export interface MessageButton {
  label: string;
  does: 'form' | 'details' | 'study' | 'judge-edited' | 'stop';
  /** Of what it is about; empty for a form about nothing yet. */
  id: string;
}

/** A message that every chat shows alike. */
export interface ChatMessage {
  /** In a sentence, for notifications and screen readers. */
  text: string;
  parts: readonly MessagePart[];
  button: MessageButton | null;
}

const line = (...runs: Run[]): MessagePart => ({ kind: 'line', runs });
const note = (text: string): MessagePart => ({ kind: 'note', text });
const counted = (more: number, what = ''): string | null => (more > 0 ? `and ${more} more${what}` : null);

/** A line of text, marked with a sign. */
const signed = (sign: string, text: string, button: MessageButton | null = null): ChatMessage => ({
  text,
  parts: [line(`${sign} ${shortened(safeText(text), 2_000)}`)],
  button,
});

/** Something went wrong; `what` says what to do about it. */
export const errorNotice = (what: string): ChatMessage => signed('⚠️', what);

const opening = (label: string, verdict: string): MessageButton => ({ label, does: 'details', id: verdict });

/**
 * For the person who asked, in private, when nothing can be shown where they asked.
 *
 * @param wasShown whether part of it was shown there before
 * @param record the verdict, where there is one
 */
export function unshowableNotice(
  wasShown: boolean,
  record: Pick<VerdictRecord, 'id' | 'verdict' | 'blind'> | null,
): ChatMessage {
  const why = 'its message was deleted, or I no longer have access';
  if (record === null)
    return errorNotice(
      wasShown
        ? `I cannot show the answer: ${why}. Ask again, or paste the case here.`
        : 'I cannot post in that conversation. Invite me there and ask again, or paste the case here.',
    );
  return isOpenToAll(record)
    ? signed(
        '⚠️',
        `Your verdict is ${record.verdict.decision}, but I cannot show its card: ${why}.`,
        opening('Details', record.id),
      )
    : signed(
        '⚠️',
        `Your verdict is ready, but I cannot post it: ${why}. Answer first, and you will see it.`,
        opening('Open the case', record.id),
      );
}

/** For the person who edited a request that was answered; the button judges it as it reads now. */
export const editedNotice = (check: string, wasJudged: boolean): ChatMessage =>
  wasJudged
    ? signed('✏️', 'You changed this message after it was judged. The verdict is about what it said before.', {
        label: 'Judge again',
        does: 'judge-edited',
        id: check,
      })
    : signed('✏️', 'You changed this message after I read it.', {
        label: 'Read it again',
        does: 'judge-edited',
        id: check,
      });

const openForm: MessageButton = { label: 'Open the form', does: 'form', id: '' };

/** What the app does and how to use it. @param ways to ask @param queue how to see what needs a vote */
export const welcomeNotice = (ways: readonly string[], queue: string): ChatMessage => ({
  text: welcome.text,
  parts: [
    line({ bold: `${welcome.greeting} ` }, welcome.text),
    { kind: 'title', text: 'Try this' },
    { kind: 'example', text: welcome.paste },
    { kind: 'title', text: 'Ways to ask' },
    { kind: 'list', items: ways.map((way) => [way]), more: null },
    { kind: 'title', text: 'Votes' },
    line(`${queue} `, { italic: welcome.votes }),
  ],
  button: openForm,
});

function answerNotice(answer: Answer, texts: CardTexts): ChatMessage {
  const { headline, text, quotes, lines, note: remark, opens } = answerParts(answer, texts);
  return {
    text: headline === null ? text : `${headline}: ${text}`,
    parts: [
      // Marked as an answer, so that it is not taken for another verdict.
      headline === null ? line(`💬 ${text}`) : line('💬 ', { bold: `${headline}\n` }, text),
      ...quotes.map((quote) => ({ kind: 'quote' as const, text: quote })),
      ...(lines.length === 0
        ? []
        : [{ kind: 'list' as const, items: lines.map((one) => [one]), more: null }]),
      ...(remark === null ? [] : [note(remark)]),
    ],
    button: opens === null ? null : opening(opens.label, opens.verdictId),
  };
}

const titledList = (title: string, { lines, more }: NamedLines, between: string): MessagePart[] =>
  lines.length === 0
    ? []
    : [
        { kind: 'title', text: title },
        {
          kind: 'list',
          items: lines.map(({ name, text }) => [{ bold: name }, `${between}${text}`]),
          more: counted(more),
        },
      ];

/** A paste that cannot be judged as it is: what was understood, what is missing, and how to give it. */
function unclearNotice(about: UnclearPaste & { draftId: string | null }): ChatMessage {
  const { problem, missing, understood } = explainPaste(about);
  const { draftId } = about;
  return {
    text: `This could not be judged: ${about.problem}`,
    parts: [
      line('🤔 ', { bold: 'I cannot judge this yet. ' }, problem),
      ...titledList('Missing', missing, ', for example: '),
      ...titledList('Understood so far', understood, ': '),
    ],
    button: draftId === null ? null : { label: 'Fill in the rest', does: 'form', id: draftId },
  };
}

type UnderWay = Pick<CheckProgress, 'checkId' | 'stopping'>;

const underWay = ({ checkId, stopping }: UnderWay, title: string, below: MessagePart[]): ChatMessage => ({
  text: title,
  parts: [line(`⚖️ ${shortLine(title, 300)}`), ...below],
  button: stopping ? null : { label: 'Stop', does: 'stop', id: checkId },
});

/** Most judges shown one by one while they answer. */
const SHOWN_JUDGES = 30;

/** How far a verdict is: who has answered what so far with what reason, and a way to stop. */
function progressNotice(progress: CheckProgress): ChatMessage {
  const said = progress.judges.flatMap(({ name, answer }) => (answer === null ? [] : [{ name, answer }]));
  const items = said
    .slice(0, SHOWN_JUDGES)
    .map(({ name, answer: { tone, text } }) => [
      `${toneMark(tone)} `,
      { bold: shortLine(name, 80) },
      `  ${shortLine(text, 200)}`,
    ]);
  const more = counted(said.length - SHOWN_JUDGES, ' judges');
  return underWay(
    progress,
    progressTitle(progress),
    items.length === 0 ? [] : [{ kind: 'list', items, more }],
  );
}

/** The first thing that is shown, before anything was read. */
export const receivedNotice = (check: string): ChatMessage =>
  underWay({ checkId: check, stopping: false }, 'Reading the case…', []);

/** How a chat shows what all chats show alike. @param show one of its messages */
export const noticeLooks = <M>(show: (message: ChatMessage) => M) => ({
  progress: (progress: CheckProgress) => show(progressNotice(progress)),
  hiddenProgress: (about: UnderWay) => show(underWay(about, hiddenTitle(about), [note(hiddenNote)])),
  unclear: (about: UnclearPaste & { draftId: string | null }) => show(unclearNotice(about)),
  answer: (answer: Answer, texts: CardTexts) => show(answerNotice(answer, texts)),
  error: (what: string) => show(errorNotice(what)),
  budget: ({ limitUsd }: { limitUsd: number }) => show(signed('💸', budgetText(limitUsd))),
  unreadable: () =>
    show({
      text: unreadable.text,
      parts: [line(`🤔 ${unreadable.text}`), { kind: 'example', text: unreadable.paste }],
      button: openForm,
    }),
});

/** Most entries of each part of a card; the others are counted and stand in the details. */
const most = { rows: 8, held: 20, sides: 4, notes: 3 } as const;
/** Most characters of each text. All together stay below what any chat takes for one message; tested. */
const room = {
  reason: 400,
  request: 160,
  title: 100,
  held: 800,
  row: 300,
  panel: 400,
  note: 300,
  fact: 80,
} as const;

/** Rows below each other, as many as there is room for. */
function rowLines(rows: readonly CriterionRow[], shown: number, what: string): MessagePart[] {
  const left = rows.length - shown;
  const lines = rows.slice(0, shown).map(({ tone, title, text }) =>
    line(
      // The mark of the whole verdict stands out more than that of a criterion.
      `${tone === 'fail' ? '✗' : toneMark(tone)} `,
      { bold: shortLine(title, room.title) },
      ...(text === '' ? [] : [`  ${shortLine(text, room.row)}`]),
    ),
  );
  return left > 0 ? [...lines, note(`${left} more ${what} in Details`)] : lines;
}

/** Names in one line, as many as there is room for. */
function namesLine(mark: string, names: readonly string[]): MessagePart {
  const shown = names.slice(0, most.held);
  const left = names.length - shown.length;
  return line(`${mark}${shortLine(shown.join(' · '), room.held)}${left > 0 ? ` and ${left} more` : ''}`);
}

/** A part of a card in lines. @param showsRequest whether what the user said is shown: it stands above in the paste's own thread */
export function cardLines(
  part: Exclude<CardPart, { kind: 'actions' }>,
  showsRequest: boolean,
): MessagePart[] {
  switch (part.kind) {
    case 'headline':
      return [
        line({ bold: `${toneMark(part.tone)} ${part.label}` }, ` – ${shortLine(part.reason, room.reason)}`),
      ];
    case 'request': {
      const name = part.id === null ? '' : `${shortLine(part.id, room.title)}  `;
      return showsRequest ? [note(`${name}“${shortLine(part.text, room.request)}”`)] : [];
    }
    case 'criteria':
      return rowLines(part.rows, most.rows, 'criteria');
    case 'held':
      return [
        namesLine(
          '✅ ',
          part.titles.map((title) => shortLine(title, room.title)),
        ),
      ];
    case 'scores':
      return [
        namesLine(
          '',
          part.scores.map(({ title, score }) => `${shortLine(title, room.title)} ${score}`),
        ),
      ];
    case 'sides': {
      const rows = part.opinions.map(({ tone, judge, text }) => ({ tone, title: judge, text }));
      return rowLines(rows, most.sides, 'answers');
    }
    case 'panel': {
      const dissent = part.dissent === null ? '' : ` · ${shortLine(part.dissent, room.panel)}`;
      return [line(`${shortLine(part.text, room.panel)}${dissent}`)];
    }
    case 'notes': {
      const left = part.lines.length - most.notes;
      const shown = part.lines.slice(0, most.notes).map((one) => note(shortLine(one, room.note)));
      return left > 0 ? [...shown, note(`${left} more in Details`)] : shown;
    }
    case 'trust':
      return [note(part.text)];
    case 'footer':
      return [note(part.facts.map((fact) => shortLine(fact, room.fact)).join(' · '))];
    // All of this stands in the details.
    case 'opinions':
    case 'usage':
      return [];
  }
}
