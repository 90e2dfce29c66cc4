import * as z from 'zod';
import type { CaseFormat } from '../format/index.ts';
import { excerpt } from './clean-text.ts';
import { isTooDeep, parseJson } from './find-json.ts';
import { meaningOf } from './label-meanings.ts';
import { begins } from './line-labels.ts';
import { Tracked } from './tracked-text.ts';
import { Leaves } from './value-positions.ts';

/** Subtitles: SRT, WebVTT, or the lines that Whisper prints. */

/** What is said in one cue by one speaker. */
interface Utterance {
  speaker: Tracked | null;
  lines: Tracked[];
  /** The start of its cue, for messages. */
  time: string;
}

const TIME = '(?:\\d{1,2}:)?\\d{1,2}:\\d{2}[.,]\\d{3}';
/** The times of a cue: a line of their own, or in brackets before the text. */
const CUE = new RegExp(`^ {0,4}\\[?(?<start>${TIME}) --> ${TIME}(?:\\](?<text>.*)|(?: .*)?)$`);
/** What is not said: a header, a note, or the number or name of a cue, which stands right above its times. */
const ASIDE = /^(?:WEBVTT|NOTE|STYLE|REGION|Kind:|Language:)(?:[ :].*)?$/;
/** Ends of voices are left out: what a voice says can go on in the next line, and ends where another one begins. */
const TAGS = /<\/v>|<\/?(?:[biuc]|font|ruby|rt|lang|\d{2}:)[^<>\n]{0,100}>|\{\\an?\d\}/gi;
const VOICE = /^<v(?:\.[\w.]{1,40})? (?<speaker>[^<>\n]{1,60})>(?<text>.*?)(?:<\/v>)?$/;
const BRACKETED = /^[[(](?<speaker>[\p{L}][\p{L}\p{N} ._-]{0,40})[\])]:? ?(?<text>.*)$/u;
const NAMED = /^(?:>>|- ?)? ?(?<speaker>\p{Lu}[\p{L}\p{N} ._()-]{0,40}?) ?: +(?<text>\S.*)$/u;
const DASH = /^[-–—] ?(?<text>\S.*)$/;
const SENTENCE_END = /[.?!…]["'”»)]*$/;

/** The parts of a line that each begin with a voice. */
function voicesIn(line: Tracked): Tracked[] {
  const starts = [...line.text.matchAll(/<v[. ]/g)].map(({ index }) => index).filter((index) => index > 0);
  return [0, ...starts].map((start, at) => line.slice(start, starts[at]));
}

/** The parts of a pattern's groups in a line. */
function partsOf(line: Tracked, pattern: RegExp): { speaker: Tracked; text: Tracked } | null {
  const { speaker, text } = pattern.exec(line.text)?.groups ?? {};
  if (speaker === undefined || text === undefined) return null;
  const from = line.text.indexOf(speaker);
  const at = line.text.lastIndexOf(text);
  return { speaker: line.slice(from, from + speaker.length), text: line.slice(at, at + text.length).trim() };
}

const isBlank = ({ text }: Tracked): boolean => text.trim() === '';

const secondsOf = (time: string): number =>
  time.split(':').reduce((sum, part) => sum * 60 + Number(part.replace(',', '.')), 0);

/** A stretch of time, and the lines that are shown in it. */
interface Cue {
  time: string;
  lines: Tracked[];
}

/** The cue that a line begins with its times; null for any other line. */
function beginOf(line: Tracked): Cue | null {
  const { start, text } = CUE.exec(line.text)?.groups ?? {};
  if (start === undefined) return null;
  return {
    time: start,
    lines: text === undefined ? [] : [line.slice(line.text.length - text.length).trim()],
  };
}

/** The cues of subtitles in their order; null if there is text that belongs to none, which is read as any other text. */
function allCuesIn(lines: readonly Tracked[]): Cue[] | null {
  const cues: Cue[] = [];
  let open: Cue | null = null;
  // A note, style or region ends with a blank line.
  let isAside = false;
  for (const [at, line] of lines.entries()) {
    const begun = beginOf(line);
    if (begun !== null || isBlank(line)) {
      if (begun !== null) cues.push(begun);
      open = begun;
      isAside = false;
      continue;
    }
    const next = lines[at + 1];
    const isName = next !== undefined && CUE.test(next.text);
    isAside ||= open === null && ASIDE.test(line.text);
    if (isName || isAside) continue;
    if (open === null) return null;
    open.lines.push(...voicesIn(line).map((one) => one.replace(TAGS, () => '').trim()));
  }
  return cues;
}

/** The cues of subtitles that say something, by time; null for any other text. */
function cuesIn(text: Tracked): Cue[] | null {
  const cues = allCuesIn(text.lines());
  if (cues === null) return null;
  const filled = cues
    .filter((cue) => cue.lines.some((line) => !isBlank(line)))
    .sort((a, b) => secondsOf(a.time) - secondsOf(b.time));
  return filled.length < 2 && !filled.some((cue) => cue.lines.length > 1) ? null : filled;
}

/** What each speaker says, cue by cue. */
function utterancesIn(cues: readonly Cue[], format: CaseFormat): Utterance[] {
  const isRole = (name: string) => meaningOf(name, format)?.meaning.kind === 'role' || /^speaker/i.test(name);
  return cues.flatMap(({ time, lines }) => {
    const own: Utterance[] = [];
    for (const line of lines) {
      if (isBlank(line)) continue;
      const bracketed = partsOf(line, BRACKETED);
      const found =
        partsOf(line, VOICE) ??
        (bracketed !== null && isRole(bracketed.speaker.text) ? bracketed : null) ??
        partsOf(line, NAMED);
      const dash = DASH.exec(line.text)?.groups?.text;
      if (found !== null) own.push({ speaker: found.speaker, lines: [found.text], time });
      else if (dash !== undefined)
        own.push({ speaker: null, lines: [line.slice(line.text.length - dash.length)], time });
      else if (own.length > 0) own.at(-1)?.lines.push(line);
      else own.push({ speaker: null, lines: [line], time });
    }
    return own;
  });
}

const textOf = ({ lines }: Utterance): string =>
  lines
    .map(({ text }) => text)
    .join(' ')
    .trim();

/** Subtitles as lines with labels, or why nothing says who speaks. */
export type Subtitles = { text: Tracked; assumed: string[] } | { problem: string };

const toText = (turns: readonly { label: Tracked; lines: readonly Tracked[] }[]): Tracked =>
  Tracked.join(
    turns.map(({ label, lines }) => Tracked.join([label, Tracked.added(': '), Tracked.join(lines, ' ')])),
    '\n',
  );

/**
 * Gives each utterance to the user or the system where only the wake word tells: it begins what the user says, which ends
 * with its sentence; then the system speaks, and goes on as long as its sentence does.
 */
function byWakeWord(utterances: readonly Utterance[], format: CaseFormat): Subtitles | null {
  const wakes = utterances.map((one) => begins(textOf(one), 'wakeWord', format.words));
  if (!wakes.includes(true)) return null;
  const unclear = ({ time, lines }: Utterance): Subtitles => ({
    problem: `Nothing says who speaks at ${time} ("${excerpt(lines[0]?.text ?? '', 40)}"): the wake word tells only whose the words before are. Write "User:" or "System:" before what is said.`,
  });
  const turns: { role: 'User' | 'System'; lines: Tracked[] }[] = [];
  for (const [at, one] of utterances.entries()) {
    const last = turns.at(-1);
    const before = utterances[at - 1];
    const isOver = before === undefined || SENTENCE_END.test(textOf(before));
    if (wakes[at] === true) turns.push({ role: 'User', lines: [...one.lines] });
    else if (last === undefined) return unclear(one);
    else if (!isOver) last.lines.push(...one.lines);
    else if (last.role === 'User') {
      // A wake word alone is no request: what follows can be its rest, or the system that asks back.
      if (!/\s\S+\s\S+/.test(last.lines.map(({ text }) => text).join(' '))) return unclear(one);
      turns.push({ role: 'System', lines: [...one.lines] });
    } else return unclear(one);
  }
  return {
    text: toText(turns.map(({ role, lines }) => ({ label: Tracked.added(role), lines }))),
    assumed: ['read as subtitles: who says the wake word is the user, who speaks then is the system'],
  };
}

/** Reads subtitles as lines with labels or names; null for any other text. */
export function subtitlesIn(given: Tracked, format: CaseFormat): Subtitles | null {
  if (!given.text.includes(' --> ')) return null;
  const cues = cuesIn(given.replace(/\r\n?/g, () => '\n'));
  if (cues === null) return null;
  const utterances = utterancesIn(cues, format);
  const named = utterances.filter(({ speaker }) => speaker !== null);
  if (named.length === 0) return byWakeWord(utterances, format);
  const turns: { label: Tracked; lines: Tracked[] }[] = [];
  for (const { speaker, lines, time } of utterances) {
    const last = turns.at(-1);
    if (speaker !== null && last?.label.text !== speaker.text)
      turns.push({ label: speaker, lines: [...lines] });
    // A cue without a name goes on with the sentence before it.
    else if (speaker === null && (last === undefined || SENTENCE_END.test(last.lines.at(-1)?.text ?? '')))
      return {
        problem: `Nothing says who speaks at ${time} ("${excerpt(lines[0]?.text ?? '', 40)}"): write "User:" or "System:" before what is said.`,
      };
    else last?.lines.push(...lines);
  }
  return { text: toText(turns), assumed: ['read as subtitles'] };
}

const Segment = z.looseObject({
  start: z.number(),
  end: z.number(),
  text: z.string(),
  speaker: z.string().nullish(),
});
const Transcript = z.looseObject({ segments: z.array(Segment).min(1), language: z.string().nullish() });

/** Seconds as subtitles have them: `00:01:02.500`. */
function clock(seconds: number): string {
  const ms = Math.round(seconds * 1000);
  const parts = [ms / 3_600_000, (ms / 60_000) % 60, (ms / 1000) % 60].map((part) =>
    String(Math.floor(part)).padStart(2, '0'),
  );
  return `${parts.join(':')}.${String(ms % 1000).padStart(3, '0')}`;
}

/** The JSON of Whisper and of tools like it, with a segment for each utterance, as subtitles; null for any other text. */
export function segmentsIn(json: Tracked): Tracked | null {
  if (!json.text.startsWith('{') || !json.text.includes('"segments"') || isTooDeep(json.text)) return null;
  const parsed = parseJson(json.text);
  const read = 'value' in parsed ? Transcript.safeParse(parsed.value) : null;
  if (!read?.success) return null;
  const leaves = new Leaves();
  leaves.addJson(json);
  const { segments } = read.data;
  const cues = segments.map(({ start, end, text, speaker }) => {
    const name = speaker ? [...leaves.take(speaker, 'speaker'), Tracked.added(': ')] : [];
    const said = leaves.take(text, 'text').map((one) => one.trim());
    return Tracked.join([Tracked.added(`${clock(start)} --> ${clock(end)}\n`), ...name, ...said]);
  });
  return Tracked.join(cues, '\n\n');
}

/** Whether a text is speech: subtitles, or a transcript with a segment for each utterance. */
export function isSpeech(text: string, format: CaseFormat): boolean {
  const whole = Tracked.received(text.replace(/^\ufeff/, '')).trim();
  return segmentsIn(whole) !== null || subtitlesIn(whole, format) !== null;
}
