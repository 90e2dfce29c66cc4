import { describe, expect, test } from 'vitest';
import { noSettings } from '../../../../src/labels/access/channel-settings.ts';
import type { Form } from '../../../../src/surfaces/forms/form.ts';
import { readSettingsForm, settingsForm } from '../../../../src/surfaces/forms/judging-fields.ts';
import { forms, formView, readAbout, readFormState } from '../../../../src/surfaces/slack/render/form.ts';
import { homeView, queueMessage } from '../../../../src/surfaces/slack/render/lists.ts';
import type { ListedVerdict } from '../../../../src/surfaces/views/lists.ts';
import { everythingWith } from '../../../support/everything-shown.ts';
import { filledForm } from '../../../support/fill-form.ts';
import { messageProblems, textsIn, viewProblems } from '../../../support/slack-limits.ts';

const listed = (index: number): Extract<ListedVerdict, { kind: 'open' }> => ({
  kind: 'open',
  id: `v${index}`,
  title: `case ${index}`,
  response: `Sakura ${index} is near.`,
  reason: null,
  decision: 'fail',
  why: 'closed at that hour',
  at: Date.UTC(2026, 0, 1, 12),
  permalink: `https://jury.slack.com/p${index}`,
  votes: 'No votes yet',
  names: null,
});
const many = (count: number) => Array.from({ length: count }, (_, index) => listed(index));
const waiting = (count: number) =>
  many(count).map((one) => ({ ...one, id: `w${one.id}`, reason: 'judges split 2–1' }));
const empty = {
  recent: [],
  needVotes: [],
  lookedAt: { most: 200, isCut: false },
  agreement: { agreed: 0, n: 0 },
  own: { right: 0, of: 0 },
  settings: { wish: {} },
  language: 'en' as const,
};
const titles = { rubrics: new Map(), methods: new Map(), personas: new Map() };
const all = (view: unknown): string => textsIn(view).join('');

test('the longest queue of long cases, hidden or not, is one message', () => {
  const { queue, record, open } = everythingWith('long '.repeat(1_000));
  const standard = { title: 'Venue recommendation', criteria: ['Time', 'Location', 'Cost'], levels: {} };
  const hidden = { ...open, kind: 'hidden' as const, record, standard };
  for (const item of [open, hidden]) {
    const items = Array.from({ length: 20 }, () => item);
    expect(messageProblems(queueMessage({ ...queue, items, asked: 20, waiting: 20 }))).toEqual([]);
  }
});

test('a case in the queue takes a line for each of its texts, whatever they hold', () => {
  const { queue, record, open } = everythingWith('Near.\nIs the response right? Rubric: mine.\nSystem: yes');
  const standard = { title: 'Venue recommendation', criteria: ['Time'], levels: {} };
  const items = [{ ...open, kind: 'hidden' as const, record, standard }];
  const block = queueMessage({ ...queue, items }).blocks.find(({ type }) => type === 'rich_text');
  expect(all(block).split('\n')).toEqual([
    'User: Near. Is the response right? Rubric: mine. System: yes',
    'System: Near. Is the response right? Rubric: mine. System: yes',
    expect.stringMatching(/^(?:Which|Is) .* Rubric: Venue recommendation/),
  ]);
});

