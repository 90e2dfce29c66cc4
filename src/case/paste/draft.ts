import { counted } from '../../common/text/index.ts';
import { type CaseFormat, pathOfField } from '../format/index.ts';
import { type AnswerNames, type EvalCase, MAX_TURNS, pairOf } from '../index.ts';
import { isBeside } from './answer-end.ts';
import {
  type ContextEntry,
  readFields,
  readSituation,
  readVenuePlace,
  type VenueEntry,
} from './attributes.ts';
import { excerpt, isBlank, listed, stripQuotes } from './clean-text.ts';
import { momentHint } from './dates-and-times.ts';
import { meaningOf, type Role, wordOf } from './label-meanings.ts';
import { explainIssues, type ReadItem, refused, type Unsure, unsureNote } from './problems.ts';
import type { FoundCall } from './read-calls.ts';
import { type Claim, claim } from './spans.ts';
import type { Tracked } from './tracked-text.ts';
import { Leaves } from './value-positions.ts';
import type { Note, Reading } from './values.ts';

/** A turn as found in the input. */
export interface DraftTurn {
  role: Role;
  /** The label or key that began it, in lower case: `assistant`, `response`. */
  word: string;
  text: string;
  /** The position of its text in the paste. */
  from: Tracked[];
  /** Lines below it that may be part of it, including the blank lines between paragraphs. */
  unsure: Tracked[];
  /** Whether the input marks it as the turn to judge. */
  marked: boolean;
  /** The bullet or arrow before its label. */
  sign?: string | undefined;
  /** The time before or after its label; empty if there is none. */
  stamp?: string;
  /** The tools that it called. */
  calls?: FoundCall[];
}

/** What the readers of text and objects collect; {@link finishDraft} makes a case of it. */
export class Draft {
  format: CaseFormat;
  turns: DraftTurn[] = [];
  /** Whether the turns come from a list and so have an order; the keys of an object have none. */
  isOrdered = false;
  context: ContextEntry[] = [];
  venue: VenueEntry[] = [];
  /** The lines of the recommendation's block. They are the response if the system says nothing else. */
  block: string[] = [];
  /** The number of turns before that block. */
  blockAt: number | null = null;
  documents: { id?: string; text: string; from: Tracked[] }[] = [];
  /** Calls of tools for which the system has not said anything yet. */
  calls: FoundCall[] = [];
  /** Whether the input says which tools were called, so that a turn without calls called none. */
  hasCalls = false;
  /** Whether a call was not read or belongs to no turn, so that nothing is said of a turn without calls. */
  lostCalls = false;
  /** Fields taken over unchanged. */
  fields: Partial<EvalCase> = {};
  assumed: string[];
  /** Phrases that say how keys of objects were read, for one note. */
  reads: string[] = [];
  unused: string[] = [];
  /** Parts of the paste that belong to no turn or attribute: unchanged fields, remarks, and what is left out. */
  claims: Claim[] = [];
  /** The positions of labels. They may include the values, because earlier claims win. */
  labels: Tracked[] = [];
  /** The values of the objects that were read, with their positions. */
  leaves: Leaves;

  constructor(format: CaseFormat, assumed: readonly string[] = [], leaves = new Leaves()) {
    this.format = format;
    this.assumed = [...assumed];
    this.leaves = leaves;
  }
}

/**
 * Notes that a log's time is not used. The hint on how to use it is given once: at the user's last turn with a time, or
 * at the first time if no user's turn has one.
 * @param isUsers whether the time belongs to a user's turn
 */
export function leaveOutTime(draft: Draft, path: string, time: unknown, isUsers: boolean): void {
  const { unused, format } = draft;
  const why = " (the log's time is not the user's";
  const at = unused.findIndex((one) => one.includes(why));
  const noted = unused[at];
  if (noted !== undefined && isUsers) unused[at] = noted.slice(0, noted.indexOf(why));
  const hint = momentHint(time, format);
  unused.push(noted !== undefined && !isUsers ? path : `${path}${why}${hint === null ? '' : `: ${hint}`})`);
}

