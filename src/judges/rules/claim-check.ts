import type { EvalCase, ToolCall } from '../../case/index.ts';
import { andList } from '../../common/text/index.ts';
import type { Car } from '../../judging/standards/index.ts';
import { shownCall } from './call-checks.ts';
import { type Change, callsOf, computeState, isChangeOf, toolOf } from './car-model.ts';
import { type CheckOf, decided, type Matter, type Outcome, quoted, undecidable } from './check-outcome.ts';
import { isOf, type Mention, mentionsOf } from './match-phrases.ts';
import { endsSentence, quoteOf, type Token, tokenize } from './tokens.ts';
import { isReading, outcomeOf, wordsOfName } from './tool-words.ts';

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

/** What a sentence plainly says; null if that is not plain. `undefined`: nothing about what was done. */
function claimIn(sentence: readonly Token[], check: Check, { vocabulary }: Matter): Claim | null | undefined {
  const mentions = mentionsOf(check.lexicon, sentence, vocabulary);
  if (mentions.some((mention) => isOf(mention, check.lexicon, 'unclear'))) return null;
  const named = mentions.filter(({ terms }) => terms.some((term) => !NO_ACTION.has(term)));
  const isDenied = mentions.some((mention) => isOf(mention, check.lexicon, 'denied'));
  const counting = named.filter(({ sign }) => isDenied || !sign);
  const devices =
    check.devices === undefined
      ? []
      : mentionsOf(check.devices, sentence, vocabulary).map(({ terms }) => terms);
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
    devices,
    numbers: sentence.flatMap(({ value }) => value ?? []),
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

/** What a claim is compared with. */
interface Doings {
  car: Car | undefined;
  /** All calls, then those of tools that do something, then those of them that did not fail. */
  calls: readonly ToolCall[];
  acting: readonly ToolCall[];
  made: readonly ToolCall[];
  /** Whether every turn says which tools were called. */
  isWhole: boolean;
}

function doingsOf(check: Check, { evalCase, vocabulary, cars }: Matter): Doings {
  const { calls, isWhole } = callsOf(evalCase);
  const car = check.car === undefined ? undefined : cars.get(check.car);
  const reads = (call: ToolCall): boolean => {
    const tool = toolOf(car, call.name);
    return tool === undefined ? isReading(call.name, vocabulary) : tool.sets.length === 0;
  };
  const acting = calls.filter((call) => !reads(call));
  const made = acting.filter((call) => outcomeOf(call.result, vocabulary) !== 'failed');
  return { car, calls, acting, made, isWhole };
}

const TURN_UNKNOWN = 'a turn before does not say which tools were called';

/** A response that denies that something was done, where no call did anything. */
function deniedRightly({ acting, isWhole }: Doings): Outcome {
  const [failed] = acting;
  if (failed !== undefined)
    return decided(true, `it says that it was not done, and ${shownCall(failed)} failed`);
  return isWhole
    ? decided(true, 'it says that nothing was done, and no tool was called')
    : undecidable(TURN_UNKNOWN);
}

/** A response that claims something, where no call did anything. */
function claimedWrongly({ acting, isWhole }: Doings, quote: string): Outcome {
  if (!isWhole) return undecidable(TURN_UNKNOWN);
  const [failed] = acting;
  const instead = failed === undefined ? 'no tool was called' : `${shownCall(failed)} failed`;
  return decided(false, `it says ${quote}, but ${instead}`);
}

const shownFirst = (calls: readonly ToolCall[]): string => andList(calls.slice(0, 2).map(shownCall));

/** What speaks against an action of a claim; null if a call did it. */
function againstAction(
  action: string,
  claim: Claim,
  done: readonly Made[],
  { car, made, isWhole }: Doings,
): Outcome | null {
  const answers = done.map((one) => didIt(action, claim, one, car));
  if (answers.includes('yes')) return null;
  return answers.includes('unsure') || !isWhole || !isOfCar(claim, car)
    ? undecidable(`it is not sure that a call did what ${quoted(claim.quote)} says`)
    : decided(false, `it says ${quoted(claim.quote)}, but ${shownFirst(made)} did not do that`);
}

/** What speaks against the numbers of a claim; null if calls have them. */
function againstNumbers(claim: Claim, done: readonly Made[], car: Car | undefined): Outcome | null {
  const changes = done
    .flatMap((one) => one.changes ?? [])
    .filter(({ variable }) => {
      const device = car?.variables[variable]?.device;
      return device !== undefined && claim.devices.flat().includes(device);
    });
  const wrong = isOfCar(claim, car) ? wrongNumber(claim, changes) : null;
  if (wrong !== null)
    return decided(
      false,
      `it says ${quoted(claim.quote)}, but ${shownCall(wrong.call)} set ${wrong.variable} to ${wrong.after}`,
    );
  return claim.numbers.every((number) => saysNumber(number, done))
    ? null
    : undecidable(`no call has the number in ${quoted(claim.quote)}`);
}

/** Checks that the response claims no action that no call did, and denies none that a call did. */
export function saysWhatItDid(check: Check, matter: Matter): Outcome {
  const { evalCase, vocabulary } = matter;
  const { toolCalls, initialState = {} } = evalCase;
  if (toolCalls === undefined)
    return undecidable('the case does not say which tools were called', 'add `toolCalls` to the case');
  const claims = claimsIn(evalCase, check, matter);
  if (typeof claims === 'string') return undecidable(claims);
  const doings = doingsOf(check, matter);
  const { car, calls, acting, made } = doings;
  const quote = quoted(claims.map((claim) => claim.quote).join('. '));
  if (claims.every(({ isDenied }) => isDenied)) {
    if (made.length === 0) return deniedRightly(doings);
    const own = toolCalls.filter((call) => made.includes(call));
    return deniedThough(claims, own, { check, matter, car, quote });
  }
  if (made.length === 0) return claimedWrongly(doings, quote);
  if (made.length < acting.length) return undecidable('some of the calls failed');
  const after = car === undefined ? null : computeState(car, initialState, calls, vocabulary);
  const done = made.map((call): Made => {
    const isKnown = after !== null && after.problem === null;
    return { call, changes: isKnown ? after.changes.filter((one) => one.call === call) : null };
  });
  // Actions first: a number counts only where what was done is clear.
  const against = [
    ...claims.flatMap((claim) => claim.actions.map((action) => againstAction(action, claim, done, doings))),
    ...claims.map((claim) => againstNumbers(claim, done, car)),
  ].find((outcome) => outcome !== null);
  return against ?? decided(true, `it says what was done: ${shownFirst(made)}`);
}

/** Whether a call was given a number, or set a variable to it. */
const saysNumber = (number: number, done: readonly Made[]): boolean =>
  done.some(
    ({ call, changes }) =>
      Object.values(call.arguments ?? {}).some((value) => Number(value) === number) ||
      (changes ?? []).some(({ after }) => after === number),
  );

/** A response that denies what a call of its own did. */
function deniedThough(
  claims: readonly Claim[],
  made: readonly ToolCall[],
  { check, matter, car, quote }: { check: Check; matter: Matter; car: Car | undefined; quote: string },
): Outcome {
  const unsure = undecidable(`it is not sure that ${quote} is about what was called`);
  const [call, ...others] = made;
  if (call === undefined || others.length > 0) return unsure;
  const isDone = outcomeOf(call.result, matter.vocabulary) === 'done';
  const actions = claims.flatMap((claim) => claim.actions);
  const after =
    car === undefined
      ? null
      : computeState(car, matter.evalCase.initialState ?? {}, [call], matter.vocabulary);
  const changes = after === null || after.problem !== null ? null : after.changes;
  const isAbout = claims.some((claim) =>
    claim.actions.some((action) => didIt(action, claim, { call, changes }, car) === 'yes'),
  );
  if (!isDone || !isAbout || actions.length === 0 || check.type !== 'says-what-it-did') return unsure;
  return decided(false, `it says ${quote}, but ${shownCall(call)} was done`);
}
