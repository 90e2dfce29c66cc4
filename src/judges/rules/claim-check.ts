import type { EvalCase, ToolCall } from '../../case/index.ts';
import { andList, fold } from '../../common/text/index.ts';
import type { Car } from '../../judging/standards/index.ts';
import { shownCall } from './call-checks.ts';
import { type Change, callsOf, computeState, isChangeOf, toolOf } from './car-model.ts';
import { decided, type Matter, type Outcome, quoted, undecidable } from './check-outcome.ts';
import { isNamedBy, isPlainlyNamed, type Made, unexplainedWords } from './claim-words.ts';
import type { Vocabulary } from './match-phrases.ts';
import { type Claim, type ClaimCheck, claimsIn } from './read-claims.ts';
import { effectOf, isReading, outcomeOf } from './tool-words.ts';

const termsOf = ({ devices }: Claim): string[] => devices.flatMap(({ terms }) => terms);

/** Whether a call did what is claimed: `unsure` if its tool is not known. */
function didIt(
  action: string,
  claim: Claim,
  { call, changes }: Made,
  car: Car | undefined,
): 'yes' | 'no' | 'unsure' {
  if (action === 'any') return claim.devices.length === 0 ? 'yes' : 'unsure';
  if (car === undefined || changes === null) return isPlainlyNamed(action, claim, call) ? 'yes' : 'unsure';
  const ofDevice = changes.filter(({ variable }) => {
    const device = car.variables[variable]?.device;
    return claim.devices.length === 0 || (device !== undefined && termsOf(claim).includes(device));
  });
  if (ofDevice.length === 0) return 'no';
  const fits = ofDevice.map((change) => isChangeOf(action, change, car));
  if (fits.every((fit) => fit === true)) return 'yes';
  if (fits.every((fit) => fit === false)) return 'no';
  return !fits.includes(false) && isNamedBy(action, call) ? 'yes' : 'unsure';
}

/** Whether a claim names exactly one device, which the car has, so that what it says can be compared with the changes. */
const isOfCar = ({ devices, actions }: Claim, car: Car | undefined): boolean => {
  const known = Object.values(car?.variables ?? {});
  const [device, ...others] = devices;
  return (
    device !== undefined &&
    others.length === 0 &&
    device.terms.every((term) => known.some((variable) => variable.device === term)) &&
    actions.every(
      (action) => action === 'set' || known.some(({ up, down }) => up === action || down === action),
    )
  );
};

/** Whether the number of a claim has a unit that the call does not declare, so that the two cannot be compared. */
function hasOtherUnit({ unit }: Claim, { call }: Change, car: Car | undefined): boolean {
  const declared = Object.values(toolOf(car, call.name)?.arguments ?? {}).flatMap(({ units }) => units);
  // "°C" is read as two signs.
  const joined = (one: string) => fold(one).replaceAll(' ', '');
  return unit !== '' && !declared.some((one) => joined(one) === joined(unit));
}

/** Words before a number that something was set to. */
const TO: ReadonlySet<string> = new Set(['to', 'at', 'auf']);

/** The one number of a claim about a variable that was set to another number; null if there is none. */
function wrongNumber(claim: Claim, changes: readonly Change[]): Change | null {
  const { numbers, words, actions } = claim;
  const [number, ...others] = numbers;
  const [change, ...more] = changes;
  if (number === undefined || others.length > 0 || change === undefined || more.length > 0) return null;
  // "Raised by 2" and "raised 2 degrees" name the difference, and "one window" how many.
  const at = words.findIndex(({ value }) => value !== null);
  const mayBeSize = typeof change.before === 'number' && actions.some((action) => action !== 'set');
  if (typeof change.after !== 'number' || mayBeSize || !TO.has(words[at - 1]?.text ?? '')) return null;
  return Math.abs(change.after - number) < 1e-9 ? null : change;
}

/** The calls of a case, by what they may have done. */
interface Calls {
  all: readonly ToolCall[];
  /** Whether every turn of the system says what it called. */
  isWhole: boolean;
  /** Those that change something, as far as is known. */
  acting: readonly ToolCall[];
  /** Those of them that did not plainly fail. */
  made: readonly ToolCall[];
  /** One that seems only to read by its name, which says little: `show_map` and `find_and_play` act. */
  mayAct: ToolCall | undefined;
}

