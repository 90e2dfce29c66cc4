import { isDeepStrictEqual } from 'node:util';
import { callText, type ExpectedCall, type ToolCall } from '../../case/index.ts';
import { andList } from '../../common/text/index.ts';
import type { Car } from '../../judging/standards/index.ts';
import { callsOf, computeState, sameValue, toolOf, valueIn } from './car-model.ts';
import { type CheckOf, decided, type Matter, type Outcome, undecidable } from './check-outcome.ts';
import {
  type Difference,
  differencesIn,
  type Likeness,
  likenessOfNames,
  uselessTolerances,
  worst,
} from './compare-calls.ts';
import { isReading, outcomeOf } from './tool-words.ts';

/** Reasons quote at most this many characters of a call or a value: cards show them in one line. */
const MAX_CALL = 90;
const MAX_VALUE = 40;

const clipped = (text: string, most: number): string =>
  text.length > most ? `${text.slice(0, most).toWellFormed()}…` : text;

/** A call for a reason: `set_temperature(zone: "driver", value: 22)`. */
export const shownCall = (call: Pick<ToolCall, 'name' | 'arguments'>): string =>
  clipped(callText(call), MAX_CALL);

const shownValue = (value: unknown): string =>
  value === undefined ? 'nothing' : clipped(JSON.stringify(value), MAX_VALUE);

/** No decision, because the case does not say something about its calls. */
const notSaid = (what: string, key: string): Outcome =>
  undecidable(`the case does not say ${what}`, `add \`${key}\` to the case`);

/** How a call compares with an expected one. */
interface Comparison {
  expected: ExpectedCall;
  actual: ToolCall;
  likeness: Likeness;
  isSameTool: boolean;
  differences: readonly Difference[];
}

/** The calls of a way, each with the call that was made for it. */
interface Match {
  way: readonly ExpectedCall[];
  /** Every call that has to be there surely is, or is possibly; in the right order where that matters. */
  likeness: Likeness;
  /** Calls that were made for an expected one but are not, or not surely, like it. */
  wrong: readonly Comparison[];
  missing: readonly ExpectedCall[];
  extra: readonly ToolCall[];
  /** Whether all are there, but in another order. */
  isDisordered: boolean;
}

/** A call that failed and was then made again is one call. */
const withoutRetries = (calls: readonly ToolCall[], { vocabulary }: Matter): ToolCall[] =>
  calls.filter(
    (call, at) =>
      outcomeOf(call, vocabulary) !== 'failed' ||
      !calls
        .slice(at + 1)
        .some((later) => later.name === call.name && isDeepStrictEqual(later.arguments, call.arguments)),
  );

function compared(
  expected: ExpectedCall,
  actual: ToolCall,
  car: Car | undefined,
  matter: Matter,
): Comparison {
  const names = likenessOfNames(expected.name, actual.name);
  const isSameTool = names !== 'different';
  const differences =
    !isSameTool || expected.arguments === undefined
      ? []
      : differencesIn(expected.arguments, actual.arguments ?? {}, toolOf(car, expected.name), {
          tolerance: expected.tolerance ?? {},
          isAccepted: outcomeOf(actual, matter.vocabulary) === 'done',
          isOpen: expected.moreArguments ?? false,
        });
  return {
    ...{ expected, actual, isSameTool, differences },
    likeness: worst([names, ...differences.map(({ likeness }) => likeness)]),
  };
}

/** For each of some items, an index of its own among its candidates, for as many items as possible (augmenting paths). */
function assigned(candidates: readonly (readonly number[])[]): Map<number, number> {
  const owners = new Map<number, number>();
  const claims = (item: number, tried: Set<number>): boolean =>
    (candidates[item] ?? []).some((place) => {
      if (tried.has(place)) return false;
      tried.add(place);
      const owner = owners.get(place);
      if (owner !== undefined && !claims(owner, tried)) return false;
      owners.set(place, item);
      return true;
    });
  for (const item of candidates.keys()) claims(item, new Set());
  return new Map([...owners].map(([place, item]) => [item, place]));
}

