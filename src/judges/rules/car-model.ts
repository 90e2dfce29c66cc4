import type { EvalCase, ToolCall } from '../../case/index.ts';
import type { Car, CarEffect, CarTool } from '../../judging/standards/index.ts';
import { meantBy } from './compare-calls.ts';
import type { Vocabulary } from './match-phrases.ts';
import { effectOf, outcomeOf, plainName } from './tool-words.ts';

type Value = string | number | boolean;

/** What a call does to a variable; `before` is null if it is not known. */
export interface Change {
  call: ToolCall;
  variable: string;
  before: Value | null;
  after: Value;
}

/** What calls make of a car. */
export interface AfterCalls {
  /** The values that are known. */
  state: ReadonlyMap<string, Value>;
  changes: readonly Change[];
  /** Why the state is not surely known; null if it is. */
  problem: string | null;
}

export function toolOf(car: Car | undefined, name: string): CarTool | undefined {
  const found = Object.entries(car?.tools ?? {}).find(([tool]) => plainName(tool) === plainName(name));
  return found?.[1];
}

/** All calls of a case, oldest first; `isWhole` is false if a turn of the system does not say what it called. */
export function callsOf({ conversation, toolCalls }: EvalCase): { calls: ToolCall[]; isWhole: boolean } {
  const turns = [...conversation.filter(({ role }) => role === 'system'), { toolCalls }];
  return {
    calls: turns.flatMap((turn) => turn.toolCalls ?? []),
    isWhole: turns.every((turn) => turn.toolCalls !== undefined),
  };
}

/** What keeps a call from being computed. */
class Unclear extends Error {}

/** The values of a call's arguments as the car means them, with defaults. */
function argumentsOf(call: ToolCall, tool: CarTool): ReadonlyMap<string, Value> {
  const given = call.arguments ?? {};
  for (const name of Object.keys(given))
    if (!Object.hasOwn(tool.arguments, name))
      throw new Unclear(`the car's ${call.name} has no argument "${name}"`);
  return new Map(
    Object.entries(tool.arguments).map(([name, argument]) => {
      const value = (Object.hasOwn(given, name) ? given[name] : undefined) ?? argument.default;
      if (value === undefined) throw new Unclear(`${call.name} lacks "${name}"`);
      const meant = meantBy(value, argument);
      if (meant === null)
        throw new Unclear(`the car knows no ${name} ${JSON.stringify(value).slice(0, 40)} of ${call.name}`);
      return [name, meant];
    }),
  );
}

const HOLE = /\{([^{}]+)\}/;

/** The values that the holes of an effect can have together: one for each member of a group. */
function fillings(
  { variable }: CarEffect,
  tool: CarTool,
  values: ReadonlyMap<string, Value>,
): { variable: string; values: ReadonlyMap<string, Value> }[] {
  const [hole, name = ''] = HOLE.exec(variable) ?? [];
  if (hole === undefined) return [{ variable, values }];
  const argument = tool.arguments[name];
  const value = String(values.get(name));
  const members = argument?.groups?.[value] ?? [value];
  return members.flatMap((member) =>
    fillings({ variable: variable.replace(hole, member) }, tool, new Map([...values, [name, member]])),
  );
}

/** A value of an effect with its holes filled: a number if it is one. */
function filled(value: Value, values: ReadonlyMap<string, Value>): Value {
  if (typeof value !== 'string') return value;
  const [whole, sign = '', name = ''] = /^(-?)\{([^{}]+)\}$/.exec(value) ?? [];
  if (whole === undefined) return value.replace(HOLE, (_, hole: string) => String(values.get(hole)));
  const found = values.get(name) ?? '';
  return sign === '-' && typeof found === 'number' ? -found : found;
}

function valueAfter(effect: CarEffect, before: Value | null, values: ReadonlyMap<string, Value>): Value {
  if (effect.to !== undefined) return filled(effect.to, values);
  if (before === null) throw new Unclear(`initialState does not give ${effect.variable}`);
  if (effect.toggle === true) {
    if (typeof before !== 'boolean') throw new Unclear(`${effect.variable} is not on or off`);
    return !before;
  }
  const by = filled(effect.by ?? 0, values);
  if (typeof before !== 'number' || typeof by !== 'number')
    throw new Unclear(`${effect.variable} is not a number`);
  return before + by;
}

