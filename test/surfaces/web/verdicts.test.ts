import { expect, test } from 'vitest';
import * as z from 'zod';
import { call, textOfHtml } from '../../support/page-service.ts';
import { PASTE } from '../../support/pastes.ts';
import { closeAfterEach, until } from '../../support/resources.ts';
import { runService } from '../../support/run-service.ts';
import { payloadsOf } from '../../support/slack-requests.ts';
import { startJury, withSlack } from '../../support/slack-service.ts';

closeAfterEach();

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
