import { describe, expect, test } from 'vitest';
import type { Form } from '../../../src/surfaces/forms/index.ts';
import { briefForm, formDialog, optionsOf, readFormData } from '../../../src/surfaces/teams/render/form.ts';
import { cardProblems } from '../../support/teams-limits.ts';

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

describe('a form in Teams', () => {
  test('shows the paste alone; what is behind Options is sent as it was', () => {
    const { form: shown, rest } = briefForm(form, 'paste');
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
    const { form: shown, rest } = briefForm({ ...form, parts }, 'paste');
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
