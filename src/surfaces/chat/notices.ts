import { type CaseFormat, lineFor, shownFields } from '../../case/format/index.ts';
import { lastRequest } from '../../case/index.ts';
import type { Received, Understood } from '../../case/paste/index.ts';
import { grouped, safeText } from '../../common/text/index.ts';
import type { SpentLimit } from '../../judges/llm/index.ts';
import { type CardTexts, inQuotes, stanceOf } from '../../judging/card/index.ts';
import { type Readings, wholeOf } from '../../judging/index.ts';
import { shownReason } from '../../judging/verdict/index.ts';
import { isOpenToAll } from '../../labels/access/index.ts';
import type { VerdictRecord } from '../../labels/record/index.ts';
import type { Answer, AnswerFailure } from '../../requests/index.ts';
import { type Language, wordsIn } from '../../words/index.ts';
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

/** What a model read of a paste that has no labels. */
export interface PasteByModel {
  model: string;
  /** Who says what, the fields, and what is left out. */
  lines: NamedLines['lines'];
  /** The paste with its parts; absent if something in it was redacted. */
  received?: Received;
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
export function explainPaste({ problem, missing, understood, format }: UnclearPaste, language: Language) {
  const { user, system } = wordsIn(language).chat;
  const { conversation = [], ...rest } = understood;
  const turns = conversation.map(({ role, text }) => [role === 'user' ? user : system, text] as const);
  const fields = Object.entries(rest)
    .flatMap(([key, value]) => shownFields(key, value, (path) => lineFor(path, format)))
    .map(({ title, text }) => [title, text.replaceAll(/\s*\n\s*/g, ' · ')] as const);
  return {
    problem: shortLine(inQuotes(problem, language), LONGEST_PROBLEM),
    missing: namedLines(
      missing.map((path) => {
        const { label, example } = describeField(path, format, language);
        return [label, example] as const;
      }),
    ),
    understood: namedLines([...turns, ...fields]),
  };
}

/** Asks whether lines belong to what was said. */
export const unsureQuestion = ({ text, readings }: UnsurePaste, language: Language): string =>
  wordsIn(language).chat.lines.question({
    text: shortLine(text, TEXT),
    whole: wholeText(readings, language),
  });

/** What the lines may belong to. */
const wholeText = (readings: Readings, language: Language): string => {
  const { whole } = wordsIn(language).chat.lines;
  return wholeOf(readings) === 'the answer' ? whole.answer : whole.said;
};

/** What was read so far, and the lines in question. */
export const unsureLines = ({ text, readings }: UnsurePaste, language: Language): NamedLines['lines'] => [
  { name: wordsIn(language).chat.user, text: shortLine(lastRequest(readings.remark), TEXT) },
  { name: wordsIn(language).chat.answer, text: shortLine(readings.remark.response, 2 * TEXT) },
  { name: '?', text: shortLine(text, 2 * TEXT) },
];

/** The label of each choice. */
export const unsureChoices = (readings: Readings, language: Language): Record<keyof Readings, string> => {
  const { without, answer, said } = wordsIn(language).chat.lines;
  return { remark: without, answer: wholeOf(readings) === 'the answer' ? answer : said };
};

/** The daily budget is used up. @param limitUsd the overall budget; null for a smaller limit, which only the requester is told */
export const budgetText = (limitUsd: number | null, language: Language): string => {
  const { shared, other } = wordsIn(language).chat.budget;
  return limitUsd === null ? other : shared(limitUsd);
};

/** Shown only to the requester, or returned to their program. */
export const spentText = (spent: readonly SpentLimit[], language: Language): string => {
  const words = wordsIn(language).chat.budget;
  const momentOf = (at: number | string) => new Date(at).toISOString().slice(0, 16).replace('T', ' ');
  return spent
    .map(({ of, limitUsd, resetsAt }) =>
      words.spent({ whose: words.whose[of], limitUsd, resetsAt: momentOf(resetsAt) }),
    )
    .join(' ');
};

export const spentNotice = (spent: readonly SpentLimit[], language: Language): ChatMessage =>
  signed('💸', spentText(spent, language));

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
const openDetails = ({ id }: Pick<VerdictRecord, 'id'>, language: Language) => ({
  label: wordsIn(language).votes.actions.details,
  verdictId: id,
});

/** The reason in the verdict, by the judge that was asked or else by the panel. */
function keptReason({ verdict }: VerdictRecord, by: string | null, texts: CardTexts): string {
  const citedJudgement = verdict.judgements.findLast(
    ({ judge }) => by !== null && judge.persona !== null && texts.personaTitle(judge.persona) === by,
  );
  const { language } = texts;
  if (citedJudgement?.status === 'scored')
    return wordsIn(language).chat.question.judgeSaid({
      judge: shortLine(by ?? '', NAME),
      stance: stanceOf({ ...citedJudgement, confidence: null }, verdict, language),
      reason: shortLine(inQuotes(shownReason(citedJudgement, language), language), LONGEST_REASON),
    });
  return outcomeText(verdict, LONGEST_REASON, language);
}

/** Why a question got no answer. */
function failureText(failed: AnswerFailure | null, language: Language): string {
  const words = wordsIn(language).chat.question;
  if (failed === null) return words.noModel;
  return failed.reason === 'too-long' ? words.tooLong(grouped(failed.most)) : words.failed[failed.reason];
}

export function answerParts(answer: Answer, texts: CardTexts): AnswerParts {
  const { language } = texts;
  const { question } = wordsIn(language).chat;
  switch (answer.kind) {
    case 'answer':
      return {
        ...NO_ANSWER,
        headline: question.answers(shortLine(answer.by ?? question.panel, NAME)),
        text: shortened(safeText(answer.text), LONGEST_ANSWER),
        quotes: answer.words.map((words) => shortLine(words, TEXT)).filter((words) => words !== ''),
        note: question.notANewVerdict(answer.model),
        opens: openDetails(answer.record, language),
      };
    case 'details': {
      const { record, by, failed } = answer;
      return {
        ...NO_ANSWER,
        text: `${failureText(failed, language)} ${keptReason(record, by, texts)}`,
        opens: openDetails(record, language),
      };
    }
    case 'not-seated':
      return {
        ...NO_ANSWER,
        text: question.notSeated({
          named: shortLine(answer.named, NAME),
          seated: answer.seated.slice(0, SHOWN).map((name) => shortLine(name, NAME)),
        }),
        opens: openDetails(answer.record, language),
      };
    case 'hidden':
      return {
        ...NO_ANSWER,
        text: question.hidden,
        opens: { label: wordsIn(language).votes.blind.openCase, verdictId: answer.record.id },
      };
    case 'which': {
      const nameOf = (record: VerdictRecord) => (isOpenToAll(record) ? titleOf : wordsOf)(record.evalCase);
      const cases = answer.cases.map(({ number, record }) => question.case({ number, name: nameOf(record) }));
      return {
        ...NO_ANSWER,
        text: question.which({ count: answer.cases.length, example: answer.cases[0]?.number ?? 1 }),
        lines: [
          ...cases.slice(0, SHOWN),
          ...(cases.length > SHOWN ? [wordsIn(language).card.andMore(cases.length - SHOWN)] : []),
        ],
      };
    }
    case 'gone':
      return { ...NO_ANSWER, text: question.gone };
  }
}

/** A request that failed and can be tried again, by its id; none if only a change to it would help. */
export interface TryingAgain {
  tryAgain?: string | null;
}

const tryingAgain = ({ tryAgain }: TryingAgain, language: Language): MessageButton[] =>
  tryAgain == null ? [] : [{ label: wordsIn(language).chat.tryAgain, does: 'try-again', id: tryAgain }];

/** A line of text after a sign. */
const signed = (sign: string, text: string, ...buttons: MessageButton[]): ChatMessage => ({
  text,
  parts: [line(`${sign} ${shortened(safeText(text), 2_000)}`)],
  buttons,
});

/** An error. @param what says what to do about it */
export const errorNotice = (what: string, again: TryingAgain = {}, language: Language = 'en'): ChatMessage =>
  signed('⚠️', what, ...tryingAgain(again, language));

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
  language: Language,
): ChatMessage {
  const { chat, verdict, votes } = wordsIn(language);
  const words = chat.unshowable;
  const why = refusal.replace(/\.$/, '');
  const again = { tryAgain: request };
  if (record === null) return errorNotice(wasShown ? words.answer(why) : words.noPost(why), again, language);
  return isOpenToAll(record)
    ? signed(
        '⚠️',
        words.verdict({ decision: verdict.decision[record.verdict.decision], why }),
        opening(votes.actions.details, record.id),
        ...tryingAgain(again, language),
      )
    : signed(
        '⚠️',
        words.blind(why),
        opening(votes.blind.openCase, record.id),
        ...tryingAgain(again, language),
      );
}

