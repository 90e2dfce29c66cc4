import { type CaseFormat, lineFor, shownFields } from '../../case/format/index.ts';
import { lastRequest } from '../../case/index.ts';
import type { Understood } from '../../case/paste/index.ts';
import { safeText, usd } from '../../common/text/index.ts';
import type { SpentLimit } from '../../judges/llm/index.ts';
import type { CardTexts } from '../../judging/card/index.ts';
import { type Readings, wholeOf } from '../../judging/index.ts';
import { answerOf, saidBy } from '../../judging/verdict/index.ts';
import { isOpenToAll } from '../../labels/access/index.ts';
import type { VerdictRecord } from '../../labels/record/index.ts';
import type { Answer } from '../../requests/index.ts';
import { describeField } from '../forms/index.ts';
import { firstPaste, outcomeText, shortened, shortLine, titleOf, wordsOf } from '../wording/index.ts';
import {
  type ChatMessage,
  line,
  type MessageButton,
  type MessagePart,
  note,
  type Run,
  theseValue,
} from './chat-message.ts';
import { type CheckProgress, hiddenProgressNotice, progressNotice } from './progress.ts';

export interface UnclearPaste {
  problem: string;
  /** Paths that are missing. */
  missing: readonly string[];
  understood: Understood;
  /** The contract for cases, with declared fields. */
  format: Pick<CaseFormat, 'groups'>;
}

/** Messages of a thread that may or may not belong together. */
export interface UnsureThread {
  draftId: string;
  why: string;
  /** The sets of messages that could be judged, the likeliest first. `as`: the speaker, if no label tells. */
  choices: readonly (readonly { as: 'user' | 'system' | null; text: string }[])[];
  leftOut: readonly string[];
}

/** Named texts, one line each, and the number of those left out. */
export interface NamedLines {
  lines: { name: string; text: string }[];
  more: number;
}

/** A case with two readings, and the text in which they differ. */
export interface UnsurePaste {
  text: string;
  readings: Readings;
}

const SHOWN = 12;
const NAME = 60;
const TEXT = 160;
const LONGEST_PROBLEM = 1_000;

const namedLines = (all: readonly (readonly [name: string, text: string])[]): NamedLines => ({
  lines: all
    .slice(0, SHOWN)
    .map(([name, text]) => ({ name: shortLine(name, NAME), text: shortLine(text, TEXT) })),
  more: Math.max(0, all.length - SHOWN),
});

/** Why a paste cannot be judged: the missing fields, each with a line that would set it, and what was understood. */
export function explainPaste({ problem, missing, understood, format }: UnclearPaste) {
  const { conversation = [], ...rest } = understood;
  const turns = conversation.map(({ role, text }) => [role === 'user' ? 'User' : 'System', text] as const);
  const fields = Object.entries(rest)
    .flatMap(([key, value]) => shownFields(key, value, (path) => lineFor(path, format)))
    .map(({ title, text }) => [title, text.replaceAll('\n', ', ')] as const);
  return {
    problem: shortLine(problem, LONGEST_PROBLEM),
    missing: namedLines(
      missing.map((path) => {
        const { label, example } = describeField(path, format);
        return [label, example] as const;
      }),
    ),
    understood: namedLines([...turns, ...fields]),
  };
}

/** Asks whether lines belong to what was said. */
export const unsureQuestion = ({ text, readings }: UnsurePaste): string =>
  `Does “${shortLine(text, TEXT)}” belong to ${wholeOf(readings)}?`;

/** Shown below the question. */
export const UNSURE_WHY = 'The outcome depends on it, so nothing was judged yet.';

/** What was read so far, and the lines in question. */
export const unsureLines = ({ text, readings }: UnsurePaste): NamedLines['lines'] => [
  { name: 'User', text: shortLine(lastRequest(readings.remark), TEXT) },
  { name: 'Answer', text: shortLine(readings.remark.response, 2 * TEXT) },
  { name: '?', text: shortLine(text, 2 * TEXT) },
];

/** The label of each choice. */
export const unsureChoices = (readings: Readings): Record<keyof Readings, string> => ({
  remark: 'Judge without it',
  answer: wholeOf(readings) === 'the answer' ? 'It belongs to the answer' : 'It was said',
});

