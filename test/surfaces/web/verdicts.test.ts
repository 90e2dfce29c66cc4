import { randomUUID } from 'node:crypto';
import { expect, onTestFinished, test } from 'vitest';
import * as z from 'zod';
import { call, textOfHtml } from '../../support/page-service.ts';
import { PASTE } from '../../support/pastes.ts';
import { closeAfterEach, newFolder, until } from '../../support/resources.ts';
import { jury as runJury } from '../../support/run-jury.ts';
import { runService } from '../../support/run-service.ts';
import { serviceModel } from '../../support/service-model.ts';
import { payloadsOf } from '../../support/slack-requests.ts';
import { startJury, withSlack } from '../../support/slack-service.ts';

closeAfterEach();

/** A console with a model; the first judge's mind is changed by the others. */
async function withPanel() {
  const { double, env } = await serviceModel({
    answer: ({ n }) => ({
      fields: {
        decision: n === 1 ? 'pass' : 'fail',
        rationale: n === 1 ? 'Looks <b>fine</b>.' : `Reason ${n}.`,
      },
    }),
  });
  const jury = await runService(env);
  const { port } = jury.service;
  const ask = async (body: object) =>
    WithId.parse(JSON.parse((await call(port, '/api/v1/verdicts', { method: 'POST', body })).text)).id;
  const read = async (path: string) => {
    const { status, text } = await call(port, path);
    return { status, text, said: textOfHtml(text) };
  };
  return { jury, port, ask, read, sent: double.requests };
}

const WithId = z.object({ id: z.string() });

test('a verdict asked in Slack is on the console, and a vote there is on the card in Slack', async () => {
  const slack = await withSlack();
  const jury = await startJury(slack);
  const { port } = jury.service;
  const ts = await slack.say(PASTE);
  await jury.deliver.event(payloadsOf(slack).mention(PASTE, ts));
  const store = await jury.parts.store();
  const [record] = await until(async () => {
    const kept = await store.recentVerdicts({ channel: null, limit: 1 });
    return (await store.pendingSpotChecks()) === 0 && kept.length > 0 && kept;
  });
  const { text } = await call(port, `/verdicts?surface=slack&q=sushi&decision=fail`);
  expect(text).toContain(`/verdicts/${record?.id}`);
  await call(port, `/ui/verdicts/${record?.id}/vote`, { method: 'POST', body: { value: 'agree' } });
  await until(async () => JSON.stringify(await slack.written(slack.channel, ts)).includes('👍 1'));
});

test('a ruling on a case of a chat that was judged again at the console is announced in the chat', async () => {
  const slack = await withSlack();
  const jury = await startJury(slack);
  const { port } = jury.service;
  const ts = await slack.say(PASTE);
  await jury.deliver.event(payloadsOf(slack).mention(PASTE, ts));
  const store = await jury.parts.store();
  const newest = () =>
    until(async () => {
      const [record] = await store.recentVerdicts({ channel: null, limit: 1 });
      return (await store.pendingSpotChecks()) === 0 && record;
    });
  const { id: again } = await newest();
  const request = { key: randomUUID(), text: PASTE, again };
  expect((await call(port, '/ui/requests', { method: 'POST', body: request })).status).toBe(202);
  const { id, source } = await newest();
  expect([id === again, source.surface, source.channel]).toEqual([false, 'page', slack.channel]);
  const body = { right: ['pass'], role: ['safety lead'] };
  const ruled = await call(port, `/ui/verdicts/${id}/rule`, { method: 'POST', body });
  expect(ruled.text).toContain('The ruling stands.');
  await until(async () =>
    JSON.stringify(await slack.written(slack.channel)).includes('ruled as safety lead'),
  );
});

test('verdicts are found by words, decision and what judges and people said; what is hidden by its case alone', async () => {
  const { service, parts } = await runService({});
  const ask = async (body: object) =>
    WithId.parse(JSON.parse((await call(service.port, '/api/v1/verdicts', { method: 'POST', body })).text))
      .id;
  const rows = async (search: string) => {
    const { text } = await call(service.port, `/verdicts?${search}`);
    return [...text.matchAll(/href="\/verdicts\/(\w+)"/g)].map(([, id]) => id);
  };
  const fail = await ask({ paste: PASTE });
  const store = await parts.store();
  await store.saveChannelSettings('page', { wish: {}, blind: true });
  const hidden = await ask({ paste: PASTE.replace('sushi', 'ramen') });
  expect(await rows('')).toEqual([hidden, fail]);
  expect(await rows('q=RAMEN')).toEqual([hidden]);
  expect(await rows('q=rating')).toEqual([fail]);
  expect(await rows('decision=fail')).toEqual([fail]);
  expect(await rows('about=split')).toEqual([]);
  expect(await rows('about=doubted')).toEqual([]);
  await call(service.port, `/ui/verdicts/${fail}/vote`, { method: 'POST', body: { value: 'disagree' } });
  expect(await rows('about=doubted')).toEqual([fail]);
  expect(await rows('since=2099-01-01')).toEqual([]);
  const { text } = await call(service.port, '/verdicts?q=%3Cscript%3E%22');
  expect(textOfHtml(text)).toContain('None found');
  expect(text).not.toContain('<script>"');
});