/** Whether the items can have places in their order. */
function isInOrder(candidates: readonly (readonly number[])[]): boolean {
  let last = -1;
  return candidates.every((places) => {
    const next = places.find((place) => place > last);
    last = next ?? last;
    return next !== undefined;
  });
}

function matchOf(
  way: readonly ExpectedCall[],
  calls: readonly ToolCall[],
  isOrdered: boolean,
  car: Car | undefined,
  matter: Matter,
): Match {
  // What has to be there is matched first.
  const sorted = [...way].sort((a, b) => Number(a.optional ?? false) - Number(b.optional ?? false));
  const table = sorted.map((expected) => calls.map((actual) => compared(expected, actual, car, matter)));
  const placesWhere = (counts: (one: Comparison) => boolean) =>
    table.map((row) => [...row.keys()].filter((at) => row[at] !== undefined && counts(row[at])));
  const needed = sorted.filter(({ optional = false }) => !optional).length;
  const like: Record<'same' | 'unsure', (one: Comparison) => boolean> = {
    same: ({ likeness }) => likeness === 'same',
    unsure: ({ likeness }) => likeness !== 'different',
  };
  const holds = (least: 'same' | 'unsure', ordered: boolean): boolean => {
    const candidates = placesWhere(like[least]).slice(0, needed);
    return ordered ? isInOrder(candidates) : assigned(candidates).size === needed;
  };
  const likeness = holds('same', isOrdered) ? 'same' : holds('unsure', isOrdered) ? 'unsure' : 'different';
  // Who was meant: first the same calls, then those that may be, then those of the same tool.
  const pairs = new Map<number, number>();
  for (const counts of [like.same, like.unsure, ({ isSameTool }: Comparison) => isSameTool]) {
    const taken = new Set(pairs.values());
    const free = placesWhere(counts).map((places, item) =>
      pairs.has(item) ? [] : places.filter((place) => !taken.has(place)),
    );
    for (const [item, place] of assigned(free)) pairs.set(item, place);
  }
  const chosen = [...pairs].flatMap(([item, place]) => table[item]?.[place] ?? []);
  const places = new Set(pairs.values());
  return {
    way,
    likeness,
    wrong: chosen.filter((one) => one.likeness !== 'same'),
    missing: sorted.slice(0, needed).filter((_, item) => !pairs.has(item)),
    extra: calls.filter((_, place) => !places.has(place)),
    isDisordered: isOrdered && likeness === 'different' && holds('unsure', false),
  };
}

const faults = ({ missing, wrong }: Match): number => missing.length * 2 + wrong.length;

/** Everything that the checks of calls have in common. */
interface Compared {
  calls: readonly ToolCall[];
  matches: readonly Match[];
  car: Car | undefined;
}

/** The car whose tools a check is about, if it names one. */
export const carOf = ({ car }: { car?: string | undefined }, { cars }: Matter): Car | undefined =>
  car === undefined ? undefined : cars.get(car);

function comparedWith(check: { car?: string | undefined }, matter: Matter): Compared | Outcome {
  const { toolCalls, expectedCalls } = matter.evalCase;
  if (toolCalls === undefined) return notSaid('which tools were called', 'toolCalls');
  if (expectedCalls === undefined) return notSaid('which calls are right', 'expectedCalls');
  const { anyOf, ordered = false } = expectedCalls;
  for (const { name, arguments: given, tolerance = {} } of anyOf.flat()) {
    const [useless] = uselessTolerances(given, tolerance);
    if (useless !== undefined)
      return undecidable(
        `the tolerance of "${clipped(useless, MAX_VALUE)}" belongs to no number that ${clipped(name, MAX_VALUE)} is expected with`,
        'correct `expectedCalls`',
      );
  }
  const calls = withoutRetries(toolCalls, matter);
  const car = carOf(check, matter);
  return { calls, car, matches: anyOf.map((way) => matchOf(way, calls, ordered, car, matter)) };
}

const isOutcome = (value: Compared | Outcome): value is Outcome => 'decision' in value;