/** The daily budget is used up. @param limitUsd the overall budget; null for a smaller limit, which only the requester is told */
export const budgetText = (limitUsd: number | null): string =>
  limitUsd === null
    ? 'A daily budget for model calls is used up, so no judge was asked. It resets at 00:00 UTC.'
    : `The daily budget of ${usd(limitUsd)} for model calls is used up, so no judge was asked. It resets at 00:00 UTC. To raise it, set JURY_DAILY_BUDGET_USD.`;

const WHOSE: Readonly<Record<SpentLimit['of'], string>> = {
  person: 'Your own daily limit',
  conversation: "This conversation's daily limit",
  token: "This token's daily limit",
};

/** Shown only to the requester, or returned to their program. */
export const spentText = (spent: readonly SpentLimit[]): string =>
  spent
    .map(
      ({ of, limitUsd, resetsAt }) =>
        `${WHOSE[of]} of ${usd(limitUsd)} for model calls is spent. It resets at ${new Date(resetsAt).toISOString().slice(0, 16).replace('T', ' ')} UTC.`,
    )
    .join(' ');

export const spentNotice = (spent: readonly SpentLimit[]): ChatMessage => signed('💸', spentText(spent));

/** An answer to a question about a verdict, or what is shown instead. */
export interface AnswerParts {
  headline: string | null;
  text: string;
  /** Words of the case on which the answer is based. */
  quotes: readonly string[];
  lines: readonly string[];
  note: string | null;
  opens: { label: string; verdictId: string } | null;
}

const LONGEST_REASON = 600;
const LONGEST_ANSWER = 1_000;
const NO_ANSWER: AnswerParts = { headline: null, text: '', quotes: [], lines: [], note: null, opens: null };
const openDetails = ({ id }: Pick<VerdictRecord, 'id'>) => ({ label: 'Details', verdictId: id });

/** The reason in the verdict, by the judge that was asked or else by the panel. */
function keptReason({ verdict }: VerdictRecord, by: string | null, texts: CardTexts): string {
  const citedJudgement = verdict.judgements.findLast(
    ({ judge }) => by !== null && judge.persona !== null && texts.personaTitle(judge.persona) === by,
  );
  if (citedJudgement?.status === 'scored')
    return `${shortLine(by ?? '', NAME)} said ${answerOf(citedJudgement)}: ${shortLine(saidBy(citedJudgement), LONGEST_REASON)}`;
  return outcomeText(verdict, LONGEST_REASON);
}

export function answerParts(answer: Answer, texts: CardTexts): AnswerParts {
  switch (answer.kind) {
    case 'answer':
      return {
        ...NO_ANSWER,
        headline: `${shortLine(answer.by ?? 'The panel', NAME)} answers`,
        text: shortened(safeText(answer.text), LONGEST_ANSWER),
        quotes: answer.words.map((words) => shortLine(words, TEXT)).filter((words) => words !== ''),
        note: `An answer, not a new verdict · ${answer.model}`,
        opens: openDetails(answer.record),
      };
    case 'details': {
      const { record, by, failed } = answer;
      const why =
        failed === null
          ? 'To answer questions I need a model, and none is connected.'
          : `I couldn't answer: ${shortLine(failed, TEXT).replace(/\.$/, '')}.`;
      return {
        ...NO_ANSWER,
        text: `${why} ${keptReason(record, by, texts)}`,
        opens: openDetails(record),
      };
    }
    case 'hidden':
      return {
        ...NO_ANSWER,
        text: "Here people vote before they see a verdict, so I can't answer in the thread. Vote first, then open the verdict.",
        opens: { label: 'Open the case', verdictId: answer.record.id },
      };
    case 'which': {
      const nameOf = (record: VerdictRecord) => (isOpenToAll(record) ? titleOf : wordsOf)(record.evalCase);
      const cases = answer.cases.map(({ number, record }) => `case ${number}: ${nameOf(record)}`);
      return {
        ...NO_ANSWER,
        text: `This thread has ${answer.cases.length} verdicts. Name the one that you mean, such as “case ${answer.cases[0]?.number ?? 1}”.`,
        lines: [
          ...cases.slice(0, SHOWN),
          ...(cases.length > SHOWN ? [`and ${cases.length - SHOWN} more`] : []),
        ],
      };
    }
    case 'gone':
      return { ...NO_ANSWER, text: 'The verdict of this thread is no longer kept. Paste the case again.' };
  }
}

