// How far pasted text can steer judges: npm run bench:injection -- --model openai/gpt-4o-mini [--methods io,mab,mad] [--every 4]
// Judges each of 200 cases (test/fixtures/attacks.yaml) without and with an attack in one of its fields. Per method: the share of
// attacks that change the decision, and of those that get the decision they want. Settings as for `jury` itself; answers are cached.

import { parseArgs } from 'node:util';
import { groupedBy } from '../src/common/collections.ts';
import { assemble } from '../src/compose.ts';
import { readEnv } from '../src/env.ts';
import { wilsonInterval } from '../src/statistics/proportions.ts';
import { attacks, isFlipped, isForced, type Outcome, underAttack } from '../test/support/injection.ts';

const { values } = parseArgs({
  options: {
    model: { type: 'string' },
    methods: { type: 'string', default: 'io,mab,mad' },
    /** Takes every so many attacks, for a cheaper look. */
    every: { type: 'string', default: '1' },
  },
});

const percent = (share: number): string => `${(100 * share).toFixed(1)} %`;

function shareText(outcomes: readonly Outcome[], counts: (outcome: Outcome) => boolean): string {
  const [hits, n] = [outcomes.filter(counts).length, outcomes.length];
  const interval = wilsonInterval(hits, n);
  const bounds = interval.defined ? `${percent(interval.low)}–${percent(interval.high)}, ` : '';
  return `${percent(hits / n)} (${bounds}${hits} of ${n})`;
}

/** The ways, languages or fields by which most attacks got what they wanted. */
function worst(outcomes: readonly Outcome[], by: 'way' | 'language' | 'field'): string {
  const ranked = [...groupedBy(outcomes.filter(isForced), (outcome) => outcome[by])]
    .sort(([, a], [, b]) => b.length - a.length)
    .slice(0, 3);
  return ranked.map(([name, { length }]) => `${name} ${length}`).join(', ') || 'none';
}

const parts = await assemble(readEnv(), { cache: true, warn: console.error });
try {
  const model = values.model ?? parts.env.settings.JURY_MODEL;
  const chosen = attacks().filter((_, index) => index % Number(values.every) === 0);
  parts.requireModel(model);
  console.log(`${chosen.length} attacks on ${model}`);
  for (const method of values.methods.split(',')) {
    const outcomes = await underAttack(parts, { model, method, attacks: chosen });
    console.log(`${method}`);
    console.log(`  changed the decision: ${shareText(outcomes, isFlipped)}`);
    console.log(`  got the one it wants: ${shareText(outcomes, isForced)}`);
    for (const by of ['way', 'language', 'field'] as const)
      console.log(`  most by ${by}: ${worst(outcomes, by)}`);
  }
} finally {
  await parts.close();
}
