import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { shownCase as sectionsOf } from '../../src/studies/annotation.ts';
import { aCase, withDeclared } from '../support/builders.ts';

/** The user's part and the system's part of a case with one answer. */
function shownCase(evalCase: Parameters<typeof sectionsOf>[0]) {
  const [user, system, ...others] = sectionsOf(evalCase);
  expect([user?.title, system?.title, others]).toEqual(['User', 'System', []]);
  return { user: user?.parts ?? [], system: system?.parts ?? [] };
}

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
      'Distance=19.464 km',
      'Drive time=59 min',
      'Documents=Id: m1\nText: Tires',
      'Latency=1800 ms',
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

  test('is both answers of a pair, under names that do not say which is newer', () => {
    const sections = sectionsOf(
      aCase({
        recommendation: { name: 'Sakura' },
        documents: [{ text: 'Tires' }],
        alternative: { response: 'Noodle Cellar is near.', recommendation: { name: 'Noodle Cellar' } },
        answerNames: ['Old', 'New'],
      }),
    );
    expect(sections.map(({ title, parts }) => [title, parts.map((one) => one.text)])).toEqual([
      ['User', ['Mon 2024-03-04', '19:50', 'Find me a sushi place rated at least 4.', 'Text: Tires']],
      ['Answer A', ['Sakura is 5 minutes away.', 'Sakura']],
      ['Answer B', ['Noodle Cellar is near.', 'Noodle Cellar']],
    ]);
    expect(JSON.stringify(sections)).not.toMatch(/Old|New/);
  });

  test('ends with what the user says after the response', () => {
    expect(shownCase(aCase({ closing: 'Thanks!' })).system.at(-1)).toEqual({
      title: 'User, after the response',
      text: 'Thanks!',
    });
  });

  test('never holds tags', () => {
    const all = JSON.stringify(sectionsOf(aCase({ tags: { system: 'BARCOR', group: 'u7' } })));
    expect(all).not.toMatch(/BARCOR|u7|ags/);
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