describe('App Home', () => {
  test('is taken by Slack, empty or full', () => {
    const long = many(200).map((verdict) => ({ ...verdict, title: 'x '.repeat(300), why: 'y '.repeat(900) }));
    expect(viewProblems(homeView(empty, titles))).toEqual([]);
    const queue = waiting(200).map((item) => ({
      ...item,
      title: 'x '.repeat(300),
      reason: 'y '.repeat(100),
    }));
    expect(viewProblems(homeView({ ...empty, recent: long, needVotes: queue }, titles))).toEqual([]);
  });

  test('has ten rows of each list, with the response, a link and one button, and counts the rest', () => {
    const view = homeView({ ...empty, recent: many(18), needVotes: waiting(11) }, titles);
    expect(all(view)).toContain('needs your vote: judges split 2–1');
    expect(all(view)).toContain(' → Sakura 3 is near.');
    const shown = JSON.stringify(view);
    expect(shown.match(/"action_id":"verdict_details"/g)).toHaveLength(20);
    expect(shown).not.toContain('vote_');
    expect(shown).toContain('"value":"wv9"');
    expect(shown).toContain('"url":"https://jury.slack.com/p9"');
    expect(all(view)).toContain('and 1 more that need votes');
    expect(all(view)).toContain('and 8 more verdicts');
  });

  test('lists a verdict once', () => {
    const view = homeView({ ...empty, recent: many(3), needVotes: many(1) }, titles);
    expect(JSON.stringify(view).match(/"value":"v0"/g)).toHaveLength(1);
  });

  test('tells a share of agreement only from enough settled verdicts on', () => {
    const told = (agreed: number, n: number) => all(homeView({ ...empty, agreement: { agreed, n } }, titles));
    expect(told(19, 19)).toContain(
      'Settled verdicts (three votes or more, more than half of them on one side): 19. From 20 on',
    );
    expect(told(1, 1)).toContain(
      'Settled verdicts (three votes or more, more than half of them on one side): 1. From 20 on',
    );
    expect(told(19, 19)).not.toContain('%');
    // statsmodels 0.13.5, proportion_confint(17, 24, method='wilson'): 0.5083, 0.8509.
    expect(told(17, 24)).toContain(
      'People agreed with 71 % (51–85, n = 24) of the settled verdicts (three votes or more, more than half of them on one side)',
    );
  });

  test('tells viewers how many known answers they had right, from five on', () => {
    const told = (right: number, of: number) => all(homeView({ ...empty, own: { right, of } }, titles));
    expect(told(4, 4)).not.toContain('known answer');
    expect(told(4, 5)).toContain('you got 4 of 5 right');
  });

  test('opens the settings of a conversation', () => {
    expect(JSON.stringify(homeView(empty, titles))).toContain('"action_id":"open_settings"');
  });
});

describe('the settings of a conversation', () => {
  const titled = (...ids: string[]) => new Map(ids.map((id) => [id, { id, title: id.toUpperCase() }]));
  const choices = {
    rubrics: titled('navigation', 'polite'),
    methods: titled('mab', 'mad'),
    personas: titled('auditor', 'editor'),
    models: ['rules', 'openai/gpt-4o-mini'],
  };

  const viewOf = (form: Form) => formView(forms.settings, { channel: 'C1' }, form);
  const readBack = (form: Form, answers = {}) =>
    readSettingsForm(form, readFormState(filledForm(viewOf(form), answers)), noSettings);

  test('come back as they were when nothing is changed', () => {
    const settings = {
      wish: { rubric: 'polite', method: 'mad', models: ['rules'], panel: ['auditor', 'editor'] },
    };
    const form = settingsForm(settings, choices);
    for (const more of [{ blind: true }, { goldEvery: 5 }, { blind: true, goldEvery: 7 }]) {
      const full = settingsForm({ ...settings, ...more }, choices);
      expect(viewProblems(viewOf(full))).toEqual([]);
      expect(readBack(full)).toEqual({ settings: { ...settings, ...more }, vanished: [] });
    }
    expect(viewProblems(viewOf(form))).toEqual([]);
    expect(readAbout(forms.settings, { private_metadata: viewOf(form).private_metadata ?? '' })).toEqual({
      channel: 'C1',
    });
    expect(readBack(form)).toEqual({ settings, vanished: [] });
  });

  test('can be set and taken back', () => {
    const form = { ...settingsForm({ wish: { rubric: 'polite' } }, choices), expanded: true };
    const answers = { wish_rubric: '*', wish_method: 'mad', wish_models: ['openai/gpt-4o-mini'] };
    expect(readBack(form, answers)).toEqual({
      settings: { wish: { method: 'mad', models: ['openai/gpt-4o-mini'] } },
      vanished: [],
    });
  });

  test('keep a model that is set though it is not on offer now', () => {
    const settings = { wish: { models: ['ollama/llama3.1'] } };
    expect(readBack(settingsForm(settings, choices))).toEqual({ settings, vanished: [] });
  });

  test('offer more things than one menu of Slack holds', () => {
    const ids = Array.from({ length: 250 }, (_, index) => `rubric-${index}`);
    const form = settingsForm({ wish: { rubric: 'rubric-249' } }, { ...choices, rubrics: titled(...ids) });
    expect(viewProblems(viewOf(form))).toEqual([]);
    expect(JSON.stringify(viewOf(form))).toContain('"option_groups"');
    expect(readBack(form)).toEqual({ settings: { wish: { rubric: 'rubric-249' } }, vanished: [] });
  });
});
