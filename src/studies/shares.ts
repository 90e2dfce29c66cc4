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
  /** Names of tags whose values each annotator sees equally often. Default: what is wrong with the cases. */
  spread?: readonly string[];
}

/** Cases that go to the same annotators. */
interface Block {
  /** Places among the study's cases. */
  cases: readonly number[];
  /** What the blocks that an annotator is dealt are spread over. */
  stratum: string;
}

function tagOf({ id, evalCase }: StudyCase, name: string): string {
  const value = evalCase.tags?.[name];
  if (value === undefined) throw new JuryError('usage', `Case ${id} has no tag "${name}".`);
  return value;
}

function blocksOf(cases: readonly StudyCase[], { blocks, spread, each }: ShareWishes): Block[] {
  const stratumOf = (one: StudyCase): string =>
    spread === undefined ? categoryOf(one.evalCase) : spread.map((name) => tagOf(one, name)).join('\n');
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
    stratum: [...new Set(group.map(({ one }) => stratumOf(one)))].sort().join('\n'),
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
  return Array.from({ length: people }, (_, person) => {
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
    return own.flatMap((block) => block.cases).sort((a, b) => a - b);
  });
}
