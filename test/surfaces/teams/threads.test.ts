import { describe, expect, test } from 'vitest';
import { closeAfterEach, until } from '../../support/resources.ts';
import {
  aTeam,
  CHANNEL,
  deletionOf,
  editOf,
  FROM_MESSAGE,
  recent,
  type Someone,
  saying,
} from '../../support/teams-service.ts';

closeAfterEach();

const USER = 'User: Find me a sushi place rated at least 4.5';
const SYSTEM = 'System: Sakura is five minutes away.\nRating: 4.3';

let said = 0;

type Team = Awaited<ReturnType<typeof aTeam>>;

const isIdle = async ({ jury }: Team) => {
  const store = await jury.parts.store();
  await until(async () => (await store.pendingSpotChecks()) === 0);
};

/** Someone sends half of a conversation, in a new thread or in one that there is. */
async function sent(team: Team, who: Someone, text: string, thread?: string) {
  said += 1;
  // Whoever writes: no two messages have one id.
  const message = who.message(CHANNEL, text, { id: String(1_700_200_000_000 + said) });
  const id = `${CHANNEL};messageid=${thread ?? message.id}`;
  const sent = { ...message, conversation: { ...message.conversation, id } };
  await who.deliver(team.jury.service.port, sent);
  await isIdle(team);
  return sent;
}

describe('halves of a conversation in Teams', () => {
  test('of two people in one thread are joined, as the first one reads since it was edited', async () => {
    const team = await aTeam();
    const { ann, bob, teams, jury } = team;
    const asked = await sent(team, ann, 'User: Find me a ramen place');
    await ann.deliver(jury.service.port, editOf(asked, `<at>Jury</at> ${USER}`));
    await sent(team, bob, SYSTEM, asked.id);
    await saying(teams, /^FAIL[\s\S]*joined 2 messages of this thread/);
    const [record] = await recent(jury);
    expect(record?.evalCase.conversation).toEqual([
      { role: 'user', text: 'Find me a sushi place rated at least 4.5' },
    ]);
  });

  test('in two threads, or with one that was deleted, are none', async () => {
    const team = await aTeam();
    const { ann, bob, jury, teams } = team;
    const elsewhere = await sent(team, ann, USER);
    const root = await sent(team, ann, 'User: Find me a ramen place');
    await ann.deliver(jury.service.port, deletionOf(root));
    await sent(team, bob, SYSTEM, root.id);
    await saying(teams, /There is no user turn/);
    expect(await recent(jury)).toEqual([]);
    await sent(team, bob, SYSTEM, elsewhere.id);
    await saying(teams, /^FAIL/);
  });

  test('are judged by a mention without a paste; without any, it is said what Teams lets an app read', async () => {
    const team = await aTeam();
    const { ann, bob, teams, jury } = team;
    const root = await sent(team, ann, USER);
    await sent(team, bob, SYSTEM, root.id);
    await until(async () => (await recent(jury)).length === 1);
    await sent(team, bob, 'judge this again', root.id);
    await until(async () => (await recent(jury)).length === 2);
    const other = await sent(team, ann, 'help');
    await sent(team, bob, 'judge this', other.id);
    await saying(teams, /I see only messages that mention me/);
  });

  test('of one side are the request above an answer for which someone chose “Ask the jury”', async () => {
    const team = await aTeam();
    const { ann, jury } = team;
    const root = await sent(team, ann, USER);
    const content = '<div>Sakura is five minutes away.</div>';
    const messagePayload = {
      ...{ id: '1700999999999', replyToId: root.id, body: { contentType: 'html' as const, content } },
      from: { application: { id: 'b1', displayName: 'Car' } },
    };
    const opened = await ann.deliver(
      jury.service.port,
      ann.invoke(CHANNEL, root.id, 'composeExtension/fetchTask', { ...FROM_MESSAGE, messagePayload }),
    );
    const form = JSON.stringify(opened.body);
    expect(form).toContain(`${USER}\\nSystem: Sakura is five minutes away.`);
  });
});

test('turns whose line breaks a client dropped are read, and it is said', async () => {
  const team = await aTeam();
  const { ann, teams, jury } = team;
  await sent(
    team,
    ann,
    'User: Find sushi System: How dear? User: rated at least 4.5 System: Sakura is near.',
  );
  await saying(teams, /turn 2 of 2/);
  const [record] = await recent(jury);
  expect(record?.evalCase.conversation).toHaveLength(3);
  expect(record?.verdict.assumed).toContain('read as 4 turns in one line');
});
