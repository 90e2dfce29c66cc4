import { plannedTrials, type RunManifest } from '../../run.ts';
import type { OutcomeMark, RunOutcomes } from '../../run-outcomes.ts';

// Two bits a trial, four trials a byte: what became of 10,000 trials is 2.5 KB.

/** What two bits say, 0 to 3; 0 is a trial that is not kept. */
const SIGNS = '.?-+';

export const bitsOf = (mark: OutcomeMark): number => SIGNS.indexOf(mark);

/** The four marks of a byte: Redis counts bits from the most significant one. */
const signsOf = (byte: number): string =>
  [6, 4, 2, 0].map((shift) => SIGNS.charAt((byte >> shift) & 3)).join('');
const signsOfBytes = Array.from({ length: 256 }, (_, byte) => signsOf(byte));

/** Reads what became of the trials of a run; Redis keeps no more bytes than up to the last trial that was saved. */
export function outcomesOf(manifest: RunManifest, bytes: Uint8Array): RunOutcomes {
  const planned = plannedTrials(manifest);
  const signs = Array.from(bytes, (byte) => signsOfBytes[byte]).join('');
  return {
    configurations: manifest.configurations.length,
    marks: signs.slice(0, planned).padEnd(planned, '.'),
  };
}
