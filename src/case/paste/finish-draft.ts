import { counted } from '../../common/text.ts';
import { type EvalCase, MAX_TURNS, type Recommendation } from '../case.ts';
import { type AnswerNames, pairOf } from '../pair.ts';
import { readContext, readDeclared } from './context.ts';
import { type Draft, type DraftTurn, explainIssues, type Parsed } from './problems.ts';
import { readProse, tellsHours } from './prose.ts';
import { excerpt, listed, stripQuotes } from './text.ts';
import type { Note, Reading } from './values.ts';
import { readVenue, type VenueEntry } from './venue.ts';

/** A first `System:` turn before another name for the system is its instructions, not something it said. */
function withoutInstructions(
  turns: readonly DraftTurn[],
  isList: boolean,
  { format, note }: Reading,
): readonly DraftTurn[] {
  const { instructions, response } = format.words.labelKinds;
  const [head, ...rest] = turns;
  const others = rest.filter(
    (turn) =>
      turn.role === 'system' &&
      !instructions.includes(turn.word) &&
      (isList || !response.includes(turn.word)),
  );
  if (head?.role !== 'system' || !instructions.includes(head.word) || others.length === 0) return turns;
  note(
    `left out: what the system says before the conversation, read as instructions ("${excerpt(head.text, 40)}")`,
  );
  return rest;
}

/** `Fahrzeug: G60` beside `Ist: …` is what a ticket says of the car, not what the car said. */
function withoutThings(turns: readonly DraftTurn[], { format, note }: Reading): readonly DraftTurn[] {
  const { alsoThings } = format.words.labelKinds;
  const sure = new Set(turns.flatMap(({ role, word }) => (alsoThings.includes(word) ? [] : [role])));
  return turns.filter((turn) => {
    const isThing =
      sure.has(turn.role) &&
      alsoThings.includes(turn.word) &&
      turn.text.length <= 40 &&
      !/[.?!]$/.test(turn.text);
    if (isThing) note(`not used: ${turn.word} "${excerpt(turn.text, 40)}"`);
    return !isThing;
  });
}

/** The one turn of the system with a bullet or an arrow before its label, where every other turn has none such. */
function signedIndex(turns: readonly DraftTurn[]): number {
  const signed = turns.filter(({ sign }) => sign !== undefined);
  const [only, ...more] = signed;
  return only?.role === 'system' && more.length === 0 && turns.length > 2 ? turns.indexOf(only) : -1;
}

/**
 * The index of the turn to judge: the marked one, the only `Response:` among other system turns, else the system's last
 * turn after one of the user; where there is none, the last turn.
 */
function judgedIndex(turns: readonly DraftTurn[], { format, note }: Reading): number {
  const isResponse = ({ word }: DraftTurn) => format.words.labelKinds.response.includes(word);
  const marked = turns.findLastIndex((turn) => turn.marked);
  if (marked >= 0) return marked;
  const signed = signedIndex(turns);
  if (signed >= 0) note(`the turn marked with "${turns[signed]?.sign}" was taken as the one to judge`);
  if (signed >= 0) return signed;
  const responses = turns.filter((turn) => turn.role === 'system' && isResponse(turn));
  const others = turns.some((turn) => turn.role === 'system' && !isResponse(turn));
  const [only, ...more] = responses;
  if (only && more.length === 0 && others) return turns.indexOf(only);
  const firstUser = turns.findIndex((turn) => turn.role === 'user');
  const last = turns.findLastIndex((turn) => turn.role === 'system');
  return firstUser >= 0 && last > firstUser ? last : turns.length - 1;
}

/** A line of dashes at the end of a turn parts it from what follows. */
const withoutRule = (text: string): string => {
  const trimmed = text.trimEnd();
  const last = trimmed.lastIndexOf('\n') + 1;
  return last > 0 && /^[-=]{3,}$/.test(trimmed.slice(last).trim()) ? trimmed.slice(0, last) : text;
};