/** The reply to a text without a conversation. */
export const unreadable = {
  text: "I couldn't read a conversation in this. Write what the user said and what your system answered, like this:",
  paste: firstPaste,
} as const;

/** How the app introduces itself; each surface adds its ways to ask. */
export const welcome = {
  greeting: 'Hi, I am Jury.',
  text: 'Paste what a user said and what your system answered, and a panel of judges decides whether the answer holds up.',
  paste: firstPaste,
  votes: 'Was the panel right? Vote 👍 or 👎 on its card, or react with one.',
} as const;

/** A request that failed and can be tried again, by its id; none if only a change to it would help. */
export interface TryingAgain {
  tryAgain?: string | null;
}

export const TRY_AGAIN = 'Try again';
const tryingAgain = ({ tryAgain }: TryingAgain): MessageButton[] =>
  tryAgain == null ? [] : [{ label: TRY_AGAIN, does: 'try-again', id: tryAgain }];

/** A line of text after a sign. */
const signed = (sign: string, text: string, ...buttons: MessageButton[]): ChatMessage => ({
  text,
  parts: [line(`${sign} ${shortened(safeText(text), 2_000)}`)],
  buttons,
});

/** An error. @param what says what to do about it */
export const errorNotice = (what: string, again: TryingAgain = {}): ChatMessage =>
  signed('⚠️', what, ...tryingAgain(again));

const opening = (label: string, verdict: string): MessageButton => ({ label, does: 'details', id: verdict });

/**
 * Tells the person who asked, in private, that the answer cannot be shown where they asked.
 *
 * @param wasShown whether some of it was shown there before
 * @param record the verdict, if there is one
 * @param refusal why the platform refused
 * @param request its id, to try again
 */
export function unshowableNotice(
  wasShown: boolean,
  record: Pick<VerdictRecord, 'id' | 'verdict' | 'blind'> | null,
  refusal: string,
  request: string,
): ChatMessage {
  const why = refusal.replace(/\.$/, '');
  const again = { tryAgain: request };
  if (record === null)
    return errorNotice(
      `I cannot ${wasShown ? 'show the answer' : 'post in that conversation'}: ${why}. Ask again, or paste the case here.`,
      again,
    );
  return isOpenToAll(record)
    ? signed(
        '⚠️',
        `Your verdict is ${record.verdict.decision}, but I cannot show its card: ${why}.`,
        opening('Details', record.id),
        ...tryingAgain(again),
      )
    : signed(
        '⚠️',
        `Your verdict is ready, but I cannot post it: ${why}. Answer first, and you will see it.`,
        opening('Open the case', record.id),
        ...tryingAgain(again),
      );
}

/** What is left of an answer that was replaced. @param link to the newer one; null if the chat has no links */
export const foldedNotice = (link: string | null): ChatMessage => ({
  text: 'Judged again below',
  parts: [line(link === null ? 'Judged again below ↓' : { link: 'Judged again below ↓', url: link })],
  buttons: [],
});

/** For a person who edited a request after it was read; the button judges the new text. */
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
/** A button, because a client may change the line breaks of an example that people copy. */
const judgeExample: MessageButton = { label: 'Judge this example', does: 'example', id: '' };

/** Says what the app does. @param ways to ask @param queue how to see what needs a vote */
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
  buttons: [judgeExample, openForm],
});

function answerNotice(answer: Answer, texts: CardTexts, again: TryingAgain): ChatMessage {
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
    buttons: [...tryingAgain(again), ...(opens === null ? [] : [opening(opens.label, opens.verdictId)])],
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
          more: more > 0 ? `and ${more} more` : null,
        },
      ];

/** Says why a paste cannot be judged, what was understood, and how to add what is missing. */
function unclearNotice(about: UnclearPaste & { draftId: string | null } & TryingAgain): ChatMessage {
  const { problem, missing, understood } = explainPaste(about);
  const { draftId } = about;
  return {
    text: `This could not be judged: ${about.problem}`,
    parts: [
      line('🤔 ', { bold: 'I cannot judge this yet. ' }, problem),
      ...titledList('Missing', missing, ', for example: '),
      ...titledList('Understood so far', understood, ': '),
    ],
    buttons: [
      ...tryingAgain(about),
      ...(draftId === null ? [] : [{ label: 'Fill in the rest', does: 'form' as const, id: draftId }]),
    ],
  };
}

