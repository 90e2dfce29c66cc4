import type { EvalCase, ToolCall } from '../../case/index.ts';
import { andList, fold } from '../../common/text/index.ts';
import type { Car } from '../../judging/standards/index.ts';
import { shownCall } from './call-checks.ts';
import { type Change, callsOf, computeState, isChangeOf, toolOf } from './car-model.ts';
import { type CheckOf, decided, type Matter, type Outcome, quoted, undecidable } from './check-outcome.ts';
import { isOf, type Mention, mentionsOf, type Vocabulary } from './match-phrases.ts';
import { endsSentence, quoteOf, type Token, tokenize } from './tokens.ts';
import { effectOf, isReading, outcomeOf, wordsOfName } from './tool-words.ts';

/** Longer responses say more than plain claims. */
const MAX_CHARS = 300;

/** Terms of the lexicon of claims that are no action. */
const NO_ACTION: ReadonlySet<string> = new Set(['doer', 'object', 'denied', 'unclear', 'courtesy']);

/** What a sentence claims was done, or denies. */
interface Claim {
  isDenied: boolean;
  /** What was done: terms of the lexicon, `any` for "done". */
  actions: readonly string[];
  /** Terms of the lexicon of devices, a list for each device that is named. */
  devices: readonly (readonly string[])[];
  numbers: readonly number[];
  /** What stands after the first number and may be its unit. */
  unit: string;
  quote: string;
}

type Check = CheckOf<'says-what-it-did'>;

function sentencesOf(tokens: readonly Token[]): Token[][] {
  const sentences: Token[][] = [[]];
  for (const token of tokens)
    if (endsSentence(token)) sentences.push([]);
    else sentences.at(-1)?.push(token);
  return sentences.filter((sentence) => sentence.some(({ kind }) => kind !== 'break'));
}

/** Whether a mention of an action plainly says that the system did it: "I've opened", "opening the", "ich habe … geöffnet". */
function isPlain(
  mention: Mention,
  mentions: readonly Mention[],
  tokens: readonly Token[],
  lexicon: string,
): boolean {
  if (/^(?:ich|wir|i|ive|im|we|weve|has been|have been)\b/.test(tokens[mention.from]?.text ?? ''))
    return true;
  const ofTerm = (term: string) => mentions.filter((one) => isOf(one, lexicon, term));
  if (ofTerm('doer').some(({ to }) => to === mention.from)) return true;
  const start = tokens.findIndex(
    (token, at) => token.kind !== 'break' && !ofTerm('courtesy').some(({ places }) => places.includes(at)),
  );
  const isFirst = mention.from === start;
  if (mention.terms.includes('any')) return isFirst;
  if (isFirst && ofTerm('object').some(({ from }) => from === mention.to)) return true;
  // German has the participle at the end.
  return (
    mention.to === tokens.length && ofTerm('doer').some(({ from }) => from === start || from === start + 1)
  );
}

/** Words that end a unit: "22 degrees on your side". */
const AFTER_UNIT: ReadonlySet<string> = new Set([
  'on',
  'in',
  'for',
  'at',
  'auf',
  'für',
  'am',
  'im',
  'bei',
  'and',
  'und',
]);

/** The words after the first number of a sentence that belong to nothing else. */
function unitAfterNumber(sentence: readonly Token[], mentions: readonly Mention[]): string {
  const owned = new Set(mentions.flatMap(({ places }) => places));
  const at = sentence.findIndex(({ value }) => value !== null);
  const unit: string[] = [];
  for (const [place, { text }] of sentence.entries()) {
    if (at < 0 || place <= at) continue;
    if (owned.has(place) || AFTER_UNIT.has(text)) break;
    unit.push(text);
  }
  return unit.join(' ');
}

/** What a sentence plainly says; null if that is not plain. `undefined`: nothing about what was done. */
function claimIn(sentence: readonly Token[], check: Check, { vocabulary }: Matter): Claim | null | undefined {
  const mentions = mentionsOf(check.lexicon, sentence, vocabulary);
  if (mentions.some((mention) => isOf(mention, check.lexicon, 'unclear'))) return null;
  const named = mentions.filter(({ terms }) => terms.some((term) => !NO_ACTION.has(term)));
  const isDenied = mentions.some((mention) => isOf(mention, check.lexicon, 'denied'));
  const counting = named.filter(({ sign }) => isDenied || !sign);
  const ofDevices = check.devices === undefined ? [] : mentionsOf(check.devices, sentence, vocabulary);
  if (!isDenied && counting.length === 0) {
    const courtesy = new Set(
      mentions.filter((one) => isOf(one, check.lexicon, 'courtesy')).flatMap(({ places }) => places),
    );
    return sentence.every((token, at) => token.kind === 'break' || courtesy.has(at)) ? undefined : null;
  }
  if (!isDenied && !counting.every((mention) => isPlain(mention, mentions, sentence, check.lexicon)))
    return null;
  return {
    isDenied,
    actions: counting.flatMap(({ terms }) => terms.filter((term) => !NO_ACTION.has(term))),
    devices: ofDevices.map(({ terms }) => terms),
    numbers: sentence.flatMap(({ value }) => value ?? []),
    unit: unitAfterNumber(sentence, [...mentions, ...ofDevices]),
    quote: quoteOf(sentence, 0, sentence.length),
  };
}