/** What is left of an answer that was replaced. @param link to the newer one; null if the chat has no links */
export function foldedNotice(link: string | null, language: Language): ChatMessage {
  const text = wordsIn(language).chat.judgedAgainBelow;
  return {
    text,
    parts: [line(link === null ? `${text} ↓` : { link: `${text} ↓`, url: link })],
    buttons: [],
  };
}

/** For a person who edited a request after it was read; the button judges the new text. */
export function editedNotice(check: string, wasJudged: boolean, language: Language): ChatMessage {
  const { judged, read, judgeAgain, readAgain } = wordsIn(language).chat.edited;
  const does = 'judge-edited' as const;
  return wasJudged
    ? signed('✏️', judged, { label: judgeAgain, does, id: check })
    : signed('✏️', read, { label: readAgain, does, id: check });
}

const openForm = (language: Language): MessageButton => ({
  label: wordsIn(language).chat.welcome.openForm,
  does: 'form',
  id: '',
});

/** Says what the app does. @param ways to ask @param queue how to see what needs a vote */
export function welcomeNotice(ways: readonly string[], queue: string, language: Language): ChatMessage {
  const { welcome } = wordsIn(language).chat;
  return {
    text: welcome.text,
    parts: [
      line({ bold: `${welcome.greeting} ` }, welcome.text),
      { kind: 'title', text: welcome.tryThis },
      { kind: 'example', text: firstPaste },
      { kind: 'title', text: welcome.ways },
      { kind: 'list', items: ways.map((way) => [way]), more: null },
      { kind: 'title', text: welcome.votesTitle },
      line(`${queue} `, { italic: welcome.votes }),
    ],
    buttons: [
      // A button, because a client may change the line breaks of an example that people copy.
      { label: welcome.judgeExample, does: 'example', id: '' },
      openForm(language),
    ],
  };
}

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
    buttons: [
      ...tryingAgain(again, texts.language),
      ...(opens === null ? [] : [opening(opens.label, opens.verdictId)]),
    ],
  };
}

