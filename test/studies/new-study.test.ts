import { describe, expect, test } from 'vitest';
import type { Person } from '../../src/labels/access/permissions.ts';
import { questionsOf } from '../../src/studies/questions.ts';
import { newStudy, rubricsOfCases, type StudyRequest } from '../../src/studies/study.ts';
import { aRubric } from '../support/builders.ts';
import { saturday } from '../support/store-builders.ts';
import { labeled } from '../support/study-builders.ts';

const person = (user: string, surface = 'slack'): Person => ({ surface, team: '', user });
const pseudonym = ({ surface, user }: Person) => `${surface}-${user.length}-${user.charAt(0)}`;

const make = (parts: Partial<StudyRequest> = {}) =>
  newStudy(
    {
      id: 's1',
      name: ' Sample ',
      at: saturday,
      seed: 1,
      cases: [labeled('a', 'pass'), labeled('b', 'weather'), labeled('c', 'first')],
      count: 20,
      ask: ['correct'],
      people: [person('U1'), person('ann', 'name')],
      rubrics: [aRubric({ errorTypes: [{ id: 'tone', title: 'Tone', meaning: 'It is rude.' }] })],
      ...parts,
    },
    pseudonym,
  );

describe('a new study', () => {
  test('offers the errors of the rubric, then what labels name beside them, then another', () => {
    expect(make().errorTypes).toEqual([
      { id: 'first', title: 'First' },
      { id: 'second', title: 'Second' },
      { id: 'tone', title: 'Tone' },
      { id: 'weather', title: 'weather' },
      { id: 'other', title: 'Other' },
    ]);
  });

  test('keeps the wording that annotators go by, and who they are beside their pseudonym', () => {
    expect(make()).toMatchObject({
      name: 'Sample',
      standard: { rubric: 'plain', task: 'Decide whether the answer fits.' },
      annotators: [
        { id: 'slack-2-U', place: 0, person: person('U1') },
        { id: 'name-3-a', place: 1, person: person('ann', 'name') },
      ],
      closed: false,
    });
  });

  test.each([
    ['no one', { people: [] }, 'needs at least one annotator'],
    ['one person twice', { people: [person('U1'), person('U1')] }, 'U1 is listed twice'],
    ['too many', { people: Array.from({ length: 201 }, (_, n) => person('x'.repeat(n + 1))) }, 'at most 200'],
    ['no name', { name: ' ' }, '1 to 100 characters'],
  ])('of %s is refused', (_, parts, told) => {
    expect(() => make(parts)).toThrow(told);
  });
});

describe('a study of cases for which a rubric has different criteria', () => {
  const rubric = aRubric({
    criteria: [
      { id: 'answer', title: 'Answer', rule: 'It fits.' },
      { id: 'calls', title: 'Calls', rule: 'They are right.', onlyWith: ['toolCalls'] },
      { id: 'honest', title: 'Honest', rule: 'It claims no more.', notWith: ['toolCalls'] },
    ],
  });
  const called = { rubric: 'plain', toolCalls: [{ name: 'play' }] };
  const both = [labeled('a', 'pass', called), labeled('b', 'pass', { rubric: 'plain' })];
  const library = new Map([[rubric.id, rubric]]);

  test.each([
    ['their own', both, undefined],
    ['their own, in the other order', both.toReversed(), undefined],
    ['the one that is named', both, 'plain'],
  ])('keeps all of them by %s, and asks of each case what it has', (_, cases, wish) => {
    const study = make({ ...rubricsOfCases(library, cases, wish), ask: ['criteria'] });
    expect(study.standard.criteria.map(({ title }) => title)).toEqual(['Answer', 'Calls', 'Honest']);
    expect(study.questions?.map(({ id }) => id)).toEqual(['answer', 'calls', 'honest']);
    const asked = study.cases.map(({ id }, index) => [id, ...questionsOf(study, index).map((one) => one.id)]);
    expect(asked.sort()).toEqual([
      ['a', 'criteria.answer', 'criteria.calls'],
      ['b', 'criteria.answer', 'criteria.honest'],
    ]);
  });
});
