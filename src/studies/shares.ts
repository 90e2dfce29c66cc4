import { groupedBy, JuryError } from '../common/index.ts';
import { counted } from '../common/text/index.ts';
import { createRandom } from '../statistics/index.ts';
import { categoryOf, type StudyCase } from './study-case.ts';

/** How many cases each annotator is asked about, and how these are dealt. */
export interface ShareWishes {
  /** How many cases each annotator is asked about. */
  each: number;
  /** Name of a tag: cases with the same value go to the same annotators, as a block. */
  blocks?: string;
  /**
   * Names of tags whose values each annotator sees in the study's proportions, tag by tag, as nearly as can be. Default: what is
   * wrong with the cases.
   */
  spread?: readonly string[];
}

/** Cases that go to the same annotators. */
interface Block {
  /** Places among the study's cases. */
  cases: readonly number[];
  /** What the blocks that an annotator is dealt are spread over: combinations of tags. */
  stratum: string;
  /** How many of its cases have each value of each tag. */
  values: ReadonlyMap<string, number>;
}

function tagOf({ id, evalCase }: StudyCase, name: string): string {
  const value = evalCase.tags?.[name];
  if (value === undefined) throw new JuryError('usage', `Case ${id} has no tag "${name}".`);
  return value;
}

const countsOf = (values: readonly string[]): ReadonlyMap<string, number> =>
  new Map([...groupedBy(values, (value) => value)].map(([value, { length }]) => [value, length]));

function blocksOf(cases: readonly StudyCase[], { blocks, spread, each }: ShareWishes): Block[] {
  const valuesOf = (one: StudyCase): string[] =>
    spread === undefined ? [categoryOf(one.evalCase)] : spread.map((name) => `${name} ${tagOf(one, name)}`);
  const places = cases.map((one, place) => ({ one, place }));
  const groups = [
    ...groupedBy(places, ({ one, place }) =>
      blocks === undefined ? String(place) : tagOf(one, blocks),
    ).values(),
  ];
  const sizes = groups.map(({ length }) => length);
  const [least, most] = [Math.min(...sizes), Math.max(...sizes)];
  if (least !== most)
    throw new JuryError(
      'usage',
      `--blocks tags.${blocks}: Its blocks have ${least} to ${counted(most, 'case')}; they must be of one size.`,
    );
  if (each % most !== 0)
    throw new JuryError('usage', `--each ${each}: Must be a multiple of ${most}, the size of a block.`);
  return groups.map((group) => ({
    cases: group.map(({ place }) => place),
    stratum: [...new Set(group.map(({ one }) => valuesOf(one).join('\n')))].sort().join('\n'),
    values: countsOf(group.flatMap(({ one }) => valuesOf(one))),
  }));
}

/** The strata of as many blocks as there are, each stratum as evenly apart as its number allows. */
function evenSequence(strata: readonly (readonly Block[])[]): number[] {
  return strata
    .flatMap(({ length }, stratum) =>
      Array.from({ length }, (_, index) => ({ stratum, at: (index + 0.5) / length })),
    )
    .sort((a, b) => a.at - b.at || a.stratum - b.stratum)
    .map(({ stratum }) => stratum);
}

/** An annotator's blocks, and by how much they have too many of each value: in whole numbers, so that comparisons are exact. */
interface Hand {
  blocks: Set<Block>;
  excess: number[];
}

const dot = (a: readonly number[], b: readonly number[]): number =>
  a.reduce((sum, one, at) => sum + one * (b[at] ?? 0), 0);
const plus = (a: readonly number[], b: readonly number[]): number[] => a.map((one, at) => one + (b[at] ?? 0));
const minus = (a: readonly number[], b: readonly number[]): number[] =>
  a.map((one, at) => one - (b[at] ?? 0));

/** One block of each stratum. */
const onePerStratum = (blocks: readonly Block[]): Block[] => [
  ...new Map(blocks.map((block) => [block.stratum, block])).values(),
];

/**
 * Trades blocks between annotators, and for blocks that fewer annotators hold, as long as a trade brings hands nearer to the study's
 * proportions. Dealing by combinations of tags does not ensure these: a small hand could have one value of a tag alone.
 */
