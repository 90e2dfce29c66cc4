import { placesOf, plannedTrials, type RunManifest, trialKey } from '../../../core/run.ts';
import type { RunOutcomes } from '../../../core/run-outcomes.ts';

// Two bits a trial, four trials a byte, case by case: what became of 10,000 trials is 2.5 KB.

/** What two bits say; 0 is a trial that is not kept. */
const UNKNOWN = 1;
const WRONG = 2;
const RIGHT = 3;

export const bitsOf = (right: boolean | null): number => (right === null ? UNKNOWN : right ? RIGHT : WRONG);

/** The place of a trial's two bits; null where the run has no such trial. */
export function slotOf({ configurations, dataset }: RunManifest, key: string): number | null {
  const places = placesOf(key);
  if (places === null) return null;
  const { configuration, index } = places;
  if (configuration >= configurations.length || index >= dataset.cases) return null;
  return index * configurations.length + configuration;
}

/** Reads what became of the trials that are kept; of more bytes than the run has trials, only those of its trials. */
export function outcomesOf(manifest: RunManifest, bytes: Uint8Array): RunOutcomes {
  const count = manifest.configurations.length;
  const outcomes = new Map<string, boolean | null>();
  for (let slot = 0; slot < Math.min(plannedTrials(manifest), bytes.length * 4); slot += 1) {
    // Redis counts bits from the most significant one of each byte.
    const bits = ((bytes[slot >> 2] ?? 0) >> (6 - 2 * (slot & 3))) & 3;
    if (bits !== 0)
      outcomes.set(
        trialKey(slot % count, Math.floor(slot / count)),
        bits === UNKNOWN ? null : bits === RIGHT,
      );
  }
  return outcomes;
}