function sortedCalls(evalCase: EvalCase, car: Car | undefined, vocabulary: Vocabulary): Calls {
  const { calls: all, isWhole } = callsOf(evalCase);
  const reads = (call: ToolCall): boolean => {
    const tool = toolOf(car, call.name);
    return tool === undefined ? isReading(call.name, vocabulary) : tool.sets.length === 0;
  };
  const acting = all.filter((call) => !reads(call));
  return {
    all,
    isWhole,
    acting,
    made: acting.filter((call) => outcomeOf(call, vocabulary) !== 'failed'),
    mayAct: all.find((call) => reads(call) && toolOf(car, call.name) === undefined),
  };
}

const quotedClaims = (claims: readonly Claim[]): string =>
  quoted(claims.map((claim) => claim.quote).join('. '));

const shownCalls = (calls: readonly ToolCall[]): string => andList(calls.slice(0, 2).map(shownCall));

const seemsToRead = (call: ToolCall): Outcome =>
  undecidable(`${shownCall(call)} seems only to read, which its name alone does not prove`);

const notWhole = (): Outcome => undecidable('a turn before does not say which tools were called');

/** What calls did to the car, together. */
function changesBy(
  calls: readonly ToolCall[],
  car: Car | undefined,
  matter: Matter,
): readonly Change[] | null {
  if (car === undefined) return null;
  const after = computeState(car, matter.evalCase.initialState ?? {}, calls, matter.vocabulary);
  return after.problem === null ? after.changes : null;
}

/** Checks that the response claims no action that no call did, and denies none that a call did. */
export function saysWhatItDid(check: ClaimCheck, matter: Matter): Outcome {
  const { evalCase, vocabulary } = matter;
  if (evalCase.toolCalls === undefined)
    return undecidable('the case does not say which tools were called', 'add `toolCalls` to the case');
  const claims = claimsIn(evalCase, check, matter);
  if (typeof claims === 'string') return undecidable(claims);
  const car = check.car === undefined ? undefined : matter.cars.get(check.car);
  const calls = sortedCalls(evalCase, car, vocabulary);
  const isDenial = claims.every(({ isDenied }) => isDenied);
  if (calls.made.length === 0) return isDenial ? deniedWithoutCall(calls) : claimedWithoutCall(claims, calls);
  if (isDenial) {
    const own = evalCase.toolCalls.filter((call) => calls.made.includes(call));
    return deniedThough(claims, own, car, matter);
  }
  return claimedWithCalls(claims, calls, car, matter);
}

/** A response that denies something, where no call did anything. */
function deniedWithoutCall({ all, acting, mayAct, isWhole }: Calls): Outcome {
  if (mayAct !== undefined) return seemsToRead(mayAct);
  const [failed] = acting;
  if (failed !== undefined)
    return decided(true, `it says that it was not done, and ${shownCall(failed)} failed`);
  if (!isWhole) return notWhole();
  const none = all.length === 0 ? 'was called' : 'that changes anything was called';
  return decided(true, `it says that nothing was done, and no tool ${none}`);
}

/** A response that claims something, where no call did anything. */
function claimedWithoutCall(claims: readonly Claim[], { all, acting, mayAct, isWhole }: Calls): Outcome {
  if (!isWhole) return notWhole();
  if (mayAct !== undefined) return seemsToRead(mayAct);
  const quote = quotedClaims(claims);
  const [failed] = acting;
  if (failed !== undefined) return decided(false, `it says ${quote}, but ${shownCall(failed)} failed`);
  const [reading] = all;
  return decided(
    false,
    reading === undefined
      ? `it says ${quote}, but no tool was called`
      : `it says ${quote}, but ${shownCall(reading)} changes nothing`,
  );
}

/** A response that denies what a call of its own did. */
function deniedThough(
  claims: readonly Claim[],
  made: readonly ToolCall[],
  car: Car | undefined,
  matter: Matter,
): Outcome {
  const quote = quotedClaims(claims);
  const unsure = undecidable(`it is not certain that ${quote} is about what was called`);
  const [call, ...others] = made;
  if (call === undefined || others.length > 0) return unsure;
  const changes = changesBy([call], car, matter);
  const isDone = outcomeOf(call, matter.vocabulary) === 'done';
  const isAbout = claims.some((claim) => isTrueOf(claim, { call, changes }, car));
  return isDone && isAbout ? decided(false, `it says ${quote}, but ${shownCall(call)} was done`) : unsure;
}

