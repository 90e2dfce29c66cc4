import { afterEach, beforeEach, expect, type TestAPI } from 'vitest';
import { runsWithout, type TrialStore } from '../../src/benchmark/trial-store.ts';
import { KeptCase } from '../../src/case/case.ts';
import { fail, mute } from '../support/builders.ts';
import { aConfiguration, aManifest, aTrial, aVerdict, casesOf } from '../support/run-builders.ts';
import { marksOf } from '../support/trial-marks.ts';

export interface TrialPlace {
  /** Opens the same place again each time, as another process would. */
  open: () => Promise<TrialStore>;
  remove: () => Promise<void>;
}

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const item of items) found.push(item);
  return found;
}

/** What every store of runs does. */
export function trialStoreContract(test: TestAPI | TestAPI['skip'], make: () => TrialPlace): void {
  let place: TrialPlace;
  let store: TrialStore;
  beforeEach(async () => {
    place = make();
    store = await place.open();
  });
  afterEach(async () => {
    await store.close();
    await place.remove();
  });
  const begun = async () => {
    await store.create(aManifest(), casesOf(3));
    return store.write('r1');
  };

  test('a run is read as it was made, with its cases in their order', async () => {
    await store.create(aManifest(), casesOf(450));
    const again = await place.open();
    expect(await again.names()).toEqual(['r1']);
    expect(await again.readRun('r1')).toEqual(aManifest());
    await again.close();
  });

  test('cases come in their order, whatever their number', async () => {
    const cases = casesOf(450);
    await store.create(aManifest({ dataset: { source: 'x', cases: 450, labeled: 0, hash: 'abc' } }), cases);
    expect(await all(store.readCases('r1'))).toEqual(cases);
    expect(await store.caseAt('r1', 449)).toEqual(cases[449]);
    await expect(store.caseAt('r1', 450)).rejects.toThrow('no case 450');
  });

  test('cases keep the fields that prompt files declare, to be read and erased', async () => {
    const fields = {
      context: { rangeKm: 51 },
      recommendation: { name: 'Waldallee', plugs: ['CCS'], powerKw: 200 },
      vehicle: { plug: 'CCS' },
    };
    const declared = casesOf(2).map((one) => KeptCase.parse({ ...one, ...fields }));
    await store.create(aManifest(), declared);
    expect(await all(store.readCases('r1'))).toEqual(declared);
    expect(await store.caseAt('r1', 1)).toEqual(declared[1]);
    expect(await store.eraseCases('r1', ({ id }) => id === declared[0]?.id)).toBe(1);
    expect((await all(store.readCases('r1')))[1]).toEqual(declared[1]);
  });

  test('cases are erased with what judges said of them, keep their places, and count as before', async () => {
    const writer = await begun();
    const verdictOf = (caseId: string) => ({ ...aVerdict(), caseId, why: `why ${caseId}` });
    for (const n of [0, 1, 2]) {
      const verdict = verdictOf(`c${n}`);
      await writer.save(aTrial(`0-${n}`, verdict), verdict);
    }
    await writer.close();
    const before = await store.totals('r1');
    // What is read without a case is what is left when it is erased.
    const read = async (runs: TrialStore) => ({
      cases: await all(runs.readCases('r1')),
      second: await runs.caseAt('r1', 1),
      trials: (await all(runs.readTrials('r1'))).sort((a, b) => (a.key < b.key ? -1 : 1)),
      verdicts: (await all(runs.readVerdicts('r1'))).map(({ key }) => key).sort(),
    });
    const without = await read(runsWithout(store, async () => new Set(['c1'])));
    expect(without).not.toEqual(await read(store));
    const erase = () => store.eraseCases('r1', ({ id }) => id === 'c1');
    expect([await erase(), await erase()]).toEqual([1, 0]);
    const again = await place.open();
    expect(await read(again)).toEqual(without);
    const cases = await all(again.readCases('r1'));
    expect(cases.map(({ id, response }) => [id, response === '(erased)'])).toEqual([
      ['c0', false],
      ['c1', true],
      ['c2', false],
    ]);
    expect(JSON.stringify(cases[1])).not.toContain('Sakura');
    const trials = (await all(again.readTrials('r1'))).sort((a, b) => (a.key < b.key ? -1 : 1));
    expect(trials.map(({ why }) => why)).toEqual(['why c0', '(erased)', 'why c2']);
    expect((await all(again.readVerdicts('r1'))).map(({ key }) => key).sort()).toEqual(['0-0', '0-2']);
    expect(await again.totals('r1')).toEqual(before);
    expect((await (await again.write('r1')).kept()).all).toEqual(new Set(['0-0', '0-1', '0-2']));
    await again.close();
  });

  test('every change of cases or trials makes another revision, and reading makes none', async () => {
    const seen = new Set<string>();
    const changed = async () => {
      const now = await store.revision('r1');
      expect(await store.revision('r1')).toBe(now);
      expect(seen.has(now)).toBe(false);
      seen.add(now);
    };
    const writer = await begun();
    await changed();
    await writer.save(aTrial('0-0', aVerdict()), aVerdict());
    await changed();
    await writer.save(aTrial('0-1', aVerdict()), aVerdict());
    await changed();
    await writer.forget(['0-1']);
    await changed();
    // As expensive as before, so that the totals are the same.
    await writer.save(aTrial('0-1', aVerdict()), aVerdict());
    await changed();
    await writer.close();
    await store.eraseCases('r1', ({ id }) => id === 'c0');
    await changed();
    for await (const _ of store.readTrials('r1'));
    expect(seen.has(await store.revision('r1'))).toBe(true);
    expect(await store.revision('none')).toBe(await store.revision('none'));
  });

  test('a run that does not exist reads as nothing', async () => {
    expect(await store.names()).toEqual([]);
    expect(await store.readRun('r1')).toBeNull();
    expect(await all(store.readTrials('r1'))).toEqual([]);
  });

  test('a name is given once', async () => {
    await store.create(aManifest(), casesOf(3));
    await expect(store.create(aManifest(), casesOf(3))).rejects.toThrow('There is a run "r1" already');
  });

  test('trials and what the judges said are there for another process', async () => {
    const writer = await begun();
    const verdict = aVerdict(fail);
    expect(await writer.save(aTrial('0-0', verdict), verdict)).toBe('saved');
    await writer.save(aTrial('0-1'), aVerdict());
    await writer.close();
    const again = await place.open();
    const trials = await all(again.readTrials('r1'));
    expect(trials.map(({ key, decision }) => [key, decision]).sort()).toEqual([
      ['0-0', 'fail'],
      ['0-1', 'pass'],
    ]);
    expect(trials.find(({ key }) => key === '0-0')).toEqual(aTrial('0-0', verdict));
    const said = (await all(again.readVerdicts('r1'))).find(({ key }) => key === '0-0');
    expect(said).toEqual({ key: '0-0', verdict });
    expect(await all(again.readVerdicts('r1', new Set(['0-0', '0-9'])))).toEqual([{ key: '0-0', verdict }]);
    await again.close();
  });

  test('a trial counts once, however often it is saved', async () => {
    const writer = await begun();
    await writer.save(aTrial('0-0'), aVerdict());
    expect(await writer.save(aTrial('0-0', aVerdict(fail)), aVerdict(fail))).toBe('known');
    expect((await all(store.readTrials('r1'))).map(({ decision }) => decision)).toEqual(['pass']);
    expect(await all(store.readVerdicts('r1'))).toHaveLength(1);
    expect((await writer.totals()).trials).toBe(1);
    await writer.close();
  });

  test('totals add up, with failures and costs that are not known', async () => {
    const writer = await begun();
    await writer.save(aTrial('0-0', aVerdict(fail, 0.25)), aVerdict(fail, 0.25));
    await writer.save(aTrial('0-1', aVerdict(mute, 0.5)), aVerdict(mute, 0.5));
    await writer.save(aTrial('0-2', aVerdict(fail, null)), aVerdict(fail, null));
    const totals = { trials: 3, failed: 1, calls: 3, spentUsd: 0.75, unknownCosts: 1 };
    expect(await writer.totals()).toEqual(totals);
    await writer.close();
    expect(await store.totals('r1')).toEqual(totals);
  });

  test('what another run has judged counts as a trial, without its calls and costs', async () => {
    const writer = await begun();
    const verdict = { ...aVerdict(fail, 0.25), takenFrom: { run: 'r0' } };
    await writer.save(aTrial('0-0', verdict), verdict);
    const unpriced = { ...aVerdict(fail, null), takenFrom: { run: 'r0' } };
    await writer.save(aTrial('0-1', unpriced), unpriced);
    await writer.save(aTrial('0-2', aVerdict(fail, 0.5)), aVerdict(fail, 0.5));
    const totals = { trials: 3, failed: 0, calls: 1, spentUsd: 0.5, unknownCosts: 0 };
    expect(await writer.totals()).toEqual(totals);
    await writer.forget(['0-0']);
    expect(await writer.totals()).toEqual({ ...totals, trials: 2 });
    await writer.close();
    expect((await all(store.readTrials('r1'))).map(({ takenFrom }) => takenFrom?.run).sort()).toEqual([
      'r0',
      undefined,
    ]);
    expect(
      (await all(store.readVerdicts('r1'))).flatMap(({ verdict: { takenFrom } }) => takenFrom ?? []),
    ).toEqual([{ run: 'r0' }]);
  });

  test('it is known what is kept, what failed and how many calls each took', async () => {
    const writer = await begun();
    await writer.save(aTrial('0-0'), aVerdict());
    await writer.save(aTrial('0-2', aVerdict(mute)), aVerdict(mute));
    expect(await writer.kept()).toEqual({ all: new Set(['0-0', '0-2']), failed: ['0-2'] });
    expect(await writer.answersOf('0-2')).toBe(1);
    expect(await writer.answersOf('0-1')).toBeNull();
    await writer.close();
  });

  test('what is forgotten is gone, and its money stays spent', async () => {
    const writer = await begun();
    await writer.save(aTrial('0-0', aVerdict(mute, 0.5)), aVerdict(mute, 0.5));
    await writer.save(aTrial('0-1', aVerdict(fail, 0.25)), aVerdict(fail, 0.25));
    await writer.forget(['0-0', '0-2']);
    expect(await writer.totals()).toEqual({
      trials: 1,
      failed: 0,
      calls: 1,
      spentUsd: 0.75,
      unknownCosts: 0,
    });
    expect(await writer.save(aTrial('0-0'), aVerdict())).toBe('saved');
    await writer.close();
    expect((await all(store.readTrials('r1'))).map(({ key }) => key).sort()).toEqual(['0-0', '0-1']);
    expect((await all(store.readVerdicts('r1'))).map(({ key }) => key).sort()).toEqual(['0-0', '0-1']);
    expect((await store.totals('r1')).spentUsd).toBeCloseTo(0.751, 9);
  });

  const marks = (at: TrialStore = store) => marksOf(at, aManifest());

  test('what became of each trial is reported, case by case', async () => {
    const dataset = { source: 'x', cases: 3, labeled: 3, hash: 'abc' };
    const manifest = aManifest({
      dataset,
      configurations: [aConfiguration({ id: 'io #1' }), aConfiguration({ id: 'io #2', repeat: 2 })],
    });
    await store.create(manifest, casesOf(3));
    const writer = await store.write('r1');
    await writer.save(aTrial('1-2'), aVerdict());
    await writer.save(aTrial('0-0', aVerdict(fail)), aVerdict(fail));
    await writer.save(aTrial('1-0', aVerdict(mute)), aVerdict(mute));
    await writer.save({ ...aTrial('0-1'), label: null }, aVerdict());
    await writer.close();
    expect(await marksOf(store, manifest)).toBe('-??..+');
  });

  test('what became of each trial is reported while a writer is open, after it, and of a run without trials', async () => {
    await store.create(aManifest(), casesOf(3));
    expect(await marks()).toBe('...');
    const writer = await store.write('r1');
    await writer.save(aTrial('0-1'), aVerdict());
    expect(await marks()).toBe('.+.');
    await writer.close();
    const again = await place.open();
    expect(await marks(again)).toBe('.+.');
    await again.close();
  });

  test('what became of each trial is reported anew after some were forgotten and after the run continued', async () => {
    const first = await begun();
    await first.save(aTrial('0-0', aVerdict(mute)), aVerdict(mute));
    await first.save(aTrial('0-1', aVerdict(fail)), aVerdict(fail));
    await first.close();
    expect(await marks()).toBe('?-.');
    const second = await store.write('r1');
    await second.forget(['0-0']);
    expect(await marks()).toBe('.-.');
    await second.close();
    expect(await marks()).toBe('.-.');
    const third = await store.write('r1');
    await third.save(aTrial('0-0'), aVerdict());
    await third.save(aTrial('0-2'), aVerdict());
    await third.close();
    expect(await marks()).toBe('+-+');
    expect((await store.totals('r1')).trials).toBe(3);
  });

  test('trials are read by their keys, while a writer is open and after it', async () => {
    const writer = await begun();
    for (const key of ['0-2', '0-0', '0-1']) await writer.save(aTrial(key), aVerdict());
    const read = async (...keys: string[]) =>
      (await all(store.readTrials('r1', new Set(keys)))).map(({ key }) => key).sort();
    expect(await read('0-1', '0-9', '0-2')).toEqual(['0-1', '0-2']);
    await writer.close();
    expect(await read('0-1', '0-9', '0-2')).toEqual(['0-1', '0-2']);
    expect(await all(store.readTrials('r1', new Set(['0-0'])))).toEqual([aTrial('0-0')]);
    expect(await read()).toEqual([]);
    expect(await store.trialKeys('r1')).toEqual(new Set(['0-0', '0-1', '0-2']));
    expect(await store.trialKeys('r2')).toEqual(new Set());
    expect(await all(store.readTrials('r2', new Set(['0-0'])))).toEqual([]);
  });

  test('many trials are read by their keys', async () => {
    await store.create(
      aManifest({ dataset: { source: 'x', cases: 450, labeled: 0, hash: 'a' } }),
      casesOf(450),
    );
    const writer = await store.write('r1');
    const keys = casesOf(450).map((_, index) => `0-${index}`);
    await Promise.all(keys.map((key) => writer.save(aTrial(key), aVerdict())));
    await writer.close();
    const read = await all(store.readTrials('r1', new Set(keys.slice(10))));
    expect(new Set(read.map(({ key }) => key))).toEqual(new Set(keys.slice(10)));
    expect(read).toHaveLength(440);
  });

  test('a budget lets trials begin as long as those under way leave something of it', async () => {
    const writer = await begun();
    await writer.setBudget(1);
    expect(await writer.begin('0-0')).toBe('go');
    expect(await writer.begin('0-1')).toBe('wait');
    await writer.save(aTrial('0-0', aVerdict(fail, 0.4)), aVerdict(fail, 0.4));
    // 0.4 spent, 0.4 expected of each under way: one more fits, a second would reach 1.2.
    expect(await writer.begin('0-1')).toBe('go');
    expect(await writer.begin('0-2')).toBe('go');
    expect(await writer.begin('0-3')).toBe('wait');
    await writer.release('0-2');
    expect(await writer.begin('0-3')).toBe('go');
    await writer.save(aTrial('0-1', aVerdict(fail, 0.6)), aVerdict(fail, 0.6));
    expect(await writer.begin('0-2')).toBe('stop');
    await writer.setBudget(null);
    expect(await writer.begin('0-2')).toBe('go');
    await writer.close();
  });

  test('asking again for the same trial does not count it twice as under way', async () => {
    const writer = await begun();
    await writer.setBudget(1);
    expect(await writer.begin('0-0')).toBe('go');
    expect(await writer.begin('0-0')).toBe('go');
    await writer.close();
  });
}