function tradeBlocks(dealt: readonly (readonly Block[])[], all: readonly Block[]): Block[][] {
  const values = [...new Set(all.flatMap((block) => [...block.values.keys()]))];
  const whole = values.map((value) => all.reduce((sum, block) => sum + (block.values.get(value) ?? 0), 0));
  const weights = new Map(
    all.map((block) => [block, values.map((value) => (block.values.get(value) ?? 0) * all.length)]),
  );
  const weightOf = (block: Block): number[] => weights.get(block) ?? [];
  const hands = dealt.map(
    (blocks): Hand => ({
      blocks: new Set(blocks),
      excess: blocks.reduce(
        (excess, block) => minus(plus(excess, weightOf(block)), whole),
        whole.map(() => 0),
      ),
    }),
  );
  const holders = new Map(
    all.map((block) => [block, hands.filter(({ blocks }) => blocks.has(block)).length]),
  );
  const holdersOf = (block: Block): number => holders.get(block) ?? 0;

  /** @returns whether it brings both, or the one if nobody is given the block, nearer to the proportions */
  function trade(hand: Hand, other: Hand | null, given: Block, taken: Block): boolean {
    const change = minus(weightOf(taken), weightOf(given));
    const gain =
      other === null
        ? -2 * dot(change, hand.excess) - dot(change, change)
        : 2 * dot(change, minus(other.excess, hand.excess)) - 2 * dot(change, change);
    if (gain <= 0) return false;
    hand.blocks.delete(given);
    hand.blocks.add(taken);
    hand.excess = plus(hand.excess, change);
    if (other === null) {
      holders.set(given, holdersOf(given) - 1);
      holders.set(taken, holdersOf(taken) + 1);
    } else {
      other.blocks.delete(taken);
      other.blocks.add(given);
      other.excess = minus(other.excess, change);
    }
    return true;
  }
  const improve = (hand: Hand): boolean => {
    const isNew = (block: Block) => !hand.blocks.has(block);
    const isTraded = (other: Hand | null, given: readonly Block[], taken: readonly Block[]) =>
      onePerStratum(given).some((one) => onePerStratum(taken).some((two) => trade(hand, other, one, two)));
    const mine = [...hand.blocks];
    const most = Math.max(...holders.values());
    const [often, seldom] = [
      mine.filter((block) => holdersOf(block) === most),
      all.filter((block) => isNew(block) && holdersOf(block) < most),
    ];
    return (
      hands.some((other) =>
        isTraded(
          other,
          mine.filter((block) => !other.blocks.has(block)),
          [...other.blocks].filter(isNew),
        ),
      ) || isTraded(null, often, seldom)
    );
  };

  // A hand with less than one case too many or too few of each value is as near as it can be.
  const isEven = ({ excess }: Hand): boolean => excess.every((one) => Math.abs(one) < all.length);
  while (hands.filter((hand) => !isEven(hand) && improve(hand)).length > 0);
  return hands.map(({ blocks }) => [...blocks]);
}

/**
 * A balanced block design: which cases each annotator is asked about, as places among the cases. Everybody gets equally
 * many, each case goes to equally many annotators (give or take one), each annotator's cases are spread over the strata,
 * and as few pairs of annotators as possible share many of them. The same seed deals the same shares.
 *
 * @param people number of annotators, at least 1
 * @throws JuryError `usage` if the wishes do not fit the cases
 */
export function dealShares(
  cases: readonly StudyCase[],
  people: number,
  wishes: ShareWishes,
  seed: number,
): number[][] {
  const { each } = wishes;
  if (each > cases.length)
    throw new JuryError('usage', `--each ${each}: The study has only ${counted(cases.length, 'case')}.`);
  const random = createRandom(seed, 'study shares');
  const blocks = blocksOf(cases, wishes);
  const strata = random.shuffled([...groupedBy(blocks, ({ stratum }) => stratum).values()]);
  const sequence = evenSequence(strata);
  const count = each / (blocks[0]?.cases.length ?? 1);
  /** The annotators of each block so far. */
  const holders = new Map(blocks.map((block): [Block, number[]] => [block, []]));
  const holdersOf = (block: Block): number[] => holders.get(block) ?? [];
  const dealt = Array.from({ length: people }, (_, person) => {
    const own: Block[] = [];
    const shared = (block: Block): number => {
      const others = holdersOf(block);
      return own.reduce(
        (sum, mine) => sum + holdersOf(mine).filter((other) => others.includes(other)).length,
        0,
      );
    };
    for (let dealt = 0; dealt < count; dealt += 1) {
      const stratum = strata[sequence[(person * count + dealt) % sequence.length] ?? 0] ?? [];
      const isNew = (block: Block) => !own.includes(block);
      const fresh = stratum.filter(isNew);
      const [block] = random
        .shuffled(fresh.length > 0 ? fresh : blocks.filter(isNew))
        .map((candidate) => ({ candidate, times: holdersOf(candidate).length, shared: shared(candidate) }))
        .sort((a, b) => a.times - b.times || a.shared - b.shared)
        .map(({ candidate }) => candidate);
      if (block === undefined) break;
      own.push(block);
      holdersOf(block).push(person);
    }
    return own;
  });
  return tradeBlocks(dealt, blocks).map((own) => own.flatMap((block) => block.cases).sort((a, b) => a - b));
}

/** What it takes to ask about every case, if some go to no one; null if none does. */
export function unaskedIn(
  {
    cases,
    shares = [],
  }: { cases: readonly StudyCase[]; shares?: readonly (readonly number[])[] | undefined },
  { each, blocks }: ShareWishes,
): { cases: number; people: number; each: number } | null {
  const asked = new Set(shares.flat());
  const [first] = cases;
  if (first === undefined || shares.length === 0 || asked.size === cases.length) return null;
  const size =
    blocks === undefined ? 1 : cases.filter((one) => tagOf(one, blocks) === tagOf(first, blocks)).length;
  return {
    cases: cases.length - asked.size,
    people: Math.ceil(cases.length / each),
    each: Math.ceil(cases.length / size / shares.length) * size,
  };
}
