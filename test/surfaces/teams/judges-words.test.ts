import { expect, test } from 'vitest';
import { PASTE } from '../../support/pastes.ts';
import { closeAfterEach, newFolder, until } from '../../support/resources.ts';
import { serviceModel } from '../../support/service-model.ts';
import { textOfPost } from '../../support/teams-double.ts';
import {
  aPerson,
  aTeam,
  CHANNEL,
  executes,
  FROM_MESSAGE,
  GROUP,
  judged,
  recent,
  saying,
  startTeamsJury,
} from '../../support/teams-service.ts';

closeAfterEach();

const HOSTILE = '<at>everyone</at> **bold** [x](https://evil.test) [9] <img src=x>';

/** A team whose judges are models. */
async function withModels() {
  const long = `The rating is too low. ${'And so on. '.repeat(40)}`;
  const { env } = await serviceModel({
    answer: ({ body }) =>
      body.response_format?.json_schema?.name === 'answer'
        ? { json: { words: ['rated 4.3'], answer: `It is below 4.5. ${HOSTILE}` } }
        : { fields: { decision: 'fail', rationale: long } },
  });
  return aTeam(env);
}

interface Entity {
  additionalType?: string[];
  citation?: { position: number; appearance: { name: string; abstract: string } }[];
}

test('what models have judged and answered is labeled as made by AI; an answer cites what each judge said', async () => {
  const { teams, ann, jury } = await withModels();
  const { port } = jury.service;
  const asked = ann.message(CHANNEL, PASTE);
  await ann.deliver(port, asked);
  const card = await saying(teams, /^FAIL/);
  expect(JSON.stringify(card.activity.entities)).toContain('AIGeneratedContent');
  await until(async () => (await recent(jury)).length === 1);
  const store = await jury.parts.store();
  await until(async () => (await store.pendingSpotChecks()) === 0);
  const question = ann.message(CHANNEL, 'why did the panel fail this?');
  await ann.deliver(port, { ...question, conversation: asked.conversation });
  const answer = await saying(teams, /^The panel answers/);
  const { text = '', attachments = [], entities } = JSON.parse(JSON.stringify(answer.activity));
  // Teams takes no card beside a text.
  expect(attachments).toEqual([]);
  const [entity] = (entities as Entity[]).filter(({ citation }) => citation !== undefined);
  expect(entity?.additionalType).toEqual(['AIGeneratedContent']);
  const cited = entity?.citation ?? [];
  expect(cited.length).toBeGreaterThan(0);
  for (const [index, { position, appearance }] of cited.entries()) {
    expect(position).toBe(index + 1);
    expect(text).toContain(` [${position}]`);
    expect(appearance.name).toMatch(/: fail/);
    expect(appearance.name.length).toBeLessThanOrEqual(80);
    expect(appearance.abstract).toMatch(/^The rating is too low/);
    expect(appearance.abstract.length).toBeLessThanOrEqual(160);
  }
  // What a model writes is words.
  const body = text.split('\n\n')[1] ?? '';
  expect(body).toContain('&lt;at&gt;everyone');
  expect(body).toContain('\\*\\*bold\\*\\*');
  expect(body).toContain('\\[x\\]\\(https');
  expect(body).toContain('\\[9\\]');
  expect(body).not.toMatch(/<|[^\\]\*/);
});

test('exact checks are neither labeled nor cited', async () => {
  const team = await aTeam();
  const { card } = await judged(team, team.ann, GROUP);
  expect(JSON.stringify(card.activity)).not.toMatch(/AIGenerated|citation/);
});

test('where others read it, a card mentions who asked; what a name is made of stays a name', async () => {
  const { teams, jury } = await aTeam();
  const eve = aPerson(teams, 'Eve');
  const said = eve.message(CHANNEL, PASTE);
  await eve.deliver(jury.service.port, { ...said, from: { ...said.from, name: '**Eve**</at> <at>all' } });
  const card = await saying(teams, /^FAIL/);
  const content = JSON.parse(JSON.stringify(card.activity.attachments?.[0]?.content));
  const [mention] = content.msteams.entities;
  expect(content.msteams.entities).toHaveLength(1);
  expect(mention.mentioned.id).toBe(eve.user);
  const line = content.body.find(({ type }: { type: string }) => type === 'TextBlock');
  expect(line.text).toBe(`asked by ${mention.text}`);
  expect(mention.text.slice('<at>'.length, -'</at>'.length)).not.toMatch(/[<>*]/);
});

test.each(['a:Ann', 'a-conversation-of-another-form'])(
  'in their own chat %s no one is mentioned',
  async (personal) => {
    const { teams, ann, jury } = await aTeam();
    const said = ann.message(ann.personal, PASTE);
    await ann.deliver(jury.service.port, { ...said, conversation: { ...said.conversation, id: personal } });
    const card = await saying(teams, /^FAIL/);
    expect(JSON.stringify(card.activity)).not.toContain('"mentioned"');
    // Nor on a card that a form asked for.
    const { port } = jury.service;
    const inside = { conversation: { ...said.conversation, id: personal } };
    const open = ann.invoke(ann.personal, null, 'composeExtension/fetchTask', {
      ...FROM_MESSAGE,
      messagePayload: { id: said.id, body: { content: PASTE } },
    });
    const { content } = (await ann.deliver(port, { ...open, ...inside })).body.task.value.card;
    const inputs = content.body.filter(({ type }: { type: string }) => type.startsWith('Input.'));
    const answers = inputs.map(({ id, value }: { id: string; value: unknown }) => [id, value ?? '']);
    const data = { ...content.actions[0].data, ...Object.fromEntries(answers) };
    const sent = ann.invoke(ann.personal, null, 'composeExtension/submitAction', { ...FROM_MESSAGE, data });
    expect((await ann.deliver(port, { ...sent, ...inside })).body.task.value.title).toBe('Asked');
    const other = await until(async () =>
      teams.posts.find((post) => post !== card && /^FAIL/.test(textOfPost(post))),
    );
    expect(JSON.stringify(other.activity)).not.toContain('"mentioned"');
  },
);

test('after a restart a card still mentions who asked, as the conversation names them', async () => {
  const folder = { JURY_DATA_DIR: newFolder() };
  const team = await aTeam(folder);
  const { teams, ann, bob } = team;
  const { record, card } = await judged(team, ann, GROUP);
  await team.jury.close();
  teams.members.set(GROUP, new Set([ann.user]));
  const again = await startTeamsJury(teams, folder);
  const press = bob.invoke(GROUP, null, 'adaptiveCard/action', executes(record.id, 'agree'));
  await bob.deliver(again.service.port, press);
  await until(async () => /👍 1/.test(textOfPost(card)));
  const content = JSON.parse(JSON.stringify(card.activity.attachments?.[0]?.content));
  expect(content.msteams.entities[0].mentioned).toEqual({
    id: ann.user,
    name: `Member ${ann.user.slice(-4)}`,
  });
});