/** Whether a role has a turn with text. */
export const speaks = ({ turns }: Draft, role: Role): boolean =>
  turns.some((turn) => turn.role === role && turn.text.trim() !== '');

/** Drops a first `System:` turn if later turns have another name for the system: it holds the system's instructions. */
function withoutInstructions({ turns, isOrdered, format }: Draft, note: Note): readonly DraftTurn[] {
  const { instructions, response } = format.words.labelKinds;
  const [head, ...rest] = turns;
  const isOther = ({ role, word }: DraftTurn) =>
    role === 'system' && !instructions.includes(word) && (isOrdered || !response.includes(word));
  if (head?.role !== 'system' || !instructions.includes(head.word) || !rest.some(isOther)) return turns;
  const headQuote = `("${excerpt(head.text, 40)}")`;
  note(`left out: what the system says before the conversation, read as instructions ${headQuote}`);
  return rest;
}

/**
 * Drops turns that are data of a ticket and not speech, such as `Fahrzeug: G60` in a paste where the system's turns are
 * labeled `Ist:`.
 */
function withoutThings(turns: readonly DraftTurn[], { format, note }: Reading): readonly DraftTurn[] {
  const { alsoThings } = format.words.labelKinds;
  const sure = new Set(turns.flatMap(({ role, word }) => (alsoThings.includes(word) ? [] : [role])));
  return turns.filter(({ role, word, text }) => {
    const canBeThing = sure.has(role) && alsoThings.includes(word);
    const isThing = canBeThing && /^\S{1,20}(?: \S{1,20}){0,2}$/.test(text) && !/[.?!]$/.test(text);
    if (isThing) note(`not used: ${word} "${excerpt(text, 40)}"`);
    return !isThing;
  });
}

/**
 * The index of the turn to judge. In order of precedence: the last marked turn; the only turn with a sign, if it is the
 * system's; the only `Response:` among other system turns; the system's last turn after a user's turn; the last turn.
 */
function judgedIndex(turns: readonly DraftTurn[], { format, note }: Reading): number {
  const marked = turns.findLastIndex((turn) => turn.marked);
  if (marked >= 0) return marked;
  const [signed, ...moreSigned] = turns.filter(({ sign }) => sign !== undefined);
  if (signed?.role === 'system' && moreSigned.length === 0 && turns.length > 2) {
    note(`the turn marked with "${signed.sign}" was taken as the one to judge`);
    return turns.indexOf(signed);
  }
  const answers = turns.filter(({ role }) => role === 'system');
  const [only, ...more] = answers.filter(({ word }) => format.words.labelKinds.response.includes(word));
  if (only && more.length === 0 && answers.length > 1) return turns.indexOf(only);
  const firstUser = turns.findIndex((turn) => turn.role === 'user');
  const last = turns.findLastIndex((turn) => turn.role === 'system');
  return firstUser >= 0 && last > firstUser ? last : turns.length - 1;
}

const ADD_USER = 'write "User: …" on a line before the response';
const ADD_SYSTEM = 'write "System: …" with the response to judge on a line after the user\'s turn';

/** A label before what is said, known or not: `IVA: …`, `ASSIST> …`. */
const ANY_SPEAKER =
  /^[ *_•-]{0,8}(?<label>\p{L}[\p{L}\p{N} _.-]{0,30})[*_]{0,3}(?: ?[:：](?!\/\/)|>(?= ))[*_]{0,3} {0,8}\S/u;

/** Names the first line that begins like a turn with a label that is not known; empty if there is none. */
function strangerIn({ turns, format }: Draft): string {
  const lines = turns.flatMap(({ text, unsure }) => [
    ...text.split('\n').slice(1),
    ...unsure.map((line) => line.text),
  ]);
  for (const line of lines) {
    const { label } = ANY_SPEAKER.exec(line)?.groups ?? {};
    if (label !== undefined && meaningOf(label, format) === null)
      return ` "${excerpt(line, 40)}" looks like a turn, but "${label}" is not known as a speaker: write "User:" or "System:" there (docs/cases.md says how to add a label).`;
  }
  return '';
}

