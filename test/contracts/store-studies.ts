import { expect, test } from 'vitest';
import type { Annotation } from '../../src/studies/annotation.ts';
import { aBallot, aRecord, saturday } from '../support/store-builders.ts';
import { anAnnotation, annotators, aStudy, says } from '../support/study-builders.ts';
import type { StoresOfTest } from './store.ts';

export function studiesContract({ current, another }: StoresOfTest): void {
  const annotate = async (annotation: Annotation) => (await current().annotate([annotation]))[0];

  test('comes back as it was given, and one of the same id changes nothing', async () => {
    const study = aStudy({ name: 'it’s "all" | of\n2', annotators: annotators(12) });
    expect(await current().addStudy(study)).toBe('added');
    expect(await current().addStudy({ ...study, name: 'other' })).toBe('known');
    const other = await another();
    expect(await other.study('s1')).toEqual(study);
    expect(await other.study('s2')).toBeNull();
  });

  test('is listed without its cases, oldest first', async () => {
    await current().addStudy(aStudy({ id: 's2', closed: true }));
    await current().addStudy(aStudy({ id: 's1', at: saturday + 1 }));
    const { name, annotators: people } = aStudy();
    const entry = { name, cases: 2, annotators: people };
    expect(await current().studies()).toEqual([
      { ...entry, id: 's2', at: saturday, closed: true },
      { ...entry, id: 's1', at: saturday + 1, closed: false },
    ]);
  });

  test('made by ten at once under one id is made once', async () => {
    const stores = [current(), await another()];
    const made = await Promise.all(
      Array.from({ length: 10 }, (_, n) => stores[n % 2]?.addStudy(aStudy({ name: `by ${n}` }))),
    );
    expect(made.filter((one) => one === 'added')).toHaveLength(1);
    expect((await current().study('s1'))?.name).toBe(`by ${made.indexOf('added')}`);
  });

  test('keeps an annotation once, whatever it says; the newest wins', async () => {
    await current().addStudy(aStudy());
    const first = anAnnotation({
      at: 5.25,
      answers: { ...says(1, 5, 'time'), comment: 'it’s "late" |\n✓' },
    });
    expect(await annotate(first)).toBe('kept');
    expect(await annotate(first)).toBe('unchanged');
    expect(await annotate({ ...first, answers: says(2, 2) })).toBe('unchanged');
    expect(await annotate({ ...first, at: 4, answers: says(2, 2) })).toBe('outdated');
    expect(await (await another()).annotations('s1')).toEqual([first]);
    const newer = { ...first, at: 7, answers: says(2, 2) };
    expect(await annotate(newer)).toBe('kept');
    expect(await annotate({ ...newer, at: 8 })).toBe('unchanged');
    // What is said again stands from then on.
    expect(await annotate({ ...first, at: 7.5 })).toBe('outdated');
    expect(await current().annotations('s1')).toEqual([{ ...newer, at: 8 }]);
  });

  test('lists annotations by annotator and case', async () => {
    await current().addStudy(aStudy({ annotators: annotators(12) }));
    for (const annotator of ['p10', 'p2'])
      for (const index of [11, 2]) await annotate(anAnnotation({ annotator, case: index }));
    const all = await current().annotations('s1');
    expect(all.map((one) => `${one.annotator} ${one.case}`)).toEqual(['p10 2', 'p10 11', 'p2 2', 'p2 11']);
    expect(await current().annotations('s1', 'p2')).toEqual(all.slice(2));
    expect(await current().annotations('s1', 'p1')).toEqual([]);
  });

  test('takes none from people who are not asked, and none once it is closed, until it is opened again', async () => {
    expect(await annotate(anAnnotation())).toBe('unknown-study');
    await current().addStudy(aStudy());
    expect(await annotate(anAnnotation({ annotator: 'stranger' }))).toBe('not-asked');
    expect(await current().closeStudy('s1', true)).toBe(true);
    expect(await annotate(anAnnotation())).toBe('closed');
    expect(await current().study('s1')).toMatchObject({ closed: true });
    expect(await current().closeStudy('s1', false)).toBe(true);
    expect(await annotate(anAnnotation())).toBe('kept');
    expect(await current().closeStudy('s2', true)).toBe(false);
  });

  test('takes many annotations at once, each with its own outcome, in their order', async () => {
    await current().addStudy(aStudy({ annotators: annotators(3) }));
    await current().addStudy(aStudy({ id: 's2', closed: true }));
    await annotate(anAnnotation({ at: 9 }));
    const many = [
      anAnnotation({ annotator: 'p1', case: 1 }),
      anAnnotation({ at: 8 }),
      anAnnotation({ annotator: 'stranger' }),
      anAnnotation({ study: 's2' }),
      anAnnotation({ annotator: 'p2' }),
      anAnnotation({ annotator: 'p1', case: 1 }),
      anAnnotation({ study: 's3' }),
      anAnnotation({ annotator: 'p1', case: 0, answers: says(2, 2) }),
    ];
    const outcomes = [
      'kept',
      'outdated',
      'not-asked',
      'closed',
      'kept',
      'unchanged',
      'unknown-study',
      'kept',
    ];
    expect(await current().annotate(many)).toEqual(outcomes);
    expect((await current().annotations('s1')).map((one) => `${one.annotator} ${one.case}`)).toEqual([
      'p0 0',
      'p1 0',
      'p1 1',
      'p2 0',
    ]);
    expect(await current().annotate([])).toEqual([]);
  });

  test('gets annotators while it is open, each once and in a place of their own', async () => {
    const people = annotators(5).map(({ id, person }) => ({ id, person }));
    expect(await current().addAnnotators('s1', people, 0)).toBeNull();
    await current().addStudy(aStudy());
    const other = await another();
    const added = await Promise.all([
      current().addAnnotators('s1', people.slice(1, 4), 100),
      other.addAnnotators('s1', people.slice(2), 100),
    ]);
    expect(
      added
        .flat()
        .map((one) => one?.id)
        .sort(),
    ).toEqual(['p2', 'p3', 'p4']);
    const all = (await other.study('s1'))?.annotators ?? [];
    expect(all.map(({ place }) => place)).toEqual([0, 1, 100, 101, 102]);
    expect(all.find(({ id }) => id === 'p4')?.person).toEqual(people[4]?.person);
    expect(await annotate(anAnnotation({ annotator: 'p4' }))).toBe('kept');
    await current().closeStudy('s1', true);
    expect(await current().addAnnotators('s1', annotators(7).slice(6), 0)).toBeNull();
    expect(await current().removeStudy('s1')).toBe(true);
    await current().addStudy(aStudy({ annotators: [] }));
    expect((await current().study('s1'))?.annotators).toEqual([]);
    expect(await current().annotations('s1', 'p4')).toEqual([]);
  });

  test('goes with all its annotations, and others stay', async () => {
    for (const id of ['s1', 's10']) {
      await current().addStudy(aStudy({ id }));
      await annotate(anAnnotation({ study: id }));
    }
    expect(await current().removeStudy('s1')).toBe(true);
    expect(await current().removeStudy('s1')).toBe(false);
    expect(await current().study('s1')).toBeNull();
    expect(await current().annotations('s1')).toEqual([]);
    expect(await current().study('s10')).toEqual(aStudy({ id: 's10' }));
    expect(await current().annotations('s10')).toHaveLength(1);
  });

  test('loses all of an annotator who wants to be forgotten, also what arrives late', async () => {
    for (const id of ['s1', 's2']) {
      await current().addStudy(aStudy({ id, annotators: annotators(11) }));
      for (const annotator of ['p1', 'p10'])
        for (const index of [0, 1]) await annotate(anAnnotation({ study: id, annotator, case: index }));
    }
    await current().saveVerdict(aRecord());
    await current().castVote(aBallot({ voter: 'p1' }));
    expect(await current().forgetVoter('p1')).toEqual({ votes: 1, annotations: 4 });
    expect(await current().forgetVoter('p1')).toEqual({ votes: 0, annotations: 0 });
    for (const id of ['s1', 's2']) {
      const left = annotators(11).filter((one) => one.id !== 'p1');
      expect((await current().study(id))?.annotators).toEqual(left);
      const said = await current().annotations(id);
      expect(said.map(({ annotator }) => annotator)).toEqual(['p10', 'p10']);
      expect(await annotate(anAnnotation({ study: id, annotator: 'p1' }))).toBe('not-asked');
    }
  });
}
