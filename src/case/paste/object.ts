import { isRecord } from '../case.ts';
import type { CaseFormat } from '../case-format.ts';
import { emptyDraft, type Parsed } from './draft.ts';
import { finishDraft, missingMoment } from './finish-draft.ts';
import { addRead, readKeys } from './keys.ts';
import { closestKey, explainIssues } from './problems.ts';
import { isTurnList, isWrapper, keyMeaning, roleOfKey, turnOf } from './turns.ts';

const isOurTurn = (turn: unknown): boolean =>
  isRecord(turn) && 'role' in turn && 'text' in turn && (turn.role === 'user' || turn.role === 'system');

/**
 * Whether an object is meant to be a case as the contract has it, and so must keep to it. Other shapes are told by
 * keys or turns that the contract does not know.
 */
function isOurs(value: object, format: CaseFormat): boolean {
  const { shape, words } = format;
  const keys = Object.keys(value);
  const strange = keys.filter((key) => !Object.hasOwn(shape, key));
  const conversation: unknown = Reflect.get(value, 'conversation');
  if (Array.isArray(conversation)) {
    const isForeign =
      conversation.length > 0 &&
      conversation.every((turn) => isOurTurn(turn) || turnOf(turn, format)?.found) &&
      !conversation.every(isOurTurn);
    if (isForeign) return false;
    if (keys.includes('response')) return true;
    const last: unknown = conversation.at(-1);
    const endsWithSystem = isRecord(last) && isOurTurn(last) && Reflect.get(last, 'role') === 'system';
    const isMistyped = strange.some((key) => closestKey(key, ['response']) !== null);
    if (endsWithSystem) return isMistyped;
  }
  const speaks = strange.some((key) => isTurnList(key, words) || roleOfKey(key, format) !== null);
  return !speaks && !strange.some((key) => isWrapper(key, words) && isRecord(Reflect.get(value, key)));
}

function readStrictly(value: object, format: CaseFormat): Parsed {
  const checked = format.schema.safeParse(value);
  if (!checked.success)
    return explainIssues(checked.error.issues, value, 'The JSON is no valid case', format);
  return { case: checked.data, assumed: missingMoment(checked.data) };
}

/** In `{system, user, response}` the system's key holds its instructions. */
function readForeign(value: object, format: CaseFormat, assumed: readonly string[]): Parsed {
  const draft = emptyDraft(format, assumed);
  const answers = Object.keys(value).some((key) => key !== 'system' && roleOfKey(key, format) === 'system');
  const rest = answers
    ? Object.fromEntries(Object.entries(value).filter(([key]) => key !== 'system'))
    : value;
  if (answers && 'system' in value) draft.assumed.push('left out: "system", read as instructions');
  readKeys(draft, rest, 'case');
  if (draft.turns.at(-1)?.role === 'system' && !('response' in value))
    addRead(draft, 'the last turn as the response');
  // Keys have no order: what the user said comes before the one answer to it.
  if (draft.turns.length === 2 && draft.turns[0]?.role === 'system') draft.turns.reverse();
  return finishDraft(draft);
}

/** An object as a case: strictly by the contract where it is meant to be one, else by what its keys usually mean. */
export function readObject(value: object, format: CaseFormat, assumed: readonly string[] = []): Parsed {
  if (!isOurs(value, format)) return readForeign(value, format, assumed);
  const parsed = readStrictly(value, format);
  return 'case' in parsed ? { ...parsed, assumed: [...assumed, ...parsed.assumed] } : parsed;
}

/** Whether an object holds a whole exchange by itself. */
export function holdsExchange(value: object, format: CaseFormat): boolean {
  const keys = Object.keys(value);
  const { words } = format;
  if (keys.some((key) => isTurnList(key, words) && Array.isArray(Reflect.get(value, key)))) return true;
  if (turnOf(value, format) !== null) return false;
  const roles = new Set(keys.map((key) => roleOfKey(key, format)));
  const wraps = keys.some(
    (key) =>
      isWrapper(key, words) &&
      isRecord(Reflect.get(value, key)) &&
      holdsExchange(Reflect.get(value, key), format),
  );
  return (roles.has('user') && roles.has('system')) || wraps;
}

/** Whether an object says anything that we can read. */
export const isReadable = (value: object, format: CaseFormat): boolean =>
  turnOf(value, format) !== null ||
  Object.keys(value).some(
    (key) => keyMeaning(key, format) !== null || isTurnList(key, format.words) || format.groups.has(key),
  );
