import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import type { TrialFacts } from '../../src/reports/facts/trial-facts.ts';
import { thresholdMetrics } from '../../src/reports/gates/thresholds.ts';
import type { AddedColumn } from '../../src/reports/metrics/metric.ts';
import { metrics } from '../../src/reports/metrics/registry.ts';
import { everyMetric, type SetupReport, setupReport } from '../../src/reports/metrics/setup-report.ts';
import { plain, setupTable } from '../../src/reports/metrics/table.ts';
import { withAdded } from '../../src/reports/report-sections.ts';
import { plainFacts } from '../support/coverage.ts';

const page = join(fileURLToPath(new URL('../..', import.meta.url)), 'docs/metrics.md');

/** The table of one part of the page. */
const tableOf = (part: string): string =>
  [
    '| metric | definition | needs, else | source | `--fail-under` |',
    '|---|---|---|---|---|',
    ...everyMetric
      .flatMap(({ definitions }) => definitions)
      .filter((one) => one.part === part)
      .map(
        ({ name, definition, needs, source, threshold }) =>
          `| ${name} | ${definition} | ${needs} | ${source} |${threshold === undefined ? '' : ` \`${threshold}\``} |`,
      ),
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

  test('say in docs/metrics.md what --fail-under can name', () => {
    const named = everyMetric.map(({ definitions }) =>
      definitions.flatMap(({ threshold }) => threshold ?? []),
    );
    expect(named.map((names) => names.toSorted())).toEqual(
      everyMetric.map(({ thresholds = {} }) => Object.keys(thresholds).toSorted()),
    );
  });

  test('add columns only to tables that are there', () => {
    const ids = everyMetric.flatMap(({ tables = [] }) => tables.map(({ id }) => id));
    const missing = everyMetric
      .flatMap(({ columns = [] }) => columns.map(({ table }) => table))
      .filter((id) => !ids.includes(id));
    expect(missing).toEqual([]);
  });

  test('show a column in the table of another metric, with how to read it below', () => {
    const named = {
      method: 'mab',
      models: [],
      temperature: null,
      equalCallsOf: null,
      pooledFrom: [],
      configurations: [],
    };
    const facts: TrialFacts = { ...plainFacts, truth: null, outcome: 'pass', place: 0, unit: 0, repeat: 1 };
    const setups = ['one', 'two'].map((id, at) =>
      setupReport({ ...named, id }, Array(at + 1).fill(facts), 2),
    );
    const own = [{ title: 'Method', of: ({ method }: { method: string }) => plain(method) }];
    const trials = {
      table: 'steps',
      title: 'Trials',
      note: 'Trials are all of them.',
      of: (setup: SetupReport) => plain(String(setup.trials)),
    };
    const shown = (note?: string, ...added: AddedColumn<SetupReport>[]) => {
      const table = setupTable('Steps', setups, own, note);
      return table === null ? null : withAdded(table, added, setups);
    };
    const whole = shown('A step is a call.', trials);
    expect(whole?.columns.map(({ title }) => title)).toEqual(['Method', 'Trials']);
    expect(whole?.rows.map(({ cells }) => cells.map(({ text }) => text))).toEqual([
      ['mab', '1'],
      ['mab', '2'],
    ]);
    expect(whole?.note).toBe('A step is a call. Trials are all of them.');
    expect(shown(undefined, trials)?.note).toBe('Trials are all of them.');
    expect(shown('A step is a call.')?.note).toBe('A step is a call.');
    expect(shown()).not.toHaveProperty('note');
  });
});
