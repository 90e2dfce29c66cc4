import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { thresholdMetrics } from '../../src/reports/gates/thresholds.ts';
import { metrics } from '../../src/reports/metrics/registry.ts';
import { everyMetric } from '../../src/reports/metrics/setup-report.ts';

const page = join(fileURLToPath(new URL('../..', import.meta.url)), 'docs/metrics.md');

/** The table of one part of the page. */
const tableOf = (part: string): string =>
  [
    '| metric | definition | source |',
    '|---|---|---|',
    ...everyMetric
      .flatMap(({ definitions }) => definitions)
      .filter((one) => one.part === part)
      .map(({ name, definition, source }) => `| ${name} | ${definition} | ${source} |`),
  ].join('\n');

describe('the metrics', () => {
  test('stand in docs/metrics.md as they are declared', async () => {
    const written = readFileSync(page, 'utf8').replaceAll(
      /(?<=<!-- (?<part>\w+): written by [^\n]* -->\n)[\s\S]*?(?=<!-- end -->)/g,
      (_table, part: string) => `${tableOf(part)}\n`,
    );
    await expect(written).toMatchFileSnapshot(page);
  });

  test('have keys, CSV heads, tables and thresholds of their own', () => {
    const isOnce = (names: readonly string[]) => expect(names).toEqual([...new Set(names)]);
    isOnce(metrics.map(({ key }) => key));
    isOnce(everyMetric.flatMap(({ csv = [] }) => csv.flatMap(({ heads }) => heads)));
    isOnce(everyMetric.flatMap(({ tables = [] }) => tables.map(({ id }) => id)));
    isOnce(thresholdMetrics);
  });

  test('add columns only to tables that are there', () => {
    const ids = everyMetric.flatMap(({ tables = [] }) => tables.map(({ id }) => id));
    const missing = everyMetric
      .flatMap(({ columns = [] }) => columns.map(({ table }) => table))
      .filter((id) => !ids.includes(id));
    expect(missing).toEqual([]);
  });
});
