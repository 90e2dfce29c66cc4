import { bootstrap } from '../statistics/bootstrap.ts';
import { kendallTau, spearman } from '../statistics/correlation.ts';
import { type Estimate, resampled, resampling } from '../statistics/estimate.ts';
import { scoreAlpha } from '../statistics/krippendorff-alpha.ts';
import type { Measure } from '../statistics/measure.ts';
import { medianOf } from './label.ts';
import type { ScoredItem } from './scored-items.ts';

/** How far given scores and those that people hold right are the same. */
export interface ScoreAgreement {
  group: string;
  rubric: string;
  verdicts: number;
  /** Votes that say a score, and how many of them name one of their own. */
  votes: number;
  corrected: number;
  /** Of the score and the median of what people say. */
  spearman: Estimate;
  kendall: Estimate;
  alphaOrdinal: Estimate;
  alphaInterval: Estimate;
  /** Krippendorff's alpha of people among themselves. */
  people: { alphaOrdinal: Estimate; alphaInterval: Estimate };
}

/** One score of a verdict, and what people hold right. */
interface Compared {
  judged: number;
  people: number;
  said: readonly number[];
}

/** Verdicts that a resample draws at most, and in all resamples together: what an interval costs at most. */
const DRAWN = 500;
const DRAWN_IN_ALL = 200_000;

const byName = (a: string, b: string): number => (a < b ? -1 : Number(a > b));

function agreementOfScores(items: readonly ScoredItem[]): Omit<ScoreAgreement, 'group' | 'rubric'> {
  const verdicts = new Map<string, Compared[]>();
  const votes = new Map<string, { said: number; corrected: number }>();
  for (const { verdictId, judged, said, corrected } of items) {
    const cluster = verdicts.get(verdictId) ?? [];
    verdicts.set(verdictId, cluster);
    // What people say of a verdict counts once, however many of its judges are in the group.
    cluster.push({ judged, people: medianOf(said), said: cluster.length === 0 ? said : [] });
    votes.set(verdictId, { said: said.length, corrected });
  }
  const clusters = [...verdicts.values()];
  const drawn = Math.min(DRAWN, clusters.length);
  const options = {
    ...resampling,
    resamples: Math.min(resampling.resamples, Math.round(DRAWN_IN_ALL / drawn)),
  };
  const estimate = (statistic: (compared: readonly Compared[]) => Measure): Estimate =>
    resampled(statistic(clusters.flat()), bootstrap(clusters, statistic, options, drawn));
  const alphas = (units: (compared: readonly Compared[]) => readonly number[][]) => ({
    alphaOrdinal: estimate((compared) => scoreAlpha(units(compared), 'ordinal')),
    alphaInterval: estimate((compared) => scoreAlpha(units(compared), 'interval')),
  });
  const both = (compared: readonly Compared[]) =>
    [compared.map(({ judged }) => judged), compared.map(({ people }) => people)] as const;
  const all = [...votes.values()];
  return {
    verdicts: clusters.length,
    votes: all.reduce((sum, { said }) => sum + said, 0),
    corrected: all.reduce((sum, { corrected }) => sum + corrected, 0),
    spearman: estimate((compared) => spearman(...both(compared))),
    kendall: estimate((compared) => kendallTau(...both(compared))),
    ...alphas((compared) => compared.map(({ judged, people }) => [judged, people])),
    people: alphas((compared) => compared.map(({ said }) => [...said])),
  };
}

/** Agreement of scores by group and rubric, in the order of their names; intervals resample whole verdicts. */
export function scoreAgreement(items: readonly ScoredItem[]): ScoreAgreement[] {
  const groups = new Map<string, { group: string; rubric: string; items: ScoredItem[] }>();
  for (const item of items) {
    const name = JSON.stringify([item.group, item.rubric]);
    const found = groups.get(name) ?? { group: item.group, rubric: item.rubric, items: [] };
    groups.set(name, found);
    found.items.push(item);
  }
  return [...groups.values()]
    .sort((a, b) => byName(a.group, b.group) || byName(a.rubric, b.rubric))
    .map((one) => ({ group: one.group, rubric: one.rubric, ...agreementOfScores(one.items) }));
}