interface Spoken {
  conversation: DraftTurn[];
  response: string | null;
  /** What the user says after the response. */
  closing?: string;
  /** What is wrong, where something is. */
  problem: string | null;
  missing: string[];
}

const ADD_USER = 'write "User: …" on a line before the response';
const ADD_SYSTEM = 'write "System: …" with the response to judge on a line after the user\'s turn';

function spokenIn(draft: Draft, reading: Reading): Spoken {
  const { note } = reading;
  const filled = draft.turns
    .map((turn) => ({ ...turn, text: stripQuotes(withoutRule(turn.text)) }))
    .filter((turn) => turn.text !== '');
  const turns = withoutThings(withoutInstructions(filled, draft.isOrdered, reading), reading);
  const hasUser = turns.some((turn) => turn.role === 'user');
  const lastUser = draft.turns.findLastIndex((turn) => turn.role === 'user');
  const blockFollows = draft.blockAt !== null && draft.blockAt > lastUser;
  if (blockFollows && turns.at(-1)?.role === 'user' && !turns.some((turn) => turn.marked)) {
    note('the system said nothing besides the recommendation: its text was read as the response');
    return { conversation: [...turns], response: draft.block.join('\n').trim(), problem: null, missing: [] };
  }
  const index = judgedIndex(turns, reading);
  const judged = turns[index];
  const fail = (problem: string, missing: string[]): Spoken => ({
    conversation: turns.filter((turn) => hasUser || turn !== judged),
    response: hasUser ? null : (judged?.text ?? null),
    problem,
    missing,
  });
  const lastIsEmpty = draft.turns.at(-1)?.role === 'system' && draft.turns.at(-1)?.text.trim() === '';
  if (judged === undefined)
    return fail(
      `There is nothing to judge: ${ADD_USER.replace(' before the response', '')}, and ${ADD_SYSTEM}.`,
      ['conversation', 'response'],
    );
  if (!hasUser) return fail(`There is no user turn: ${ADD_USER}.`, ['conversation']);
  if (lastIsEmpty) return fail('The response is empty: write its text after "System:".', ['response']);
  if (judged.role === 'user') {
    const hasSystem = turns.some((turn) => turn.role === 'system');
    return fail(
      hasSystem
        ? 'The conversation ends with the user, so there is no response to judge: add "System: …" at the end, or write ">>>" before the turn to judge.'
        : `There is no response to judge: ${ADD_SYSTEM}.`,
      ['response'],
    );
  }
  const conversation = turns.slice(0, index);
  if (conversation.at(-1)?.role === 'system' && !judged.marked)
    note('the system speaks twice in a row: only the last turn is judged');
  const after = turns.slice(index + 1);
  // The log of a recommender is judged as a whole.
  const isClosing = 'recommendations' in draft.fields && after.every(({ role }) => role === 'user');
  const closing = isClosing ? after.map(({ text }) => text).join('\n') : '';
  if (after.length > 0 && !isClosing)
    note(`left out: ${counted(after.length, 'turn')} after the one to judge`);
  if (!conversation.some((turn) => turn.role === 'user'))
    return fail(`There is no user turn before the response to judge: ${ADD_USER}.`, ['conversation']);
  return {
    conversation,
    response: judged.text,
    ...(closing === '' ? {} : { closing }),
    problem: null,
    missing: [],
  };
}

/** Of places below several answers, the last one's. */
function ofLastAnswer(entries: readonly VenueEntry[], note: Note): readonly VenueEntry[] {
  const names = entries.filter(({ field, after }) => field === 'name' && after !== undefined);
  const last = names.at(-1)?.after ?? 0;
  const earlier = names.filter(({ after = last }) => after < last);
  if (earlier.length === 0) return entries;
  note(
    `left out: the place of an earlier answer (${listed(
      earlier.map(({ value }) => `"${value}"`),
      3,
    )})`,
  );
  return entries.filter(({ after = last }) => after >= last);
}