const SAYS = { user: 'User', system: 'Answer' } as const;

/** Asks which messages to judge; nothing is judged before the answer. */
function unsureNotice({ draftId, why, choices, leftOut }: UnsureThread): ChatMessage {
  const isOne = choices.length === 1;
  const these = (count: number) => (count === 1 ? 'this message' : `these ${count} messages`);
  const items = (choice: UnsureThread['choices'][number]) =>
    choice.map(({ as, text }): Run[] => [
      ...(as === null ? [] : [{ bold: `${SAYS[as]}: ` }]),
      `“${shortLine(text, TEXT)}”`,
    ]);
  const list = (all: Run[][]): MessagePart => ({
    kind: 'list',
    items: all.slice(0, SHOWN),
    more: all.length > SHOWN ? `and ${all.length - SHOWN} more` : null,
  });
  return {
    text: `Which messages belong together? ${why}`,
    parts: [
      line('🤔 ', { bold: 'Which messages belong together? ' }, `${why} Nothing is judged yet.`),
      ...choices.flatMap((choice, index): MessagePart[] => [
        ...(isOne ? [] : [{ kind: 'title' as const, text: String(index + 1) }]),
        list(items(choice)),
      ]),
      ...(leftOut.length === 0
        ? []
        : [
            { kind: 'title' as const, text: 'Left out' },
            list(leftOut.map((text): Run[] => [`“${shortLine(text, TEXT)}”`])),
          ]),
    ],
    buttons: [
      ...choices.map(
        ({ length }, index): MessageButton => ({
          label: isOne ? `Judge ${these(length)}` : `${index + 1}: judge ${these(length)}`,
          does: 'judge-these',
          id: theseValue(index, draftId),
        }),
      ),
      { label: 'Edit…', does: 'form', id: draftId },
    ],
  };
}

/** Asks which of two readings is meant. */
function unsureLinesNotice(about: UnsurePaste & { draftId: string | null }): ChatMessage {
  const { draftId: id, readings } = about;
  const choices = unsureChoices(readings);
  return {
    text: unsureQuestion(about),
    parts: [
      line('🤔 ', { bold: `Does the line marked “?” belong to ${wholeOf(readings)}? ` }, UNSURE_WHY),
      {
        kind: 'list',
        items: unsureLines(about).map(({ name, text: lineText }) => [{ bold: name }, `  “${lineText}”`]),
        more: null,
      },
      ...(id === null ? [note('Paste it again without that line, or with it in the answer.')] : []),
    ],
    buttons:
      id === null
        ? []
        : [
            { label: choices.remark, does: 'unsure-remark', id },
            { label: choices.answer, does: 'unsure-answer', id },
            { label: 'Edit…', does: 'form', id },
          ],
  };
}

/** The notices that all chats show alike, as messages of one chat. @param show converts a message */
export const noticeLooks = <M>(show: (message: ChatMessage) => M) => ({
  progress: (progress: CheckProgress) => show(progressNotice(progress)),
  hiddenProgress: (about: Pick<CheckProgress, 'checkId' | 'stopping'>) => show(hiddenProgressNotice(about)),
  unclear: (about: UnclearPaste & { draftId: string | null } & TryingAgain) => show(unclearNotice(about)),
  unsure: (about: UnsureThread) => show(unsureNotice(about)),
  unsureLines: (about: UnsurePaste & { draftId: string | null }) => show(unsureLinesNotice(about)),
  answer: (answer: Answer, texts: CardTexts, again: TryingAgain = {}) =>
    show(answerNotice(answer, texts, again)),
  error: (what: string, _kind?: string, again: TryingAgain = {}) => show(errorNotice(what, again)),
  folded: (link: string | null) => show(foldedNotice(link)),
  budget: (about: { limitUsd: number | null; spent?: readonly SpentLimit[] } & TryingAgain) =>
    show(
      signed('💸', budgetText((about.spent ?? []).length > 0 ? null : about.limitUsd), ...tryingAgain(about)),
    ),
  unreadable: () =>
    show({
      text: unreadable.text,
      parts: [line(`🤔 ${unreadable.text}`), { kind: 'example', text: unreadable.paste }],
      buttons: [openForm],
    }),
});
