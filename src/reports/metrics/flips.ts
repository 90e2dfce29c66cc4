import * as z from 'zod';
import { grouped } from '../../common/text/index.ts';
import { flipRate } from '../../statistics/raters/index.ts';
import { byCase, percent, ReportMeasure } from '../estimates/index.ts';
import type { TrialFacts } from '../facts/index.ts';
import { measureColumn } from './csv-columns.ts';
import type { Metric } from './metric.ts';
import type { With } from './setup-head.ts';
import { notApplicable, plain, type ReportTable, setupTable } from './table.ts';

const Flips = z.strictObject({ anyFlip: ReportMeasure, pairwise: ReportMeasure, skipped: z.int() });
type Flips = z.infer<typeof Flips>;

/** How often the repeats of one case give different answers. */
export function flipsOf(facts: readonly Pick<TrialFacts, 'place' | 'outcome' | 'score'>[]): Flips {
  // For scores, the score is the answer.
  const answer = ({ outcome, score }: Pick<TrialFacts, 'outcome' | 'score'>) =>
    outcome === 'undecided' ? (score ?? outcome) : outcome;
  return flipRate([...byCase(facts).values()].map((repeats) => repeats.map(answer)));
}

function flipsTable({ setups }: { setups: readonly With<'flips', Flips | null>[] }): ReportTable | null {
  return setupTable(
    'Flips over repeats',
    setups.filter(({ flips }) => flips !== null),
    [
      { title: 'Repeats', of: ({ repeats }) => plain(String(repeats)) },
      {
        title: 'Cases that flip',
        of: ({ flips }) =>
          flips === null ? notApplicable : plain(percent(flips.anyFlip), `of ${grouped(flips.anyFlip.n)}`),
      },
      {
        title: 'Pairs that differ',
        of: ({ flips }) => (flips === null ? notApplicable : plain(percent(flips.pairwise))),
      },
    ],
  );
}

/** How steady answers are over repeats; null without repeats. */
export const flips: Metric<'flips', Flips | null> = {
  key: 'flips',
  definitions: [
    {
      part: 'decisions',
      name: 'cases that flip',
      definition: 'share of repeated cases whose answers are not all the same',
      needs: 'repeats without the cache; without repeats no table',
      source: 'ours',
    },
    {
      part: 'decisions',
      name: 'pairs that differ',
      definition: 'share of pairs of repeats of one case that differ, averaged over cases',
      needs: 'the same',
      source: 'ours',
    },
  ],
  schema: Flips.nullable(),
  of: ({ facts, setup }) => (setup.configurations.length > 1 ? flipsOf(facts) : null),
  tables: [{ id: 'flips', section: 'reliability', of: flipsTable }],
  csv: [measureColumn('flip rate', (setup) => setup.flips?.anyFlip)],
};
