import { alternatives, oncePer, type Words } from '../words.ts';
import { isClosing, isRemark } from './line-starts.ts';

/** What stands above a line below an answer. */
export interface Above {
  /** The lines of the answer so far, or the last ones of many. */
  answer: readonly string[];
  /** The last one that says something. */
  last: string;
  isAfterBlank: boolean;
  /** How far the label of the answer was indented, in characters. */
  indent: number;
  /** Whether the answer is in a quote or fence that is still open, alone or with what stands before it. */
  block: 'own' | 'shared' | 'none';
}

const patterns = oncePer(({ sentences }: Words) => ({
  /** Ends in a word that a sentence cannot end with. */
  open: new RegExp(`(?<![\\p{L}\\p{N}])${alternatives(sentences.open)}$`, 'iu'),
  /** Begins as people begin what they think of an answer. */
  opinion: new RegExp(`^${alternatives(sentences.opinion)}(?![\\p{L}\\p{N}])`, 'iu'),
  /** Begins as people begin who tell of what was said. */
  telling: new RegExp(
    `^(?:${alternatives(sentences.joins)} )?${alternatives([...sentences.opinion, ...sentences.narration])}(?![\\p{L}\\p{N}])`,
    'iu',
  ),
  /** Begins as a request goes on. */
  goesOn: new RegExp(`^${alternatives(sentences.goesOn)}(?![\\p{L}\\p{N}])`, 'u'),
}));

const MARKER = /^\s*(?:([-*•–·▪◦+]|\p{Extended_Pictographic})\ufe0f?|(\d{1,2})[.)]|\(?([a-h])[.)]) \S/u;

/** The kind of list that a line is an item of, and its number; null where it is none. */
function itemOf(line: string): { kind: string; number: number | null } | null {
  const [all, bullet, digits, letter] = MARKER.exec(line) ?? [];
  if (all === undefined) return null;
  if (digits !== undefined) return { kind: '1', number: Number(digits) };
  return letter === undefined
    ? { kind: /\p{Extended_Pictographic}/u.test(bullet ?? '') ? 'picture' : (bullet ?? ''), number: null }
    : { kind: 'a', number: letter.charCodeAt(0) - 96 };
}

/** `Lunch: 12:30 at Luigi`, `SeatHeat = 2`: a name and a value. */
const PAIR = /^\s*[\p{L}\d][\p{L}\d_ .-]{0,40} ?[:=] ?\S/u;

/** Whether a line is the next item of the list that the answer announces or is in. */
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

/** What closes the quote that an answer begins with. */
const CLOSING: Readonly<Record<string, string>> = { '"': '"', '“': '”', '„': '“', '«': '»', '»': '«' };

/** Whether the answer began with a quote that is not closed yet. */
function isQuoteOpen(answer: readonly string[]): boolean {
  const text = answer.join('\n').trim();
  const closing = CLOSING[text.charAt(0)];
  return closing !== undefined && !text.slice(1).includes(closing);
}

/** Whether the sentence that a line ends with surely continues. */
function endsOpen(last: string, words: Words): boolean {
  const text = last.trimEnd();
  return /[,;:–—\-/&+]$/.test(text) || patterns(words).open.test(text);
}

/** Whether a line is indented below its label: the block that began with it. */
const isIndented = (line: string, { indent }: Above): boolean => line.search(/\S/) >= indent + 2;

/**
 * What a line below an answer is: `answer` only where nobody but the system can have said it, `remark` only where a pattern fits the whole line;
 * else it is not known.
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

/** What stands in brackets, the time of a chat, and a mention: what stands beside what is said. */
const BESIDE = /^(?:[([{].*[)\]}]|[[(]?\d{1,2}[:.]\d{2}|@|<@|#|\/\/|\^|<-|->|=>)/u;

/** Whether a line among the turns has the form of what people say about them: it is told, stands in brackets, or is a time. */
export const isBeside = (line: string, words: Words): boolean =>
  BESIDE.test(line.trim()) || patterns(words).telling.test(line.trim());

/** Shortest line that an e-mail or a terminal breaks, in characters. */
const WRAPPED = 60;

/**
 * Whether a line below what the user said is surely said by the user: it goes on with the sentence or the list, or stands in a block with
 * nothing else.
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