/** A response that claims something, where calls did something: they must be what it says. */
function claimedWithCalls(
  claims: readonly Claim[],
  calls: Calls,
  car: Car | undefined,
  matter: Matter,
): Outcome {
  const { all, acting, made } = calls;
  if (made.length < acting.length) return undecidable('some of the calls failed');
  const unclear = made.find((call) => effectOf(call, matter.vocabulary) !== 'done');
  if (unclear !== undefined)
    return undecidable(`the result of ${shownCall(unclear)} does not plainly say whether it was done`);
  const changes = changesBy(all, car, matter);
  const done = made.map(
    (call): Made => ({ call, changes: changes?.filter((one) => one.call === call) ?? null }),
  );
  const objections = [
    ...claims.map((claim) => objectionToActions(claim, done, calls, car)),
    ...claims.map((claim) => objectionToNumbers(claim, done, car)),
    ...claims.map((claim) => objectionToWords(claim, done, car)),
  ];
  return (
    objections.find((one) => one !== null) ?? decided(true, `it says what was done: ${shownCalls(made)}`)
  );
}

/** Why the actions of a claim are not those of the calls, or not surely; null if they are. */
function objectionToActions(
  claim: Claim,
  done: readonly Made[],
  { made, mayAct, isWhole }: Calls,
  car: Car | undefined,
): Outcome | null {
  const answers = claim.actions
    .map((action) => done.map((one) => didIt(action, claim, one, car)))
    .find((ofAction) => !ofAction.includes('yes'));
  if (answers === undefined) return null;
  if (answers.includes('unsure') || !isWhole || mayAct !== undefined || !isOfCar(claim, car))
    return undecidable(`it is not certain that a call did what ${quoted(claim.quote)} says`);
  return decided(false, `it says ${quoted(claim.quote)}, but ${shownCalls(made)} did not do that`);
}

/** Why the numbers of a claim are not those of the calls, or not surely; null if they are. */
function objectionToNumbers(claim: Claim, done: readonly Made[], car: Car | undefined): Outcome | null {
  const quote = quoted(claim.quote);
  const changes = done
    .flatMap((one) => one.changes ?? [])
    .filter(({ variable }) => {
      const device = car?.variables[variable]?.device;
      return device !== undefined && termsOf(claim).includes(device);
    });
  if (changes.some((change) => hasOtherUnit(claim, change, car)))
    return undecidable(`the number in ${quote} may have another unit than that of the call`);
  const wrong = isOfCar(claim, car) ? wrongNumber(claim, changes) : null;
  if (wrong !== null)
    return decided(
      false,
      `it says ${quote}, but ${shownCall(wrong.call)} set ${wrong.variable} to ${wrong.after}`,
    );
  return null;
}

const didAll = (claim: Claim, made: Made, car: Car | undefined): boolean =>
  claim.actions.length > 0 && claim.actions.every((action) => didIt(action, claim, made, car) === 'yes');

/** Whether a call did all that a claim says, in each of its words. */
const isTrueOf = (claim: Claim, made: Made, car: Car | undefined): boolean =>
  didAll(claim, made, car) && unexplainedWords(claim, made, car).length === 0;

/** Why the words of a claim may say more than any one call did; null if one did all of it. */
function objectionToWords(claim: Claim, done: readonly Made[], car: Car | undefined): Outcome | null {
  if (done.some((made) => isTrueOf(claim, made, car))) return null;
  const quote = quoted(claim.quote);
  const [fewest] = done
    .filter((made) => didAll(claim, made, car))
    .map((made) => unexplainedWords(claim, made, car))
    .sort((one, other) => one.length - other.length);
  return undecidable(
    fewest === undefined
      ? `it is not certain that one call did all that ${quote} says`
      : `it is not certain that the calls match ${andList(fewest.slice(0, 3).map((word) => quoted(word)))} in ${quote}`,
  );
}