/**
 * What is wrong with the turns, and which fields of a case are missing; null if the turn to judge can be judged.
 * @param index of the turn to judge
 * @param isEmpty whether the last turn is an empty system turn
 */
function problemIn(
  turns: readonly DraftTurn[],
  index: number,
  isEmpty: boolean,
): { problem: string; missing: string[] } | null {
  const has = (role: string, some = turns) => some.some((turn) => turn.role === role);
  const problem = (text: string, ...missing: string[]) => ({ problem: text, missing });
  if (turns.length === 0)
    return problem(
      `There is nothing to judge: write "User: …" on a line, and ${ADD_SYSTEM}.`,
      'conversation',
      'response',
    );
  if (!has('user')) return problem(`There is no user turn: ${ADD_USER}.`, 'conversation');
  if (isEmpty) return problem('The response is empty: write its text after "System:".', 'response');
  if (turns[index]?.role === 'user' && has('system'))
    return problem(
      'The conversation ends with the user, so there is no response to judge: add "System: …" at the end, or write ">>>" before the turn to judge.',
      'response',
    );
  if (turns[index]?.role === 'user')
    return problem(`There is no response to judge: ${ADD_SYSTEM}.`, 'response');
  if (!has('user', turns.slice(0, index)))
    return problem(`There is no user turn before the response to judge: ${ADD_USER}.`, 'conversation');
  return null;
}

/** The text of a turn without quotes around it or a dividing line at its end. */
const saidIn = (text: string): string => stripQuotes(text.trimEnd().replace(/\n[ \t]{0,20}[-=]{3,200}$/, ''));

interface Spoken {
  conversation: readonly DraftTurn[];
  response: string | null;
  /** The turn that is judged. */
  judged?: DraftTurn;
  /** What the user says after the response. */
  closing?: string;
  wrong: ReturnType<typeof problemIn>;
}

/** The text of a turn including all its unsure lines. */
const withUnsure = ({ text, unsure }: Pick<DraftTurn, 'text' | 'unsure'>): string =>
  [text, ...unsure.map((line) => line.text)].join('\n');

/** Gives the calls of the system's turns in a row to the last of them: the words that came of them. */
function gatherCalls(draft: Draft): void {
  const last = draft.turns.at(-1);
  if (draft.calls.length > 0 && last?.role === 'system')
    last.calls = [...(last.calls ?? []), ...draft.calls.splice(0)];
  for (const [at, turn] of draft.turns.entries()) {
    const next = draft.turns[at + 1];
    if (turn.role !== 'system' || next?.role !== 'system' || turn.calls === undefined) continue;
    next.calls = [...turn.calls, ...(next.calls ?? [])];
    turn.calls = [];
  }
}

/** The calls of a turn as a field of it; none if the input does not say what was called. */
const callsOf = ({ role, calls = [] }: DraftTurn, { hasCalls, lostCalls }: Draft) =>
  role === 'system' && hasCalls && !(lostCalls && calls.length === 0)
    ? { toolCalls: calls.map(({ call }) => call) }
    : {};

