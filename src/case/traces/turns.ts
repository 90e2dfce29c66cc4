import type { Call, Said } from './messages.ts';

/** A turn of a conversation as found in records. */
export interface FoundTurn {
  role: 'user' | 'system';
  /** Empty if the message has no text, such as a picture or a card. */
  text: string;
  calls: Call[];
}

const plain = (text: string): string => text.replace(/\s+/g, ' ').trim();

/** Whether two turns say the same. */
export const isSame = (one: FoundTurn, other: FoundTurn): boolean =>
  one.role === other.role && plain(one.text) === plain(other.text);

const areSame = (some: readonly FoundTurn[], others: readonly FoundTurn[]): boolean =>
  some.length === others.length &&
  some.every((turn, at) => {
    const other = others[at];
    return other !== undefined && isSame(turn, other);
  });

export const endsWith = (turns: readonly FoundTurn[], end: readonly FoundTurn[]): boolean =>
  end.length <= turns.length && areSame(turns.slice(turns.length - end.length), end);

export const startsWith = (turns: readonly FoundTurn[], start: readonly FoundTurn[]): boolean =>
  start.length <= turns.length && areSame(turns.slice(0, start.length), start);

/** How many turns at the end of one list are those at the start of another. */
export function overlap(first: readonly FoundTurn[], second: readonly FoundTurn[]): number {
  for (let count = Math.min(first.length, second.length); count > 0; count -= 1)
    if (endsWith(first, second.slice(0, count))) return count;
  return 0;
}

/** Whether one text holds another of at least a few letters, such as a prompt that was made around a question. */
export function holds(whole: string, part: string): boolean {
  const [text, inner] = [plain(whole), plain(part)];
  return text === inner || (inner.length >= 8 && text.includes(inner));
}

export const ofUser = (turns: readonly FoundTurn[]): FoundTurn[] =>
  turns.filter(({ role }) => role === 'user');

/** Where the last thing begins that the user says: several messages in a row belong together. */
export function lastRequestAt(turns: readonly FoundTurn[]): number {
  let at = turns.findLastIndex(({ role }) => role === 'user');
  while (at > 0 && turns[at - 1]?.role === 'user') at -= 1;
  return at;
}

/** A value with its keys in order, to compare arguments. */
export const canonical = (value: unknown): string =>
  JSON.stringify(value, (_, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  ) ?? '';

/** Adds calls to a list; one that is there already, by its id or by what it says, only gets its result. */
export function addCalls(list: Call[], more: readonly Call[]): void {
  const taken = new Set<Call>();
  for (const call of more) {
    const says = canonical([call.name, call.arguments]);
    const same = list.find((one) =>
      one.id !== undefined && call.id !== undefined
        ? one.id === call.id
        : !taken.has(one) && canonical([one.name, one.arguments]) === says,
    );
    if (same === undefined) {
      const own = { ...call };
      list.push(own);
      taken.add(own);
    } else {
      if (same.result === undefined && call.result !== undefined) same.result = call.result;
      taken.add(same);
    }
  }
}

/** Turns made of messages. */
export interface Spoken {
  turns: FoundTurn[];
  /** Calls after the last turn, which nothing was said about. */
  pending: Call[];
  instructions: string;
}

/** The call that a result is of: by its id, else by the tool's name, else the first one without a result. */
function callWith({ id, name }: Said['results'][number], calls: readonly Call[]): Call | undefined {
  const open = calls.filter((call) => call.result === undefined);
  return (
    (id === undefined ? undefined : calls.find((one) => one.id === id)) ??
    open.find((one) => one.name === name) ??
    (id === undefined || open.every((one) => one.id === undefined) ? open[0] : undefined)
  );
}

/** Makes turns of messages: calls without text go to the turn that follows, and results to their calls. */
export function spokenIn(messages: readonly Said[]): Spoken {
  const turns: FoundTurn[] = [];
  const all: Call[] = [];
  const instructions: string[] = [];
  let pending: Call[] = [];
  for (const { role, text, calls, results, others } of messages) {
    for (const result of results) {
      const call = callWith(result, all);
      if (call !== undefined) call.result = result.value;
    }
    if (role === 'instructions') instructions.push(text);
    if (role === 'instructions' || role === 'tool') continue;
    const own = calls.map((call) => ({ ...call }));
    all.push(...own);
    if (role === 'system') pending.push(...own);
    const isEmpty = text.trim() === '';
    if (isEmpty && others === 0) continue;
    turns.push({ role, text: isEmpty ? '' : text, calls: role === 'system' ? pending : [] });
    pending = [];
  }
  return { turns, pending, instructions: instructions.join('\n') };
}