test('the page of a verdict says how often people agreed with such verdicts, from twenty on; its card does not', async () => {
  const { service, parts } = await runService({});
  const store = await parts.store();
  const asked = await call(service.port, '/api/v1/verdicts', { method: 'POST', body: { paste: PASTE } });
  const record = await store.verdict(WithId.parse(JSON.parse(asked.text)).id);
  if (record === null) throw new Error('a verdict was expected');
  const pageWith = async (n: number) => {
    const id = `such-${n}`;
    await store.saveVerdict({ ...record, id, trust: { agreed: n, n, days: 180 } });
    return (await call(service.port, `/verdicts/${id}`)).text;
  };
  const text = await pageWith(20);
  expect(textOfHtml(text)).toContain(
    'What people say No votes yet Label: open, no votes yet People agreed with 100 % of the 20 such verdicts they voted on; not a random sample. Such verdicts: the same rubric, method, models and decision, in the 180 days before',
  );
  expect(/<article class="card">.*?<\/article>/s.exec(text)?.[0]).not.toContain('such verdicts');
  expect(textOfHtml(await pageWith(19))).not.toContain('such verdicts');
});

test('several cases are listed as they are understood, with what was assumed of each', async () => {
  const { service } = await runService({});
  const text =
    'User: Open the window\nSystem: OK\nDevice: window\n\n---\n\nUser: Tell me a joke\nSystem: No.\n\n---\n\nsomething odd';
  const said = textOfHtml((await call(service.port, '/ui/parse', { method: 'POST', body: { text } })).text);
  expect(said).toContain('2 cases, each judged on its own. Case 1 “Open the window” Case 2 “Tell me a joke”');
  expect(said).toContain('something odd');
});

test('a case that is judged again is in the box as it was pasted, and as JSON where a paste would lose something', async () => {
  const { service } = await runService({});
  const box = async (body: object): Promise<string> => {
    const { text } = await call(service.port, '/api/v1/verdicts', { method: 'POST', body });
    const { id } = WithId.parse(JSON.parse(text));
    const page = await call(service.port, `/?again=${id}`);
    return textOfHtml(/<textarea[^>]*>([^<]*)/.exec(page.text)?.[1] ?? '');
  };
  expect(await box({ paste: PASTE })).toMatch(/^User: .* System: .*/);
  const car = 'User: Open the window\nSystem: Done.\nDevice: window\nOperation: open';
  expect(await box({ paste: car })).toBe(car.replaceAll('\n', ' '));
  const joke = { conversation: [{ role: 'user', text: 'Tell me a joke' }], response: 'No.' };
  expect(await box(joke)).toBe('User: Tell me a joke System: No.');
  expect(await box({ ...joke, id: 'joke-1' })).toContain('"id": "joke-1"');
  expect(await box({ ...joke, response: 'No.\nRating: 3' })).toContain('"response"');
});

test('the page of a verdict has the case, every judge of every round with what it took, and who changed its mind', async () => {
  const { ask, read } = await withPanel();
  const id = await ask({ paste: `${PASTE}\nDuration: 5 min`, method: 'mad' });
  const { text, said } = await read(`/verdicts/${id}`);
  expect(said).toContain('Drive time 5 min');
  expect(said).toContain('Round 1 Round 2 (decisive)');
  expect(said).toMatch(/changed its mind, before: pass/);
  expect(text.match(/class="mind"/g)).toHaveLength(1);
  expect(said).toContain('Looks <b>fine</b>.');
  expect(text).not.toContain('<b>fine</b>');
  expect(said).toContain('200 + 40 tokens');
  expect(said).toMatch(/In all: 6 calls · 600 \+ 120 tokens · \$[\d.]+ · /);
  // It stands around the card, so nothing leads to it.
  expect(text).not.toContain(`href="/verdicts/${id}"`);
});

test('each prompt is shown as it was sent, as text; where its files have changed that is said', async () => {
  const { ask, read, sent, jury } = await withPanel();
  const id = await ask({ paste: PASTE.replace('sushi', '<script>alert(1)</script> sushi'), method: 'mad' });
  const { text } = await read(`/verdicts/${id}`);
  const paths = [...text.matchAll(/href="(\/verdicts\/\w+\/prompts\/\d)"/g)].map(([, path = '']) => path);
  expect(paths).toHaveLength(sent.length);
  const pages = await Promise.all(paths.map(read));
  const plain = (prompt: string) => prompt.replaceAll(/\s+/g, ' ').trim();
  for (const { user, system } of sent) {
    const shown = pages.filter(({ said }) => said.includes(plain(user)) && said.includes(plain(system)));
    expect(shown).toHaveLength(1);
  }
  expect(pages.map(({ text: html }) => html).join('')).not.toContain('<script>alert');
  expect((await read(`/verdicts/${id}/prompts/99`)).status).toBe(404);
  const navigation = jury.parts.library.rubrics.get('navigation');
  if (navigation === undefined) throw new Error('the rubric is gone');
  // Other tests of this process share the library.
  const { task } = navigation;
  onTestFinished(() => {
    navigation.task = task;
  });
  navigation.task = 'Judge this.';
  const [path = ''] = paths;
  const { said } = await read(path);
  expect(said).toContain('files have changed');
  expect(said).not.toContain('sushi');
});

