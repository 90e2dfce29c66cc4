import { once } from 'node:events';
import { createServer } from 'node:http';
import { describe, expect, test } from 'vitest';
import { closeAfterEach, closing, until } from '../../support/resources.ts';
import { textOfPost } from '../../support/teams-double.ts';
import {
  aPerson,
  CHANNEL,
  QUICK,
  recent,
  saying,
  startTeamsJury,
  withTeams,
} from '../../support/teams-service.ts';

closeAfterEach();

const GROUP_ID = '33333333-3333-4333-8333-333333333333';
const TEAM = { id: '19:general@thread.tacv2', aadGroupId: GROUP_ID };

interface GraphMessage {
  id: string;
  html: string;
  app?: string;
}

/** Microsoft Graph, as far as it gives messages of a thread. @param status of all answers, if it refuses */
async function aGraph(messages: readonly GraphMessage[], status = 200) {
  const asked: string[] = [];
  let given = status;
  const whole = ({ id, html, app }: GraphMessage) => ({
    id,
    messageType: 'message',
    createdDateTime: '2026-11-24T10:00:00Z',
    deletedDateTime: null,
    from:
      app === undefined ? { user: { id: `user-${id}` }, application: null } : { application: { id: app } },
    body: { contentType: 'html', content: html },
    attachments: [],
    mentions: [],
  });
  const server = createServer((request, response) => {
    asked.push(decodeURIComponent(request.url ?? ''));
    const [root, ...replies] = messages.map(whole);
    const isReplies = request.url?.includes('/replies') === true;
    response.writeHead(given, { 'content-type': 'application/json' });
    response.end(JSON.stringify(isReplies ? { value: replies.reverse() } : root));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  closing(async () => void server.close());
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('no address');
  const answer = (next: number) => {
    given = next;
  };
  return { url: `http://127.0.0.1:${address.port}`, asked, answer };
}

/** Someone mentions Jury in a thread of a channel, in which others have written before. */
async function mentionBelow(messages: readonly GraphMessage[], status?: number) {
  const teams = await withTeams(QUICK);
  const graph = await aGraph(messages, status);
  const ann = aPerson(teams);
  const jury = await startTeamsJury(teams, {}, undefined, { graphUrl: graph.url });
  const thread = messages[0]?.id ?? '';
  const mention = async (text = 'judge this', { team, channel } = { team: TEAM, channel: CHANNEL }) => {
    const asked = ann.message(channel, text);
    await ann.deliver(jury.service.port, {
      ...asked,
      conversation: { ...asked.conversation, id: `${channel};messageid=${thread}` },
      channelData: { ...asked.channelData, team },
    });
  };
  return { teams, graph, ann, jury, thread, mention };
}

const PASTED: readonly GraphMessage[] = [
  { id: '1700000000001', html: '<p>User: Find me a sushi place rated at least 4.5</p>' },
  { id: '1700000000002', html: '<div>System: Sakura is &quot;five&quot; minutes away.<br>Rating: 4.3</div>' },
  { id: '1700000000003', html: '<p>User: not mine</p>', app: 'jury-playground' },
  { id: '9900000000000', html: '<p>System: said later</p>' },
];

describe('messages above a mention', () => {
  test('are read where the app may, and judged; none of them is kept', async () => {
    const { teams, graph, jury, thread, mention } = await mentionBelow(PASTED);
    await mention();
    const card = await saying(teams, /^FAIL/);
    expect(textOfPost(card)).toContain('joined 2 messages of this thread');
    expect(graph.asked[0]).toBe(`/v1.0/teams/${GROUP_ID}/channels/${CHANNEL}/messages/${thread}`);
    const [record] = await recent(jury);
    expect(record?.evalCase).toMatchObject({
      response: 'Sakura is "five" minutes away.',
      recommendation: { rating: 4.3 },
    });
  });

  test.each([401, 403])(
    'are not, where it may not (%i): who asks reads how to go on, and Graph is left alone',
    async (status) => {
      const { teams, graph, jury, mention } = await mentionBelow(PASTED, status);
      await mention();
      await saying(teams, /I see only messages that mention me/);
      await mention('judge that');
      const store = await jury.parts.store();
      await until(async () => teams.posts.length === 2 && (await store.pendingSpotChecks()) === 0);
      expect(graph.asked).toHaveLength(1);
      expect(await recent(jury)).toEqual([]);
      const warnings = jury.logged.filter((line) => line.includes('Microsoft Graph gives no messages'));
      expect(warnings.map((line) => JSON.parse(line))).toEqual([
        expect.objectContaining({ level: 40, status, where: `teams/${GROUP_ID}` }),
      ]);
    },
  );

  test.each([404, 429, 503])(
    'are asked for again after an answer that says nothing of the others (%i)',
    async (status) => {
      const { teams, graph, jury, mention } = await mentionBelow(PASTED, status);
      await mention();
      await saying(teams, /I see only messages that mention me/);
      graph.answer(200);
      await mention('judge that');
      await saying(teams, /^FAIL/);
      expect(jury.logged.filter((line) => line.includes('Microsoft Graph'))).toEqual([]);
    },
  );

  test('are read in other teams while one does not let the app', async () => {
    const { teams, graph, mention } = await mentionBelow(PASTED, 403);
    await mention();
    await saying(teams, /I see only messages that mention me/);
    graph.answer(200);
    const elsewhere = { id: '19:other@thread.tacv2', aadGroupId: '44444444-4444-4444-8444-444444444444' };
    await mention('judge that', { team: elsewhere, channel: '19:elsewhere@thread.tacv2' });
    await saying(teams, /^FAIL/);
  });
});
