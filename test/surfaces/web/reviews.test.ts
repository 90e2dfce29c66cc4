import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import type { Person } from '../../../src/labels/access/permissions.ts';
import { withdrawVerdict } from '../../../src/labels/access/permissions.ts';
import { slack } from '../../../src/surfaces/slack/surface.ts';
import { page } from '../../../src/surfaces/web/page-surface.ts';
import { call, textOfHtml } from '../../support/page-service.ts';
import { closeAfterEach } from '../../support/resources.ts';
import { drawFor, folderWithRun, keptSample, keyHolder, labelsOf } from '../../support/review-console.ts';
import { type RunningService, runService } from '../../support/run-service.ts';
import { JURY, setUp } from '../../support/sign-in.ts';
import { aRecord, dayMs } from '../../support/store-builders.ts';

closeAfterEach();

const Reply = z.object({ html: z.string(), said: z.string().optional() });

/** The answer that HTML shows. */
function offeredIn(html: string): { run: string; place: number } {
  const [, place, run = ''] = /data-offer="(\d+) ([^"]+)"/.exec(html) ?? [];
  if (place === undefined) throw new Error(`no answer to check in ${textOfHtml(html)}`);
  return { run, place: Number(place) };
}

/** A case that was copied from a chat: its id is that of its verdict. */
const inChat = { id: '0123456789abcdef0123' };

/** A console whose key holder is asked to check answers. */
async function withSample(people: readonly Person[] = [keyHolder], now: () => number = Date.now) {
  const jury = await runService({ JURY_DATA_DIR: await folderWithRun() }, undefined, now);
  await drawFor(jury, people);
  const { port } = jury.service;
  const queue = async () => (await call(port, '/queue')).text;
  const press = async (body: object) => {
    const { status, text } = await call(port, '/ui/reviews', { method: 'POST', body });
    expect({ status, text }).toMatchObject({ status: 200 });
    return Reply.parse(JSON.parse(text));
  };
  return { jury, port, queue, press };
}