const titledList = (
  title: string,
  { lines, more }: NamedLines,
  text: (value: string) => string,
  language: Language,
): MessagePart[] =>
  lines.length === 0
    ? []
    : [
        { kind: 'title', text: title },
        {
          kind: 'list',
          items: lines.map(({ name, text: value }) => [{ bold: name }, text(value)]),
          more: more > 0 ? wordsIn(language).card.andMore(more) : null,
        },
      ];

/** Says why a paste cannot be judged, what was understood, and how to add what is missing. */
function unclearNotice(
  about: UnclearPaste & { draftId: string | null } & TryingAgain,
  language: Language,
): ChatMessage {
  const { problem, missing, understood } = explainPaste(about, language);
  const { draftId } = about;
  const words = wordsIn(language).chat.unclear;
  return {
    text: words.text(problem),
    parts: [
      line('🤔 ', { bold: `${words.title} ` }, problem),
      ...titledList(words.missing, missing, words.example, language),
      ...titledList(words.understood, understood, (value) => `: ${value}`, language),
    ],
    buttons: [
      ...tryingAgain(about, language),
      ...(draftId === null ? [] : [{ label: words.fillIn, does: 'form' as const, id: draftId }]),
    ],
  };
}

/** Asks which messages to judge; nothing is judged before the answer. */
function unsureNotice({ draftId, why, choices, leftOut }: UnsureThread, language: Language): ChatMessage {
  const isOne = choices.length === 1;
  const { chat, card } = wordsIn(language);
  const words = chat.unsure;
  const says = { user: chat.user, system: chat.answer };
  const items = (choice: UnsureThread['choices'][number]) =>
    choice.map(({ as, text }): Run[] => [
      ...(as === null ? [] : [{ bold: `${says[as]}: ` }]),
      card.quoted(shortLine(text, TEXT)),
    ]);
  const list = (all: Run[][]): MessagePart => ({
    kind: 'list',
    items: all.slice(0, SHOWN),
    more: all.length > SHOWN ? card.andMore(all.length - SHOWN) : null,
  });
  return {
    text: `${words.title} ${why}`,
    parts: [
      line('🤔 ', { bold: `${words.title} ` }, `${why} ${words.nothingYet}`),
      ...choices.flatMap((choice, index): MessagePart[] => [
        ...(isOne ? [] : [{ kind: 'title' as const, text: String(index + 1) }]),
        list(items(choice)),
      ]),
      ...(leftOut.length === 0
        ? []
        : [
            { kind: 'title' as const, text: words.leftOut },
            list(leftOut.map((text): Run[] => [card.quoted(shortLine(text, TEXT))])),
          ]),
    ],
    buttons: [
      ...choices.map(
        ({ length: count }, index): MessageButton => ({
          label: isOne ? words.judge(count) : words.judgeNumbered({ number: index + 1, count }),
          does: 'judge-these',
          id: theseValue(index, draftId),
        }),
      ),
      { label: words.edit, does: 'form', id: draftId },
    ],
  };
}

