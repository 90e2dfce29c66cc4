import { listed, quoted } from './outcome.ts';
import type { MeantMention } from './read-polarity.ts';
import type { RequestReading } from './read-request.ts';

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
  const unclear = last.filter(
    (mention) => mention.polarity === 'unclear' && (mention.reading === 'exact' || mention.doubt !== null),
  );
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
