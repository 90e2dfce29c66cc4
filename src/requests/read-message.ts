import { basename, extname } from 'node:path';
import type { CaseFormat } from '../case/format/index.ts';
import { decodeInput, type Parsed, type ReadPaste } from '../case/paste/index.ts';
import { isBadInput } from '../common/index.ts';
import type { ConversationKind } from '../labels/record/index.ts';
import { addWishLines, type NamedMethods, wishIn } from './asked-wish.ts';
import { holdsPaste, isHalf, joinThread, type Thread, type ThreadReading } from './join-thread.ts';
import type { Reading } from './presenter.ts';
import type { MessageInput, SpotCheck } from './spot-check.ts';

/**
 * Recognizes what people write to an app besides pastes, from a few words; everything else is read as a paste or a
 * question.
 */

const words = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}']+/gu) ?? [];

const THANKS = new Set('thanks thank thx ty cheers danke dankeschön dank merci gracias grazie'.split(' '));
const WITH_THANKS = new Set(
  'you u a lot so much very many again jury all for the help that this your great perfect nice good job dir euch ihnen sehr vielen schön besten für die hilfe das super prima'.split(
    ' ',
  ),
);

/** "thanks", "danke dir!", "thank you so much 🙏". */
export function isThanks(text: string): boolean {
  const spokenWords = words(text);
  return (
    spokenWords.some((word) => THANKS.has(word)) &&
    spokenWords.every((word) => THANKS.has(word) || WITH_THANKS.has(word))
  );
}

const HELLO =
  /^(?:help|hilfe|hi|hello|hey|hallo|moin|servus|good morning|guten tag|test|start|what can you (?:do|judge))\b/i;

const ONLY_MARKS = /^[?？]+$/;

/** Whether it calls for an introduction of the app. A longer text says more than hello. */
export const isGreeting = (text: string): boolean =>
  text.trim() === '' || ONLY_MARKS.test(text.trim()) || (words(text).length <= 6 && HELLO.test(text.trim()));

const JUDGE =
  /^(?:(?:please|pls|can you|could you|bitte|kannst du)\s+)*(?:re-?)?(?:judge|check|evaluate|assess|review|again|bewerte|beurteile?|prüfe?|nochmal)\b/i;

const AGAIN = /\b(?:again|re-?(?:judge|check|evaluate)|nochmals?|noch einmal|erneut)\b/i;

const ASKS = /\b(?:why|how|what|which|who|warum|wieso|weshalb|wie|wer|welche[rs]?)\b/i;

/** "judge this", "please check again": judge what is above, even if it has been judged before. A longer text is a paste or a question. */
const asksToJudge = (text: string): boolean =>
  text.trim() === '' || (words(text).length <= 8 && JUDGE.test(text.trim()) && !ASKS.test(text));

/** German "was" asks a question ("what"), but English "was" usually does not, so the next word decides. */
const WAS =
  /^was (?:ist|sind|war|waren|wäre|hat|haben|kann|könnte|muss|müsste|soll|sollte|meint|meinen|sagt|sagen|bedeutet|hei(?:ß|ss)t|genau|fehlt|fehlte|stimmt|passt|spricht|it|this|that|the|there|any)\b/i;

/** Whether it asks a question rather than what the app can do. Below a verdict, question marks alone ask about it. */
export const isQuestion = (text: string): boolean =>
  ONLY_MARKS.test(text.trim()) ||
  (!isGreeting(text) && (/[?？]/.test(text) || ASKS.test(text) || WAS.test(text.trim())));

/** What a surface can fetch of people's messages. */
export interface MessageSource {
  kindOf: (conversation: string) => ConversationKind;
  /**
   * Downloads a file.
   *
   * @throws JuryError `bad-input` saying why it cannot be read
   */
  download: (file: MessageInput['files'][number], signal: AbortSignal) => Promise<Uint8Array>;
  /**
   * The messages of a thread above one of its messages.
   *
   * @throws JuryError `bad-input` if the app may not read there
   */
  above: (place: Pick<SpotCheck, 'team' | 'channel'>, thread: string, below: string) => Promise<Thread>;
  readPaste: ReadPaste;
  /** The methods that a message may name. */
  methods: NamedMethods;
  /** The shape of a case. */
  format: CaseFormat;
}

const READABLE = /\.(?:txt|json|jsonl|ndjson|csv|tsv|md|log|yaml|yml)$/i;
const MAX_FILES = 10;