/** The ways that were surely taken, else those that possibly were, else the nearest. */
function nearestOf(matches: readonly Match[]): Match[] {
  for (const wanted of ['same', 'unsure'] as const) {
    const found = matches.filter(({ likeness }) => likeness === wanted);
    if (found.length > 0) return found;
  }
  const least = Math.min(...matches.map(faults));
  return matches.filter((match) => faults(match) === least);
}

/** Whether the car ends up as by one of the ways, whatever was called. */
function endsAsWell({ evalCase, vocabulary }: Matter, { car, calls, matches }: Compared): boolean {
  if (car === undefined) return false;
  const initial = evalCase.initialState ?? {};
  const earlier = evalCase.conversation.flatMap((turn) => turn.toolCalls ?? []);
  // That it may come to the same is enough, so a result that is not understood counts as done.
  const stateWith = (more: readonly ToolCall[]) =>
    computeState(
      car,
      initial,
      [...earlier, ...more]
        .filter((call) => outcomeOf(call, vocabulary) !== 'failed')
        .map(({ name, arguments: given }) => ({
          name,
          ...(given === undefined ? {} : { arguments: given }),
        })),
      vocabulary,
    );
  const ended = stateWith(calls);
  return matches.some(({ way }) => {
    const needed = way.filter(({ optional = false }) => !optional);
    const wanted = stateWith(needed.map(({ name, arguments: given = {} }) => ({ name, arguments: given })));
    if (ended.problem !== null || wanted.problem !== null) return false;
    const names = new Set([...ended.state.keys(), ...wanted.state.keys()]);
    return [...names].every((name) =>
      sameValue(ended.state.get(name) ?? null, wanted.state.get(name) ?? null),
    );
  });
}

const differenceText = ({ name, expected, actual }: Difference): string =>
  expected === undefined
    ? `with ${name} ${shownValue(actual)}, which the right call does not have`
    : actual === undefined
      ? `without ${name}, ${shownValue(expected)} is right`
      : `with ${name} ${shownValue(actual)}, ${shownValue(expected)} is right`;

const wrongText = ({ actual, expected, differences }: Comparison): string =>
  differences.length === 0
    ? `the assistant called ${shownCall(actual)}, ${shownCall(expected)} is right`
    : `the assistant called ${clipped(actual.name, MAX_VALUE)} ${andList(differences.map(differenceText))}`;

function faultText({ missing, wrong, isDisordered, way }: Match): string {
  const isFault = wrong.filter(({ likeness }) => likeness === 'different');
  const told = [
    ...(isFault.length > 0 ? isFault : wrong).map(wrongText),
    ...missing.map((expected) => `the assistant did not call ${shownCall(expected)}`),
  ];
  if (told.length === 0 && isDisordered)
    return `the calls were made in another order than ${andList(way.map(({ name }) => clipped(name, MAX_VALUE)))}`;
  return told.slice(0, 2).join('; ') + (told.length > 2 ? `; and ${told.length - 2} more` : '');
}

const callList = (calls: readonly Pick<ToolCall, 'name' | 'arguments'>[]): string => {
  const [first, ...others] = calls;
  if (first === undefined) return 'nothing';
  const more = others.length > 1 ? ` and ${others.length} more` : '';
  return others.length === 1 && others[0] !== undefined
    ? `${shownCall(first)} and ${shownCall(others[0])}`
    : `${shownCall(first)}${more}`;
};

/** Checks that one of the right ways was taken. */
export function rightCalls(check: CheckOf<'calls'>, matter: Matter): Outcome {
  const found = comparedWith(check, matter);
  if (isOutcome(found)) return found;
  const [nearest] = nearestOf(found.matches);
  if (nearest === undefined) return notSaid('which calls are right', 'expectedCalls');
  if (nearest.likeness === 'same') {
    const needed = nearest.way.filter(({ optional = false }) => !optional);
    return decided(
      true,
      needed.length === 0 ? 'no call had to be made' : `the right calls were made: ${callList(needed)}`,
    );
  }
  const fault = faultText(nearest);
  if (nearest.likeness === 'unsure')
    return undecidable(`it is not certain that this is a right way: ${fault}`);
  if (!nearest.isDisordered && endsAsWell(matter, found))
    return undecidable(`other calls were made, but they come to the same: ${fault}`);
  return decided(false, fault);
}