describe('answers drawn by chance, in the console', () => {
  test('are offered at the top of the queue, which claims none of them', async () => {
    const { queue, jury } = await withSample();
    const before = await keptSample(jury);
    const text = textOfHtml(await queue());
    expect(text).toContain('10 answers to check, about 5 minutes');
    expect(text).toContain('They were drawn by chance');
    for (const label of ['Start', 'Not this week', 'Never']) expect(text).toContain(label);
    expect(text.indexOf('10 answers to check')).toBeLessThan(text.indexOf('needs your vote'));
    const store = await jury.parts.store();
    for (const { place } of before.entries)
      expect(await store.get(`review-claim:monday:${place}:0`, Date.now())).toBeNull();
  });

  test('come one after the other, without what the judges said, and the end says how many were checked', async () => {
    const { press, queue, jury } = await withSample();
    let { html } = await press({ does: 'start', again: false });
    for (let n = 1; n <= 10; n += 1) {
      const text = textOfHtml(html);
      expect(text).toContain(`Answer ${n} of at most 10 this week`);
      expect(text).toContain('Find me a sushi place');
      expect(text).toContain('Sakura is 5 minutes away');
      expect(text).toContain('Venue recommendation in context');
      for (const label of ['Response is right', 'Response is wrong', 'Not sure'])
        expect(text).toContain(label);
      expect(html).not.toMatch(/SECRET|errorType|agree|verdict/i);
      if (n === 4) expect(textOfHtml(await queue())).toContain('7 answers to check, about 4 minutes');
      const right = n % 2 === 0 ? 'pass' : 'fail';
      ({ html } = await press({ does: 'answer', ...offeredIn(html), right }));
    }
    expect(textOfHtml(html)).toContain(
      'You checked 10 answers this week. Thank you, that is all for this week.',
    );
    expect(await queue()).not.toContain('answers to check');
    const labels = await labelsOf(jury);
    expect(labels.map(({ right }) => right).sort()).toEqual([
      ...Array.from({ length: 5 }, () => 'fail'),
      ...Array.from({ length: 5 }, () => 'pass'),
    ]);
  });

  test('are answered once, from however many tabs: the first answer stands, and an old tab shows what is next', async () => {
    const { press, jury } = await withSample();
    const first = offeredIn((await press({ does: 'start', again: false })).html);
    const tab = await press({ does: 'start', again: false });
    expect(offeredIn(tab.html)).toEqual(first);
    const [one, two] = await Promise.all([
      press({ does: 'answer', ...first, right: 'pass' }),
      press({ does: 'answer', ...first, right: 'pass' }),
    ]);
    expect([one.said, two.said]).toEqual([undefined, undefined]);
    expect(offeredIn(one.html)).toEqual(offeredIn(two.html));
    expect(offeredIn(one.html)).not.toEqual(first);
    const late = await press({ does: 'answer', ...first, right: 'fail' });
    expect(late.said).toBe('You answered this before. Your first answer counts, this one does not.');
    expect(offeredIn(late.html)).toEqual(offeredIn(one.html));
    expect((await labelsOf(jury)).map(({ right }) => right)).toEqual(['pass']);
  });

  test('cannot be answered by who was not asked about them', async () => {
    const { press, jury } = await withSample();
    const { entries } = await keptSample(jury);
    await press({ does: 'start', again: false });
    const [, other] = entries;
    const { said } = await press({ does: 'answer', run: 'monday', place: other?.place, right: 'pass' });
    expect(said).toBe('This answer is no longer there to check.');
    expect((await press({ does: 'answer', run: 'none', place: 0, right: 'pass' })).said).toBe(said);
    expect(await labelsOf(jury)).toEqual([]);
  });

  test('are not offered to who is not named', async () => {
    const { press, queue } = await withSample([{ surface: 'slack', team: '', user: 'U0ANN' }]);
    expect(await queue()).not.toContain('to check');
    expect(textOfHtml((await press({ does: 'start', again: false })).html)).toContain(
      'There is nothing left to check.',
    );
  });

  test('"Not this week" holds until Monday, "Never" until the person says otherwise, not until an old tab starts', async () => {
    // A Wednesday.
    const clock = { now: Date.UTC(2026, 10, 25, 12) };
    const { press, queue } = await withSample([keyHolder], () => clock.now);
    await press({ does: 'start', again: false });
    expect(textOfHtml((await press({ does: 'week' })).html)).toContain('You’re skipping this week.');
    expect(await queue()).not.toContain('to check');
    clock.now += 5 * dayMs;
    expect(textOfHtml(await queue())).toContain('10 answers to check');
    expect(textOfHtml((await press({ does: 'never' })).html)).toContain('You asked never to be offered');
    const stale = textOfHtml((await press({ does: 'start', again: false })).html);
    expect(stale).toContain('You asked never to be offered answers to check. Ask me again');
    expect(textOfHtml(await queue())).toContain('Ask me again');
    expect((await press({ does: 'start', again: true })).html).toContain('data-offer');
  });

  test('are refused to other sites, to programs, and where nothing is understood', async () => {
    const { jury, port } = await withSample();
    const post = (headers: Record<string, string>, body: object = { does: 'start', again: false }) =>
      call(port, '/ui/reviews', { method: 'POST', body, headers });
    expect((await post({ origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' })).status).toBe(403);
    expect((await post({ cookie: '' })).status).toBe(401);
    expect((await post({}, { does: 'answer', run: '../x', place: 0, right: 'pass' })).status).toBe(400);
    expect((await post({}, { does: 'everything' })).status).toBe(400);
    expect(await labelsOf(jury)).toEqual([]);
  });

  test('show hostile text as text', async () => {
    const hostile = '<script>alert(1)</script><img src=x onerror=alert(1)>"\'`\u202e';
    const folder = await folderWithRun('monday', { response: hostile });
    const jury: RunningService = await runService({ JURY_DATA_DIR: folder });
    await drawFor(jury, [keyHolder]);
    const sent = { method: 'POST', body: { does: 'start', again: false } };
    const { text } = await call(jury.service.port, '/ui/reviews', sent);
    const { html } = Reply.parse(JSON.parse(text));
    expect(html).toContain('&lt;script>alert');
    expect(html).not.toMatch(/<script|<img|\u202e/);
  });

  test('ask one person once, by whichever name: who signed in as a person of a chat is that person', async () => {
    const ann: Person = { surface: 'slack', team: '', user: 'U0ANN' };
    const asSlack = { ...slack, identify: async (): Promise<Person> => ann };
    const env = { JURY_DATA_DIR: await folderWithRun() };
    const { browser, jury } = await setUp(env, Date.now, [asSlack, page]);
    await drawFor(jury, [ann]);
    await browser.follow(`${JURY}/`);
    expect((await browser.visit(`${JURY}/queue`)).text).toContain('10 answers to check');
    const started = Reply.parse(
      JSON.parse((await browser.post('/ui/reviews', { does: 'start', again: false })).text),
    );
    await browser.post('/ui/reviews', { does: 'answer', ...offeredIn(started.html), right: 'unsure' });
    const pseudonym = await jury.parts.pseudonym();
    expect((await labelsOf(jury)).map(({ voter, right }) => [voter, right])).toEqual([
      [pseudonym(ann), 'unsure'],
    ]);
  });

  test('copied from a chat are shown only to who may read the verdict, and not once it is withdrawn', async () => {
    const jury = await runService({ JURY_DATA_DIR: await folderWithRun('monday', inChat) });
    await drawFor(jury, [keyHolder]);
    const store = await jury.parts.store();
    const { port } = jury.service;
    const start = async () => {
      const sent = { method: 'POST', body: { does: 'start', again: false } };
      return Reply.parse(JSON.parse((await call(port, '/ui/reviews', sent)).text)).html;
    };
    // The verdict is no longer kept: who may see its case is not known.
    expect(textOfHtml(await start())).toContain('There is nothing left to check.');
    await store.saveVerdict(aRecord({ id: inChat.id, at: Date.now() }));
    expect(await start()).toContain('data-offer');
    await withdrawVerdict(store, inChat.id, Date.now());
    expect(textOfHtml(await start())).toContain('There is nothing left to check.');
  });

  test("a run's page says how many are drawn and checked, and names nobody", async () => {
    const { press, port } = await withSample();
    const at = async () => textOfHtml((await call(port, '/runs/monday')).text);
    expect(await at()).toContain('12 answers drawn by chance, 0 checked.');
    const { html } = await press({ does: 'start', again: false });
    await press({ does: 'answer', ...offeredIn(html), right: 'pass' });
    const text = await at();
    expect(text).toContain('12 answers drawn by chance, 1 checked.');
    expect(text.indexOf('drawn by chance')).toBeLessThan(text.indexOf('F1 by method and model'));
  });
});