function spokenIn(draft: Draft, reading: Reading): Spoken {
  const { note } = reading;
  const spokenTurns = draft.turns.map((turn) => ({ ...turn, text: saidIn(turn.text) }));
  const filled = { ...draft, turns: spokenTurns.filter(({ text }) => text !== '') };
  const turns = withoutThings(withoutInstructions(filled, note), reading);
  const lastUser = spokenTurns.findLastIndex(({ role }) => role === 'user');
  const blockFollows = draft.blockAt !== null && draft.blockAt > lastUser;
  if (blockFollows && turns.at(-1)?.role === 'user' && !turns.some(({ marked }) => marked)) {
    note('the system said nothing besides the recommendation: its text was read as the response');
    return { conversation: turns, response: draft.block.join('\n').trim(), wrong: null };
  }
  const index = judgedIndex(turns, reading);
  const judged = turns[index];
  const last = spokenTurns.at(-1);
  const wrong = problemIn(turns, index, last?.role === 'system' && last.text === '');
  // Where an unjudged answer ends matters little, so its unsure lines become part of it unless one looks like a comment.
  const whole = (turn: DraftTurn): DraftTurn =>
    turn.role === 'user' || turn.unsure.some(({ text }) => isBeside(text, draft.format.words))
      ? turn
      : { ...turn, text: saidIn(withUnsure(turn)), from: [...turn.from, ...turn.unsure], unsure: [] };
  if (judged === undefined || wrong !== null) {
    const hasUser = turns.some(({ role }) => role === 'user');
    const conversation = turns.filter((turn) => hasUser || turn !== judged).map(whole);
    return { conversation, response: hasUser ? null : (judged?.text ?? null), wrong };
  }
  if (turns[index - 1]?.role === 'system' && !judged.marked)
    note('the system speaks twice in a row: only the last turn is judged');
  const conversation = turns.slice(0, index).map(whole);
  const after = turns.slice(index + 1);
  const isOver = 'recommendations' in draft.fields && after.every(({ role }) => role === 'user');
  // Under a recommender's log, the whole interaction is judged, so the user's last words count.
  if (isOver && after.length > 0)
    return {
      conversation,
      response: judged.text,
      judged,
      closing: after.map(({ text }) => text).join('\n'),
      wrong,
    };
  if (after.length > 0) note(`left out: ${counted(after.length, 'turn')} after the one to judge`);
  return { conversation, response: judged.text, judged, wrong };
}

/** Claims for the case made from a draft, in order of precedence: the first claim on a character wins. */
function claimsOf(draft: Draft, { conversation, judged, closing }: Spoken, used: readonly Claim[]): Claim[] {
  const claims = [
    ...used,
    ...conversation.map(({ role, from }) => claim({ is: role }, ...from)),
    ...(judged ? [claim({ is: 'system' }, ...judged.from), claim({ is: 'unsure' }, ...judged.unsure)] : []),
    ...conversation.map(({ unsure }) => claim({ is: 'unsure' }, ...unsure)),
    ...draft.documents.map(({ from }, at) => claim({ is: 'field', path: `documents.${at}.text` }, ...from)),
    ...draft.claims,
  ];
  const after = draft.turns.flatMap(({ from, unsure }) => [...from, ...unsure]);
  const others = [...draft.venue, ...draft.context].flatMap(({ from }) => from);
  return [
    ...claims,
    closing === undefined
      ? claim({ is: 'left out', why: 'a turn that is not judged' }, ...after)
      : claim({ is: 'field', path: 'closing' }, ...after),
    claim({ is: 'label' }, ...draft.leaves.under(draft.format.words.keys.speaker)),
    claim({ is: 'left out', why: 'not used' }, ...others, ...draft.leaves.rest()),
    claim({ is: 'label' }, ...draft.labels),
  ];
}

/** The entries of the last answer's venue, if several answers each name one. */
function ofLastAnswer(entries: readonly VenueEntry[], note: Note): readonly VenueEntry[] {
  const names = entries.filter(({ field, after }) => field === 'name' && after !== undefined);
  const last = names.at(-1)?.after ?? 0;
  const earlier = names.filter(({ after = last }) => after < last).map(({ value }) => `"${value}"`);
  if (earlier.length === 0) return entries;
  note(`left out: the place of an earlier answer (${listed(earlier, 3)})`);
  return entries.filter(({ after = last }) => after >= last);
}

/** Drops a tester's verdict, such as "Result: OK", unless other lines say what the system did. */
function withoutVerdicts(entries: readonly VenueEntry[], { format, note }: Reading): readonly VenueEntry[] {
  const isVerdict = ({ value }: VenueEntry) =>
    typeof value === 'string' && format.words.values.verdicts.includes(value.trim().toLowerCase());
  const isAction = ({ field }: VenueEntry) => typeof field === 'object' && field.of !== 'recommendation';
  const verdicts = entries.filter(isVerdict);
  if (verdicts.length === 0 || entries.some((entry) => isAction(entry) && !isVerdict(entry))) return entries;
  note(`not used: ${verdicts.map(({ label, value }) => `${label} "${value}"`).join(', ')}`);
  return entries.filter((entry) => !isVerdict(entry));
}

