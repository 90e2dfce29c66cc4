import type { Range, RunEstimate } from '../../benchmark/estimate-run.ts';
import type { RunManifest } from '../../benchmark/run.ts';

const whole = (count: number): string => count.toLocaleString('en-US');

const many = (count: number, noun: string): string => `${whole(count)} ${noun}${count === 1 ? '' : 's'}`;

/** US dollars with as many digits as say something. */
export const dollars = (usd: number): string =>
  usd === 0 ? '$0' : usd < 0.01 ? `$${usd.toPrecision(2)}` : `$${usd.toFixed(2)}`;

const spread = ({ least, most }: Range<number>, tell: (value: number) => string): string =>
  least === most ? tell(least) : `${tell(least)}–${tell(most)}`;

function costText({ least, most }: RunEstimate['costUsd']): string {
  if (least === null || most === null) return 'cost not known';
  return most === 0 ? 'free' : `about ${spread({ least, most }, dollars)}`;
}

/** What a run is going to do, before it does it. */
export function planText(manifest: RunManifest, estimate: RunEstimate, kept: number): string {
  const { configurations, dataset, name } = manifest;
  const lines = [
    `Run ${name}: ${many(dataset.cases, 'case')} (${whole(dataset.labeled)} with labels) × ${many(configurations.length, 'configuration')} = ${many(estimate.trials, 'trial')}`,
    `  ${spread(estimate.calls, whole)} calls, ${costText(estimate.costUsd)}`,
    ...estimate.configurations.map(
      ({ id, calls, costUsd }) => `  - ${id}: ${spread(calls, whole)} calls, ${costText(costUsd)}`,
    ),
  ];
  for (const { method, models } of configurations.filter((one) => one.models.length > 1).slice(0, 1))
    lines.push(
      `  Methods that seat several models, such as ${method}, get all ${models.length} as one panel.`,
    );
  if (configurations.some(({ equalCallsOf }) => equalCallsOf !== null))
    lines.push('  Each vote gets as many calls as its debate took on the same case.');
  if (estimate.unpriced.length > 0)
    lines.push(`  The price of ${estimate.unpriced.join(', ')} is not known.`);
  if (estimate.costUsd.most !== 0 && estimate.unpriced.length === 0)
    lines.push(
      `  Costs are estimated from the prompts of ${estimate.sampled} cases and usual lengths of answers; what a model thinks before it answers comes on top.`,
    );
  if (kept > 0) lines.push(`  ${whole(kept)} trials are there already and are not repeated.`);
  return lines.join('\n');
}
