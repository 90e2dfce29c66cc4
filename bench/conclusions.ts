// Whether the sentences hold that reports, digests and alerts print: npm run bench:conclusions [-- SECTION… --repetitions 500]
// Made data whose truth is known goes through the functions that print, and what they say is counted.

import { parseArgs } from 'node:util';
import { alerts } from './conclusions/alerts.ts';
import { changes } from './conclusions/changes.ts';
import { leads } from './conclusions/leads.ts';
import { panels } from './conclusions/panels.ts';
import { rates } from './conclusions/rates.ts';
import type { ConclusionRow } from './conclusions/row.ts';
import { slices } from './conclusions/slices.ts';

const sections: Readonly<
  Record<string, (repetitions: number) => ConclusionRow[] | Promise<ConclusionRow[]>>
> = {
  alerts,
  changes,
  leads,
  panels,
  rates,
  slices,
};

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { repetitions: { type: 'string', default: '500' } },
});

let missed = 0;
for (const [name, rowsOf] of Object.entries(sections)) {
  if (positionals.length > 0 && !positionals.includes(name)) continue;
  console.log(`${name}, ${values.repetitions} repetitions`);
  for (const { what, value, from, to } of await rowsOf(Number(values.repetitions))) {
    const isMet = value >= from && value <= to;
    if (!isMet) missed += 1;
    console.log(
      `  ${isMet ? 'holds ' : 'MISSED'} ${(100 * value).toFixed(1).padStart(5)} % of ${(100 * from).toFixed(1)}–${(100 * to).toFixed(1)} %  ${what}`,
    );
  }
}
process.exitCode = missed === 0 ? 0 : 1;
