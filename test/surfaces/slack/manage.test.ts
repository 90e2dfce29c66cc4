import { describe, expect, test } from 'vitest';
import { addToSet } from '../../../src/datasets/named-case-sets.ts';
import { PASTE } from '../../support/pastes.ts';
import { closeAfterEach, until } from '../../support/resources.ts';
import { lastView, payloadsOf } from '../../support/slack-requests.ts';
import { startJury, withSlack } from '../../support/slack-service.ts';
import { aRecord } from '../../support/store-builders.ts';

closeAfterEach();

const ISSUES = 'https://example.com/new?title={title}&body={body}';

/** A failed card in a channel, and what Ann does with it. */
async function failed(env: Record<string, string> = {}) {
  const slack = await withSlack();
  const jury = await startJury(slack, 'http', env);
  const store = await jury.parts.store();
  await store.saveChannelSettings(slack.channel, { wish: {}, issueUrl: ISSUES });
  const ts = await slack.say(PASTE);
  const ann = payloadsOf(slack);
  await jury.deliver.event(ann.mention(PASTE, ts));
  const card = await until(async () => {
    const [first] = await slack.written(slack.channel, ts);
    return first?.text.startsWith('FAIL') && first;
  });
  if (typeof card !== 'object') throw new Error('there is no card');
  const [record] = await store.recentVerdicts({ channel: null, limit: 1 });
  const id = record?.id ?? '';
  const opens = async (action: string) => {
    const before = slack.called('views.open').length;
    await jury.deliver.interaction(ann.click(action, id, card.ts));
    await until(() => slack.called('views.open').length > before);
    return JSON.stringify(lastView(slack));
  };
  const send = (form: string, values: Record<string, Record<string, unknown>>) =>
    jury.deliver.interaction(ann.submit(form, JSON.stringify({ verdict: id }), values));
  return { slack, jury, store, ann, card, id, opens, send };
}

const option = (block: string, value: string) => ({
  [block]: { [block]: { type: 'static_select', selected_option: { value } } },
});
const text = (block: string, value: string) => ({
  [block]: { [block]: { type: 'plain_text_input', value } },
});

