import type { Settled } from './label.ts';
import type { LabeledVerdict } from './labels.ts';
import { isSameRight } from './vote.ts';

/** How two ways of settling a label compare. */
export type Agreeing = 'same' | 'other' | 'only majority' | 'only dawid-skene' | 'neither';

function compared(majority: Settled, modelled: Settled | null): Agreeing {
  if (majority.settled && modelled?.settled)
    return isSameRight(majority.right, modelled.right) ? 'same' : 'other';
  if (majority.settled) return 'only majority';
  return modelled?.settled ? 'only dawid-skene' : 'neither';
}

export type LabelComparison = ReturnType<typeof createComparison>;

/**
 * Labels by majority beside those by the model of voters, counted as they are added.
 *
 * @param most rows of each kind that are kept
 */
export function createComparison(most: number) {
  const all = {
    counts: new Map<Agreeing, number>(),
    verdicts: 0,
    scored: 0,
    settled: 0,
    ruled: 0,
    /** The first of those where both differ, and of the others. */
    rows: { differing: [] as LabeledVerdict[], others: [] as LabeledVerdict[] },
    add: (one: LabeledVerdict): void => {
      const { label } = one;
      const agreeing = compared(label.majority, label.modelled);
      const isRuled = label.adjudication !== null;
      all.verdicts += 1;
      if (label.label.settled) all.settled += 1;
      // The model knows what was ruled: there is nothing to compare.
      if (isRuled) all.ruled += 1;
      else if (label.judged.decision === 'scored') all.scored += 1;
      else all.counts.set(agreeing, (all.counts.get(agreeing) ?? 0) + 1);
      const differs = !isRuled && (agreeing === 'other' || agreeing.startsWith('only'));
      const rows = differs && label.modelled !== null ? all.rows.differing : all.rows.others;
      if (rows.length < most) rows.push(one);
    },
  };
  return all;
}
