import { createHash } from 'node:crypto';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { makeReport } from '../../../src/benchmark/make-report.ts';
import { escaped, html, showInvisible } from '../../../src/benchmark/reports/html/html.ts';
import { reportPage } from '../../../src/benchmark/reports/html/page.ts';
import { linearTicks, logTicks } from '../../../src/benchmark/reports/html/trade-off-chart.ts';
import { createFolderTrialStore } from '../../../src/stores/folder/runs.ts';
import { keepMadeRun, type MadeRun, manyHabits } from '../../support/made-run.ts';

async function pageOf(made: MadeRun, published = false): Promise<string> {
  const store = createFolderTrialStore(mkdtempSync(join(tmpdir(), 'jury-page-')));
  await keepMadeRun(store, made);
  return reportPage(await makeReport(store, made.name), { published });
}

/** Every tag of a page with its attributes, read as a browser's tokenizer does where all is well formed. */
const tagsOf = (page: string): string[] =>
  [...page.replace(/<style>[\s\S]*?<\/style>/, '').matchAll(/<[^>]*>/g)].map(([tag]) => tag);

describe('text in markup', () => {
  test('cannot become markup, wherever it is put', () => {
    const hostile = `<script>alert("1")</script>' onload=x \`&lt;`;
    const markup = html`<p title="${hostile}">${[hostile, html`<b>${1}</b>`, null, undefined]}</p>`.markup;
    expect(markup.match(/<[a-z]+/g)).toEqual(['<p', '<b']);
    expect(markup).not.toMatch(/(?<!<p title)="/g);
    expect(escaped('a & b')).toBe('a &amp; b');
  });

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
    expect(page).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
    expect(page).not.toContain('\u202E');
    expect(page).toContain('[U+202E]');
  });

  test('opens and closes every element', () => {
    const open: string[] = [];
    for (const tag of tagsOf(page)) {
      const [, slash, name = ''] = /^<(\/?)([a-z0-9]+)/i.exec(tag) ?? [];
      if (name === '' || /^(meta|br|wbr)$/.test(name) || tag.endsWith('/>')) continue;
      if (slash === '/') expect(open.pop()).toBe(name);
      else open.push(name);
    }
    expect(open).toEqual([]);
  });

  test('allows nothing but its own style', () => {
    const [, style = ''] = /<style>([\s\S]*?)<\/style>/.exec(page) ?? [];
    const hash = createHash('sha256').update(style).digest('base64');
    expect(page).toContain(
      `content="default-src &#39;none&#39;; style-src &#39;sha256-${hash}&#39;; base-uri &#39;none&#39;; form-action &#39;none&#39;"`,
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
    for (const id of ['f1', 'scores', 'trade-off', 'errors', 'equal-calls', 'reliability', 'mistakes']) {
      expect(page).toContain(`<a href="#${id}">`);
      expect(page).toContain(`<h2 id="${id}">`);
    }
  });

  test('gives every id once', () => {
    const ids = [...page.matchAll(/\sid="([^"]*)"/g)].map(([, id]) => id);
    expect(new Set(ids).size).toBe(ids.length);
  });

  test('says in words what charts show', () => {
    const charts = [...page.matchAll(/<svg[\s\S]*?<\/svg>/g)].map(([chart]) => chart);
    expect(charts.length).toBe(2);
    for (const chart of charts) {
      expect(chart).toMatch(
        /role="img" aria-labelledby="(\w+)-t \1-d"><title id="\1-t">F1 against (cost|time)/,
      );
      expect(chart).toMatch(/<desc id="\w+-d">1 io, rules: F1 \d\.\d{3}, .*, on the Pareto front; /);
      // 17 configurations: a mark and a number each.
      expect(chart.match(/class="dot"/g)?.length).toBe(17);
      expect((chart.match(/class="(best|other)"/g) ?? []).length).toBe(17);
    }
  });

  test('stands beside the published figures of the same rubric alone', () => {
    expect(page).toContain('Beside the papers');
    expect(page).toContain('rubric navigation, not navigation-paper');
    // Table B.5, GPT-4o with I/O.
    expect(page).not.toContain('0.951');
  });

  test('holds what the judges said about each mistake', () => {
    const first =
      /<details class="case">[\s\S]*?<\/details><ol class="said">[\s\S]*?<\/ol>/.exec(page)?.[0] ?? '';
    expect(first).toContain('Find me a sushi place');
    expect(first).toContain('What else the judges were given');
    expect(first).toContain('On Mondays it is open until 20:00');
  });
});

describe('ticks', () => {
  test('of a linear axis are whole steps of 1, 2 or 5', () => {
    expect(linearTicks(0.65, 1, 6).map((tick) => tick.toFixed(2))).toEqual(['0.70', '0.80', '0.90', '1.00']);
    expect(linearTicks(0.9, 1, 6).map((tick) => tick.toFixed(2))).toEqual([
      '0.90',
      '0.92',
      '0.94',
      '0.96',
      '0.98',
      '1.00',
    ]);
  });

  test('of a logarithmic axis are powers of ten, and 2 and 5 where it is short', () => {
    expect(logTicks(2, 9000)).toEqual([10, 100, 1000]);
    expect(logTicks(0.9, 60)).toEqual([1, 2, 5, 10, 20, 50]);
  });
});

test('a mistake whose verdict a power cut lost shows its case, and no empty quotes', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'jury-lost-'));
  const store = createFolderTrialStore(folder);
  const habits = manyHabits.slice(0, 1).map((habit) => ({ ...habit, skill: 0 }));
  await keepMadeRun(store, { name: 'lost', cases: 1, repeats: 1, habits });
  writeFileSync(join(folder, 'lost', 'verdicts.jsonl'), '');
  const report = await makeReport(store, 'lost');
  expect(report.mistakes.shown).toHaveLength(1);
  expect(report.mistakes.shown[0]?.words?.judgements).toMatchObject([{ decision: 'fail', text: '' }]);
  const page = reportPage(report, { published: false });
  expect(page).toContain('Find me a sushi place');
  expect(page).not.toMatch(/<blockquote[^>]*><\/blockquote>/);
});
