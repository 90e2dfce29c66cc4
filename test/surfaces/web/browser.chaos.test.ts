import { describe, expect, test } from 'vitest';
import { barriers } from '../../support/browser.ts';
import { browserOfFile } from '../../support/browser-of-file.ts';
import { CLIENT, startOpenIdProvider } from '../../support/openid-provider.ts';
import { call } from '../../support/page-service.ts';
import { PASTE } from '../../support/pastes.ts';
import { closeAfterEach, newFolder, until } from '../../support/resources.ts';
import { drawFor, folderWithRun, keyHolder, labelsOf } from '../../support/review-console.ts';
import { runService } from '../../support/run-service.ts';
import { serviceModel } from '../../support/service-model.ts';
import { freePort } from '../../support/slack-wire.ts';

closeAfterEach();

const browser = browserOfFile();

interface Looks {
  width?: number;
  dark?: boolean;
}

/** A page of a console of its own, and what the browser complained about. */
async function openConsole(env: Record<string, string> = {}, { width = 1400, dark = false }: Looks = {}) {
  const jury = await runService(env);
  const context = await browser.newContext({
    baseURL: env.JURY_PUBLIC_URL ?? `http://127.0.0.1:${jury.service.port}`,
    viewport: { width, height: 900 },
    colorScheme: dark ? 'dark' : 'light',
  });
  const page = await context.newPage();
  if (jury.service.link !== null) await page.goto(jury.service.link);
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text());
  });
  return { jury, page, context, complaints };
}

