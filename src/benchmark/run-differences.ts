import type { RunManifest } from './run.ts';

const told = (value: unknown): string =>
  value === null
    ? 'none'
    : Array.isArray(value)
      ? value.join(', ')
      : typeof value === 'object'
        ? JSON.stringify(value)
        : String(value);

/** In what a run as it is asked for differs from the one that is kept under its name; empty where it is the same. */
export function runDifferences(kept: RunManifest, asked: RunManifest): string[] {
  const differences: string[] = [];
  const settings = new Map(Object.entries(asked.settings));
  for (const [name, value] of Object.entries(kept.settings)) {
    const now = settings.get(name);
    if (JSON.stringify(now) !== JSON.stringify(value))
      differences.push(`${name}: ${told(value)} then, ${told(now)} now`);
  }
  if (kept.dataset.hash !== asked.dataset.hash)
    differences.push(
      kept.dataset.cases === asked.dataset.cases
        ? `dataset: ${asked.dataset.source} has other content or another order than then`
        : `dataset: ${kept.dataset.cases} cases then, ${asked.dataset.cases} now`,
    );
  const uses = new Set([...Object.keys(kept.wordings), ...Object.keys(asked.wordings)]);
  const changed = [...uses].filter((use) => kept.wordings[use] !== asked.wordings[use]);
  // Other settings bring other wordings along: only wording that changed by itself is news.
  const both = changed.filter((use) => use in kept.wordings && use in asked.wordings);
  if (both.length > 0) differences.push(`wording of ${both.join('; ')}`);
  else if (changed.length > 0 && differences.length === 0)
    differences.push(`what is asked: ${changed.join('; ')}`);
  return differences;
}
