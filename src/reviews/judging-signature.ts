import { createHash } from 'node:crypto';
import type { RunManifest } from '../benchmark/index.ts';
import { RULES } from '../judges/rules/index.ts';

/**
 * Identifies what judged a run's answers by one rubric: the rubric and the method, the judges, their settings and their prompts. Two runs
 * with the same one err alike. It covers what makes two runs' pass rates comparable, for the run's first configuration.
 */
export function judgingSignature(
  { configurations: [first], settings, sources, wordings }: RunManifest,
  rubric: string,
): string {
  if (first === undefined) throw new RangeError('a run has at least one configuration');
  const { method, models, temperature } = first;
  const prompts = Object.entries(wordings)
    .filter(([use]) => {
      const [asked, kind = ''] = use.split(', ');
      return asked === rubric && (kind === method || kind === RULES);
    })
    .sort();
  const judged = {
    rubric: [rubric, sources?.rubrics[rubric] ?? null],
    method: [method, sources?.methods[method] ?? null],
    models,
    seats: [temperature, settings.panel, Object.entries(settings.values).sort()],
    prompts,
  };
  return createHash('sha256').update(JSON.stringify(judged)).digest('base64url').slice(0, 22);
}
