import { isRecord, Turn } from '../../case/case.ts';
import type { CaseFormat } from '../../case/case-format.ts';
import { parseJson } from '../../case/paste/json.ts';
import { roleOf, textOf } from '../../case/paste/labels.ts';
import { JuryError } from '../../common/errors.ts';

/** Whose turns the lines of a speaker are, by the speaker's name in lower case; null if they belong to the turn before. */
export type Speakers = ReadonlyMap<string, Turn['role'] | null>;

/** Reads `LAMDA=system`; `Note=-` says that it is not a speaker. @throws JuryError `usage` */
export const readSpeakers = (texts: readonly string[]): Speakers =>
  new Map(
    texts.map((text) => {
      const at = text.lastIndexOf('=');
      const role = text.slice(at + 1).trim();
      if (at < 1 || !['user', 'system', '-'].includes(role))
        throw new JuryError(
          'usage',
          `--speaker "${text}": write name=user, name=system, or name=- for a word that is not a speaker.`,
        );
      const name = text.slice(0, at).trim().toLowerCase();
      return [name, role === '-' ? null : role === 'user' ? 'user' : 'system'];
    }),
  );

/** Parses JSON in a cell; other values stay as they are. */
export function decoded(value: unknown): unknown {
  if (typeof value !== 'string' || !/^\s*[[{]/.test(value)) return value;
  const parsed = parseJson(value);
  return 'value' in parsed ? parsed.value : value;
}

const KNOWN = /^(user|system|assistant|driver|car|human|bot)$/i;
/** A name at the start of a line, in one to three words, before a colon that is not part of an address. */
const NAMED = /^\s*(\p{L}[\p{L}\p{N}_-]{0,30}(?: [\p{L}\p{N}_-]{1,30}){0,2})\s*:(?!\/\/)\s*(.*)$/u;
/** What speakers are called; a word within a sentence is not capitalized. */
const CAPITALIZED = /^\p{Lu}/u;

interface TurnReading {
  format: CaseFormat;
  speakers: Speakers;
  /** Takes what was assumed. */
  note: (assumption: string) => void;
}

type Read = { value: Turn[] } | { problem: string };

const unknownSpeaker = (name: string): { problem: string } => ({
  problem: `has a line by "${name}", who is neither user nor system: add --speaker ${name}=system, ${name}=user, or ${name}=- if it is not a speaker`,
});

/** Lines `User: …` and `System: …`; a line without a speaker belongs to the turn before it. */
function spoken(text: string, { format, speakers, note }: TurnReading): Read {
  const lines = text.split(/\r?\n/).map((line) => {
    const [, name, rest = ''] = NAMED.exec(line) ?? [];
    const asked = name === undefined ? undefined : speakers.get(name.toLowerCase());
    const known = name !== undefined && KNOWN.test(name) ? roleOf(name, format)?.role : undefined;
    const isStranger = name !== undefined && asked === undefined && known === undefined;
    const stranger = isStranger && CAPITALIZED.test(name) ? name : undefined;
    return { line, rest, role: asked === undefined ? known : (asked ?? undefined), stranger };
  });
  const strangers = lines.flatMap(({ stranger }) => stranger ?? []);
  if (!lines.some(({ role }) => role !== undefined))
    return strangers.length > 1
      ? unknownSpeaker(strangers[0] ?? '')
      : { value: [{ role: 'user', text: text.trim() }] };
  if (strangers[0] !== undefined) return unknownSpeaker(strangers[0]);
  const turns: { role: Turn['role']; lines: string[] }[] = [];
  for (const { line, rest, role } of lines) {
    const last = turns.at(-1);
    if (role !== undefined) turns.push({ role, lines: [rest] });
    else if (last !== undefined) last.lines.push(line);
    else if (line.trim() !== '') return { problem: 'begins with a line without a speaker' };
  }
  const said = turns.flatMap(({ role, lines: own }): Turn[] => {
    const text = own.join('\n').trim();
    if (text === '') note('a turn without text is left out');
    return text === '' ? [] : [{ role, text }];
  });
  return { value: said };
}

/** Turns in a cell: a JSON list of turns, lines that name their speakers, or a text that is one turn of the user. */
export function turnsIn(cell: unknown, reading: TurnReading): Read {
  const { format, speakers } = reading;
  const value = decoded(cell);
  if (typeof value === 'string') return spoken(value, reading);
  const neither = { problem: 'must be text, or turns with role and text' };
  if (!Array.isArray(value)) return neither;
  const turns: Turn[] = [];
  for (const item of value) {
    const role: unknown = isRecord(item) ? (item.role ?? item.speaker ?? item.from) : undefined;
    const asked = typeof role === 'string' ? speakers.get(role.toLowerCase()) : undefined;
    const turn = Turn.safeParse({
      role: asked ?? roleOf(role, format)?.role,
      text: textOf(item, format.words),
    });
    if (!turn.success)
      return typeof role === 'string' && roleOf(role, format) === null ? unknownSpeaker(role) : neither;
    turns.push(turn.data);
  }
  return { value: turns };
}
