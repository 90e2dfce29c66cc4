import { oncePer } from '../../common/index.ts';
import { alternatives, type Words } from '../format/index.ts';
import { isClosing, isRemark } from './line-labels.ts';

/** What comes before a line that follows a turn's text. */
export interface Above {
  /** The lines of the turn so far; of a long turn, the first line and the latest ones. */
  answer: readonly string[];
  /** The last line that is not blank. */
  last: string;
  isAfterBlank: boolean;
  /** Indentation of the turn's label, in characters. */
  indent: number;
  /** The quote or fence that the turn is in: begun after its label (`own`), begun before it (`shared`), or `none`. */
  block: 'own' | 'shared' | 'none';
}

const patterns = oncePer(({ sentences }: Words) => ({
  /** Ends with a word that cannot end a sentence. */
  open: new RegExp(`(?<![\\p{L}\\p{N}])${alternatives(sentences.open)}$`, 'iu'),
  /** Begins like an opinion about an answer. */
  opinion: new RegExp(`^${alternatives(sentences.opinion)}(?![\\p{L}\\p{N}])`, 'iu'),
  /** Begins like an opinion, or like a report of what was said. */
  telling: new RegExp(
    `^(?:${alternatives(sentences.joins)} )?${alternatives([...sentences.opinion, ...sentences.narration])}(?![\\p{L}\\p{N}])`,
    'iu',
  ),
  /** Begins like the continuation of a request. */
  goesOn: new RegExp(`^${alternatives(sentences.goesOn)}(?![\\p{L}\\p{N}])`, 'u'),
}));

const MARKER =
  /^\s*(?:(?<bullet>[-*•–·▪◦+]|\p{Extended_Pictographic})\ufe0f?|(?<digits>\d{1,2})[.)]|\(?(?<letter>[a-h])[.)]) \S/u;

/** The kind of list item that a line is, with its number if it has one; null if it is no list item. */
function itemOf(line: string): { kind: string; number: number | null } | null {
  const marker = MARKER.exec(line);
  if (marker === null) return null;
  const { bullet, digits, letter } = marker.groups ?? {};
  if (digits !== undefined) return { kind: '1', number: Number(digits) };
  return letter === undefined
    ? { kind: /\p{Extended_Pictographic}/u.test(bullet ?? '') ? 'picture' : (bullet ?? ''), number: null }
    : { kind: 'a', number: letter.charCodeAt(0) - 96 };
}

/** A name and a value: `Lunch: 12:30 at Luigi`, `SeatHeat = 2`. */
const PAIR = /^\s*[\p{L}\d][\p{L}\d_ .-]{0,40} ?[:=] ?\S/u;

/** Whether a line is the next item of a list that the turn has announced or begun. */
function continuesList({ answer, last, isAfterBlank }: Above, line: string): boolean {
  if (PAIR.test(line) && PAIR.test(last) && !isAfterBlank) {
    const lead = answer.findLast((one) => !PAIR.test(one));
    return lead?.trimEnd().endsWith(':') ?? false;
  }
  const item = itemOf(line);
  if (item === null) return false;
  const before = answer.findLast((one) => itemOf(one)?.kind === item.kind);
  const number = before === undefined ? 0 : (itemOf(before)?.number ?? null);
  if (before === undefined && !last.trimEnd().endsWith(':')) return false;
  return item.number === null || number === null || item.number === number + 1;
}

/** The closing mark of each opening quote mark. */
const CLOSING: Readonly<Record<string, string>> = { '"': '"', '“': '”', '„': '“', '«': '»', '»': '«' };

/** Whether the turn began with a quote mark that has not been closed. */
function isQuoteOpen(answer: readonly string[]): boolean {
  const text = answer.join('\n').trim();
  const closing = CLOSING[text.charAt(0)];
  return closing !== undefined && !text.slice(1).includes(closing);
}

/** Whether the last sentence of a line is certain to continue. */
function endsOpen(last: string, words: Words): boolean {
  const text = last.trimEnd();
  return /[,;:–—\-/&+]$/.test(text) || patterns(words).open.test(text);
}

/** Whether a line is indented further than the label of its turn. */
const isIndented = (line: string, { indent }: Above): boolean => line.search(/\S/) >= indent + 2;

/**
 * Classifies a line below an answer. It is `answer` only if only the system can have said it, and `remark` or `closing`
 * only if a pattern matches the whole line. Anything else is `unsure`.
 */
export function kindBelow(
  line: string,
  above: Above,
  words: Words,
): 'answer' | 'remark' | 'closing' | 'unsure' {
  const { last, isAfterBlank, block } = above;
  if (block === 'own' || isQuoteOpen(above.answer)) return 'answer';
  if (isClosing(line, words)) return 'closing';
  if (isRemark(line, words)) return 'remark';
  if (continuesList(above, line)) return 'answer';
  const isOpinion = patterns(words).opinion.test(line.trim());
  if (block === 'shared' && !isOpinion) return 'answer';
  if (last.trimEnd().endsWith(':') && !isOpinion) return 'answer';
  if (isAfterBlank) return 'unsure';
  if (endsOpen(last, words)) return 'answer';
  if (isIndented(line, above) && !isOpinion) return 'answer';
  const continues = /^\p{Ll}/u.test(line.trim()) && !/[.!?…:;"”»)\]]\s*$/.test(last);
  return continues && !isOpinion ? 'answer' : 'unsure';
}

/** Starts of lines that are not speech: text in brackets, chat times, mentions, comment signs and arrows. */
const BESIDE = /^(?:[([{].*[)\]}]|[[(]?\d{1,2}[:.]\d{2}|@|<@|#|\/\/|\^|<-|->|=>)/u;

/** Whether a line among the turns looks like a comment on them: a report or an opinion, text in brackets, or a time. */
export const isBeside = (line: string, words: Words): boolean =>
  BESIDE.test(line.trim()) || patterns(words).telling.test(line.trim());

/** A line at least this long, in characters, may have been wrapped by an e-mail client or a terminal. */
const WRAPPED = 60;

/**
 * Whether a line below a user's turn is certain to belong to it: it continues the turn's sentence or list, or is in the
 * turn's own block or quote.
 */
export function continuesRequest(line: string, above: Above, words: Words): boolean {
  const { answer, last, isAfterBlank, block } = above;
  if (block === 'own' || isQuoteOpen(answer)) return true;
  if (isBeside(line, words) || PAIR.test(line))
    return last.trimEnd().endsWith(':') && continuesList(above, line);
  if (continuesList(above, line) || last.trimEnd().endsWith(':')) return true;
  if (isAfterBlank) return false;
  if (endsOpen(last, words) || isIndented(line, above)) return true;
  const isOpen = /^\p{Ll}/u.test(line.trim()) && !/[.!?…:;"”»)\]]\s*$/.test(last);
  return isOpen && (last.length >= WRAPPED || patterns(words).goesOn.test(line.trim()));
}
