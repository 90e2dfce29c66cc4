import { chainOf, openingKeys, type RunManifest } from '../run.ts';
import type { TrialWriter } from './trial-store.ts';

/** Opening trials of which something is left to judge, in their order. */
export async function openKeys(manifest: RunManifest, writer: TrialWriter): Promise<string[]> {
  const { all } = await writer.kept();
  return [...openingKeys(manifest)].filter((key) => chainOf(manifest, key).some((one) => !all.has(one)));
}