/** The row of a table of venues that is the recommended one: the only one, or the only one that the response names. */
function chosen({ choices }: Draft, response: string | null, note: Note): VenueEntry[] {
  const [only, ...more] = choices;
  if (only === undefined || more.length === 0) return only ?? [];
  const nameOf = (row: VenueEntry[]): string =>
    String(row.find((entry) => entry.field === 'name')?.value ?? '').trim();
  const said = (response ?? '').toLowerCase();
  const named = choices.filter((row) => nameOf(row) !== '' && said.includes(nameOf(row).toLowerCase()));
  const [row, ...others] = named;
  if (row && others.length === 0) {
    note(
      `the table lists ${choices.length} venues: the response names "${nameOf(row)}", so that one is judged`,
    );
    return row;
  }
  note(
    `several venues are listed (${listed(choices.map(nameOf), 5)}) and the response names ${row ? 'more than one' : 'none'} of them: none was used; give only the recommended one`,
  );
  return [];
}

const NAMES: Readonly<Record<string, string>> = { distanceKm: 'distance', durationMin: 'drive time' };
const nameOfKey = (key: string): string => NAMES[key] ?? key;

/** The venue from what is structured, completed by what the response says in words. */
function venueOf(
  entries: readonly VenueEntry[],
  response: string | null,
  reading: Reading,
): Recommendation | null {
  const { format, note } = reading;
  const structured = readVenue(entries, reading);
  const notes: string[] = [];
  const prose =
    response === null
      ? null
      : readProse(response, { format, note: (assumption) => notes.push(assumption) }, structured);
  if (structured === null) notes.forEach(note);
  if (prose === null) return structured;
  const venue: Recommendation = { ...prose, ...structured };
  const added = Object.keys(prose).filter((key) => structured === null || !(key in structured));
  if (added.length > 0) note(`the venue's ${added.map(nameOfKey).join(', ')} taken from the response`);
  for (const key of ['rating', 'distanceKm', 'durationMin'] as const)
    if (prose[key] !== undefined && prose[key] !== venue[key])
      note(
        `the response gives ${nameOfKey(key)} ${prose[key]}, the venue's data ${venue[key]}: the data counts`,
      );
  if (venue.openingHours === undefined && response !== null && tellsHours(response, format.words))
    note('opening hours in the words of the response were not read: add "Opening hours: Monday 12:00-20:00"');
  return venue;
}

/** An object of the case with the fields that were declared for it. */
const joined = <T extends object>(own: T | null, declared: Record<string, unknown> | undefined) =>
  own === null && declared === undefined ? null : { ...own, ...declared };

/** Says what opening hours cannot be judged without; the same for every shape of input. */
export function missingMoment(evalCase: Pick<EvalCase, 'recommendation' | 'context'>): string[] {
  if (evalCase.recommendation === undefined) return [];
  const lines = { date: '"Date: 2026-03-02"', time: '"Time: 20:35"' };
  const missing = (['date', 'time'] as const).filter((field) => evalCase.context?.[field] === undefined);
  if (missing.length === 0) return [];
  const add = missing.map((field) => lines[field]).join(' and ');
  return [`Missing: ${missing.join(', ')}, so opening hours are not judged; add ${add}`];
}

/** Most assumptions told one by one. */
const MAX_ASSUMED = 40;

function told(assumed: readonly string[]): string[] {
  const once = [...new Set(assumed)];
  if (once.length <= MAX_ASSUMED) return once;
  return [
    ...once.slice(0, MAX_ASSUMED),
    `and ${once.length - MAX_ASSUMED} more assumptions of the same kinds`,
  ];
}

