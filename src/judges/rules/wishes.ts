import type { EvalCase } from '../../case/case.ts';
import type { Words } from '../../case/words.ts';
import { FILLER, type Vocabulary } from './mentions.ts';
import { decided, listed, type Outcome, quoted, undecidable } from './outcome.ts';
import type { RequestReading } from './request.ts';
import type { MeantMention } from './turn.ts';

/** All that a check may look at. */
export interface Matter {
  evalCase: EvalCase;
  request: RequestReading;
  vocabulary: Vocabulary;
  /** The words of opening hours, among others. */
  words: Words;
}

const MAX_QUOTED = 2;
const MAX_LENGTH = 32;

type Doubt = { problem: string; next: string };

const subjectOf = (vocabulary: Vocabulary): string =>
  vocabulary.lexicons.get(FILLER)?.terms.get('subject')?.title ?? 'what the checks are about';

/** Why a wish may be one about something else ("a cheap hotel"), or null. */
export function otherSubject({ request, vocabulary }: Matter): Doubt | null {
  const [elsewhere] = request.elsewhere;
  if (elsewhere === undefined) return null;
  return {
    problem: `${quoted(elsewhere, MAX_LENGTH)} may be what is looked for, and not ${subjectOf(vocabulary)}`,
    next: 'ask a model',
  };
}

/** Why a wish cannot be held against what the checks are about: nothing says that it is wanted; or null. */
export function missingSubject({ request, vocabulary }: Matter): Doubt | null {
  if (request.namesSubject) return null;
  return { problem: `the request does not say that ${subjectOf(vocabulary)} is wanted`, next: 'ask a model' };
}

/** The unknown words that may be a wish as to a lexicon: each counts for one, the first of its kind that nothing names. */
function unknownFor(lexicon: string, { request, vocabulary }: Matter): string[] {
  const silent = vocabulary.wishes.filter((id) => !request.parts.flat().some((wish) => wish.lexicon === id));
  const numeric = silent.find((id) => vocabulary.numeric.has(id));
  const termed = silent.filter((id) => !vocabulary.numeric.has(id));
  const verbs = termed.find((id) => vocabulary.lexicons.get(id)?.open === 'verbs');
  const ownerOf = {
    number: numeric ?? termed[0],
    verb: verbs ?? termed[0],
    name: termed.find((id) => id !== verbs) ?? verbs,
  };
  const words = request.unread.filter(
    ({ quote, kind }) => ownerOf[kind] === lexicon && !request.elsewhere.includes(quote),
  );
  return [...new Set(words.map(({ quote }) => quote))];
}

/** Why silence about a wish does not mean that there is none, and what would settle it; null where it does. */
function doubt(lexicon: string, noun: string, matter: Matter): Doubt | null {
  const other = otherSubject(matter);
  if (other !== null && matter.request.namesSubject) return other;
  const unknown = unknownFor(lexicon, matter);
  if (unknown.length === 0) return missingSubject(matter);
  const shown = unknown.slice(0, MAX_QUOTED).map((words) => quoted(words, MAX_LENGTH));
  const more = unknown.length > MAX_QUOTED ? [`${unknown.length - MAX_QUOTED} more`] : [];
  return {
    problem: `no ${noun} wish recognized, but ${listed([...shown, ...more])} ${unknown.length === 1 ? 'was' : 'were'} not understood`,
    next: 'ask a model, or add the words to a lexicon',
  };
}

/**
 * The outcome where there is no exact wish: a rule about a wish holds where there is none, but only if nothing of the
 * request was left unread and it is about what the checks are about.
 */
export function nothingAsked(
  wishes: Exclude<Wishes, { kind: 'asked' }>,
  lexicon: string,
  noun: string,
  matter: Matter,
): Outcome {
  const limit = `a ${noun} that the request names must be met`;
  const meaning = `so any ${noun} is right`;
  switch (wishes.kind) {
    case 'any':
      return decided(true, {
        asked: `the user said ${wishes.quote}`,
        found: '',
        limit,
        meaning,
        calculation: `${wishes.quote} sets no limit to the ${noun}`,
        gist: `any ${noun} is welcome`,
      });
    case 'unclear':
      return undecidable(wishes.problem, `ask a model, or name the ${noun} plainly in the request`, {
        asked: `the user said ${wishes.quote}`,
        limit,
        gist: wishes.problem,
      });
    case 'silent': {
      const doubted = doubt(lexicon, noun, matter);
      if (doubted !== null) return undecidable(doubted.problem, doubted.next, { limit });
      return decided(true, {
        asked: `the user named no ${noun}`,
        found: '',
        limit,
        meaning,
        calculation: `every word of the request was understood and none names a ${noun}`,
        gist: `no ${noun} asked`,
      });
    }
  }
}

