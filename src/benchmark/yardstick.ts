import { createHash } from 'node:crypto';
import { RULES } from '../judges/rules/index.ts';
import type { Configuration, RunManifest } from './run-manifest.ts';

/** A run, and the part of a configuration that its judgements depend on. */
interface Judging {
  manifest: Pick<RunManifest, 'settings' | 'sources' | 'wordings'>;
  setup: Pick<Configuration, 'method' | 'temperature'> & { models: readonly string[] };
}

/**
 * What judgements by one rubric depend on: the same judges, prompts and rubric have the same yardstick, so that they err alike and their pass
 * rates can be compared.
 */
export function yardstickOf({ manifest, setup }: Judging, rubric: string) {
  const { settings, sources, wordings } = manifest;
  const { method, models, temperature } = setup;
  const prompts = Object.entries(wordings)
    .filter(([use]) => {
      // Keys have the form `rubric, method, persona`.
      const [asked, kind = ''] = use.split(', ');
      return asked === rubric && (kind === method || kind === RULES);
    })
    .sort();
  // Review samples keep the hash of this, so names and order must stay as they are.
  return {
    /** With the content hash; null in older runs, which record it only through their prompts. */
    rubric: [rubric, sources?.rubrics[rubric] ?? null] as const,
    method: [method, sources?.methods[method] ?? null] as const,
    models,
    /** Other settings that determine which judges answer. */
    seats: [temperature, settings.panel, Object.entries(settings.values).sort()] as const,
    prompts,
  };
}

/**
 * Identifies a yardstick where it is stored.
 *
 * @param setup the run's first configuration if absent: its decisions are what a run says of answers
 */
export function yardstickHash(
  manifest: RunManifest,
  rubric: string,
  setup: Judging['setup'] | undefined = manifest.configurations[0],
): string {
  if (setup === undefined) throw new RangeError('a run has at least one configuration');
  const yardstick = JSON.stringify(yardstickOf({ manifest, setup }, rubric));
  return createHash('sha256').update(yardstick).digest('base64url').slice(0, 22);
}
