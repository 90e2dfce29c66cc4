import { counted } from '../../common/text/index.ts';
import { type CaseParts, GROUP_TAG, isRecord, MAX_TURNS } from '../index.ts';
import type { Conversation, Turn } from './conversations.ts';
import type { TraceRecord } from './find-records.ts';

/** What a conversation came to. */
export type TraceItem = { where: string; format: string } & (
  | { parts: CaseParts; notes: string[]; turns: readonly Turn[] }
  | { problem: string; understood: CaseParts }
);

/** A moment of UTC, also where its offset is zero: nothing tells it from the local time of a user in that zone. */
const UTC = /(?:Z|UTC|[+-]00:?00)$/i;

/** The date and the time of day in a moment such as `2026-03-02T20:35:00+01:00`; none in one of UTC. */
function localMoment(local = ''): CaseParts['context'] {
  const [, date, time] =
    /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2})(?::\d{2}(?:\.\d+)?)?(?:[+-]\d{2}:?\d{2})?/.exec(local) ?? [];
  return date === undefined || time === undefined || UTC.test(local.trim()) ? undefined : { date, time };
}

/** The calls of a turn. An argument without a name, as some tools have it, is called `input`. */
const callsOf = ({ calls }: Pick<Turn, 'calls'>) =>
  calls.map(({ name, arguments: given, result }) => ({
    name,
    ...(isRecord(given)
      ? { arguments: given }
      : given === null || given === ''
        ? {}
        : { arguments: { input: given } }),
    ...(result === undefined ? {} : { result }),
  }));

const withCalls = (turn: Pick<Turn, 'calls'>) =>
  turn.calls.length === 0 ? {} : { toolCalls: callsOf(turn) };

/** What a case is called by and counted under in reports. */
function tagsOf(answer: Turn, group: string | null): { tags?: Record<string, string> } {
  const { record } = answer;
  const model = answer.model ?? record.model;
  const moment = record.time === undefined ? null : new Date(record.time).toISOString();
  const tags = {
    ...(model === undefined ? {} : { model }),
    ...(record.build === undefined ? {} : { build: record.build }),
    ...(moment === null ? {} : { date: moment.slice(0, 10), time: moment }),
    ...(group === null ? {} : { [GROUP_TAG]: group }),
  };
  return Object.keys(tags).length === 0 ? {} : { tags };
}

interface Options {
  /** One case for each answer, not only for the last one. */
  everyAnswer: boolean;
  /** The id of the case; null if there is none. */
  id: string | null;
}

/** Where the answers end that can be judged: the last turn of the system before each turn of the user, and the last one. */
function answersIn(turns: readonly Turn[]): number[] {
  return turns.flatMap(({ role }, at) =>
    role === 'system' &&
    turns[at + 1]?.role !== 'system' &&
    turns.slice(0, at).some((turn) => turn.role === 'user')
      ? [at]
      : [],
  );
}

const spoken = (turns: readonly Turn[]) =>
  turns.map((turn) => ({ role: turn.role, text: turn.text, ...withCalls(turn) }));

const language = (records: readonly TraceRecord[]): string | undefined =>
  records.findLast((record) => record.language !== undefined)?.language;

/** What is left out of the case of an answer, and what is assumed. */
function notesOn(turns: readonly Turn[], end: number, isOne: boolean): string[] {
  const silent = turns.slice(0, end).filter(({ text }) => text.trim() === '').length;
  const after = turns.length - end - 1;
  return [
    ...(silent > 0 ? [`left out: ${counted(silent, 'message')} without text`] : []),
    ...(after > 0 && isOne ? [`left out: ${counted(after, 'turn')} after the one to judge`] : []),
    ...(turns[end - 1]?.role === 'system'
      ? ['the system speaks twice in a row: only the last turn is judged']
      : []),
  ];
}

/** The fields of a case that an answer and its records tell. */
function fieldsOf(answer: Turn, asked: Turn | undefined, records: readonly TraceRecord[]) {
  const spokenLanguage = language(records);
  const local = localMoment(answer.record.local ?? asked?.record.local);
  return {
    ...withCalls(answer),
    ...(answer.record.trace === undefined ? {} : { trace: answer.record.trace }),
    ...(local === undefined ? {} : { context: local }),
    ...(answer.latencyMs === undefined ? {} : { latencyMs: answer.latencyMs }),
    ...(spokenLanguage === undefined ? {} : { language: spokenLanguage }),
  };
}

/** Makes the cases of a conversation, or says why it has none. */
export function itemsOf(conversation: Conversation, { everyAnswer, id }: Options): TraceItem[] {
  const { where, format: title, turns, notes, problem } = conversation;
  const all = turns.filter(({ text }) => text.trim() !== '');
  const understood = { conversation: spoken(all) };
  const refusedFor = (why: string): TraceItem[] => [{ where, format: title, problem: why, understood }];
  if (problem !== null) return refusedFor(problem);
  if (!turns.some(({ role }) => role === 'user')) return refusedFor('the user says nothing in it');
  const ends = answersIn(turns);
  const last = ends.at(-1);
  if (last === undefined) return refusedFor('the system says nothing after the user');
  const wanted = everyAnswer ? ends : [last];
  return wanted.map((end): TraceItem => {
    const answer = turns[end];
    const before = turns.slice(0, end);
    const said = before.filter(({ text }) => text.trim() !== '');
    const asked = before.findLast(({ role }) => role === 'user');
    const item = { where, format: title };
    if (answer === undefined || answer.text.trim() === '')
      return { ...item, problem: 'the last answer has no text', understood };
    if (asked?.text.trim() === '')
      return { ...item, problem: 'what the user sent before the answer has no text', understood };
    if (said.length > MAX_TURNS)
      return { ...item, problem: `it has ${said.length} turns, the limit is ${MAX_TURNS}`, understood: {} };
    const judged = turns.slice(0, end + 1);
    const isOne = wanted.length === 1;
    return {
      ...item,
      turns: judged,
      parts: {
        ...(id === null ? {} : { id: isOne ? id : `${id}-${ends.indexOf(end) + 1}` }),
        conversation: spoken(said),
        response: answer.text,
        ...fieldsOf(
          answer,
          asked,
          judged.map(({ record }) => record),
        ),
        ...tagsOf(answer, isOne ? null : (id ?? where)),
      },
      notes: [`read as ${title}`, ...notes, ...notesOn(turns, end, isOne)],
    };
  });
}