/** What a request wishes as to one lexicon. */
export type Wishes =
  | { kind: 'silent' }
  /** The user says that all is welcome. */
  | { kind: 'any'; quote: string }
  /** There is a wish, but none that can be checked exactly. */
  | { kind: 'unclear'; problem: string; quote: string }
  | {
      kind: 'asked';
      /** All groups must hold; in a group any one alternative. */
      groups: readonly (readonly MeantMention[])[];
      unwanted: readonly MeantMention[];
      /** Whether something is refused of which no words can tell what it is: "except mine". */
      refusesMore: boolean;
      quote: string;
    };

const termsOf = (mentions: readonly MeantMention[]): ReadonlySet<string> =>
  new Set(mentions.flatMap((mention) => mention.terms));

const quotesOf = (mentions: readonly MeantMention[]): string =>
  listed([...new Set(mentions.map((mention) => quoted(mention.quote)))]);

const countOf = (mentions: readonly MeantMention[]): number =>
  new Set(mentions.map((mention) => mention.quote)).size;

function groupsOf(mentions: readonly MeantMention[]): MeantMention[][] {
  const groups = new Map<number, MeantMention[]>();
  for (const mention of mentions) {
    const others = groups.get(mention.group);
    if (others === undefined) groups.set(mention.group, [mention]);
    else others.push(mention);
  }
  return [...groups.values()];
}

/**
 * The wishes as to a lexicon, later turns and corrections before earlier ones. A later part that only rules something
 * out ("but no pizza") refines the earlier wish, unless it takes it back ("not Italian after all").
 */
export function wishesFor(
  lexicon: string,
  request: RequestReading,
  counts: (mention: MeantMention) => boolean = () => true,
): Wishes {
  const parts = request.parts
    .map((part) =>
      part.filter(
        (mention) => mention.lexicon === lexicon && mention.polarity !== 'optional' && counts(mention),
      ),
    )
    .filter((part) => part.length > 0);
  const last = parts.at(-1);
  if (last === undefined) return { kind: 'silent' };
  const exact = last.filter((mention) => mention.reading === 'exact');
  const isUnclear = ({ polarity, reading, doubt }: MeantMention) =>
    polarity === 'unclear' && (reading === 'exact' || doubt !== null);
  const unclear = last.filter(isUnclear);
  const doubts = [...new Set(unclear.flatMap((mention) => mention.doubt ?? []))].slice(0, 2);
  const beside = doubts.length === 0 ? '' : ` beside ${listed(doubts.map((words) => quoted(words, 32)))}`;
  if (unclear.length > 0)
    return {
      kind: 'unclear',
      problem: `it is not clear how ${quotesOf(unclear)} ${countOf(unclear) === 1 ? 'is' : 'are'} meant${beside}`,
      quote: quotesOf(unclear),
    };
  const unwanted = exact.filter((mention) => mention.polarity === 'unwanted');
  const refused = termsOf(unwanted);
  const isRefused = (mention: MeantMention) => mention.terms.some((term) => refused.has(term));
  let wanted = exact.filter((mention) => mention.polarity === 'wanted');
  if (wanted.length === 0 && unwanted.length > 0) {
    const earlier = parts.slice(0, -1).findLast((part) => part.some(isWanted)) ?? [];
    wanted = earlier.filter((mention) => isWanted(mention) && !isRefused(mention));
  }
  const both = wanted.filter(isRefused);
  if (both.length > 0)
    return {
      kind: 'unclear',
      problem: `the request both wants and refuses ${quotesOf(both)}`,
      quote: quotesOf(both),
    };
  if (wanted.length + unwanted.length > 0)
    return {
      kind: 'asked',
      groups: groupsOf(wanted),
      unwanted,
      refusesMore: last.some(({ polarity, reading }) => polarity === 'unwanted' && reading !== 'exact'),
      quote: [
        ...(wanted.length > 0 ? [quotesOf(wanted)] : []),
        ...(unwanted.length > 0 ? [`not ${quotesOf(unwanted)}`] : []),
      ].join(', '),
    };
  const vague = last.filter((mention) => mention.reading === 'vague');
  if (vague.length > 0)
    return {
      kind: 'unclear',
      problem: `nothing exact can be read from ${quotesOf(vague)}`,
      quote: quotesOf(vague),
    };
  return { kind: 'any', quote: quotesOf(last) };
}

const isWanted = (mention: MeantMention): boolean =>
  mention.reading === 'exact' && mention.polarity === 'wanted';