/** Settles a draft: which turn is judged, what the lines around it mean, and whether it makes a case. */
export function finishDraft(draft: Draft): Parsed {
  const assumed = [...draft.assumed];
  const note: Note = (assumption) => assumed.push(assumption);
  const reading: Reading = { format: draft.format, note };
  if (draft.reads.length > 0) note(`read ${draft.reads.join(', ')}`);
  if (draft.unused.length > 0) note(`not used: ${listed(draft.unused, 20)}`);
  const { conversation, response, closing, problem, missing } = spokenIn(draft, reading);
  const judged = draft.block.length > 0 && response === draft.block.join('\n').trim() ? null : response;
  const { verdicts } = draft.format.words.values;
  const isVerdict = ({ value }: VenueEntry) =>
    typeof value === 'string' && verdicts.includes(value.trim().toLowerCase());
  const given = [...ofLastAnswer(draft.venue, note), ...chosen(draft, judged, note)];
  // "Result: OK" is what a tester says, unless other lines say what the system did.
  const isAction = ({ field }: VenueEntry) => typeof field === 'object' && field.of !== 'recommendation';
  const isDone = given.some((entry) => isAction(entry) && !isVerdict(entry));
  const attributes = given.filter((entry) => isDone || !isVerdict(entry));
  const dropped = given.filter((entry) => !attributes.includes(entry));
  if (dropped.length > 0)
    note(`not used: ${dropped.map(({ label, value }) => `${label} "${value}"`).join(', ')}`);
  const venue = venueOf(attributes, judged, reading);
  const [only, ...own] = attributes.filter(({ field }) => typeof field === 'string');
  if (only?.field === 'rating' && own.length === 0 && venue?.rating !== undefined && !draft.isOrdered)
    note(`"${only.label}" was read as the venue's rating`);
  const declared = readDeclared([...attributes, ...draft.context], reading);
  const documents = draft.documents
    .map(({ id, text }) => ({ ...(id ? { id } : {}), text: text.trim() }))
    .filter(({ text }) => text !== '');
  const { context, ...beside } = readContext(draft.context, reading);
  const recommendation = joined(venue, declared.get('recommendation'));
  const situation = joined(context ?? null, declared.get('context'));
  const others = [...declared].filter(([group]) => !['', 'recommendation', 'context'].includes(group));
  const whole: Partial<EvalCase> = {
    ...draft.fields,
    ...(conversation.length > 0
      ? { conversation: conversation.map(({ role, text }) => ({ role, text })) }
      : {}),
    ...(response === null ? {} : { response }),
    ...(closing === undefined ? {} : { closing }),
    ...(situation ? { context: situation } : {}),
    ...beside,
    ...(recommendation ? { recommendation } : {}),
    ...(documents.length > 0 ? { documents } : {}),
    ...declared.get(''),
    ...Object.fromEntries(others),
  };
  const tooMany =
    conversation.length > MAX_TURNS
      ? `The conversation has ${conversation.length} turns, the limit is ${MAX_TURNS}: give the last ones only.`
      : null;
  if (tooMany) return { problem: tooMany, missing: [], understood: { ...whole, conversation: [] } };
  const used = draft.unused.length > 0 ? ` Not used: ${listed(draft.unused, 10)}.` : '';
  if (problem !== null) return { problem: problem + used, missing, understood: whole };
  const checked = draft.format.schema.safeParse(whole);
  if (!checked.success)
    return explainIssues(checked.error.issues, whole, 'What was read is no valid case', draft.format);
  return { case: checked.data, assumed: told([...assumed, ...missingMoment(checked.data)]) };
}

/** One case of two answers that were each read like any other. */
export function joinedPair(
  first: Parsed,
  second: Parsed,
  names: AnswerNames,
  assumed: readonly string[] = [],
): Parsed {
  if ('problem' in first) return first;
  if ('problem' in second) return second;
  const once = new Set([...assumed, ...first.assumed, ...second.assumed]);
  return { case: pairOf(first.case, second.case, names), assumed: [...once] };
}
