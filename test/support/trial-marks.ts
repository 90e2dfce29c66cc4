import type { RunManifest } from '../../src/benchmark/run-manifest.ts';
import { placesOf, plannedTrials } from '../../src/benchmark/run-manifest.ts';
import type { TrialStore } from '../../src/benchmark/trial-store.ts';

/** What is stored of each trial, case by case: `+` right, `-` wrong, `?` without a label or an answer, `.` missing. */
export async function marksOf(store: TrialStore, manifest: RunManifest): Promise<string> {
  const marks = new Array<string>(plannedTrials(manifest)).fill('.');
  for await (const { key, label, decision, judgements } of store.readTrials(manifest.name)) {
    const { configuration, index } = placesOf(key) ?? { configuration: 0, index: 0 };
    const isKnown = label?.decision !== undefined && judgements.some((one) => one.decision !== 'unscored');
    marks[index * manifest.configurations.length + configuration] = isKnown
      ? label.decision === decision
        ? '+'
        : '-'
      : '?';
  }
  return marks.join('');
}
