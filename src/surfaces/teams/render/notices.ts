import type { ITextRun } from '@microsoft/teams.cards';
import { type CardTexts, opinionsOf } from '../../../judging/card/index.ts';
import { isScored } from '../../../judging/verdict/index.ts';
import type { VerdictRecord } from '../../../labels/record/index.ts';
import { type Language, wordsIn } from '../../../words/index.ts';
import {
  answerParts,
  type ChatMessage,
  errorNotice,
  hiddenTitle,
  type Looks,
  type MessageButton,
  type MessagePart,
  noticeLooks,
  progressStatus,
  type Run,
  welcomeNotice,
} from '../../chat/index.ts';
import type { Line } from '../../index.ts';
import { shortLine } from '../../wording/index.ts';
import { actions } from '../ids.ts';
import type { TeamsMessage } from '../messages.ts';
import {
  type Button,
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

const textRuns = (runs: readonly Run[]): ITextRun[] =>
  runs.map((one) => {
    if (typeof one === 'string') return run(one);
    if ('link' in one) return run(one.link, { selectAction: { type: 'Action.OpenUrl', url: one.url } });
    return 'bold' in one ? bold(one.bold) : run(one.italic, { italic: true });
  });

/** The elements of a part of a message that all chats share. */
export function noticeElements(part: MessagePart): Element[] {
  switch (part.kind) {
    case 'line':
      return [lines(...textRuns(part.runs))];
    case 'title':
      return [heading(part.text)];
    case 'example':
    case 'quote': {
      const look = part.kind === 'example' ? { fontType: 'Monospace' as const } : { italic: true };
      return [{ type: 'Container', style: 'emphasis', items: [lines(run(part.text, look))] }];
    }
    case 'note':
      return [note(part.text)];
    case 'list':
    case 'rows': {
      const { kind, items, more } = part;
      const bullet = kind === 'list' ? [run('• ')] : [];
      const shown = items.map((item) => lines(...bullet, ...textRuns(item)));
      return [...shown, ...(more === null ? [] : [note(more)])];
    }
  }
}

export function noticeButton({ label, does, id }: MessageButton): Button {
  switch (does) {
    case 'form':
      return opensDialog(label, { do: actions.ask, id });
    case 'details':
    case 'study':
    case 'review-case':
      return opensDialog(label, { do: does, id });
    case 'example':
    case 'judge-edited':
    case 'judge-these':
    case 'stop':
    case 'try-again':
    case 'unsure-remark':
    case 'unsure-answer':
    case 'trust-reading':
    case 'review-start':
    case 'review-right':
    case 'review-wrong':
    case 'review-unsure':
    case 'review-skip':
    case 'review-never':
      return button(label, { do: does, id });
  }
}

/** The Teams message for a message that all chats share. */
export const noticeMessage = ({ text, parts, buttons }: ChatMessage): TeamsMessage =>
  message(text, {
    body: parts.flatMap(noticeElements),
    actions: buttons.map(noticeButton),
  });

/** Reports an error; `what` says what to do about it. */
export const errorMessage = (what: string): TeamsMessage => noticeMessage(errorNotice(what));

/**
 * The first message for a request, before anything is read. It repeats the request and has no buttons: if the process ends before
 * the message's id is stored, another message replaces it.
 */
export const receivedMessage = (words: string, language: Language): TeamsMessage => ({
  ...message(wordsIn(language).chat.reading, {
    body: [
      lines(run(`⚖️ ${wordsIn(language).chat.reading}`)),
      ...(words === '' ? [] : [note(shortLine(words, 160))]),
    ],
  }),
  status: `${wordsIn(language).chat.reading} ${plainName(words, 160)}`.trim(),
});

/** Teams' limits for citations. */
const most = { citations: 10, name: 60, words: 160 } as const;

/** The judges' latest statements, for numbered citations: only those of the judge who was asked, or all of them. */
function judgesWords({ verdict }: VerdictRecord, by: string | null, texts: CardTexts) {
  const last = verdict.judgements.at(-1)?.round;
  const lastRound = verdict.judgements.filter((judgement) => isScored(judgement) && judgement.round === last);
  return opinionsOf(lastRound, verdict, texts)
    .filter(({ judge, text }) => text !== null && (by === null || judge.startsWith(by)))
    .slice(0, most.citations)
    .map(({ judge, stance, text }) => ({
      name: plainName(`${judge}: ${stance}`, most.name),
      abstract: shortLine(text ?? '', most.words),
    }));
}

/** What the app does and how to use it, for a first contact or a message without a paste. */
export function welcomeMessage(language: Language): TeamsMessage {
  const { welcome } = wordsIn(language).chat;
  return noticeMessage(welcomeNotice(welcome.byWriting, welcome.queueByWriting, language));
}

/** Teams' limit for a status. */
const STATUS = 1_000;

/** The looks other than verdicts. Streams show a status; a model's answer cites the judges. */
export function looksIn(language: Language): Omit<Looks<TeamsMessage>, 'card' | 'blind' | 'summary'> {
  const alike = noticeLooks(noticeMessage, language);
  return {
    ...alike,
    welcome: () => welcomeMessage(language),
    progress: (progress) => ({
      ...alike.progress(progress),
      status: plainName(progressStatus(progress, language), STATUS),
    }),
    hiddenProgress: (about) => ({ ...alike.hiddenProgress(about), status: hiddenTitle(about, language) }),
    answer: (answer, texts, again) => {
      const shown = alike.answer(answer, texts, again);
      const { headline, text, quotes, note: remark } = answerParts(answer, texts);
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
    },
  };
}

/** A person's name; null if unknown. */
type NameOf = (user: string) => string | null;

/** A line with people's names; "someone" for unknown ones. */
export const lineText = (nameOf: NameOf, line: Line): string =>
  line.map((part) => (typeof part === 'string' ? part : (nameOf(part.person) ?? 'someone'))).join('');

export function linesMessage(nameOf: NameOf, all: readonly Line[]): TeamsMessage {
  // Teams has no slash commands, so drop the slash.
  const texts = all.map((line) => lineText(nameOf, line).replaceAll(/\/jury (digest|alert)/g, '$1'));
  return message(texts.join(' · '), { body: texts.map((text) => lines(run(text))) });
}