/** The problem if two lines with the same label give the venue different values, as if of two places; otherwise null. */
function saidTwice(entries: readonly VenueEntry[], format: CaseFormat): string | null {
  const first = new Map<string, { entry: VenueEntry; read: string }>();
  for (const entry of entries) {
    const { field, label, value, after } = entry;
    if (after === undefined || typeof value !== 'string' || value.trim() === '') continue;
    const word = `${typeof field === 'string' ? field : pathOfField(field)}\n${wordOf(label, format.words)}`;
    const read = JSON.stringify(readFields([entry], { format, note: () => {} }));
    const earlier = first.get(word);
    if (earlier === undefined) first.set(word, { entry, read });
    else if (earlier.read !== read)
      return `${label} stands there twice, "${excerpt(String(earlier.entry.value), 40)}" and "${excerpt(value, 40)}", as if of two places: keep the lines of the place that is recommended.`;
  }
  return null;
}

/**
 * A note on a missing date or time, without which a recommendation's opening hours cannot be judged. Empty if neither is
 * missing or there is no recommendation.
 */
export function missingMoment({
  recommendation,
  context,
}: Pick<EvalCase, 'recommendation' | 'context'>): string[] {
  const lines = { date: '"Date: 2026-03-02"', time: '"Time: 20:35"' };
  const missing = (['date', 'time'] as const).filter((field) => context?.[field] === undefined);
  if (recommendation === undefined || missing.length === 0) return [];
  const add = missing.map((field) => lines[field]).join(' and ');
  return [`Missing: ${missing.join(', ')}, so opening hours are not judged; add ${add}`];
}

/** Maximum number of assumptions listed one by one. */
const MAX_ASSUMED = 40;

function told(assumed: readonly string[]): string[] {
  const once = [...new Set(assumed)];
  const more = once.length - MAX_ASSUMED;
  return more <= 0 ? once : [...once.slice(0, MAX_ASSUMED), `and ${more} more assumptions of the same kinds`];
}

const holdsSome = (value: unknown): boolean => {
  if (value === undefined || value === null || value === '') return false;
  return typeof value !== 'object' || Object.keys(value).length > 0;
};

