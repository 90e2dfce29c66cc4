import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { h } from 'preact';
import { renderToString } from 'preact-render-to-string';
import { beforeAll, describe, expect, test } from 'vitest';
import { readCaseDetails } from '../../../src/reports/case-results.ts';
import { makeReport } from '../../../src/reports/make-report.ts';
import { createFolderTrialStore } from '../../../src/stores/folder/runs.ts';
import { CaseView, Mark } from '../../../src/surfaces/web/report/case-view.tsx';
import { tradeOffOption } from '../../../src/surfaces/web/report/chart-option.ts';
import {
  type Looks,
  plainLooks,
  presetsOf,
  printedBlocks,
  shownRows,
} from '../../../src/surfaces/web/report/matrix-rows.ts';
import { createCaseParts } from '../../../src/surfaces/web/report/report-file.tsx';
import { showInvisible } from '../../../src/surfaces/wording/safe-text.ts';
import { plainTexts } from '../../support/builders.ts';
import { keepMadeRun, type MadeRun, manyHabits } from '../../support/made-run.ts';
import { textOfHtml } from '../../support/page-service.ts';
import { piecesIn, reportFile } from '../../support/report-html.ts';
import { newFolder } from '../../support/resources.ts';

async function pageOf(made: MadeRun, published = false): Promise<string> {
  const store = createFolderTrialStore(newFolder());
  await keepMadeRun(store, made);
  return reportFile(store, made.name, published);
}

/** The page without its own scripts, style and compressed parts. */
const markupOf = (page: string): string =>
  page.replaceAll(
    /<style>[\s\S]*?<\/style>|<script(?: type="[a-z/]+" id="[a-z0-9-]+")?>[\s\S]*?<\/script>/g,
    '',
  );

/** Every tag with its attributes, read as a browser's tokenizer does where all is well formed. */
const tagsOf = (page: string): string[] => [...markupOf(page).matchAll(/<[^>]*>/g)].map(([tag]) => tag);

describe('text on a page', () => {
  test('shows characters that would turn its direction or hide something', () => {
    expect(showInvisible('a\u202Eb\u2066c\u200Bd\u0000e\u2028f')).toBe(
      'a[U+202E]b[U+2066]c[U+200B]d[U+0000]e[U+2028]f',
    );
  });

  test('keeps what scripts, emoji and lines need', () => {
    const text = 'مرحبا\n👩‍👩‍👧\tmi\u200cn';
    expect(showInvisible(text)).toBe(text);
    expect(showInvisible('one\r\ntwo')).toBe('one\ntwo');
  });

  test('half of a character does not break the page', () => {
    expect(showInvisible('a\ud83d')).toBe('a\ufffd');
  });
});

