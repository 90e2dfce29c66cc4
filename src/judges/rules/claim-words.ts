import type { ToolCall } from '../../case/index.ts';
import { fold } from '../../common/text/index.ts';
import type { Car, CarTool } from '../../judging/standards/index.ts';
import { type Change, sameValue, toolOf } from './car-model.ts';
import { meantBy } from './compare-calls.ts';
import type { Mention } from './match-phrases.ts';
import type { Claim } from './read-claims.ts';
import { type Token, tokenize } from './tokens.ts';
import { wordsOfName } from './tool-words.ts';

/** A call with what it did. */
export interface Made {
  call: ToolCall;
  /** What it did to the car; null if the car does not have the tool, or it is not known. */
  changes: readonly Change[] | null;
}

/** The arguments of a call as the car means them, with defaults; as given where the car does not declare them. */
function valuesOf({ arguments: given = {} }: ToolCall, tool: CarTool | undefined): Map<string, unknown> {
  const values = new Map<string, unknown>(Object.entries(given));
  for (const [name, argument] of Object.entries(tool?.arguments ?? {})) {
    const value = values.get(name) ?? argument.default;
    values.set(name, meantBy(value, argument) ?? value);
  }
  return values;
}

const textsOf = (text: string): string[] =>
  tokenize(text)
    .filter(({ kind }) => kind !== 'break')
    .map((token) => token.text);

/** The words for the values of a call: as written, and other spellings that the car declares. */
function phrasesOf(values: ReadonlyMap<string, unknown>, tool: CarTool | undefined): string[][] {
  return [...values].flatMap(([name, value]) => {
    if (typeof value !== 'string') return [];
    const spellings = tool?.arguments[name]?.values?.[value] ?? [];
    return [value, ...spellings].map((text) => textsOf(text.replaceAll('_', ' ')));
  });
}

/** The indexes of the words that belong to one of some phrases. */
const placesOfPhrases = (words: readonly Token[], phrases: readonly (readonly string[])[]): number[] =>
  phrases.flatMap((phrase) =>
    [...words.keys()]
      .filter((at) => phrase.every((text, index) => words[at + index]?.text === text))
      .flatMap((at) => phrase.map((_, index) => at + index)),
  );

/** Words before a number that tells by how much something changed. */
const BY: ReadonlySet<string> = new Set(['by', 'um']);

/** Whether a number in a claim tells a difference: "raised by 2". */
const isDifference = ({ words }: Claim, at: number): boolean => BY.has(words[at - 1]?.text ?? '');

const sizeOf = ({ before, after }: Change): number | null =>
  typeof before === 'number' && typeof after === 'number' ? Math.abs(after - before) : null;

/** Whether a number of a claim is what a call set or changed; where that is not known, whether it is the one number given to it. */
function isNumberOf(claim: Claim, at: number, { changes }: Made, values: ReadonlyMap<string, unknown>) {
  const { value = null, scale = null } = claim.words[at] ?? {};
  if (value === null || scale !== null) return false;
  const numbers = (changes ?? []).filter(({ after }) => typeof after === 'number');
  if (isDifference(claim, at))
    return numbers.length > 0 && numbers.every((change) => sameValue(sizeOf(change), value));
  const given = [...values.values()].filter((one) => typeof one === 'number');
  const all = changes === null ? given : numbers.map(({ after }) => after);
  return all.length > 0 && all.every((one) => sameValue(one, value));
}

/** Whether a word beside a number only tells what the number is: its unit, or the argument that has it. */
function isBesideNumber(
  { words }: Claim,
  at: number,
  values: ReadonlyMap<string, unknown>,
  tool: CarTool | undefined,
): boolean {
  const { text = '' } = words[at] ?? {};
  const next = words[at + 1]?.value ?? null;
  if (BY.has(text)) return next !== null;
  const units = Object.values(tool?.arguments ?? {}).flatMap((argument) => argument.units.map(fold));
  const isUnit = units.some((unit) => unit.split(' ').includes(text));
  const isName = [...values].some(([name, value]) => value === next && wordsOfName(name).includes(text));
  const before = words.slice(Math.max(0, at - 3), at);
  return (isUnit && (next !== null || before.some(({ value }) => value !== null))) || isName;
}

