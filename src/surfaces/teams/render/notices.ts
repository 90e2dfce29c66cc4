import type { IRichTextBlock } from '@microsoft/teams.cards';
import { type CardTexts, opinionsOf } from '../../../judging/card.ts';
import { isScored } from '../../../judging/judgement.ts';
import type { VerdictRecord } from '../../../labels/verdict-record.ts';
import type { Answer } from '../../../requests/presenter.ts';
import {
  answerParts,
  budgetText,
  editedNotice,
  explainPaste,
  type NamedLines,
  type UnclearPaste,
  unreadable,
  unshowableNotice,
  welcome,
} from '../../notices.ts';
import {
  type CheckProgress,
  hiddenNote,
  hiddenTitle,
  progressStatus,
  progressTitle,
} from '../../progress.ts';
import { shortened, shortLine } from '../../safe-text.ts';
import type { Line } from '../../surface.ts';
import { toneMark } from '../../wording.ts';
import { actions } from '../ids.ts';
import type { TeamsMessage } from '../messages.ts';
import {
  bold,
  button,
  type Element,
  escaped,
  heading,
  lines,
  message,
  note,
  opensDialog,
  plainName,
  run,
} from './elements.ts';

/** Most judges shown one by one while they answer. */
const SHOWN_JUDGES = 30;
const NAME = 80;
const REASON = 200;

/** Something that is under way: a card with a way to stop it, or a status in a stream. */
const underWay = (
  { checkId, stopping }: Pick<CheckProgress, 'checkId' | 'stopping'>,
  head: string,
  below: Element[],
  status: string,
): TeamsMessage => ({
  ...message(head, {
    body: [lines(run(`⏳ ${head}`)), ...below],
    actions: stopping ? [] : [button('Stop', { do: actions.stop, id: checkId })],
  }),
  status: plainName(status, 300),
});

/**
 * The first thing that is shown, before anything was read. It names the request and has no buttons: should the process end between
 * Teams taking it and its id being kept, another one takes its place.
 */
export const receivedMessage = (words: string): TeamsMessage => ({
  ...message('Reading the case…', {
    body: [lines(run('⏳ Reading the case…')), ...(words === '' ? [] : [note(shortLine(words, 160))])],
  }),
  status: `Reading the case… ${plainName(words, 160)}`.trim(),
});

/** How far a verdict is: who has answered what so far with what reason, and a way to stop. */
export function progressMessage(progress: CheckProgress): TeamsMessage {
  const said = progress.judges.flatMap(({ name, answer }) => (answer === null ? [] : [{ name, answer }]));
  const left = said.length - SHOWN_JUDGES;
  const shown = said
    .slice(0, SHOWN_JUDGES)
    .map(({ name, answer: { tone, text } }) =>
      lines(run(`${toneMark(tone)} `), bold(shortLine(name, NAME)), run(`  ${shortLine(text, REASON)}`)),
    );
  const below = [...shown, ...(left > 0 ? [note(`and ${left} more judges`)] : [])];
  return underWay(progress, shortLine(progressTitle(progress), 300), below, progressStatus(progress));
}

/** The same for those who must not know how the judges answer. */
export const hiddenProgressMessage = (about: Pick<CheckProgress, 'checkId' | 'stopping'>): TeamsMessage =>
  underWay(about, hiddenTitle(about), [note(hiddenNote)], hiddenTitle(about));

/** Something went wrong; `what` says what to do about it. */
export const errorMessage = (what: string): TeamsMessage =>
  message(what, { body: [lines(run(`⚠️ ${shortened(what, 2_000)}`))] });

/** {@link unshowableNotice}, in private. */
export function unshowableMessage(...about: Parameters<typeof unshowableNotice>): TeamsMessage {
  const { text, opens } = unshowableNotice(...about);
  return message(text, {
    body: [lines(run(`⚠️ ${text}`))],
    actions: opens === null ? [] : [opensDialog(opens.label, { do: actions.details, id: opens.verdictId })],
  });
}

/** The daily budget is spent. */
export const budgetMessage = ({ limitUsd }: { limitUsd: number }): TeamsMessage =>
  message(budgetText(limitUsd), { body: [lines(run(`💸 ${budgetText(limitUsd)}`))] });

const bullet = (...[first, ...rest]: Parameters<typeof lines>): IRichTextBlock =>
  lines(run('• '), ...(first === undefined ? [] : [first]), ...rest);

const example = (paste: string): Element => ({
  type: 'Container',
  style: 'emphasis',
  items: [lines(run(paste, { fontType: 'Monospace' }))],
});

/** What Teams takes of citations. */
const most = { citations: 10, name: 60, words: 160 } as const;