describe('a page of hostile cases', () => {
  const bad = `"><script>alert(1)</script><img src=x onerror=alert(2)></style></details>\u202E'`;
  let page = '';
  beforeAll(async () => {
    page = await pageOf({
      name: 'hostile',
      cases: 60,
      repeats: 1,
      habits: manyHabits.slice(0, 3).map((habit) => ({ ...habit, models: [`m/${bad}`, ...habit.models] })),
      rationale: bad,
      shape: (index) => ({
        id: `${bad}${index}`,
        response: bad,
        conversation: [{ role: 'user', text: bad }],
        label: index % 2 === 0 ? { decision: 'pass' } : { decision: 'fail', errorType: bad },
      }),
    });
  });

  test('has only tags of its own, none that runs, loads or styles anything', () => {
    const names = new Set(tagsOf(page).map((tag) => /^<[/!]?([a-z0-9]+)/i.exec(tag)?.[1]));
    for (const name of ['script', 'img', 'iframe', 'object', 'link', 'form', 'base', undefined])
      expect(names.has(name)).toBe(false);
    const bare = tagsOf(page).map((tag) => tag.replaceAll(/"[^"]*"/g, '""'));
    expect(bare.filter((tag) => /\s(on[a-z]+|style|src|srcset)=/i.test(tag))).toEqual([]);
    const links = [...page.matchAll(/href="([^"]*)"/g)].map(([, target]) => target);
    expect(links.every((target) => target?.startsWith('#'))).toBe(true);
  });

  test('shows the hostile text as text', () => {
    expect(page).toContain('&lt;script>alert(1)&lt;/script>');
    expect(page).not.toContain('\u202E');
    expect(page).toContain('[U+202E]');
    expect(JSON.stringify(piecesIn(page))).not.toContain('\u202E');
  });

  test('opens and closes every element', () => {
    const open: string[] = [];
    for (const tag of tagsOf(page)) {
      const [, slash, name = ''] = /^<(\/?)([a-z0-9]+)/i.exec(tag) ?? [];
      if (name === '' || /^(meta|br|wbr|input)$/.test(name) || tag.endsWith('/>')) continue;
      if (slash === '/') expect(open.pop()).toBe(name);
      else open.push(name);
    }
    expect(open).toEqual([]);
  });

  test('allows nothing but its own style and scripts', () => {
    const [, style = ''] = /<style>([\s\S]*?)<\/style>/.exec(page) ?? [];
    const scripts = [...page.matchAll(/<script>([\s\S]*?)<\/script>/g)].map(([, text = '']) => text);
    const hash = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
    expect(scripts).toHaveLength(2);
    expect(page).toContain(
      `content="default-src 'none'; script-src ${scripts.map(hash).join(' ')}; style-src ${hash(style)}; base-uri 'none'; form-action 'none'"`,
    );
    expect(style).not.toMatch(/url\(|@import/);
  });
});

describe('a page of many configurations', () => {
  let page = '';
  beforeAll(async () => {
    page = await pageOf({ name: 'many', cases: 120, repeats: 2, habits: manyHabits }, true);
  });

  test('has every section, and the way to each', () => {
    for (const id of [
      'cases',
      'f1',
      'scores',
      'trade-off',
      'errors',
      'equal-calls',
      'reliability',
      'mistakes',
    ]) {
      expect(page).toContain(`<a href="#${id}">`);
      expect(page).toContain(`<h2 id="${id}">`);
    }
  });

  test('gives every id once', () => {
    const ids = [...markupOf(page).matchAll(/\sid="([^"]*)"/g)].map(([, id]) => id);
    expect(new Set(ids).size).toBe(ids.length);
  });

  test('says as a table what charts show', () => {
    const charts = [...page.matchAll(/<figure class="chart"[\s\S]*?<\/figure>/g)].map(([chart]) => chart);
    expect(charts.length).toBe(2);
    for (const chart of charts) {
      expect(chart).toMatch(
        /role="img" aria-label="F1 against (cost|time); the table below has its points."/,
      );
      expect(chart).toMatch(
        /<th scope="row">1 io, rules<\/th><td>[^<]+<\/td><td>0\.\d{3}<\/td><td>[^<]+<\/td><td>on it<\/td>/,
      );
      // 17 configurations, below the heads.
      expect(chart.match(/<tr>/g)?.length).toBe(18);
    }
  });

  test('stands beside the published figures of the same rubric alone', () => {
    expect(page).toContain('Beside the papers');
    const section = page.slice(page.indexOf('<section aria-labelledby="published">')).split('</section>')[0];
    expect(section).toContain('rubric navigation, not navigation-paper');
    // Table B.5, GPT-4o with I/O.
    expect(section).not.toContain('0.951');
  });

  test('holds every case with what every configuration said of it', () => {
    const pieces = piecesIn(page);
    expect(pieces.filter(({ texts }) => texts !== undefined)).toHaveLength(120);
    const trials = pieces.flatMap(({ row, trial }) => (trial === undefined ? [] : [{ row, ...trial }]));
    expect(trials).toHaveLength(120 * 2 * manyHabits.length);
    expect(new Set(trials.map(({ row, setup, repeat }) => `${row} ${setup} ${repeat}`)).size).toBe(
      trials.length,
    );
    expect(trials[0]?.judgements[0]?.text).toContain('On Mondays it is open until 20:00');
    // By the titles of their personas: here ids in capitals.
    const judges = new Set(trials.flatMap(({ judgements }) => judgements.map(({ persona }) => persona)));
    expect(judges).toEqual(new Set([null, 'AUDITOR', 'PASSENGER', 'SKEPTIC', 'LOCAL', 'DRIVER']));
    expect(pieces[0]?.texts?.conversation[0]?.text).toContain('Find me a sushi place');
  });
});

test('a file that is full keeps what mistakes need, and counts what it leaves out', () => {
  const parts = createCaseParts(plainTexts, { packed: 0, plain: 1 });
  const trial = {
    setup: 'a',
    repeat: 1,
    outcome: 'pass' as const,
    score: null,
    why: 'x'.repeat(300_000),
    failed: [],
    judgements: [],
  };
  parts.addTrial(0, () => trial);
  parts.addTrial(1, () => trial);
  parts.addTrial(2, () => trial);
  parts.addLeft(0, trial);
  parts.addLeft(2, trial);
  const { at, left, parts: all } = parts.result();
  expect({ at, left, parts: all.length }).toEqual({ at: { 0: [0], 2: [1] }, left: 1, parts: 2 });
});

describe('the rows of a matrix', () => {
  const row = (id: string, truth: 'pass' | 'fail' | null, ...cells: (string | number | null)[]) => ({
    ...{ id, truth, cells, run: 'r', place: 0, request: `request ${id}`, errorType: null, labelScore: null },
  });
  const data = {
    columns: ['a', 'b'].map((id, at) => ({ id, number: at + 1, method: id, models: 'm' })),
    rows: [
      row('right', 'pass', 'p', 'p'),
      row('one wrong', 'fail', 'f', 'p'),
      row('all wrong', 'fail', 'p', 'u'),
      row('never judged', 'fail', null, null),
      row('half judged', 'pass', 'f', null),
    ],
    pairs: [],
    url: null,
    best: 0,
  };
  const plain: Looks = { q: '', show: 'all', sort: 'order', descending: false };
  const shown = (
    looks: Partial<Looks>,
    of: Pick<typeof data, 'rows' | 'columns'> & { pairs: [number, number][] } = data,
  ) => shownRows(of, presetsOf(of), { ...plain, ...looks }).map((at) => of.rows[at]?.id);

  test('are those that were judged, in the order of the cases', () => {
    expect(shown({})).toEqual(['right', 'one wrong', 'all wrong', 'half judged']);
    expect(shown({ descending: true })[0]).toBe('half judged');
  });

  test('are found by words, by what every configuration gets wrong, and where they differ', () => {
    expect(shown({ q: 'WRONG request' })).toEqual(['one wrong', 'all wrong']);
    expect(shown({ show: 'bad-in-all' })).toEqual(['all wrong', 'half judged']);
    expect(shown({ show: 'differ' })).toEqual(['one wrong', 'all wrong']);
    expect(shown({ show: 'open' })).toEqual(['all wrong']);
  });

  test('are sorted by how many are wrong, and by a column, failures first', () => {
    expect(shown({ sort: 'bad', descending: true })[0]).toBe('all wrong');
    expect(shown({ sort: '0' })).toEqual(['one wrong', 'half judged', 'right', 'all wrong']);
    expect(shown({ sort: '1', descending: true })).toEqual([
      'half judged',
      'right',
      'one wrong',
      'all wrong',
    ]);
  });

  test('begin with what most get wrong, and of two runs with what turned', () => {
    expect(plainLooks(data)).toMatchObject({ show: 'all', sort: 'bad', descending: true });
    expect(plainLooks({ ...data, pairs: [[0, 1]] })).toMatchObject({ show: 'changed', sort: 'order' });
    const right = { ...data, rows: data.rows.slice(0, 1) };
    expect(plainLooks(right)).toMatchObject({ show: 'all', sort: 'order' });
  });

  test('of two runs are those that turned', () => {
    const two = { ...data, pairs: [[0, 1]] as [number, number][] };
    expect(shown({ show: 'worse' }, two)).toEqual(['one wrong']);
    expect(shown({ show: 'changed' }, two)).toEqual(['one wrong', 'all wrong']);
    const unlabeled = { ...two, rows: [row('better', null, 'f', 'p'), row('worse', null, 'p', 'f')] };
    expect(shown({ show: 'better' }, unlabeled)).toEqual(['better']);
    expect(shown({ show: 'worse' }, unlabeled)).toEqual(['worse']);
  });
});

describe('the columns of a matrix on paper', () => {
  const columns = (count: number) =>
    Array.from({ length: count }, (_, at) => ({ id: `${at}`, number: at + 1, method: 'io', models: 'm' }));
  const pairsOf = (count: number) =>
    Array.from({ length: count }, (_, at): [number, number] => [2 * at, 2 * at + 1]);

  test('stay side by side where ten fit, and otherwise come in blocks, each with the best one', () => {
    expect(printedBlocks({ columns: columns(10), pairs: [], best: 7 })).toEqual([
      [0, 1, 2, 3, 4, 5, 6, 7, 8, 9],
    ]);
    const blocks = printedBlocks({ columns: columns(24), pairs: [], best: 12 });
    // 24 are the best one and 23 others: 9, 9 and 5.
    expect(blocks.map(({ length }) => length)).toEqual([10, 10, 6]);
    expect(blocks.every(([first]) => first === 12)).toBe(true);
    expect(new Set(blocks.flat()).size).toBe(24);
  });

  test('of two runs keep what belongs together', () => {
    const blocks = printedBlocks({ columns: columns(14), pairs: pairsOf(7), best: 4 });
    expect(blocks).toEqual([
      [4, 5, 0, 1, 2, 3, 6, 7, 8, 9],
      [4, 5, 10, 11, 12, 13],
    ]);
  });
});

test('a cell is quiet where it agrees with the label, and says what was decided where it does not', () => {
  const shown = (cell: string | number | null, truth: 'pass' | 'fail' | null) =>
    textOfHtml(renderToString(h(Mark, { cell, truth })));
  expect(shown('f', 'fail')).toBe('✓ right: fail');
  expect(shown('p', 'fail')).toBe('pass , differs from the label');
  expect(shown('u', 'pass')).toBe('not decided , differs from the label');
  expect(shown('ffp', 'fail')).toBe('✓ right: fail 1 of 2 right');
  // Without a label there is no right or wrong: the decision itself is shown.
  expect(shown('f', null)).toBe('❌ fail');
  expect(shown('ppf', null)).toBe('✅ pass 1 of 2 pass');
});

test('a chart has a place for what costs nothing, and names that do not cover each other', () => {
  const points = Array.from({ length: 24 }, (_, at) => ({
    ...{ number: at + 1, name: `n${at}`, label: `l${at}`, low: 0.8, high: 0.99 },
    ...{ x: at === 0 ? 0 : 0.001 * at, y: 0.9, xText: '', yText: '', range: '', onFront: at < 3 },
  }));
  const chart = { title: 't', xTitle: 'x', yTitle: 'y', unit: 'usd' as const, isLogarithmic: true, points };
  const colors = { ink: '#000', pale: '#555', line: '#ccc', ground: '#fff', accent: '#00f' };
  const option = tradeOffOption(chart, colors, { width: 560, height: 440 });
  const { series = [] } = option;
  const places = (Array.isArray(series) ? series : [series]).flatMap((one) => {
    if (one.type !== 'scatter' || typeof one.labelLayout !== 'function' || !Array.isArray(one.data))
      return [];
    const layout = one.labelLayout;
    // Asked as the library asks, of which only the number is read.
    return one.data.map((_, dataIndex) => Reflect.apply(layout, null, [{ dataIndex }]).y);
  });
  places.sort((a, b) => a - b);
  expect(places).toHaveLength(24);
  for (const [at, y] of places.entries()) if (at > 0) expect(y - places[at - 1]).toBeGreaterThanOrEqual(14.9);
  expect(JSON.stringify(option)).toContain('"renderMode":"richText"');
  // 1 ms is the exponent 0: the axis stays at the edge.
  const time = tradeOffOption({ ...chart, unit: 'ms' }, colors, { width: 560, height: 440 });
  expect(time.yAxis).toMatchObject({ axisLine: { onZero: false } });
});

test('a case whose verdict a power cut lost is shown, without empty quotes', async () => {
  const folder = newFolder();
  const store = createFolderTrialStore(folder);
  const habits = manyHabits.slice(0, 1).map((habit) => ({ ...habit, skill: 0 }));
  await keepMadeRun(store, { name: 'lost', cases: 1, repeats: 1, habits });
  writeFileSync(join(folder, 'lost', 'verdicts.jsonl'), '');
  const report = await makeReport(store, 'lost');
  expect(report.mistakes.shown).toHaveLength(1);
  expect(report.mistakes.shown[0]?.words?.judgements).toMatchObject([{ decision: 'fail', text: '' }]);
  const details = await readCaseDetails(store, 'lost', 0);
  const columns = [{ id: 'io rules t0', number: 1, method: 'io', models: 'rules' }];
  const view = renderToString(h(CaseView, { details, columns }));
  expect(view).toContain('Find me a sushi place');
  expect(view).toContain('✗ fail');
  expect(view).not.toMatch(/<blockquote[^>]*><\/blockquote>/);
});