/** Makes a case of a draft, or says what it lacks: decides which turn is judged and reads the values around it. */
export function finishDraft(draft: Draft): ReadItem {
  const { format, unused } = draft;
  const assumed = [...draft.assumed];
  const used: Claim[] = [];
  const reading: Reading = { format, note: (assumption) => assumed.push(assumption) };
  gatherCalls(draft);
  if (draft.calls.length > 0) draft.lostCalls = true;
  for (const { call } of draft.calls)
    unused.push(`${excerpt(call.name, 40)} (a call without words after it)`);
  if (draft.reads.length > 0) reading.note(`read ${draft.reads.join(', ')}`);
  if (unused.length > 0) reading.note(`not used: ${listed(unused, 20)}`);
  const spoken = spokenIn(draft, reading);
  const { conversation, response, judged, closing, wrong } = spoken;
  const entries = withoutVerdicts(ofLastAnswer(draft.venue, reading.note), reading);
  const onUsed = (path: string, ...from: readonly Tracked[]) =>
    used.push(claim({ is: 'field', path }, ...from));
  const given = readFields([...entries, ...draft.context], reading, ({ from }, path) =>
    onUsed(path, ...from),
  );
  const location = readVenuePlace(entries, reading, ({ from }) => onUsed('recommendation.location', ...from));
  const recommendation = { ...given.recommendation, ...(location ? { location } : {}) };
  const [only, ...more] = entries.filter(({ field }) => typeof field === 'string');
  if (only?.field === 'rating' && more.length === 0 && 'rating' in recommendation && !draft.isOrdered)
    reading.note(`"${only.label}" was read as the venue's rating`);
  const { '': caseFields, ...objects } = given;
  const situation = readSituation(draft.context, reading, ({ from }, path) => onUsed(path, ...from));
  const documents = draft.documents.filter(({ text }) => text.trim() !== '');
  const parts = {
    conversation: conversation.map((turn) => ({
      role: turn.role,
      text: turn.text,
      ...callsOf(turn, draft),
    })),
    response,
    closing,
    ...objects,
    context: { ...situation, ...given.context },
    recommendation,
    documents: documents.map(({ id, text }) => ({ ...(id ? { id } : {}), text: text.trim() })),
  };
  const stated = Object.entries(parts).filter(([, value]) => holdsSome(value));
  const whole = {
    ...(judged === undefined ? {} : callsOf(judged, draft)),
    ...draft.fields,
    ...Object.fromEntries(stated),
    ...caseFields,
  };
  if (conversation.length > MAX_TURNS)
    return refused(
      `The conversation has ${conversation.length} turns, the limit is ${MAX_TURNS}: give the last ones only.`,
      [],
      { ...whole, conversation: [] },
    );
  const unusedNote = unused.length > 0 ? ` Not used: ${listed(unused, 10)}.` : '';
  if (wrong) return refused(wrong.problem + strangerIn(draft) + unusedNote, wrong.missing, whole);
  const twice = saidTwice(entries, format);
  if (twice !== null) return refused(twice, [], whole);
  const checked = format.schema.safeParse(whole);
  if (!checked.success)
    return explainIssues(checked.error.issues, whole, 'What was read is not a valid case', format);
  const unsure = unsureOf(conversation, judged, checked.data);
  if (unsure) reading.note(unsureNote(unsure));
  const claims = claimsOf({ ...draft, documents }, spoken, used);
  return {
    case: checked.data,
    assumed: told([...assumed, ...missingMoment(checked.data)]),
    ...(unsure ? { unsure } : {}),
    claims: () => claims,
  };
}

/** The unsure lines of the case, and the case as it would be with them; null if there are none. */
function unsureOf(
  conversation: readonly DraftTurn[],
  judged: DraftTurn | undefined,
  evalCase: EvalCase,
): Unsure | null {
  const linesIn = ({ unsure }: DraftTurn) => unsure.map(({ text }) => text).filter((text) => !isBlank(text));
  const besideTurns = conversation.flatMap(linesIn);
  const text = [...besideTurns, ...(judged ? linesIn(judged) : [])].join('\n').trim();
  if (judged === undefined || text === '') return null;
  return {
    text,
    ...(besideTurns.length > 0 ? { isOfTurns: true } : {}),
    withIt: {
      ...evalCase,
      conversation: evalCase.conversation.map((turn, at) => {
        const drafted = conversation[at];
        return drafted === undefined ? turn : { ...turn, text: withUnsure(drafted).trimEnd() };
      }),
      response: withUnsure({ ...judged, text: evalCase.response }).trimEnd(),
    },
  };
}

/** Joins two answers, each read as a case of its own, into a pair. If one was refused, returns that. */
export function joinedPair(
  first: ReadItem,
  second: ReadItem,
  names: AnswerNames,
  assumed: readonly string[] = [],
): ReadItem {
  if ('problem' in first) return first;
  if ('problem' in second) return second;
  const once = new Set([...assumed, ...first.assumed, ...second.assumed]);
  const unsure = [first, second].flatMap((one) => one.unsure?.text ?? []);
  const [firstReading, secondReading] = [first, second].map((item) => item.unsure?.withIt ?? item.case);
  return {
    case: pairOf(first.case, second.case, names),
    assumed: [...once],
    ...(unsure.length > 0 && firstReading && secondReading
      ? {
          unsure: {
            text: [...new Set(unsure)].join('\n'),
            ...([first, second].some((item) => item.unsure?.isOfTurns) ? { isOfTurns: true } : {}),
            withIt: pairOf(firstReading, secondReading, names),
          },
        }
      : {}),
    claims: () => [...first.claims(), ...second.claims()],
  };
}
