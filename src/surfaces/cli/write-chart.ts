import { writeFile } from 'node:fs/promises';
import { JuryError, messageOf } from '../../common/errors.ts';
import type { Digest } from '../../digests/digest.ts';

/**
 * Writes the chart of a digest as a PNG, the same as channels are shown; says so where there is nothing to draw.
 *
 * @throws JuryError `usage` where the file cannot be written
 */
export async function writeChart(
  { blocks, details }: Digest,
  path: string,
  err: (line: string) => void,
): Promise<void> {
  const trend = [...blocks, ...details].find((block) => block.kind === 'trend');
  if (trend === undefined) {
    err('There is no chart yet: it takes runs of a benchmark in two hours or days, or votes in two weeks.');
    return;
  }
  const { trendPng } = await import('../charts/trend-png.ts');
  try {
    await writeFile(path, await trendPng(trend));
  } catch (thrown) {
    throw new JuryError('usage', `Cannot write ${path}: ${messageOf(thrown)}.`, { cause: thrown });
  }
  err(`Chart written to ${path}.`);
}
