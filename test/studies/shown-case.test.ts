import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { shownCase } from '../../src/studies/annotation.ts';
import { aCase, withDeclared } from '../support/builders.ts';

describe('what an annotator sees of a case', () => {
  test('is what the user brings and what the system answers, as people read it', () => {
    const evalCase = aCase({
      context: {
        date: '2024-03-04',
        time: '19:50',
        location: { latitude: 52.5, longitude: 13.4, description: 'Berlin' },
      },
      history: [{ role: 'system', text: 'Hello' }],
      recommendation: {
        name: 'Sakura',
        menu: ['Tempura', 'Sushi'],
        openingHours: { monday: '12:00-22:00', sunday: 'closed' },
        distanceKm: 19.464,
        durationMin: 59,
      },
      documents: [{ id: 'm1', text: 'Tires' }],
      latencyMs: 1800,
    });
    const text = (parts: { title: string; text: string }[]) => parts.map((one) => `${one.title}=${one.text}`);
    const { user, system } = shownCase(evalCase);
    // 4 March 2024 was a Monday.
    expect(text(user)).toEqual([
      'Date=Mon 2024-03-04',
      'Time=19:50',
      'Location=Berlin (52.5, 13.4)',
      'System, before=Hello',
      'User=Find me a sushi place rated at least 4.',
    ]);
    expect(text(system)).toEqual([
      'Response=Sakura is 5 minutes away.',
      'Name=Sakura',
      'Menu=Tempura, Sushi',
      'Opening hours=Monday: 12:00-22:00\nSunday: closed',
      'Distance (km)=19.464',
      'Duration (min)=59',
      'Documents=Id: m1\nText: Tires',
      'Latency (ms)=1800',
    ]);
  });

  test('holds declared fields, those of objects one by one', () => {
    const shown = shownCase(
      withDeclared(aCase({ recommendation: { name: 'Ionity' } }), {
        action: { device: ['window'], value: 50, alsoChanged: [], done: true },
      }),
    );
    expect(shown.system).toContainEqual({
      title: 'Action',
      text: 'Device: window\nValue: 50\nAlso changed: none\nDone: yes',
    });
  });

  test('never holds the label, the id or the rubric', () => {
    const word = fc.stringMatching(/^[a-z]{6,12}$/).map((text) => `secret-${text}`);
    fc.assert(
      fc.property(word, word, word, (id, rubric, errorType) => {
        const shown = shownCase(aCase({ id, rubric, label: { decision: 'fail', errorType, score: 98_765 } }));
        const all = JSON.stringify(shown);
        expect(all).not.toMatch(/secret-|98765|label/);
      }),
    );
  });
});