/** Whether a text is meant as a case, if an incomplete one, rather than just a request to judge what is above. */
const looksLikePaste = (text: string): boolean =>
  /^[[{]/.test(text) ||
  text.includes('```') ||
  /^[>\s*_]{0,5}(?:user|system|assistant|bot|agent|customer|human|ai|response|answer|driver|car)\b[^\n:]{0,20}:/im.test(
    text,
  );

/** Whether a text is short enough to be said to the app rather than to be judged. */
const isShort = (text: string): boolean => text.length <= 80 && !text.includes('\n');

function named(parsed: Parsed, file: string, index: number, count: number): Parsed {
  if ('problem' in parsed) return { ...parsed, problem: `${file}: ${parsed.problem}` };
  if (parsed.case.id !== undefined) return parsed;
  const name = basename(file, extname(file)).slice(0, 150);
  return { ...parsed, case: { id: count === 1 ? name : `${name}-${index + 1}`, ...parsed.case } };
}

/** Keeps a text that plain reading refused with its problem, for a model to read. */
function withUnread(items: Parsed[], text: string): Parsed[] {
  const [item, ...more] = items;
  return item !== undefined && more.length === 0 && 'problem' in item ? [{ ...item, unread: text }] : items;
}

const nothingRead = (problem: string): Parsed[] => [{ problem, missing: [], understood: {} }];

async function readFile(
  file: MessageInput['files'][number],
  { download, readPaste }: MessageSource,
  who: string,
  signal: AbortSignal,
): Promise<Parsed[]> {
  const unread = (why: string): Parsed[] => nothingRead(`${file.name} was not read: ${why}.`);
  if (extname(file.name) !== '' && !READABLE.test(file.name))
    return unread('it is not a .txt, .csv, .json or .jsonl file');
  try {
    const decoded = decodeInput(await download(file, signal));
    if ('problem' in decoded) return unread(decoded.problem.replace(/\.$/, ''));
    const items = withUnread(await readPaste(decoded.text, who), decoded.text);
    return items.map((item, index) => named(item, file.name, index, items.length));
  } catch (thrown) {
    if (isBadInput(thrown)) return unread(thrown.message);
    throw thrown;
  }
}

async function readText(text: string, { readPaste }: MessageSource, who: string): Promise<Parsed[]> {
  return text === '' ? [] : withUnread(await readPaste(text, who), text);
}

/** The cases in one message: from its files, and from its text if it holds any. */
async function readOne(
  input: MessageInput,
  source: MessageSource,
  who: string,
  signal: AbortSignal,
): Promise<Parsed[]> {
  const fromText = await readText(input.text, source, who);
  if (input.files.length === 0) return fromText;
  if (input.files.length > MAX_FILES)
    return nothingRead(
      `There are ${input.files.length} files; one request takes ${MAX_FILES}. Nothing was judged.`,
    );
  const items: Parsed[] = fromText.some((item) => 'case' in item) ? fromText : [];
  for (const file of input.files) items.push(...(await readFile(file, source, who, signal)));
  return items;
}

/** How to read the messages of a thread on behalf of the requester. */
export const threadReading = (source: MessageSource, who: string, signal: AbortSignal): ThreadReading => ({
  format: source.format,
  readPaste: (text) => source.readPaste(text, who),
  readOne: (input) => readOne(input, source, who, signal),
});

/**
 * Reads what is above a message, together with the message itself if it is one side of the conversation. If no
 * conversation is found, what was read from the first message, including its problems.
 */
async function readAbove(
  check: SpotCheck,
  input: MessageInput,
  thread: string,
  source: MessageSource,
  signal: AbortSignal,
): Promise<Reading | null> {
  const { messages, unread } = await source.above(check, thread, input.message);
  const ownMessage = { input, author: check.requestedBy, isByApp: false, isToUs: true };
  const reading = threadReading(source, check.requestedBy, signal);
  const isPart = isHalf(input.text, source.format);
  const joined = await joinThread(
    { messages: isPart ? [...messages, ownMessage] : messages, unread },
    reading,
  );
  if (joined.kind === 'sure') return { kind: 'items', items: joined.items };
  if (joined.kind === 'unsure') return joined;
  const [first] = messages;
  if (isPart || first === undefined) return null;
  const items = await reading.readOne(first.input);
  return items.length === 0 ? null : { kind: 'items', items };
}

/**
 * Reads a message that has labels of only one side as part of the conversation above it; null for any other message, or
 * if there is no such conversation.
 */
async function readHalf(
  check: SpotCheck,
  input: MessageInput,
  source: MessageSource,
  signal: AbortSignal,
): Promise<Reading | null> {
  const place = check.thread ?? input.quotes ?? input.message;
  if (place === input.message || !isHalf(input.text, source.format)) return null;
  // If the thread cannot be read, judge the message by itself.
  return readAbove(check, input, place, source, signal).catch((thrown) => {
    if (isBadInput(thrown)) return null;
    throw thrown;
  });
}

const isUnreadable = (item: Parsed): boolean =>
  'problem' in item && Object.values(item.understood).every((value) => value === undefined);

/**
 * Reads what a person wants judged. In a thread, a message without a paste refers to what is above it. If that has been
 * judged, the message is a question about the verdict, unless it asks to judge again.
 */
export async function readMessage(
  check: SpotCheck,
  source: MessageSource,
  signal: AbortSignal,
  isJudged: boolean,
): Promise<Reading> {
  const { input } = check;
  if (input.kind === 'cases') return { kind: 'nothing' };
  const { text, wish, ignored, lines } = wishIn(input.text, source.methods);
  const reading = await readWords(check, { ...input, text }, source, signal, isJudged);
  const wished = Object.keys(wish).length === 0 ? {} : { wish };
  if (reading.kind === 'again') return { ...reading, ...wished };
  if (reading.kind !== 'items') return reading;
  const items = reading.items.map((item) => withNotes(item, ignored));
  addWishLines(items, lines);
  return { ...reading, items, ...wished };
}

/** A case with notes of its own. The object stays the same, because its spans are made on first use. */
function withNotes(item: Parsed, notes: readonly string[]): Parsed {
  if ('case' in item) item.assumed.push(...notes);
  return item;
}

/** A text without a conversation. One line is no paste, so no model needs to read it. */
function unreadable(text: string, [item]: readonly Parsed[]): Reading {
  if (isShort(text)) return { kind: 'unreadable', isShort: true };
  const unread = item !== undefined && 'problem' in item ? item.unread : undefined;
  return { kind: 'unreadable', isShort: false, ...(unread === undefined ? {} : { unread }) };
}

/** Whether it asks to judge again what was judged above. Without threads, only clear words are about the last verdict. */
const asksForVerdictAbove = (text: string, thread: string | null): boolean =>
  asksToJudge(text) && (thread === null ? AGAIN.test(text) : text.trim() !== '');

/**
 * Reads what a message without a paste is about. If that was judged, the answer replaces the one above.
 *
 * @param thread the thread that it replies in; null for a message that is no reply
 */
async function readReply(
  check: SpotCheck,
  input: MessageInput,
  thread: string | null,
  source: MessageSource,
  signal: AbortSignal,
  isJudged: boolean,
): Promise<Reading | null> {
  const again = isJudged && asksForVerdictAbove(input.text, check.thread) ? { kind: 'again' as const } : null;
  if (thread === null) return again;
  const found = await readAbove(check, input, thread, source, signal).catch((thrown) => {
    // What was judged there is kept.
    if (again === null || !isBadInput(thrown)) throw thrown;
    return again;
  });
  if (found === null || !isJudged) return found ?? again;
  return found.kind === 'items' || found.kind === 'unsure' ? { ...found, again: true } : found;
}

async function readWords(
  check: SpotCheck,
  input: MessageInput,
  source: MessageSource,
  signal: AbortSignal,
  isJudged: boolean,
): Promise<Reading> {
  const { thread } = check;
  const ownItems = await readOne(input, source, check.requestedBy, signal);
  const isWhole = holdsPaste(ownItems) || input.files.length > 0;
  const joined = isWhole ? null : await readHalf(check, input, source, signal);
  if (joined !== null) return joined;
  if (isWhole || looksLikePaste(input.text)) return { kind: 'items', items: ownItems };
  // Without threads, not everything said after a verdict is about it.
  const isAbout = isJudged && (thread !== null || input.quotes !== undefined || isQuestion(input.text));
  if (isAbout && !asksToJudge(input.text)) return { kind: 'question', asked: input.text };
  // In a direct message people also just chat; only elsewhere does a request refer to what is above it.
  const isTalk = (check.kind ?? source.kindOf(check.channel)) === 'direct' && !isJudged;
  const isReply = thread !== null && thread !== input.message && !isTalk;
  const above = await readReply(check, input, isReply ? thread : null, source, signal, isJudged);
  if (above !== null) return above;
  if (isGreeting(input.text)) return { kind: 'nothing' };
  return isShort(input.text) || ownItems.every(isUnreadable)
    ? unreadable(input.text, ownItems)
    : { kind: 'items', items: ownItems };
}