test('the page of a hidden verdict is its case alone, and the whole of it once the visitor has answered', async () => {
  const { ask, read, jury, port } = await withPanel();
  const store = await jury.parts.store();
  await store.saveChannelSettings('page', { wish: {}, blind: true });
  const id = await ask({ paste: `${PASTE}\nDuration: 5 min`, method: 'mad' });
  const hidden = await read(`/verdicts/${id}`);
  expect(hidden.said).toContain('Answer first');
  expect(hidden.said).toContain('Drive time 5 min');
  expect(hidden.said).not.toMatch(/Round 1|Reason|What people say|Settings/);
  const prompt = await read(`/verdicts/${id}/prompts/0`);
  expect([prompt.status, prompt.said]).toEqual([404, expect.not.stringContaining('System message')]);
  const body = { answer: { kind: 'decision', decision: 'fail' } };
  const answer = await call(port, `/ui/verdicts/${id}/vote?whole`, { method: 'POST', body });
  const { html } = z.object({ html: z.string() }).parse(JSON.parse(answer.text));
  expect(textOfHtml(html)).toMatch(/You said: the response is wrong.*Label: .*Round 1 Round 2/);
  expect((await read(`/verdicts/${id}/prompts/0`)).status).toBe(200);
});

test('what the console shows of the requests of a person is erased when they are forgotten', async () => {
  const folder = newFolder();
  const env = { JURY_DATA_DIR: folder };
  const { service, parts } = await runService(env);
  const ask = async (text: string) => {
    const body = { key: randomUUID(), text };
    const { text: reply } = await call(service.port, '/ui/requests', { method: 'POST', body });
    return z.object({ view: z.string() }).parse(JSON.parse(reply)).view;
  };
  const unclear = await ask('User: My name is Eva Muster. Find sushi');
  const judged = await ask(PASTE);
  const page = (view: string) => call(service.port, `/requests/${view}`);
  await until(async () => (await page(unclear)).text.includes('role="alert"'));
  await until(async () => (await page(judged)).text.includes('FAIL'));
  expect((await page(unclear)).text).toContain('Eva Muster');
  const { out } = await runJury(['labels', 'forget', 'page:local'], { env });
  expect(out).toContain('2 console answers');
  expect((await page(unclear)).status).toBe(404);
  const store = await parts.store();
  expect(JSON.stringify(await store.get(`view:${unclear}`, Date.now()))).toBe('null');
});

test('who may rules on a verdict from its page: the ruling is the label, and the audit log has it', async () => {
  const { jury, port, ask, read } = await withPanel();
  const id = await ask({ paste: PASTE, models: ['rules'] });
  const rule = async (body: object) =>
    (await call(port, `/ui/verdicts/${id}/rule?whole`, { method: 'POST', body })).text;
  expect((await read(`/verdicts/${id}`)).said).toContain('Rule on this…');
  expect(textOfHtml(await rule({ right: ['fail'], role: [''] }))).toContain('Name your role.');
  const wrong = await rule({ right: ['pass'], role: ['safety lead'], error_type: ['rating'] });
  expect(wrong).toContain('contradict each other');
  const done = await rule({
    right: ['fail'],
    role: ['safety lead'],
    error_type: ['rating'],
    comment: ['3 < 4'],
  });
  expect(done).toContain('The ruling stands.');
  const { said } = await read(`/verdicts/${id}`);
  expect(said).toContain('Label: fail (rating), ruled by safety lead “3 < 4”');
  expect(said).toContain('Change the ruling…');
  const store = await jury.parts.store();
  expect(await store.changes(0)).toMatchObject([{ what: 'ruling', about: id, before: null }]);
});

test('no one else does: no button, no form, no ruling', async () => {
  const { service, parts } = await runService({ JURY_ADMINS: 'U0ANN' });
  const { text } = await call(service.port, '/api/v1/verdicts', { method: 'POST', body: { paste: PASTE } });
  const { id } = WithId.parse(JSON.parse(text));
  expect((await call(service.port, `/verdicts/${id}`)).text).not.toContain('Rule on this');
  const body = { right: ['pass'], role: ['safety lead'] };
  const path = `/ui/verdicts/${id}/rule`;
  expect((await call(service.port, path)).status).toBe(403);
  expect((await call(service.port, path, { method: 'POST', body })).status).toBe(403);
  expect(await (await parts.store()).adjudications()).toEqual([]);
});