describe.skipIf(!browser.isThere)('the console in a browser', () => {
  test('shows what it understands as people type, judges, and counts their vote', async () => {
    const { page, complaints, jury } = await openConsole();
    await page.goto('/');
    await page.getByLabel('Paste a conversation').fill('User: Find me a sushi place rated at least 4');
    await page
      .locator('#understood')
      .getByText('No label says', { exact: false })
      .or(page.locator('#understood .error'))
      .first()
      .waitFor();
    await page.getByRole('button', { name: 'a rating too low' }).click();
    await page.locator('#understood').getByText('3.8').waitFor();
    const notes = page.locator('#understood h3');
    expect(await notes.allTextContents()).toEqual(['Not checked']);
    await page.getByRole('button', { name: 'Judge', exact: true }).click();
    await page.getByRole('heading', { name: /FAIL – Rating/ }).waitFor();
    expect(page.url()).toMatch(/\/requests\/\w+$/);
    await page.getByRole('button', { name: 'The verdict is right' }).click();
    await page.getByRole('button', { name: '👍 1' }).waitFor();
    await page.getByRole('button', { name: 'The verdict is wrong' }).click();
    await page.getByLabel('Comment').fill('It was rounded.');
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByText('Thank you, that is kept.').waitFor();
    const store = await jury.parts.store();
    const [record] = await store.recentVerdicts({ channel: null, limit: 1 });
    const [vote] = await store.votes(record?.id ?? '');
    expect(vote).toMatchObject({ value: 'disagree', correction: { comment: 'It was rounded.' } });
    expect(complaints).toEqual([]);
  });

  test('a double click asks once, and what was missing before is no longer said', async () => {
    const { page, jury } = await openConsole();
    await page.goto('/');
    await page.getByRole('button', { name: 'Judge', exact: true }).click();
    await page.getByRole('status').getByText('Paste what the user said').waitFor();
    await page.getByRole('button', { name: 'a rating too low' }).click();
    // What is understood is drawn above the button, which would move under the click.
    await page.locator('#understood').getByText('3.8').waitFor();
    await page.getByRole('button', { name: 'Judge', exact: true }).dblclick({ delay: 20 });
    await page.getByRole('heading', { name: /FAIL – Rating/ }).waitFor();
    expect(await page.getByRole('status').textContent()).toBe('');
    const store = await jury.parts.store();
    await until(async () => (await store.pendingSpotChecks()) === 0);
    expect(await store.recentVerdicts({ channel: null, limit: 3 })).toHaveLength(1);
  });

  test('shows each judge as it answers; reloaded, in a second tab and after a restart of the service the verdict comes', async () => {
    let letGo = () => {};
    const later = new Promise<void>((done) => {
      letGo = done;
    });
    const { env: model } = await serviceModel({
      answer: async ({ n }) => {
        if (n > 1) await later;
        return { fields: { decision: n === 1 ? 'fail' : 'pass' } };
      },
    });
    const env = { ...model, JURY_DATA_DIR: newFolder() };
    const { page, context, jury } = await openConsole(env);
    await page.goto('/');
    await page.getByLabel('Paste a conversation').fill('User: Tell me a joke\nSystem: No.');
    await page.getByRole('button', { name: 'Judge', exact: true }).click();
    await page.getByText('1 fail so far').waitFor();
    const second = await context.newPage();
    await second.goto(page.url());
    await second.getByText('1 fail so far').waitFor();
    await page.reload();
    await page.getByText('1 fail so far').waitFor();
    const { port } = jury.service;
    await jury.close();
    letGo();
    await runService({ ...env, PORT: String(port) });
    for (const tab of [page, second])
      await tab.getByRole('heading', { name: /PASS|FAIL|NOT DECIDED/ }).waitFor();
  });

  test('has people sign in, leads them to the page that they wanted, and signs them out', async () => {
    const port = String(await freePort());
    const publicUrl = `http://localhost:${port}`;
    const provider = await startOpenIdProvider([`${publicUrl}/sign-in/done`], {
      ann: { name: 'Ann Example' },
    });
    const { page, context, complaints } = await openConsole({
      PORT: port,
      JURY_PUBLIC_URL: publicUrl,
      OIDC_ISSUER: provider.issuer,
      OIDC_CLIENT_ID: CLIENT.id,
      OIDC_CLIENT_SECRET: CLIENT.secret,
    });
    await page.goto('/verdicts?decision=fail');
    await page.getByText('Ann Example').waitFor();
    expect(page.url()).toBe(`${publicUrl}/verdicts?decision=fail`);
    expect(await barriers(page)).toEqual([]);
    // Browsers take a page of this machine for safe, so that its cookies need no TLS.
    expect((await context.cookies()).filter(({ name }) => name === '__Host-jury')).toMatchObject([
      { secure: true, httpOnly: true, sameSite: 'Lax' },
    ]);
    await page.getByLabel('Words').fill('sushi');
    await page.getByRole('button', { name: 'Find' }).click();
    await page.waitForURL(/q=sushi/);
    await page.getByRole('link', { name: 'Ask', exact: true }).click();
    await page.getByRole('button', { name: 'a rating too low' }).click();
    await page.getByRole('button', { name: 'Judge', exact: true }).click();
    await page.getByRole('heading', { name: /FAIL/ }).waitFor();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('heading', { name: 'You are signed out' }).waitFor();
    expect(await barriers(page)).toEqual([]);
    expect(await context.cookies().then((all) => all.some(({ name }) => name === '__Host-jury'))).toBe(false);
    await page.getByRole('link', { name: 'Sign in' }).click();
    await page.getByText('Ann Example').waitFor();
    expect(complaints).toEqual([]);
  });

  test('can be stopped, and asked about', async () => {
    const { env: model } = await serviceModel({
      answer: ({ n, body }) => {
        if (body.response_format?.json_schema?.name === 'answer')
          return { json: { words: ['No.'], answer: 'It told no joke.' } };
        return n === 1 ? { fields: { decision: 'fail' } } : { hang: true };
      },
    });
    const { page } = await openConsole(model);
    await page.goto('/');
    await page.getByLabel('Paste a conversation').fill('User: Tell me a joke\nSystem: No.');
    await page.getByRole('button', { name: 'Judge', exact: true }).click();
    await page.getByText('1 fail so far').waitFor();
    await page.getByRole('button', { name: 'Stop' }).click();
    await page.getByRole('heading', { name: /NOT DECIDED/ }).waitFor();
    await page.getByLabel('Ask about this verdict').fill('Why?');
    await page.getByRole('button', { name: 'Ask', exact: true }).click();
    await page.getByText('It told no joke.').waitFor();
    // Browsers open six streams to a host: what is answered holds none.
    for (let n = 2; n <= 8; n += 1) {
      await page.getByLabel('Ask about this verdict').fill(`Why ${n}?`);
      await page.getByRole('button', { name: 'Ask', exact: true }).click();
      await page.locator('#answer .view').nth(n).getByText('It told no joke.').waitFor();
    }
    await page.reload();
    await page.getByText('It told no joke.').nth(7).waitFor();
    await page.getByRole('link', { name: 'Verdicts' }).click();
    await page.getByRole('heading', { name: 'Verdicts' }).waitFor();
  });

  test.each(['/queue', '/queue?blind=on'])(
    '%s brings one case after another, by keyboard, and takes an answer back',
    async (path) => {
      const { page, jury, complaints } = await openConsole();
      await page.goto('/');
      const store = await jury.parts.store();
      for (let n = 1; n <= 12; n += 1)
        await page.evaluate(
          ({ n }) =>
            fetch('/api/v1/verdicts', {
              method: 'POST',
              headers: { 'content-type': 'application/json' },
              body: JSON.stringify({
                paste: `User: Find me a sushi place rated at least 4\nSystem: Sakura ${n}.\nCuisine: Japanese\nRating: 3.8\nDuration: 5 min`,
              }),
            }).then((response) => response.text()),
          { n },
        );
      await page.goto(path);
      await page.getByText('12 verdicts need your vote').waitFor();
      const isBlind = path.includes('blind');
      expect(await page.locator('#queue .headline:visible').count()).toBe(isBlind ? 0 : 1);
      const shown = () => page.locator('[data-case]:visible').getAttribute('data-case');
      for (let n = 0; n < 11; n += 1) {
        const before = await shown();
        await page.keyboard.press(n === 3 ? '3' : isBlind ? '2' : '1');
        await page.waitForFunction(
          (id) => document.querySelector('[data-case]:not([hidden])')?.getAttribute('data-case') !== id,
          before,
        );
      }
      await page.getByText('1 verdict needs your vote').waitFor();
      const last = await shown();
      await page.keyboard.press('1');
      await page.getByText('No verdict needs your vote').waitFor();
      await page.keyboard.press('z');
      await page.getByText('1 verdict needs your vote').waitFor();
      expect(await shown()).toBe(last);
      await page.keyboard.press('s');
      // What was not sent yet is sent when the page is left.
      await page.goto('/verdicts');
      const tallies = async () => {
        const records = await store.recentVerdicts({ channel: null, limit: 20 });
        return Promise.all(records.map(({ id }) => store.tally(id)));
      };
      await until(
        async () => (await tallies()).filter(({ agree, unsure }) => agree + unsure === 1).length === 11,
      );
      expect((await tallies()).filter(({ unsure }) => unsure === 1)).toHaveLength(1);
      expect((await store.votes(last ?? '')).length).toBe(0);
      expect(complaints).toEqual([]);
    },
  );

  test('has answers drawn by chance checked, by keys or clicks, one for each, in any tab', async () => {
    const { page, jury, context, complaints } = await openConsole({ JURY_DATA_DIR: await folderWithRun() });
    await drawFor(jury, [keyHolder]);
    const title = (n: number) => page.getByRole('heading', { name: `Answer ${n} of at most 10 this week` });
    /** Until it can be answered. */
    const seen = (tab = page) => tab.locator('#reviews:not([data-fresh])').waitFor();
    const counted = async () => (await labelsOf(jury)).length;
    await page.goto('/queue');
    await page.getByRole('heading', { name: '10 answers to check, about 5 minutes' }).waitFor();
    await page.getByRole('button', { name: 'Start' }).dblclick({ delay: 20 });
    await title(1).waitFor();
    expect(await page.locator('#votes').isVisible()).toBe(false);
    await seen();
    await page.keyboard.press('1');
    await title(2).waitFor();
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('review-title');
    // The second click of two finds the next answer under it, which has not been read.
    await seen();
    await page.getByRole('button', { name: 'Response is wrong' }).dblclick({ delay: 20 });
    await title(3).waitFor();
    await seen();
    expect((await labelsOf(jury)).map(({ right }) => right).sort()).toEqual(['fail', 'pass']);
    // A second tab has the same answer; the first one, which is old then, is led to what is next.
    const second = await context.newPage();
    await second.goto('/queue');
    await second.getByRole('button', { name: 'Start' }).click();
    await second.getByRole('heading', { name: 'Answer 3 of' }).waitFor();
    await seen(second);
    await second.keyboard.press('3');
    await second.getByRole('heading', { name: 'Answer 4 of' }).waitFor();
    await page.keyboard.press('1');
    await page.getByText('You answered this before.').waitFor();
    await title(4).waitFor();
    expect(await counted()).toBe(3);
    // Back and forth, what was claimed is still there.
    await page.goto('/verdicts');
    await page.goBack();
    await page.getByRole('button', { name: 'Start' }).or(title(4)).first().waitFor();
    if (!(await title(4).isVisible())) await page.getByRole('button', { name: 'Start' }).click();
    for (let n = 4; n <= 10; n += 1) {
      await title(n).waitFor();
      await seen();
      await page.keyboard.press('2');
    }
    await page.getByText('You checked 10 answers this week.').waitFor();
    expect(await page.locator('#votes').isVisible()).toBe(true);
    expect(await counted()).toBe(10);
    // A key of a tab that is old then counts no more.
    await seen(second);
    await second.keyboard.press('2');
    await second.getByText('You checked 10 answers this week.').waitFor();
    expect(await counted()).toBe(10);
    expect(complaints).toEqual([]);
  });

  test.each([
    [1400, false],
    [1400, true],
    [390, false],
    [390, true],
  ])(
    'an answer to check has no barriers and fits at %i px, dark: %s; hostile text stays text',
    async (width, dark) => {
      const hostile = '<script>alert(1)</script><img src=x onerror=alert(1)> "><svg/onload=alert(1)>';
      const env = { JURY_DATA_DIR: await folderWithRun('monday', { response: hostile }) };
      const { page, jury, complaints } = await openConsole(env, { width, dark });
      await drawFor(jury, [keyHolder]);
      const isClean = async () => {
        expect(await barriers(page)).toEqual([]);
        expect(
          await page.evaluate(() => document.documentElement.scrollWidth - innerWidth),
        ).toBeLessThanOrEqual(0);
      };
      await page.goto('/queue');
      await isClean();
      await page.getByRole('button', { name: 'Start' }).click();
      await page.getByText('<script>alert(1)</script>', { exact: false }).waitFor();
      await isClean();
      expect(await page.locator('main script, main img, main svg').count()).toBe(0);
      await page.locator('#reviews:not([data-fresh])').waitFor();
      await page.getByRole('button', { name: 'Never' }).click();
      await page.getByRole('button', { name: 'Ask me again' }).waitFor();
      await isClean();
      await page.goto('/runs/monday');
      await page.getByText('12 answers drawn by chance, 0 checked.').waitFor();
      expect(complaints).toEqual([]);
    },
  );

  test('needs no mouse', async () => {
    const { page } = await openConsole();
    await page.goto('/');
    const press = async (key: string, times = 1) => {
      for (let n = 0; n < times; n += 1) await page.keyboard.press(key);
    };
    const focused = () => page.evaluate(() => document.activeElement?.textContent ?? '');
    await press('Tab');
    expect(await focused()).toContain('Skip');
    for (let n = 0; n < 20 && !(await focused()).includes('a rating too low'); n += 1) await press('Tab');
    await press('Enter');
    await page.locator('#understood').getByText('3.8').waitFor();
    for (let n = 0; n < 20 && (await focused()).trim() !== 'Judge'; n += 1) await press('Tab');
    await press('Enter');
    await page.getByRole('heading', { name: /FAIL/ }).waitFor();
    for (let n = 0; n < 30 && !(await focused()).includes('The verdict is right'); n += 1) await press('Tab');
    await press('Enter');
    await page.getByRole('button', { name: '👍 1' }).waitFor();
    expect(await focused()).toContain('The verdict is right');
  });

  test.each([
    [1400, false],
    [1400, true],
    [390, false],
    [390, true],
  ])('has no barriers and fits at %i px, dark: %s', async (width, dark) => {
    const { page } = await openConsole({}, { width, dark });
    await page.goto('/');
    await page.getByRole('button', { name: 'a rating too low' }).click();
    await page.getByRole('button', { name: 'Judge', exact: true }).click();
    await page.getByRole('heading', { name: /FAIL/ }).waitFor();
    await page.getByText('⋯').click();
    for (const path of [
      null,
      '/queue',
      '/verdicts',
      'verdict',
      '/status',
      '/docs/console.md',
      '/runs/none',
    ]) {
      if (path?.startsWith('/')) await page.goto(path);
      if (path === 'verdict') await page.locator('td a').first().click();
      expect(await barriers(page)).toEqual([]);
      const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      expect(overflow).toBeLessThanOrEqual(0);
      const rows = await page
        .locator('header a')
        .evaluateAll((links) => links.map((link) => Math.round(link.getBoundingClientRect().top)));
      expect(new Set(rows).size).toBe(1);
    }
  });

  test('a reason opens below its sign by pointer and keyboard, closes with Escape, and stands there on phones', async () => {
    const { env: model } = await serviceModel({
      answer: ({ n }) => ({ fields: { decision: n === 1 ? 'fail' : 'pass', rationale: `Reason ${n}.` } }),
    });
    const { page, complaints, jury } = await openConsole(model);
    await page.goto('/');
    await page.getByRole('button', { name: 'a rating too low' }).click();
    await page.locator('#understood').getByText('3.8').waitFor();
    await page.getByRole('button', { name: 'Judge', exact: true }).click();
    await page.getByRole('link', { name: 'Details' }).click();
    await page.getByRole('heading', { name: 'What was judged' }).waitFor();
    const signs = page.locator('.matrix .sign');
    const reasons = page.locator('.matrix .why:visible');
    expect(await reasons.count()).toBe(0);
    await signs.nth(1).hover();
    await reasons.getByText('Reason 1.').waitFor();
    await page.keyboard.press('Escape');
    expect(await reasons.count()).toBe(0);
    await signs.nth(2).click();
    await reasons.getByText('Reason 2.').waitFor();
    await page.mouse.move(0, 0);
    await page.keyboard.press('Tab');
    await reasons.getByText('Reason 3.').waitFor();
    expect(await reasons.count()).toBe(1);
    for (let n = 0; n < 60; n += 1) {
      await page.keyboard.press('Tab');
      if ((await page.evaluate(() => document.activeElement?.textContent)) === 'Prompt') break;
    }
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: /^Prompt of/ }).waitFor();
    await page.getByRole('heading', { name: 'System message' }).waitFor();
    expect(await barriers(page)).toEqual([]);
    await page.goBack();
    await page.setViewportSize({ width: 390, height: 800 });
    expect(await page.locator('.matrix').first().locator('.why:visible').count()).toBe(await signs.count());
    const store = await jury.parts.store();
    const [record] = await store.recentVerdicts({ channel: null, limit: 1 });
    await page.getByRole('button', { name: 'The verdict is right' }).focus();
    await page.keyboard.press('Enter');
    await page.getByText('Votes: 👍 1 agrees').waitFor();
    // The rest of the page is still there, and the keyboard where it was.
    expect(await signs.count()).toBeGreaterThan(3);
    expect(await page.evaluate(() => document.activeElement?.getAttribute('data-do'))).toBe('agree');
    expect(await store.tally(record?.id ?? '')).toMatchObject({ agree: 1 });
    await page.getByRole('button', { name: 'Rule on this' }).focus();
    await page.keyboard.press('Enter');
    await page.getByLabel('Which decision is right?').selectOption('fail');
    await page.getByLabel('You rule as').fill('safety lead');
    expect(await barriers(page)).toEqual([]);
    await page.keyboard.press('Enter');
    await page.getByText('ruled by safety lead').waitFor();
    expect(complaints).toEqual([]);
  });

  test.each([
    [1400, false],
    [1400, true],
    [390, false],
    [390, true],
  ])('a debate has no barriers and fits at %i px, dark: %s', async (width, dark) => {
    const { env: model } = await serviceModel({
      answer: ({ n }) => ({ fields: { decision: n === 1 ? 'fail' : 'pass', rationale: `Reason ${n}.` } }),
    });
    const { page, jury } = await openConsole(model, { width, dark });
    await call(jury.service.port, '/api/v1/verdicts', {
      method: 'POST',
      body: { paste: PASTE, method: 'mad' },
    });
    await page.goto('/verdicts');
    await page.locator('td a').first().click();
    await page.getByText('changed its mind, before: fail').waitFor();
    for (const summary of await page.locator('main details summary').all()) await summary.click();
    await page.locator('.matrix .sign').first().focus();
    expect(await barriers(page)).toEqual([]);
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    expect(overflow).toBeLessThanOrEqual(0);
  });

  test('leads from another name of this machine to the one at which the link was opened', async () => {
    const { page, jury } = await openConsole();
    await page.goto(`http://localhost:${jury.service.port}/verdicts?decision=fail`);
    await page.getByRole('heading', { name: 'Verdicts' }).waitFor();
    expect(page.url()).toBe(`http://127.0.0.1:${jury.service.port}/verdicts?decision=fail`);
  });

  test('the page without a session says how to begin one, has no barriers, and fits a phone', async () => {
    const { page, context } = await openConsole({}, { width: 390 });
    await context.clearCookies();
    await page.goto('/runs');
    await page.getByRole('heading', { name: 'Open Jury with its link' }).waitFor();
    await page.getByText('npx jury open').waitFor();
    expect(await barriers(page)).toEqual([]);
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    expect(overflow).toBeLessThanOrEqual(0);
  });

  test('shows hostile pastes as text: no script of theirs runs', async () => {
    const { page, complaints } = await openConsole();
    await page.addInitScript(() => {
      Object.assign(globalThis, { executed: 0, alert: () => Object.assign(globalThis, { executed: 1 }) });
    });
    const hostile = [
      '<script>alert(1)</script>',
      '<img src=x onerror=alert(1)>',
      '"><svg/onload=alert(1)>',
      '</textarea><script>alert(1)</script>',
      'javascript:alert(1)',
      '{{constructor.constructor("alert(1)")()}}',
      '<a href="javascript:alert(1)">x</a>',
      '<!--<img src="--><img src=x onerror=alert(1)//">',
    ].join(' ');
    await page.goto('/');
    await page
      .getByLabel('Paste a conversation')
      .fill(`User: Find sushi ${hostile}\nSystem: ${hostile}\nRating: 3.8`);
    await page.locator('#understood').getByText('onerror').first().waitFor();
    await page.getByRole('button', { name: 'Judge', exact: true }).click();
    await page.locator('#answer .headline').first().waitFor();
    await page.goto('/verdicts');
    await page.locator('td a').first().click();
    await page.locator('.pre').first().waitFor();
    expect(await page.evaluate(() => Reflect.get(globalThis, 'executed'))).toBe(0);
    expect(await page.locator('main script, main img, main svg').count()).toBe(0);
    expect(complaints).toEqual([]);
  });
});