/** Refuses a value that a variable cannot have: whether a car then refuses the call or stops at the bound is up to it. */
function requirePossible(car: Car, variable: string, value: Value): void {
  const { type, min = -Infinity, max = Infinity, values = [] } = car.variables[variable] ?? {};
  const fits =
    type === 'number'
      ? typeof value === 'number' && value >= min && value <= max
      : type === 'switch'
        ? typeof value === 'boolean'
        : type === 'text' || values.includes(String(value));
  if (!fits) throw new Unclear(`${variable} cannot be ${JSON.stringify(value)}`);
}

/** A variable's value in a given state as the car means it; null if it has no such value. */
export function valueIn(car: Car, variable: string, value: unknown): Value | null {
  const { type, values = [] } = car.variables[variable] ?? { type: 'choice' };
  const spellings = Object.fromEntries(values.map((one) => [one, []]));
  return meantBy(value, { type, units: [], ...(type === 'choice' ? { values: spellings } : {}) });
}

/**
 * Computes what calls make of a car. Calls that plainly failed change nothing. What is not surely known ends the computation with a
 * problem, and the state up to there.
 */
export function computeState(
  car: Car,
  initial: Readonly<Record<string, unknown>>,
  calls: readonly ToolCall[],
  vocabulary: Vocabulary,
): AfterCalls {
  const state = new Map<string, Value>();
  const changes: Change[] = [];
  try {
    for (const [name, given] of Object.entries(initial)) state.set(name, requireValue(car, name, given));
    for (const call of calls)
      for (const { effect, values } of effectsOf(call, car, vocabulary)) {
        const { variable } = effect;
        const before = state.get(variable) ?? null;
        const after = valueAfter(effect, before, values);
        requirePossible(car, variable, after);
        state.set(variable, after);
        changes.push({ call, variable, before, after });
      }
  } catch (thrown) {
    if (!(thrown instanceof Unclear)) throw thrown;
    return { state, changes, problem: thrown.message };
  }
  return { state, changes, problem: null };
}

/** A variable's given value as the car means it. */
function requireValue(car: Car, variable: string, given: unknown): Value {
  if (!Object.hasOwn(car.variables, variable)) throw new Unclear(`the car has no variable "${variable}"`);
  const value = valueIn(car, variable, given);
  if (value === null) throw new Unclear(`${variable} cannot be ${JSON.stringify(given).slice(0, 40)}`);
  return value;
}

/** What a call does to each variable that it surely sets, with the values for the holes of each effect. */
function effectsOf(
  call: ToolCall,
  car: Car,
  vocabulary: Vocabulary,
): { effect: CarEffect; values: ReadonlyMap<string, Value> }[] {
  if (outcomeOf(call, vocabulary) === 'failed') return [];
  const tool = toolOf(car, call.name);
  if (tool === undefined) throw new Unclear(`the car has no tool "${call.name.slice(0, 40)}"`);
  if (tool.sets.length === 0) return [];
  if (effectOf(call, vocabulary) !== 'done')
    throw new Unclear(`the result of ${call.name} does not plainly say whether it was done`);
  const given = argumentsOf(call, tool);
  return tool.sets.flatMap((effect) =>
    fillings(effect, tool, given).map(({ variable, values }) => ({
      effect: { ...effect, variable },
      values,
    })),
  );
}

export const sameValue = (one: Value | null, other: Value | null): boolean =>
  typeof one === 'number' && typeof other === 'number' ? Math.abs(one - other) < 1e-9 : one === other;

/** Whether a change can be called by a term of the lexicon of claims; null if what was before is not known. */
export function isChangeOf(term: string, { variable, before, after }: Change, car: Car): boolean | null {
  const { up, down, min, max } = car.variables[variable] ?? {};
  const isBound = typeof after === 'boolean' || after === min || after === max;
  if (term !== up && term !== down) return term === 'set' && !(typeof after === 'boolean') ? true : null;
  const rises = typeof after === 'boolean' ? after : after === max;
  if (isBound && (typeof after === 'boolean' || before === null || before === after))
    return term === (rises ? up : down);
  if (typeof before !== 'number' || typeof after !== 'number') return null;
  return before === after ? null : term === (after > before ? up : down);
}