/** What the judges said last, each under a number: of the one that was asked, else of all. */
function judgesWords({ verdict }: VerdictRecord, by: string | null, texts: CardTexts) {
  const last = verdict.judgements.at(-1)?.round;
  const said = verdict.judgements.filter((judgement) => isScored(judgement) && judgement.round === last);
  return opinionsOf(said, verdict, texts)
    .filter(({ judge, text }) => text !== null && (by === null || judge.startsWith(by)))
    .slice(0, most.citations)
    .map(({ judge, stance, text }) => ({
      name: plainName(`${judge}: ${stance}`, most.name),
      abstract: shortLine(text ?? '', most.words),
    }));
}

/** An answer to a question about a verdict: no verdict itself. That of a model cites what the judges said. */
export function answerMessage(answer: Answer, texts: CardTexts): TeamsMessage {
  const { headline, text, quotes, lines: list, note: remark, opens } = answerParts(answer, texts);
  const shown = message(headline === null ? text : `${headline}: ${text}`, {
    body: [
      lines(run(`💬 ${text}`)),
      ...list.map((line) => bullet(run(line))),
      ...(remark === null ? [] : [note(remark)]),
    ],
    actions: opens === null ? [] : [opensDialog(opens.label, { do: actions.details, id: opens.verdictId })],
  });
  if (answer.kind !== 'answer' || headline === null) return shown;
  const citations = judgesWords(answer.record, answer.by, texts);
  const numbers = citations.map((_, index) => ` [${index + 1}]`).join('');
  const paragraphs = [
    `💬 **${escaped(headline)}**`,
    `${escaped(text)}${numbers}`,
    ...quotes.map((quote) => `> ${escaped(quote)}`),
    ...(remark === null ? [] : [escaped(remark)]),
  ];
  return { ...shown, cited: { text: paragraphs.join('\n\n'), citations }, isByAi: true };
}

/** The request that was answered says something else by now. */
export function editedMessage(check: string, wasJudged: boolean): TeamsMessage {
  const { text, label } = editedNotice(wasJudged);
  return message(text, {
    body: [lines(run(`✏️ ${text}`))],
    actions: [button(label, { do: actions.judgeEdited, id: check })],
  });
}

/** There is a text, and no conversation in it. */
export const unreadableMessage = (): TeamsMessage =>
  message(unreadable.text, {
    body: [lines(run(`🤔 ${unreadable.text}`)), example(unreadable.paste)],
    actions: [opensDialog('Open the form', { do: actions.ask })],
  });

/** What the app does and how to use it, for a first contact or a message without a paste. */
export function welcomeMessage(): TeamsMessage {
  const { greeting, text, paste, votes } = welcome;
  return message(text, {
    body: [
      lines(bold(`${greeting} `), run(text)),
      heading('Try this'),
      example(paste),
      heading('Ways to ask'),
      bullet(run('Mention me with a paste, in a channel, a reply or a group chat.')),
      bullet(run('Choose “Ask the jury” in the menu of a message.')),
      bullet(run('Write “ask” to fill in a form.')),
      bullet(run('Write to me in our own chat. Files (.txt, .json, .jsonl) work, too.')),
      heading('Votes'),
      lines(
        run('Write “queue” to see the verdicts that need your vote most. '),
        run(votes, { italic: true }),
      ),
    ],
    actions: [opensDialog('Open the form', { do: actions.ask })],
  });
}

const named = ({ lines: all, more }: NamedLines, between: string): Element[] => [
  ...all.map(({ name, text }) => bullet(bold(name), run(`${between}${text}`))),
  ...(more === 0 ? [] : [note(`and ${more} more`)]),
];

/**
 * A paste that cannot be judged as it is: what was understood, what is missing, and how to give it.
 *
 * @param draftId a draft of what was understood, kept in the store; null where nothing could be kept
 */
export function problemMessage(input: UnclearPaste & { draftId: string | null }): TeamsMessage {
  const { problem, missing, understood } = explainPaste(input);
  const { draftId } = input;
  const titled = (title: string, items: Element[]): Element[] =>
    items.length === 0 ? [] : [heading(title), ...items];
  return message(`This could not be judged: ${input.problem}`, {
    body: [
      lines(run('🤔 '), bold('I cannot judge this yet. '), run(problem)),
      ...titled('Missing', named(missing, ', for example: ')),
      ...titled('Understood so far', named(understood, ': ')),
    ],
    actions: draftId === null ? [] : [opensDialog('Fill in the rest', { do: actions.ask, id: draftId })],
  });
}

/** What a person is called; null where it is not known. */
type NameOf = (user: string) => string | null;

/** A line in which people are named, as far as they are known. */
export const lineText = (nameOf: NameOf, line: Line): string =>
  line.map((part) => (typeof part === 'string' ? part : (nameOf(part.person) ?? 'someone'))).join('');

export function linesMessage(nameOf: NameOf, all: readonly Line[]): TeamsMessage {
  // The same commands, without the slash that Teams has none of.
  const texts = all.map((line) => lineText(nameOf, line).replaceAll(/\/jury (digest|alert)/g, '$1'));
  return message(texts.join(' · '), { body: texts.map((text) => lines(run(text))) });
}
