import type { Role } from './labels.ts';
import { type Labelled, readLabel } from './read-label.ts';
import { afterMention } from './read-mention.ts';

/** The two short signs that stand for user and system in one text: letters (`u`, `s`) or pictures (`👤`, `🤖`). */
export type Signs = Readonly<Record<Role, string>>;

/** Letters that stand together; any other two are answers to choose from, or a list. */
const LETTERS = new Set(['us', 'ua', 'ub', 'qa', 'ha', 'hb', 'dc', 'ds', 'ns', 'fa']);

const PICTURES: Readonly<Record<Role, string>> = {
  user: '👤 🧑 👩 👨 👱 🧔 👦 👧 👵 👴 🙋 🗣 🙂 😀 :bust_in_silhouette: :adult: :man: :woman: :raising_hand: :speaking_head_in_silhouette:',
  system:
    '🤖 🚗 🚘 🚙 🏎 🚕 💻 🖥 📱 🔊 :robot_face: :car: :red_car: :blue_car: :oncoming_automobile: :computer:',
};
const ROLE_OF: ReadonlyMap<string, Role> = new Map([
  ...PICTURES.user.split(' ').map((sign): [string, Role] => [sign, 'user']),
  ...PICTURES.system.split(' ').map((sign): [string, Role] => [sign, 'system']),
]);

/** What may follow the first character of a picture: a skin tone, a joined second picture. */
const PICTURE =
  /^((?::[a-z_]{2,30}:)|\p{Extended_Pictographic})(?:\ufe0f|\p{Emoji_Modifier}|\u200d\p{Extended_Pictographic}|\u200d[♀♂]){0,5} {0,3}[:：]? ?/u;

/** Whether a label is a letter or a picture, which counts only as one of a pair. */
export const isSign = (word: string): boolean => word.length === 1 || ROLE_OF.has(word);

/** `👤 find pizza`: the picture that a line begins with, where it stands for somebody, and what follows. */
function pictureOf(line: string): { sign: string; role: Role; value: string } | null {
  const start = line
    .slice(0, 100)
    .trimStart()
    .replace(/^[-•*] /, '');
  const match = PICTURE.exec(start);
  const role = match?.[1] === undefined ? undefined : ROLE_OF.get(match[1]);
  if (!match?.[1] || role === undefined) return null;
  const from = line.indexOf(match[0]) + match[0].length;
  return { sign: match[1], role, value: line.slice(from).trim() };
}

interface Sign {
  sign: string;
  role: Role;
  isWord: boolean;
}

function signOf(line: string): Sign | null {
  const labelled = readLabel(line) ?? afterMention(line, true)?.labelled ?? null;
  if (labelled?.meaning.kind === 'role')
    return { sign: labelled.word, role: labelled.meaning.role, isWord: labelled.word.length > 1 };
  const picture = pictureOf(line);
  return picture && { ...picture, isWord: false };
}

/**
 * The pair of short signs that a text labels its turns with. Null where a label in words comes first: then a letter or
 * a picture at the start of a line is text.
 */
export function findSigns(lines: readonly string[]): Signs | null {
  let letter: Sign | null = null;
  let picture: Sign | null = null;
  for (const line of lines) {
    const sign = signOf(line);
    if (sign === null) continue;
    if (sign.isWord) return null;
    const isPicture = ROLE_OF.has(sign.sign);
    const pair = pairOf(isPicture ? picture : letter, sign);
    if (pair && (isPicture || LETTERS.has(pair.user + pair.system))) return pair;
    if (isPicture) picture = sign;
    else letter = sign;
  }
  return null;
}

function pairOf(last: Sign | null, next: Sign): Signs | null {
  if (last === null || last.role === next.role) return null;
  return next.role === 'user'
    ? { user: next.sign, system: last.sign }
    : { user: last.sign, system: next.sign };
}

/** A line that begins with one of the two pictures of this text. */
export function readPicture(line: string, signs: Signs | null): Labelled | null {
  if (signs === null || !ROLE_OF.has(signs.user)) return null;
  const picture = pictureOf(line);
  if (picture === null || signs[picture.role] !== picture.sign) return null;
  const { sign, role, value } = picture;
  return { word: sign, meaning: { kind: 'role', role }, label: sign, value, marked: false, alone: false };
}