/** The plain claims of a response; a text that says why there are none. */
function claimsIn({ response }: EvalCase, check: Check, matter: Matter): Claim[] | string {
  if (response.length > MAX_CHARS) return 'the response is too long to be plain';
  if (/[?"“”„«»`{}[\]<>]/.test(response)) return 'the response asks or quotes something';
  const read = sentencesOf(tokenize(response, matter.vocabulary.numbers)).map((sentence) =>
    claimIn(sentence, check, matter),
  );
  if (read.includes(null)) return 'the words of the response do not plainly say what was done';
  const claims = read.flatMap((claim) => claim ?? []);
  if (claims.length === 0) return 'the response does not say whether anything was done';
  return new Set(claims.map(({ isDenied }) => isDenied)).size > 1
    ? 'the response says that some of it was done and some was not'
    : claims;
}

/** Whether a name of a tool names an action: `turn_on_radio` names `turn-on`. */
const isNamedBy = (action: string, { name }: ToolCall): boolean => {
  const words = wordsOfName(name);
  return action.split('-').every((word) => words.includes(word));
};

interface Made {
  call: ToolCall;
  /** What it did to the car; null if the car does not have the tool, or it is not known. */
  changes: readonly Change[] | null;
}

/** Whether a call did what is claimed: `unsure` if its tool is not known. */
function didIt(
  action: string,
  claim: Claim,
  { call, changes }: Made,
  car: Car | undefined,
): 'yes' | 'no' | 'unsure' {
  if (action === 'any') return claim.devices.length === 0 ? 'yes' : 'unsure';
  if (car === undefined || changes === null) return isNamedBy(action, call) ? 'yes' : 'unsure';
  const ofDevice = changes.filter(({ variable }) => {
    const device = car.variables[variable]?.device;
    return claim.devices.length === 0 || (device !== undefined && claim.devices.flat().includes(device));
  });
  if (ofDevice.length === 0) return 'no';
  const fits = ofDevice.map((change) => isChangeOf(action, change, car));
  if (fits.includes(true) || isNamedBy(action, call)) return 'yes';
  return fits.includes(null) ? 'unsure' : 'no';
}

/** Whether a claim names exactly one device, which the car has, so that what it says can be compared with the changes. */
const isOfCar = ({ devices, actions }: Claim, car: Car | undefined): boolean => {
  const known = Object.values(car?.variables ?? {});
  const [device, ...others] = devices;
  return (
    device !== undefined &&
    others.length === 0 &&
    device.every((term) => known.some((variable) => variable.device === term)) &&
    actions.every(
      (action) => action === 'set' || known.some(({ up, down }) => up === action || down === action),
    )
  );
};

/** Whether the number of a claim has a unit that the call does not declare, so that the two cannot be compared. */
function hasOtherUnit({ unit }: Claim, { call }: Change, car: Car | undefined): boolean {
  const declared = Object.values(toolOf(car, call.name)?.arguments ?? {}).flatMap(({ units }) => units);
  return unit !== '' && !declared.some((one) => fold(one) === unit);
}

/** The one number of a claim about a variable that was set to another number; null if there is none. */
function wrongNumber({ numbers, actions }: Claim, changes: readonly Change[]): Change | null {
  const [number, ...others] = numbers;
  const [change, ...more] = changes;
  if (number === undefined || others.length > 0 || change === undefined || more.length > 0) return null;
  // "Raised by 2" names the difference.
  const isDifference = typeof change.before === 'number' && actions.some((action) => action !== 'set');
  if (typeof change.after !== 'number' || isDifference) return null;
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
export function saysWhatItDid(check: Check, matter: Matter): Outcome {
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
  const unsure = undecidable(`it is not sure that ${quote} is about what was called`);
  const [call, ...others] = made;
  if (call === undefined || others.length > 0) return unsure;
  const changes = changesBy([call], car, matter);
  const isDone = outcomeOf(call, matter.vocabulary) === 'done';
  const isAbout = claims.some((claim) =>
    claim.actions.some((action) => didIt(action, claim, { call, changes }, car) === 'yes'),
  );
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
    return undecidable(`it is not sure that a call did what ${quoted(claim.quote)} says`);
  return decided(false, `it says ${quoted(claim.quote)}, but ${shownCalls(made)} did not do that`);
}

/** Why the numbers of a claim are not those of the calls, or not surely; null if they are. */
function objectionToNumbers(claim: Claim, done: readonly Made[], car: Car | undefined): Outcome | null {
  const quote = quoted(claim.quote);
  const changes = done
    .flatMap((one) => one.changes ?? [])
    .filter(({ variable }) => {
      const device = car?.variables[variable]?.device;
      return device !== undefined && claim.devices.flat().includes(device);
    });
  if (changes.some((change) => hasOtherUnit(claim, change, car)))
    return undecidable(`the number in ${quote} may have another unit than that of the call`);
  const wrong = isOfCar(claim, car) ? wrongNumber(claim, changes) : null;
  if (wrong !== null)
    return decided(
      false,
      `it says ${quote}, but ${shownCall(wrong.call)} set ${wrong.variable} to ${wrong.after}`,
    );
  return claim.numbers.every((number) => saysNumber(number, done))
    ? null
    : undecidable(`no call has the number in ${quote}`);
}

/** Whether a call was given a number, or set a variable to it. */
const saysNumber = (number: number, done: readonly Made[]): boolean =>
  done.some(
    ({ call, changes }) =>
      Object.values(call.arguments ?? {}).some((value) => Number(value) === number) ||
      (changes ?? []).some(({ after }) => after === number),
  );