/** Asks which of two readings is meant. */
function unsureLinesNotice(about: UnsurePaste & { draftId: string | null }, language: Language): ChatMessage {
  const { draftId: id, readings } = about;
  const choices = unsureChoices(readings, language);
  const { card, chat } = wordsIn(language);
  const { lines: words, unsure } = chat;
  return {
    text: unsureQuestion(about, language),
    parts: [
      line('🤔 ', { bold: `${words.marked(wholeText(readings, language))} ` }, words.why),
      {
        kind: 'list',
        items: unsureLines(about, language).map(({ name, text: lineText }) => [
          { bold: name },
          `  ${card.quoted(lineText)}`,
        ]),
        more: null,
      },
      ...(id === null ? [note(words.pasteAgain)] : []),
    ],
    buttons:
      id === null
        ? []
        : [
            { label: choices.remark, does: 'unsure-remark', id },
            { label: choices.answer, does: 'unsure-answer', id },
            { label: unsure.edit, does: 'form', id },
          ],
  };
}

/** Shows what a model read of a paste, and asks whether it is right. */
function readByModelNotice(
  { model, lines, draftId: id }: PasteByModel & { draftId: string | null },
  language: Language,
): ChatMessage {
  const { card, chat } = wordsIn(language);
  const words = chat.readByModel;
  return {
    text: `${words.title} ${words.why(shortened(model, 200))}`,
    parts: [
      line('🤔 ', { bold: `${words.title} ` }, words.why(shortened(model, 200))),
      {
        kind: 'list',
        items: lines.map(({ name, text }) => [{ bold: name }, `  ${card.quoted(text)}`]),
        more: null,
      },
      ...(id === null ? [note(words.pasteAgain)] : []),
    ],
    buttons:
      id === null
        ? []
        : [
            { label: words.judge, does: 'trust-reading', id },
            { label: chat.unsure.edit, does: 'form', id },
          ],
  };
}

/** The reply to a text without a conversation. A remark gets one line; a paste that could not be read, an example. */
function unreadableNotice(isShort: boolean, asked: string | null, language: Language): ChatMessage {
  const { short, long } = wordsIn(language).chat.unreadable;
  const text = [...(asked === null ? [] : [asked]), isShort ? short : long].join(' ');
  return {
    text,
    parts: [line(`🤔 ${text}`), ...(isShort ? [] : [{ kind: 'example' as const, text: firstPaste }])],
    buttons: [openForm(language)],
  };
}

/** The notices that all chats show alike, as messages of one chat. @param show converts a message */
export const noticeLooks = <M>(show: (message: ChatMessage) => M, language: Language) => ({
  progress: (progress: CheckProgress) => show(progressNotice(progress, language)),
  hiddenProgress: (about: Pick<CheckProgress, 'checkId' | 'stopping'>) =>
    show(hiddenProgressNotice(about, language)),
  unclear: (about: UnclearPaste & { draftId: string | null } & TryingAgain) =>
    show(unclearNotice(about, language)),
  unsure: (about: UnsureThread) => show(unsureNotice(about, language)),
  unsureLines: (about: UnsurePaste & { draftId: string | null }) => show(unsureLinesNotice(about, language)),
  readByModel: (about: PasteByModel & { draftId: string | null }) => show(readByModelNotice(about, language)),
  answer: (answer: Answer, texts: CardTexts, again: TryingAgain = {}) =>
    show(answerNotice(answer, texts, again)),
  error: (what: string, _kind?: string, again: TryingAgain = {}) => show(errorNotice(what, again, language)),
  folded: (link: string | null) => show(foldedNotice(link, language)),
  budget: (about: { limitUsd: number | null; spent?: readonly SpentLimit[] } & TryingAgain) =>
    show(
      signed(
        '💸',
        budgetText((about.spent ?? []).length > 0 ? null : about.limitUsd, language),
        ...tryingAgain(about, language),
      ),
    ),
  unreadable: (isShort: boolean, asked: string | null = null) =>
    show(unreadableNotice(isShort, asked, language)),
});
