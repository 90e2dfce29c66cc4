import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import type { Form, FormField } from '../../../src/surfaces/forms/index.ts';
import { briefForm, formDialog, optionsOf, readFormData } from '../../../src/surfaces/teams/render/form.ts';
import { closeAfterEach, until } from '../../support/resources.ts';
import { cardProblems } from '../../support/teams-limits.ts';
import { aTeam, GROUP, recent, saying } from '../../support/teams-service.ts';

closeAfterEach();

const many = Array.from({ length: 57 }, (_, n) => ({ id: `openai/model-${n}`, title: `openai/model-${n}` }));

const form: Form = {
  title: 'Ask',
  send: 'Judge',
  cancel: 'Cancel',
  parts: [
    { kind: 'long-text', id: 'paste', label: 'Paste', initial: 'User: hi' },
    {
      kind: 'select',
      id: 'rubric',
      label: 'Rubric',
      none: 'Any',
      initial: 'r1',
      choices: [{ id: 'r1', title: 'One' }],
    },
    {
      kind: 'multi-select',
      id: 'models',
      label: 'Models',
      none: 'The default',
      initial: ['openai/model-3', 'openai/model-5'],
      choices: many,
    },
  ],
};

/** What a dialog sends: the data of its button, and what its inputs hold. */
function sends(card: ReturnType<typeof formDialog>['card'], data: object, filledIn: object = {}): object {
  const inputs = (card.body ?? []).flatMap((element) =>
    'id' in element && 'type' in element && element.type.startsWith('Input.')
      ? [[element.id, 'value' in element ? element.value : '']]
      : [],
  );
  return { ...data, ...Object.fromEntries(inputs), ...filledIn };
}

const isPaste = ({ id }: FormField): boolean => id === 'paste';

describe('a form in Teams', () => {
  test('shows the paste alone; what is behind Options is sent as it was', () => {
    const { form: shown, rest } = briefForm(form, isPaste);
    const { card } = formDialog(shown, rest, optionsOf(shown, rest));
    expect(card.body?.filter(({ type }) => type.startsWith('Input.'))).toHaveLength(1);
    expect(card.actions?.map(({ title }) => title)).toEqual(['Judge', 'Options']);
    expect(readFormData(sends(card, rest))).toEqual({
      paste: 'User: hi',
      rubric: 'r1',
      models: ['openai/model-3', 'openai/model-5'],
    });
  });

  test('shows a field that is wrong', () => {
    const parts = form.parts.map((part) =>
      'id' in part && part.id === 'rubric' ? { ...part, error: 'No' } : part,
    );
    const { form: shown, rest } = briefForm({ ...form, parts }, isPaste);
    const { card } = formDialog(shown, rest);
    expect(card.body?.filter(({ type }) => type.startsWith('Input.'))).toHaveLength(2);
    expect(rest).not.toHaveProperty('rubric');
  });

  test('has searchable pickers for a long list, one more than are chosen, which are read as one list', () => {
    const { card } = formDialog({ ...form, expanded: true }, {});
    expect(cardProblems(card)).toEqual([]);
    const pickers = (card.body ?? []).filter((element) => 'style' in element && element.style === 'filtered');
    expect(pickers).toHaveLength(3);
    expect(JSON.stringify(card)).not.toContain('isMultiSelect');
    const added = sends(card, {}, { 'models[]3': 'openai/model-56' });
    expect(readFormData(added)).toMatchObject({
      models: ['openai/model-3', 'openai/model-5', 'openai/model-56'],
    });
    // The same model twice is one.
    const twice = sends(card, {}, { 'models[]3': 'openai/model-3', 'models[]2': '' });
    expect(readFormData(twice)).toMatchObject({ models: ['openai/model-3'] });
  });
});

describe('Fill in, below a verdict that lacks data', () => {
  const Filled = z.object({
    task: z.object({
      value: z.object({
        card: z.object({
          content: z.object({
            body: z.array(z.looseObject({ type: z.string(), id: z.string().optional() })),
            actions: z.array(z.object({ title: z.string(), data: z.record(z.string(), z.unknown()) })),
          }),
        }),
      }),
    }),
  });

  async function notDecided() {
    const { teams, ann, jury } = await aTeam();
    const { port } = jury.service;
    await ann.deliver(
      port,
      ann.message(GROUP, 'User: Cheap ramen, open now\nSystem: Noodle Cellar.\nCost: low'),
    );
    await saying(teams, /^NOT DECIDED/);
    const [record] = await until(async () => {
      const all = await recent(jury);
      return all.length > 0 && all;
    });
    const dialog = async (how: 'task/fetch' | 'task/submit', data: object) =>
      (await ann.deliver(port, ann.invoke(GROUP, null, how, { data: { do: 'fill-in', ...data } }))).body;
    const { content } = Filled.parse(await dialog('task/fetch', { id: record?.id })).task.value.card;
    const inputs = content.body.flatMap(({ type, id }) => (type.startsWith('Input.') ? [id ?? ''] : []));
    return { teams, jury, content, inputs, dialog };
  }

  test('asks for its data and nothing else; the rest is behind Options', async () => {
    const { content, inputs, dialog } = await notDecided();
    const context = ['date', 'time', 'location'].map((name) => `case_context_${name}`);
    expect(inputs).toEqual([...context, 'case_recommendation']);
    expect(content.actions.map(({ title }) => title)).toEqual(['Judge', 'Options']);
    const data = { ...content.actions[1]?.data, case_context_date: '2026-03-02' };
    const whole = JSON.stringify(await dialog('task/submit', data));
    for (const part of ['"value":"2026-03-02"', 'Noodle Cellar', 'case_recommendation', '"Rubric"'])
      expect(whole).toContain(part);
  });

  test('judges the case with it, and says again what cannot be read, with all that was filled in', async () => {
    const { teams, jury, content, dialog } = await notDecided();
    const data = { ...content.actions[0]?.data, case_context_date: '2026-03-02', case_context_time: '20:35' };
    const wrong = JSON.stringify(
      await dialog('task/submit', { ...data, case_recommendation: 'Cost: low\nRating: many' }),
    );
    expect(wrong).toContain('⚠️');
    expect(wrong).toContain('"value":"2026-03-02"');
    await dialog('task/submit', {
      ...data,
      case_recommendation: 'Cost: low\nOpening hours: Mon-Sun 11:30-20:00',
    });
    await saying(teams, /^FAIL – Time/);
    const [newest] = await recent(jury);
    expect(newest?.evalCase).toMatchObject({ response: 'Noodle Cellar.', context: { time: '20:35' } });
  });
});