/** Checks that nothing was called besides a right way. */
export function noOtherCalls(check: CheckOf<'no-other-calls'>, matter: Matter): Outcome {
  const found = comparedWith(check, matter);
  if (isOutcome(found)) return found;
  const { car } = found;
  const reads = ({ name }: ToolCall): boolean => toolOf(car, name)?.sets.length === 0;
  /** Why an extra call may be all right; null if it is not. */
  const doubt = (call: ToolCall): string | null => {
    if (toolOf(car, call.name) === undefined && isReading(call.name, matter.vocabulary))
      return 'seems only to read';
    if (outcomeOf(call, matter.vocabulary) === 'failed') return 'failed';
    const isTwice = found.calls.filter(({ name, arguments: given }) =>
      name === call.name ? isDeepStrictEqual(given, call.arguments) : false,
    );
    return isTwice.length > 1 ? 'it called more than once' : null;
  };
  const ways = nearestOf(found.matches).map(({ extra }) => extra.filter((call) => !reads(call)));
  if (ways.some((extra) => extra.length === 0)) return decided(true, 'nothing else was called');
  for (const extra of ways) {
    const [first] = extra;
    if (first !== undefined && extra.every((call) => doubt(call) !== null))
      return undecidable(`the assistant also called ${shownCall(first)}, which ${doubt(first)}`);
  }
  const [extra = []] = ways;
  const [first] = extra.filter((call) => doubt(call) === null);
  if (first === undefined) return undecidable('it is not certain that the other calls were wrong');
  if (endsAsWell(matter, found))
    return undecidable(`the assistant also called ${shownCall(first)}, but it comes to the same`);
  const more = extra.length > 1 ? ` and ${extra.length - 1} more` : '';
  return decided(false, `the assistant also called ${shownCall(first)}${more}, which nothing asks for`);
}

/** Checks what calls made of the car. */
export function stateAfter(check: CheckOf<'state-after'>, matter: Matter): Outcome {
  const { evalCase, vocabulary } = matter;
  const car = carOf(check, matter);
  if (car === undefined)
    return undecidable(`there is no car "${check.car}"`, `add prompts/cars/${check.car}.yaml`);
  const { initialState = {}, expectedState } = evalCase;
  if (evalCase.toolCalls === undefined) return notSaid('which tools were called', 'toolCalls');
  if (expectedState === undefined) return notSaid('how the car should be afterwards', 'expectedState');
  const wanted = new Map(Object.entries(expectedState));
  for (const [name, value] of wanted) {
    if (!Object.hasOwn(car.variables, name))
      return undecidable(`the car has no variable "${clipped(name, MAX_VALUE)}"`, 'correct `expectedState`');
    if (valueIn(car, name, value) === null)
      return undecidable(`${name} cannot be ${shownValue(value)}`, 'correct `expectedState`');
  }
  const { calls } = callsOf(evalCase);
  const { state, changes, problem } = computeState(car, initialState, calls, vocabulary);
  if (problem !== null) return undecidable(`how the car was left cannot be computed: ${problem}`);
  const expectedOf = (name: string): unknown =>
    wanted.has(name) ? wanted.get(name) : Object.hasOwn(initialState, name) ? initialState[name] : undefined;
  for (const name of new Set([...wanted.keys(), ...Object.keys(initialState)])) {
    const after = state.get(name);
    const right = valueIn(car, name, expectedOf(name));
    if (after === undefined)
      return undecidable(`nothing says how ${name} was before`, 'add it to `initialState`');
    if (right === null || sameValue(after, right)) continue;
    const by = changes.findLast(({ variable }) => variable === name);
    const who = by === undefined ? 'no call changed it' : `by ${shownCall(by.call)}`;
    return decided(
      false,
      `afterwards ${name} is ${shownValue(after)}, ${who}; ${shownValue(right)} is right`,
    );
  }
  return decided(true, `the car is as it should be: ${andList([...wanted.keys()].slice(0, 3))}`);
}
