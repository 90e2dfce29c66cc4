import { frequencies } from '../../common/index.ts';
import { alternatives, type CaseFormat } from '../format/index.ts';
import { meaningOf, wordOf } from './label-meanings.ts';
import { begins, STAMP } from './line-labels.ts';

/** The name of an author at the start of a line. */
interface Author {
  name: string;
  /** The position after the name, and what belongs to it, in the line. */
  end: number;
  /** Whether the line has a form that only messages have: a time, or a name in brackets. */
  isSure: boolean;
  /** Whether it is a person's name, as far as is known, and not a role or an assistant. */
  isName: boolean;
}

/** The part of a line in which the name of an author must end, in characters. */
const REACH = 160;
const WORD = String.raw`\p{L}[\p{L}\p{M}\p{N}_'’-]{0,30}\.?`;
const NAME = `@?${WORD}(?: ${WORD}){0,3}`;
const TIME = `(?:(?:today|yesterday|heute|gestern)(?: at| um)? )?${STAMP}`;
const MAIL = String.raw`(?: ?<[^<>\n]{1,60}>)?`;

/**
 * How chats, logs and mails name the author of a message. A name in `sure` is one wherever it stands; a name in `name` may be any
 * label.
 */
const FORMS: readonly RegExp[] = [
  // From: Alice Meyer <alice@example.com>
  `(?:from|to|cc|sender|author|von|an|autor|absender)[*_]{0,2}: ?[*_]{0,2} ?(?<sure>${NAME})${MAIL}`,
  // On Monday, Alice Meyer <alice@example.com> wrote: · Am 3. März schrieb Alice Meyer:
  `.{0,80}?(?:[,>] |schrieb )(?<sure>${NAME})${MAIL}(?: wrote| schrieb)?:$`,
  // [10:41] Alice (driver): … · 12.03.24, 10:15 - Alice: …
  String.raw`(?:[-*•] )?${STAMP}(?: ?[-–|,•])? ?(?<sure>${NAME})(?: ?[([][^()[\]\n]{1,40}[)\]])?[*_]{0,2} ?[:：] ?`,
  // <Alice> … · [Alice] …
  String.raw`(?:${STAMP} ?)?[<[](?<sure>${NAME})[>\]] ?:? ?`,
  // Alice  10:41 AM · Alice — Today at 10:41
  String.raw`(?<sure>${NAME})(?: ?[([][^()[\]\n]{1,20}[)\]])?[ ,·•|–—-]{1,4}${TIME}[: ]{0,2}$`,
  // 10:41 Alice
  `${STAMP}[ ,·•|–—-]{1,4}(?<sure>${NAME})$`,
  // **Alice** (driver): …
  String.raw`(?:[-*•] )?[*_]{0,3}(?<name>${NAME})[*_]{0,3}(?: ?[([][^()[\]\n]{1,40}[)\]])?(?:,? ${STAMP})?[*_]{0,3} ?[:：](?!//)[*_]{0,3} ?`,
].map((source) => new RegExp(`^ {0,8}${source}`, 'diu'));

/** What a label is: a speaker by its role or as an assistant, the name of something else, or the name of a person. */
function kindOf(name: string, format: CaseFormat): 'speaker' | 'other' | 'name' {
  const bare = name.replace(/^@/, '');
  const meaning = meaningOf(bare, format)?.meaning.kind;
  if (meaning === 'role' || begins(bare, 'assistant', format.words)) return 'speaker';
  return meaning === undefined ? 'name' : 'other';
}

function authorIn(line: string, format: CaseFormat): Author | null {
  const head = line.slice(0, REACH);
  for (const form of FORMS) {
    const match = form.exec(head);
    const { sure, name = sure } = match?.groups ?? {};
    if (match === null || name === undefined) continue;
    const kind = kindOf(name, format);
    const isSure = sure !== undefined;
    if (kind === 'other' || (kind === 'speaker' && !isSure)) return null;
    return { name, end: match[0].length, isSure, isName: kind === 'name' };
  }
  return null;
}

const isCapital = (name: string): boolean => name.split(' ').every((word) => /^@|^\p{Lu}/u.test(word));

/** A name on a line of its own, above a time. */
const ALONE = new RegExp(`^${NAME}$`, 'u');
const ONLY_TIME = new RegExp(`^ {0,8}${TIME} {0,8}$`, 'iu');

/** The authors of a text's messages. */
export interface Authors {
  /** Their names, longest first, so that a full name is replaced before its parts. */
  names: readonly string[];
  /** The position in a line after the author that it surely begins with; 0 if there is none. */
  endIn: (line: string) => number;
}

/**
 * Finds the authors that a chat, a log or a mail names. Labels that mean something are none. It finds too many rather than too few:
 * a label that is not known may be a name.
 */
export function findAuthors(lines: readonly string[], format: CaseFormat): Authors {
  const found = lines.map((line, at): Author | null => {
    const isAbove = line.length < 60 && ONLY_TIME.test(lines[at + 1] ?? '') && ALONE.test(line.trim());
    const name = line.trim();
    const kind = isAbove ? kindOf(name, format) : 'other';
    if (kind !== 'other') return { name, end: line.length, isSure: true, isName: kind === 'name' };
    return authorIn(line, format);
  });
  const wordIn = (name: string) => wordOf(name, format.words);
  const counts = frequencies(found.flatMap((author) => (author === null ? [] : wordIn(author.name))));
  const isRepeated = ({ name }: Author) => (counts.get(wordIn(name)) ?? 0) > 1;
  const ends = new Map(
    lines.map((line, at) => {
      const author = found[at] ?? null;
      return [line, author !== null && (author.isSure || isRepeated(author)) ? author.end : 0];
    }),
  );
  const names = found.flatMap((author) => {
    if (author?.isName !== true) return [];
    const isName =
      author.isSure || isRepeated(author) || isCapital(author.name) || !author.name.includes(' ');
    return isName ? partsOf(author.name, format) : [];
  });
  return {
    names: [...new Set(names)].sort((a, b) => b.length - a.length || (a < b ? -1 : 1)),
    endIn: (line) => ends.get(line) ?? 0,
  };
}

/** A name, and each of its capitalized words, by which others may speak to its author. */
function partsOf(given: string, format: CaseFormat): string[] {
  const name = given.replace(/^@/, '');
  const words = name.split(' ').filter((word) => /^\p{Lu}[\p{L}\p{M}'’-]{2,}$/u.test(word));
  return [name, ...words.filter((word) => kindOf(word, format) === 'name')];
}

/** A pattern for names as whole words; null without names. */
export const namePattern = (names: readonly string[]): RegExp | null =>
  names.length === 0
    ? null
    : new RegExp(`(?<![\\p{L}\\p{N}_])${alternatives(names)}(?![\\p{L}\\p{N}_])`, 'giu');
