import { describe, expect, test } from 'vitest';
import {
  type Form,
  type FormField,
  readForm,
  refilled,
  shownErrors,
  shownParts,
  withHidden,
} from '../../src/surfaces/forms/form.ts';

const choices = [
  { id: 'a', title: 'A' },
  { id: 'b', title: 'B' },
];

const fields: FormField[] = [
  { kind: 'text', id: 'name', label: 'Name', required: 'Give a name.', maxLength: 10 },
  { kind: 'long-text', id: 'said', label: 'Said', initial: 'a & b\nc' },
  { kind: 'number', id: 'count', label: 'Count', min: 0, max: 5 },
  { kind: 'date', id: 'day', label: 'Day' },
  { kind: 'time', id: 'hour', label: 'Hour' },
  { kind: 'select', id: 'one', label: 'One', choices, initial: 'a', none: 'None' },
  { kind: 'multi-select', id: 'many', label: 'Many', choices, initial: ['a'] },
];

const form: Form = {
  title: 'A form',
  send: 'Send',
  cancel: 'Cancel',
  parts: [{ kind: 'note', text: 'Read this.' }, ...fields],
};

const full = {
  name: 'Ada',
  said: 'other',
  count: '2.5',
  day: '2024-02-29',
  hour: '23:59',
  one: 'b',
  many: ['a', 'b'],
};

const valuesOf = (filledIn: Parameters<typeof readForm>[1]) => {
  const read = readForm(form, filledIn);
  if ('errors' in read) throw new Error(JSON.stringify(read.errors));
  return read.values;
};

const errorsOf = (change: Parameters<typeof readForm>[1]) => {
  const read = readForm(form, { ...full, ...change });
  return 'errors' in read ? read.errors : {};
};

describe('a form', () => {
  test('becomes values', () => {
    const { text, number, several } = valuesOf(full);
    expect([text('name'), text('said'), text('day'), text('hour'), text('one')]).toEqual([
      'Ada',
      'other',
      '2024-02-29',
      '23:59',
      'b',
    ]);
    expect(number('count')).toBe(2.5);
    expect(several('many')).toEqual(['a', 'b']);
  });

  test('can be left empty but for what is required', () => {
    const empty = { said: null, count: '', day: null, hour: null, one: null, many: [] };
    const { text, number, several } = valuesOf({ ...empty, name: 'Ada' });
    expect([text('said'), text('day'), text('one'), number('count')]).toEqual(Array(4).fill(undefined));
    expect(several('many')).toEqual([]);
    expect(errorsOf({ name: ' ' })).toEqual({ name: 'Give a name.' });
  });

  test.each([
    ['name', 'x'.repeat(11), 'At most 10 characters.'],
    ['count', 'two', 'Give a number.'],
    ['count', '-1', 'Give 0 or more.'],
    ['count', '6', 'Give 5 or less.'],
    ['day', '2024-02-30', 'Give a date such as 2026-03-02.'],
    ['hour', '24:00', 'Give a time such as 20:35.'],
    ['one', 'c', 'Choose from the list.'],
  ])('says at the field %s that %s is wrong', (id, value, error) => {
    expect(errorsOf({ [id]: value })).toEqual({ [id]: error });
  });

  test('takes no choice that it did not offer', () => {
    expect(errorsOf({ many: ['a', 'c'] })).toEqual({ many: 'Choose from the list.' });
  });

  test('knows an unchanged text, escaped and with other line ends', () => {
    const { text, isUntouched } = valuesOf({ ...full, said: ' a &amp; b\r\nc ' });
    expect(isUntouched('said')).toBe(true);
    expect(text('said')).toBe('a & b\nc');
    expect(valuesOf(full).isUntouched('said')).toBe(false);
  });

  test('keeps a text that was not shown, and chooses nothing in a list that was not', () => {
    const { text, several } = valuesOf({ name: 'Ada' });
    expect(text('said')).toBe('a & b\nc');
    expect(text('one')).toBeUndefined();
    expect(several('many')).toEqual([]);
  });

  test('comes back with what was typed and what is wrong with it', () => {
    const again = refilled(form, { ...full, name: null }, { name: 'Give a name.' });
    const at = (id: string) => again.parts.find((part) => 'id' in part && part.id === id);
    expect(at('name')).toMatchObject({ error: 'Give a name.' });
    expect(at('said')).toMatchObject({ initial: 'other' });
    expect(at('many')).toMatchObject({ initial: ['a', 'b'] });
    expect(again.parts[0]).toEqual({ kind: 'note', text: 'Read this.' });
  });

  test('shows advanced fields only when it is opened, and keeps what their lists begin with', () => {
    const hidden: FormField = { kind: 'multi-select', id: 'rare', label: 'Rare', choices, advanced: true };
    const rare = { ...form, parts: [...form.parts, { ...hidden, initial: ['b'] }] };
    const ids = (shown: Form) => shownParts(shown).flatMap((part) => ('id' in part ? [part.id] : []));
    expect(ids(rare)).not.toContain('rare');
    expect(ids({ ...rare, expanded: true })).toContain('rare');
    expect(withHidden(rare, full)).toEqual({ ...full, rare: ['b'] });
    expect(withHidden(rare, { ...full, rare: [] })).toEqual({ ...full, rare: [] });
    expect(ids(refilled(rare, full))).not.toContain('rare');
    expect(ids(refilled(rare, { ...full, rare: [] }))).toContain('rare');
  });

  test('says what is wrong with a field that was not shown at another one', () => {
    expect(shownErrors({ name: 'x', gone: 'y' }, full, 'one')).toEqual({ name: 'x', one: 'y' });
  });
});
