import { describe, expect, it } from 'vitest';
import { readOpeningHours } from '../../../src/case/paste/hours.ts';
import { contractFormat as format } from '../../support/format.ts';

const read = (value: unknown) => {
  const notes: string[] = [];
  return { hours: readOpeningHours(value, { format, note: (note) => notes.push(note) }), notes };
};

describe('hours of a span of days', () => {
  it('say that the place is closed on the others, and that is noted', () => {
    const { hours, notes } = read('Tue-Sun 12:00-22:00');
    expect(hours).toMatchObject({ tuesday: '12:00-22:00', sunday: '12:00-22:00', monday: 'closed' });
    expect(notes).toEqual(['opening hours "Tue-Sun 12:00-22:00" do not name monday: read as closed']);
    expect(read('Mo–Fr 8–18 Uhr').hours).toMatchObject({ saturday: 'closed', sunday: 'closed' });
  });

  it.each(['Tuesday 12:00-22:00', 'Mo-Fr 12-22, Sa ab 18 Uhr', 'Mon-Wed 12:00-22:00'])(
    '%s says no such thing',
    (text) => {
      expect(Object.values(read(text).hours ?? {})).not.toContain('closed');
    },
  );
});
