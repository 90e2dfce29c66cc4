import { expect, test } from 'vitest';
import { startModelDouble } from '../../support/model-double.ts';
import { PASTE } from '../../support/pastes.ts';
import { closeAfterEach, closing, until } from '../../support/resources.ts';
import type { TeamsDouble } from '../../support/teams-double.ts';
import { aPerson, aTeam, CHANNEL, GROUP, judged, saying } from '../../support/teams-service.ts';

closeAfterEach();

/** A team whose judges are models that say something. */
async function withModel(rationale: string) {
  const double = await startModelDouble({ answer: () => ({ fields: { decision: 'pass', rationale } }) });
  closing(() => double.close());
  return aTeam({
    JURY_MODEL: 'openai/gpt-4o-mini',
    OPENAI_API_KEY: 'sk-test',
    OPENAI_BASE_URL: double.baseUrl,
  });
}

interface Shown {
  text?: string;
  entities?: {
    additionalType?: string[];
    citation?: { position: number; appearance: { name: string; abstract: string } }[];
  }[];
}

const shownIn = (teams: TeamsDouble): Shown => JSON.parse(JSON.stringify(teams.posts[0]?.activity));

test('a verdict of models is labeled as made by AI, and cites what each judge said', async () => {
  const rationale = `The rating is too low. **<at>everyone</at>** ${'and so on '.repeat(40)}`;
  const { teams, ann, jury } = await withModel(rationale);
  await ann.deliver(jury.service.port, ann.message(GROUP, PASTE));
  await saying(teams, /^PASS/);
  const { text = '', entities = [] } = shownIn(teams);
  const [entity] = entities.filter(({ citation }) => citation !== undefined);
  expect(entity?.additionalType).toContain('AIGeneratedContent');
  const cited = entity?.citation ?? [];
  expect(cited.map(({ position }) => position)).toEqual(cited.map((_, index) => index + 1));
  for (const { position, appearance } of cited) {
    expect(text).toContain(`[${position}]`);
    expect(appearance.name.length).toBeLessThanOrEqual(80);
    expect(appearance.abstract.length).toBeLessThanOrEqual(160);
    expect(appearance.abstract).toMatch(/^The rating is too low/);
  }
  // The words of the judges stand in no text that is read as Markdown.
  expect(text).toMatch(/^Judges: [^*<>]+$/);
});

test('exact checks are neither labeled nor cited', async () => {
  const team = await aTeam();
  await judged(team, team.ann, GROUP);
  const { text, entities = [] } = shownIn(team.teams);
  expect(text ?? '').toBe('');
  expect(JSON.stringify(entities)).not.toMatch(/AIGenerated|citation/);
});

test('where others read it, a card mentions who asked; what a name is made of stays a name', async () => {
  const { teams, jury } = await aTeam();
  const evil = aPerson(teams, 'Eve');
  const said = evil.message(CHANNEL, PASTE);
  await evil.deliver(jury.service.port, { ...said, from: { ...said.from, name: '**Eve**</at> <at>all' } });
  const card = await saying(teams, /^FAIL/);
  const content = JSON.parse(JSON.stringify(card.activity.attachments?.[0]?.content));
  const [mention] = content.msteams.entities;
  expect(content.msteams.entities).toHaveLength(1);
  expect(mention.mentioned.id).toBe(evil.user);
  const line = content.body.find(({ type }: { type: string }) => type === 'TextBlock');
  expect(line.text).toBe(`asked by ${mention.text}`);
  expect(mention.text.slice('<at>'.length, -'</at>'.length)).not.toMatch(/[<>*]/);
  await until(async () => JSON.stringify(content).split('Eve').length > 2);
});

test('in their own chat no one is mentioned', async () => {
  const team = await aTeam();
  const { card } = await judged(team, team.ann, team.ann.personal);
  expect(JSON.stringify(card.activity)).not.toContain('"mentioned"');
});