/** Whether the word for a device may stand for several: "windows", "die Fenster". */
function mayBePlural({ places }: Mention, words: readonly Token[]): boolean {
  const last = places.at(-1) ?? 0;
  const text = words[last]?.text ?? '';
  return /(?:s|en)$/.test(text) || (words[last - 1]?.text === 'die' && /e[lr]$/.test(text));
}

/** Whether a device that is named is what a call changed, and as many of it. */
function isDeviceOf(mention: Mention, { words, places }: Claim, { changes }: Made, car: Car | undefined) {
  const ofDevice = (variable: string | undefined): boolean => {
    const device = variable === undefined ? undefined : car?.variables[variable]?.device;
    return device !== undefined && mention.terms.includes(device);
  };
  const changed = new Set((changes ?? []).map(({ variable }) => variable).filter(ofDevice));
  const all = Object.keys(car?.variables ?? {}).filter(ofDevice).length;
  // Without words for places it cannot be told which of several is meant.
  if (changed.size === 0 || (places === null && all > 1)) return false;
  return changed.size === all || !mayBePlural(mention, words);
}

const placesIn = (mentions: readonly Mention[]): Set<number> =>
  new Set(mentions.flatMap(({ places }) => places));

/**
 * The words of a claim that a call does not account for, as the response has them. Accounted for are what was done, the device, the
 * values of the call, and function words. Any other word may say something that is not so: "all windows", "halfway".
 */
export function unexplainedWords(claim: Claim, made: Made, car: Car | undefined): string[] {
  const { words, explained, devices, places } = claim;
  const tool = toolOf(car, made.call.name);
  const values = valuesOf(made.call, tool);
  const texts = new Set([...values.values()].filter((value) => typeof value === 'string'));
  const isPlaceOf = ({ terms }: Mention) => terms.some((term) => texts.has(term));
  // "The driver's window and a window" are two.
  const isAgain = ({ quote, from }: Mention) =>
    devices.some((other) => other.from < from && fold(other.quote) === fold(quote));
  const isOurs = (mention: Mention) => !isAgain(mention) && isDeviceOf(mention, claim, made, car);
  const named = placesIn([...devices.filter(isOurs), ...(places ?? []).filter(isPlaceOf)]);
  const other = placesIn([
    ...devices.filter((mention) => !isOurs(mention)),
    ...(places ?? []).filter((mention) => !isPlaceOf(mention)),
  ]);
  const surely = new Set([...explained, ...placesOfPhrases(words, phrasesOf(values, tool))]);
  const ofTool = new Set(wordsOfName(made.call.name));
  const isExplained = ({ kind, text, value }: Token, at: number): boolean => {
    if (kind === 'break' || surely.has(at)) return true;
    if (other.has(at)) return false;
    if (value !== null) return isNumberOf(claim, at, made, values);
    return named.has(at) || ofTool.has(text) || isBesideNumber(claim, at, values, tool);
  };
  return words.filter((word, at) => !isExplained(word, at)).map(({ raw }) => raw);
}

/** Whether a name of a tool names an action: `turn_on_radio` names `turn-on`. */
export const isNamedBy = (action: string, { name }: ToolCall): boolean => {
  const words = wordsOfName(name);
  return action.split('-').every((word) => words.includes(word));
};

/**
 * Whether an unknown tool by its name does what is claimed, and nothing that the claim leaves out: `turn_on_off_light` and
 * `send_message_later` may do something else. So may a tool that is told `false`.
 */
export function isPlainlyNamed(action: string, { words }: Claim, call: ToolCall): boolean {
  const own = call.name.split(/[./:]|__/).at(-1) ?? '';
  const said = new Set([...action.split('-'), ...words.map(({ text }) => text)]);
  return (
    isNamedBy(action, call) &&
    wordsOfName(own).every((word) => said.has(word)) &&
    !Object.values(call.arguments ?? {}).includes(false)
  );
}