describe('Manage… in the details of a verdict', () => {
  test('is there for admins alone', async () => {
    expect(await (await failed()).opens('verdict_details')).toContain('Manage…');
    const others = await failed({ JURY_ADMINS: 'U0ADMIN01' });
    expect(await others.opens('verdict_details')).not.toContain('Manage…');
  });

  test('offers its items, a prefilled issue, and names what needs the terminal', async () => {
    const { opens, card, id } = await failed();
    const view = await opens('verdict_manage');
    for (const item of ['Rule on this…', 'Known answer…', 'Add to a set…', 'Start a study', 'Create issue'])
      expect(view).toContain(item);
    expect(view).toContain(`jury labels promote ${id}`);
    expect(view).toContain('https://example.com/new?title=FAIL');
    // A failing card has the issue in its menu, too.
    expect(JSON.stringify(card.blocks)).toContain('https://example.com/new?title=FAIL');
  });

  test('is in German where the conversation is', async () => {
    const { slack, store, opens } = await failed();
    await store.saveChannelSettings(slack.channel, { wish: {}, language: 'de', issueUrl: ISSUES });
    const view = await opens('verdict_manage');
    for (const item of ['Verwalten', 'Verbindlich entscheiden…', 'Bekannte Antwort…', 'Ticket anlegen'])
      expect(view).toContain(item);
    expect(view).not.toContain('Rule on this');
    expect(await opens('manage_rule')).toContain(
      'Die Entscheidung zählt anstelle des Urteils und aller Stimmen.',
    );
  });

  test('rules on it, as the audit log and the conversation say', async () => {
    const { slack, store, opens, send, id } = await failed();
    expect(await opens('manage_rule')).toContain('Rule on this verdict');
    const { body } = await send('rule_form', { ...option('right', 'pass'), ...text('role', 'safety lead') });
    expect(body).toBe('');
    const ruling = await until(() => store.adjudication(id));
    expect(ruling).toMatchObject({ right: { kind: 'decision', decision: 'pass' }, role: 'safety lead' });
    expect(await store.changes(0)).toMatchObject([{ what: 'ruling', about: id }]);
    await until(() =>
      slack.called('chat.postMessage').some(({ args }) => String(args.text).includes('ruled as safety lead')),
    );
  });

  test('makes it a known answer: a hidden copy in the queue, which names no case in the channel', async () => {
    const { slack, store, opens, send, id } = await failed();
    expect(await opens('manage_known_answer')).toContain('without its verdict');
    await send('known_answer_form', option('right', 'fail'));
    const [copy] = await until(async () => {
      const all = await store.recentVerdicts({ channel: slack.channel, limit: 9 });
      return all.filter((one) => one.id !== id).length > 0 && all.filter((one) => one.id !== id);
    });
    expect(copy).toMatchObject({ blind: true, source: { message: null, channel: slack.channel } });
    expect(await store.adjudication(copy?.id ?? '')).toMatchObject({ role: 'dataset' });
    expect(await store.changes(0)).toMatchObject([{ what: 'known answers' }]);
    const said = await until(() =>
      slack.called('chat.postMessage').find(({ args }) => String(args.text).includes('known answer')),
    );
    expect(JSON.stringify(said.args)).not.toContain('sushi');
  });

  test('starts a study from a set, for people who are chosen', async () => {
    const { slack, store, opens, send } = await failed();
    await addToSet(store, 'regressions', aRecord().evalCase, Date.now());
    expect(await opens('manage_study')).toContain('multi_users_select');
    const people = { type: 'multi_users_select', selected_users: [slack.users.ann, slack.users.ben] };
    await send('start_study_form', {
      ...option('study_set', 'regressions'),
      study_people: { study_people: people },
      study_count: { study_count: { type: 'number_input', value: '5' } },
    });
    const [study] = await until(async () => (await store.studies()).length > 0 && store.studies());
    expect(study).toMatchObject({ id: 's1', name: 'regressions', cases: 1 });
    expect(study?.annotators.map(({ person }) => person.user).sort()).toEqual(
      [slack.users.ann, slack.users.ben].sort(),
    );
    expect(await store.changes(0)).toMatchObject([{ what: 'study', about: 's1' }]);
  });

  test('starts one study where Slack is slow and the form is sent again, and after a restart', async () => {
    const { slack, jury, store, ann, id } = await failed();
    await addToSet(store, 'regressions', aRecord().evalCase, Date.now());
    const people = { type: 'multi_users_select', selected_users: [slack.users.ann] };
    const values = {
      ...option('study_set', 'regressions'),
      study_people: { study_people: people },
      study_count: { study_count: { type: 'number_input', value: '5' } },
    };
    const form = ann.submit('start_study_form', JSON.stringify({ verdict: id }), values);
    // Nothing that the app posts is answered for now.
    const letGo = slack.hold('chat.postMessage');
    await jury.deliver.interaction(form);
    await jury.deliver.interaction(form);
    letGo();
    expect(await store.studies()).toHaveLength(1);
    const invited = async () =>
      (await slack.written(slack.im)).filter(({ blocks }) => JSON.stringify(blocks).includes('study_next'));
    await until(async () => (await invited()).length > 0);
    await jury.die();
    const next = await startJury(slack, 'http', { JURY_DATA_DIR: jury.parts.env.settings.JURY_DATA_DIR });
    await next.deliver.interaction(form);
    expect(await (await next.parts.store()).studies()).toHaveLength(1);
    expect(await invited()).toHaveLength(1);
  });

  test('a study from a set shows no case of a conversation that its author is not in', async () => {
    const { slack, store, send, id } = await failed();
    const elsewhere = aRecord({ id: 'a'.repeat(20), channel: 'C0SECRET01', at: Date.now() });
    await store.saveVerdict(elsewhere);
    const { evalCase } = elsewhere;
    const secret = { ...evalCase, id: elsewhere.id, response: 'Only for C0SECRET01.' };
    for (const set of ['mixed', 'secret']) await addToSet(store, set, secret, Date.now());
    await addToSet(store, 'mixed', { ...evalCase, id }, Date.now());
    const people = { type: 'multi_users_select', selected_users: [slack.users.ann] };
    const start = (set: string) =>
      send('start_study_form', {
        ...option('study_set', set),
        study_people: { study_people: people },
        study_count: { study_count: { type: 'number_input', value: '5' } },
      });
    await start('secret');
    expect(await store.studies()).toEqual([]);
    await start('mixed');
    const [study] = await until(async () => (await store.studies()).length > 0 && store.studies());
    expect(study?.cases).toBe(1);
    await until(() =>
      ['chat.postEphemeral', 'chat.postMessage'].some((method) =>
        slack.called(method).some(({ args }) => JSON.stringify(args).includes('Left out: 1 case from')),
      ),
    );
  });

  test('does nothing for people who may not, whatever they send', async () => {
    const { store, send, id } = await failed({ JURY_ADMINS: 'U0ADMIN01' });
    await send('rule_form', { ...option('right', 'pass'), ...text('role', 'me') });
    await send('known_answer_form', option('right', 'pass'));
    expect(await store.adjudication(id)).toBeNull();
    expect(await store.adjudications()).toEqual([]);
    expect(await store.changes(0)).toEqual([]);
  });
});
