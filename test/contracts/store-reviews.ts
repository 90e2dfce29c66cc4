import { expect, test } from 'vitest';
import { JuryError } from '../../src/common/errors.ts';
import type { KeyValue } from '../../src/common/key-value.ts';
import { countToReview, inviteReviewer, type ReviewPoster } from '../../src/reviews/invite-reviewer.ts';
import {
  answerReview,
  beginReview,
  checkedThisWeek,
  forgetReviewer,
  type NextReview,
  nextReview,
  type ReviewOffer,
  type ReviewParts,
  reviewStatus,
  skipReviews,
  volunteer,
} from '../../src/reviews/manage-reviews.ts';
import { reviewedAnswersLike, reviewedAnswersOf, signaturesOf } from '../../src/reviews/read-reviews.ts';
import { aWish, type Habit, reviewParts, usualRun } from '../support/reviews.ts';
import { dayMs, saturday } from '../support/store-builders.ts';
import type { StoresOfTest } from './store.ts';

const RUN = 'weekly-1';
/** Monday noon. */
const monday = saturday + 2 * dayMs + 3 * 3_600_000;

/** The offer; fails if there is none. */
function offered(next: NextReview): ReviewOffer {
  if (next.kind !== 'offer') throw new Error(`no offer: ${next.kind}`);
  return next.offer;
}

export function reviewsContract({ current, another }: StoresOfTest): void {
  /** Parts on one store, with a clock that the test moves. */
  function open(store: KeyValue = current(), habits?: Readonly<Record<string, readonly Habit[]>>) {
    const clock = { now: monday };
    const parts: ReviewParts = { ...reviewParts(current(), () => clock.now, habits), store };
    return { parts, clock };
  }
  const next = async (parts: ReviewParts, voter: string) => offered(await nextReview(parts, voter, null));
  const checked = async (parts: ReviewParts) => {
    const status = await reviewStatus(parts, RUN);
    return status === null ? null : { ...status.design, strata: undefined, asked: status.asked };
  };

  const readOf = async (parts: ReviewParts, store = parts.store) => {
    const manifest = await parts.runs.readRun(RUN);
    return manifest === null ? null : reviewedAnswersOf(store, manifest, parts.now());
  };

  test('is drawn once, however often and from wherever it is begun', async () => {
    const { parts } = open();
    const other = { ...parts, store: await another() };
    const begun = await Promise.all(
      [parts, other, parts, other].map((one) => beginReview(one, RUN, aWish({ size: 20 }))),
    );
    expect(begun.map(({ kind }) => kind).sort()).toEqual(['begun', 'known', 'known', 'known']);
    expect((await beginReview(other, RUN, aWish({ size: 80 }))).kind).toBe('known');
    expect(await checked(other)).toMatchObject({ drawn: 20, checked: 0, unchecked: 20, asked: 0 });
  });

  test('is not drawn from a run that is not there, not finished, or without decisions', async () => {
    const { parts } = open(current(), { short: ['pass', 'fail'], scored: ['undecided'] });
    const unfinished: ReviewParts = {
      ...parts,
      runs: {
        ...parts.runs,
        totals: async () => ({ trials: 1, failed: 0, calls: 0, spentUsd: 0, unknownCosts: 0 }),
      },
    };
    expect(await beginReview(parts, 'other', aWish())).toEqual({ kind: 'no-run' });
    expect(await beginReview(unfinished, 'short', aWish())).toEqual({
      kind: 'incomplete',
      trials: 1,
      planned: 2,
    });
    expect(await beginReview(parts, 'scored', aWish())).toEqual({ kind: 'undecided' });
    expect(await reviewStatus(parts, 'short')).toBeNull();
  });

  test('is offered to volunteers alone, of those who are named', async () => {
    const { parts } = open();
    await beginReview(parts, RUN, aWish({ people: ['ada'] }));
    expect(await nextReview(parts, 'ada')).toEqual({ kind: 'not-volunteer' });
    await volunteer(parts, 'ada');
    await volunteer(parts, 'zoe');
    expect((await nextReview(parts, 'ada')).kind).toBe('offer');
    expect(await nextReview(parts, 'zoe')).toEqual({ kind: 'none' });
    expect(await nextReview(parts, 'zoe', RUN)).toEqual({ kind: 'not-asked' });
  });

  test('shows the case and what the rubric asks, and nothing of the verdict, the label or the tags', async () => {
    const { parts } = open();
    await beginReview(parts, RUN, aWish());
    await volunteer(parts, 'ada');
    const { evalCase, standard, number, most } = await next(parts, 'ada');
    expect(Object.keys(evalCase).sort()).toEqual(['context', 'conversation', 'recommendation', 'response']);
    expect(JSON.stringify(evalCase)).not.toContain('SECRET');
    expect(standard.title).toBe('Venue recommendation in context');
    expect(standard.criteria.length).toBeGreaterThan(0);
    expect({ number, most }).toEqual({ number: 1, most: 10 });
  });

  test('never gives two people the same answer, though all start at once in two processes', async () => {
    const { parts } = open();
    const other = { ...parts, store: await another() };
    const people = ['ada', 'bea', 'cem', 'dan', 'eva'];
    await beginReview(parts, RUN, aWish());
    for (const person of people) await volunteer(parts, person);
    const places: number[] = [];
    for (let round = 0; round < 8; round += 1) {
      const offers = await Promise.all(people.map((person, n) => next(n % 2 === 0 ? parts : other, person)));
      places.push(...offers.map(({ place }) => place));
      await Promise.all(
        offers.map((offer, n) => answerReview(n % 2 === 0 ? other : parts, people[n] ?? '', offer, 'pass')),
      );
    }
    expect(new Set(places).size).toBe(40);
    expect(await checked(parts)).toMatchObject({ drawn: 40, checked: 40, unchecked: 0 });
    expect(await nextReview(parts, 'ada')).toEqual({ kind: 'none' });
  });

  test('gives a person one answer at a time, however often they press Start, and counts one answer to it', async () => {
    const { parts } = open();
    const other = { ...parts, store: await another() };
    await beginReview(parts, RUN, aWish());
    await volunteer(parts, 'ada');
    const presses = await Promise.all([parts, other, parts, other].map((one) => next(one, 'ada')));
    const [offer] = presses;
    if (offer === undefined) throw new Error('nothing was offered');
    expect(new Set(presses.map(({ place }) => place)).size).toBe(1);
    expect(await checked(parts)).toMatchObject({ asked: 1 });
    const answers = await Promise.all(
      [parts, other, parts].map((one) => answerReview(one, 'ada', offer, 'fail')),
    );
    expect(answers).toEqual([{ kind: 'kept' }, { kind: 'kept' }, { kind: 'kept' }]);
    expect(await answerReview(other, 'ada', offer, 'pass')).toEqual({ kind: 'stood' });
    const read = await readOf(parts);
    expect(read?.answers).toMatchObject([{ place: offer.place, right: 'fail', at: monday }]);
  });

  test('is not answered by people who were not offered that answer', async () => {
    const { parts } = open();
    await beginReview(parts, RUN, aWish());
    await volunteer(parts, 'ada');
    const { place } = await next(parts, 'ada');
    expect(await answerReview(parts, 'bea', { run: RUN, place }, 'pass')).toEqual({ kind: 'gone' });
    expect(await answerReview(parts, 'ada', { run: RUN, place: 9999 }, 'pass')).toEqual({ kind: 'gone' });
    expect(await answerReview(parts, 'ada', { run: 'other', place }, 'pass')).toEqual({ kind: 'gone' });
    expect(await checked(parts)).toMatchObject({ checked: 0 });
  });

  test('is at most so many answers a week for each, and more from Monday on', async () => {
    const { parts, clock } = open();
    await beginReview(parts, RUN, aWish({ perWeek: 3 }));
    await volunteer(parts, 'ada');
    const numbers: number[] = [];
    for (let n = 0; n < 3; n += 1) {
      const offer = await next(parts, 'ada');
      numbers.push(offer.number);
      await answerReview(parts, 'ada', offer, 'pass');
    }
    expect(numbers).toEqual([1, 2, 3]);
    expect(await nextReview(parts, 'ada')).toEqual({ kind: 'enough' });
    clock.now += 6 * dayMs;
    expect(await nextReview(parts, 'ada')).toEqual({ kind: 'enough' });
    clock.now += dayMs;
    expect((await next(parts, 'ada')).number).toBe(1);
  });

  test.each(['week', 'never'] as const)('goes to another person where one skips: %s', async (until) => {
    const { parts, clock } = open();
    await beginReview(parts, RUN, aWish());
    await volunteer(parts, 'ada');
    await volunteer(parts, 'bea');
    const { place } = await next(parts, 'ada');
    await skipReviews(parts, 'ada', until);
    expect((await nextReview(parts, 'ada')).kind).toBe(until === 'week' ? 'not-this-week' : 'never');
    expect((await next(parts, 'bea')).place).toBe(place);
    expect(await answerReview(parts, 'ada', { run: RUN, place }, 'pass')).toEqual({ kind: 'late' });
    clock.now += 7 * dayMs;
    if (until === 'never') {
      expect(await nextReview(parts, 'ada')).toEqual({ kind: 'never' });
      expect(await volunteer(parts, 'ada')).toBe('never');
    }
    const later = await next(parts, 'ada');
    expect(later.place).not.toBe(place);
  });

  test('goes to another person after some days without an answer, which still counts if it is not too late', async () => {
    const { parts, clock } = open();
    await beginReview(parts, RUN, aWish({ days: 3 }));
    for (const person of ['ada', 'bea']) await volunteer(parts, person);
    const first = await next(parts, 'ada');
    clock.now += 3 * dayMs;
    const second = await next(parts, 'ada');
    expect(second.place).not.toBe(first.place);
    expect((await next(parts, 'bea')).place).toBe(first.place);
    expect(await answerReview(parts, 'ada', first, 'pass')).toEqual({ kind: 'late' });
    clock.now += 3 * dayMs;
    expect(await answerReview(parts, 'ada', second, 'pass')).toEqual({ kind: 'kept' });
    expect(await checked(parts)).toMatchObject({ checked: 1, unchecked: 39 });
  });

  test('asks one more person where one is unsure; two who are unsure leave it unchecked', async () => {
    const { parts } = open(current(), { [RUN]: ['pass', 'fail'] });
    for (const person of ['ada', 'bea', 'cem', 'dan']) await volunteer(parts, person);
    await beginReview(parts, RUN, aWish());
    const first = await next(parts, 'ada');
    await answerReview(parts, 'ada', first, 'unsure');
    expect(await checked(parts)).toMatchObject({ checked: 0, unsure: 1 });
    const again = await next(parts, 'bea');
    expect(again.place).toBe(first.place);
    await answerReview(parts, 'bea', again, 'fail');
    const second = await next(parts, 'cem');
    await answerReview(parts, 'cem', second, 'unsure');
    await answerReview(parts, 'dan', await next(parts, 'dan'), 'unsure');
    expect(await nextReview(parts, 'bea')).toEqual({ kind: 'none' });
    expect(await checked(parts)).toMatchObject({ drawn: 2, checked: 1, unchecked: 1, unsure: 1 });
    const read = await readOf(parts);
    expect(read?.answers).toMatchObject([{ place: first.place, right: 'fail' }]);
  });

  test('asks as many people about each answer as it says, each once, and takes what most say', async () => {
    const { parts } = open(current(), { [RUN]: ['pass', 'fail'] });
    const people = ['ada', 'bea', 'cem'];
    for (const person of people) await volunteer(parts, person);
    await beginReview(parts, RUN, aWish({ votes: 3 }));
    for (const [n, person] of people.entries())
      for (let count = 0; count < 2; count += 1)
        await answerReview(parts, person, await next(parts, person), n === 0 ? 'pass' : 'fail');
    expect(await nextReview(parts, 'ada')).toEqual({ kind: 'none' });
    const read = await readOf(parts);
    expect(read?.answers.map(({ right }) => right)).toEqual(['fail', 'fail']);
  });

  test('skips cases that were erased; they stay drawn and unchecked', async () => {
    const { parts } = open(current(), { [RUN]: ['pass', 'fail'] });
    const erased: ReviewParts = {
      ...parts,
      runs: {
        ...parts.runs,
        caseAt: async (run, index) => ({
          ...(await parts.runs.caseAt(run, index)),
          ...(index === 0 ? { response: '(erased)' } : {}),
        }),
      },
    };
    await volunteer(parts, 'ada');
    await beginReview(erased, RUN, aWish());
    const offer = await next(erased, 'ada');
    expect(offer.place).toBe(1);
    await answerReview(erased, 'ada', offer, 'fail');
    expect(await nextReview(erased, 'ada')).toEqual({ kind: 'none' });
    expect(await checked(parts)).toMatchObject({ drawn: 2, checked: 1, unchecked: 1, asked: 0 });
  });

  /** What a process of these parts sends, and a poster that keeps it; `fail` says why a message cannot be sent. */
  function inviting(parts: ReviewParts, fail: () => Error | null = () => null) {
    const texts: string[] = [];
    const poster: ReviewPoster = {
      surface: 'slack',
      invite: async (_person, { text, about, buttons }) => {
        const failed = fail();
        if (failed !== null) throw failed;
        const first = about === null ? [] : ['(first)'];
        texts.push([text, ...first, ...buttons.map((button) => `[${button.text}]`)].join(' '));
      },
    };
    const invite = async (voter: string, holder = 'p1') => {
      const person = { surface: 'slack', team: '', user: voter };
      return (await inviteReviewer({ ...parts, holder }, poster, { person, voter })).outcome;
    };
    return { texts, invite };
  }

  test('invites each volunteer once a week, with what is left for them', async () => {
    const { parts, clock } = open(current(), { [RUN]: usualRun.slice(0, 12) });
    await beginReview(parts, RUN, aWish());
    const { texts, invite } = inviting(parts);
    await volunteer(parts, 'ada');
    expect(await invite('ada')).toBe('sent');
    expect(await invite('ada')).toBe('known');
    for (let n = 0; n < 10; n += 1) await answerReview(parts, 'ada', await next(parts, 'ada'), 'pass');
    clock.now += 7 * dayMs;
    expect(await invite('ada')).toBe('sent');
    await skipReviews(parts, 'ada', 'week');
    expect(await invite('ada')).toBe('none');
    clock.now += 7 * dayMs;
    await skipReviews(parts, 'ada', 'never');
    expect(await invite('ada')).toBe('none');
    expect(texts).toEqual([
      '10 answers to check, about 5 minutes [Start] [Not this week] [Never]',
      '2 answers to check, about 1 minute [Start] [Not this week] [Never]',
    ]);
  });

  test('asks a person who has not volunteered once a month, with what it is about, and sooner only if they said: not this week', async () => {
    const { parts, clock } = open(current(), { [RUN]: usualRun, 'weekly-2': usualRun });
    await beginReview(parts, RUN, aWish({ people: ['ada', 'bea'], size: 400 }));
    const { texts, invite } = inviting(parts);
    for (const voter of ['ada', 'bea', 'zoe']) await invite(voter);
    expect(texts).toEqual(
      Array(2).fill('10 answers to check, about 5 minutes (first) [Start] [Not this week] [Never]'),
    );
    await skipReviews(parts, 'bea', 'week');
    clock.now += 7 * dayMs;
    expect(await invite('ada')).toBe('none');
    expect(await invite('bea')).toBe('sent');
    await beginReview(parts, 'weekly-2', aWish({ people: ['eva'] }));
    expect(await invite('eva')).toBe('sent');
    clock.now += 21 * dayMs;
    expect(await invite('eva')).toBe('none');
    await volunteer(parts, 'eva');
    expect(await invite('eva')).toBe('sent');
    expect(texts.slice(2)).toEqual([
      ...Array(2).fill('10 answers to check, about 5 minutes (first) [Start] [Not this week] [Never]'),
      '10 answers to check, about 5 minutes [Start] [Not this week] [Never]',
    ]);
  });

  test('does not invite a person who is checking answers already', async () => {
    const { parts } = open();
    await beginReview(parts, RUN, aWish());
    const { invite } = inviting(parts);
    await volunteer(parts, 'ada');
    await next(parts, 'ada');
    expect(await invite('ada')).toBe('none');
  });

  test('invites once, though ten processes do at once, and later again where the message failed', async () => {
    const { parts, clock } = open();
    const other = { ...parts, store: await another() };
    await beginReview(parts, RUN, aWish());
    let failed: Error | null = new Error('no network');
    const [here, there] = [inviting(parts, () => failed), inviting(other, () => failed)];
    expect(await here.invite('ada')).toBe('failed');
    expect(await there.invite('ada', 'p2')).toBe('waiting');
    failed = null;
    // A process that died holds what it had taken up for some minutes.
    clock.now += 300_000;
    const ten = Array.from({ length: 10 }, (_, n) => (n % 2 === 0 ? here : there).invite('ada', `p${n + 3}`));
    expect((await Promise.all(ten)).filter((outcome) => outcome === 'sent')).toHaveLength(1);
    failed = new JuryError('usage', 'no such person');
    expect(await here.invite('bea')).toBe('failed');
    failed = null;
    expect(await here.invite('bea')).toBe('waiting');
    clock.now += 3_600_000;
    expect(await here.invite('bea')).toBe('sent');
    expect(here.texts.length + there.texts.length).toBe(2);
  });

  test('counts what a person has checked this week', async () => {
    const { parts, clock } = open();
    await beginReview(parts, RUN, aWish());
    await volunteer(parts, 'ada');
    for (let n = 0; n < 3; n += 1) await answerReview(parts, 'ada', await next(parts, 'ada'), 'unsure');
    await next(parts, 'ada');
    expect(await checkedThisWeek(parts, 'ada')).toBe(3);
    expect(await countToReview(parts, 'ada')).toBe(7);
    clock.now += 7 * dayMs;
    expect(await checkedThisWeek(parts, 'ada')).toBe(0);
  });

  test('tells what was checked with each one’s probability, and how it was drawn', async () => {
    const { parts } = open();
    await beginReview(parts, RUN, aWish({ people: ['ada'], perWeek: 100 }));
    await volunteer(parts, 'ada');
    for (let n = 0; n < 25; n += 1) await answerReview(parts, 'ada', await next(parts, 'ada'), 'fail');
    const read = await readOf(parts, await another());
    if (read === null) throw new Error('there is no sample');
    expect(read.answers).toHaveLength(25);
    expect(read.answers.map(({ place }) => place)).toEqual(
      read.answers.map(({ place }) => place).sort((a, b) => a - b),
    );
    for (const { place, caseId, decision, split, right, probability, stratum } of read.answers) {
      const own = read.design.strata.find(({ name }) => name === stratum);
      expect({ caseId, right }).toEqual({ caseId: `c${place}`, right: 'fail' });
      expect(stratum).toBe(`${decision}, ${split ? 'split' : 'unanimous'}`);
      expect(probability).toBe((own?.drawn ?? 0) / (own?.size ?? 0));
    }
    const { strata, ...totals } = read.design;
    expect(totals).toEqual({
      ...{ run: RUN, at: monday, undecided: 0, drawn: 40, checked: 25, unchecked: 15, unsure: 0 },
    });
    expect(strata.map(({ name, size }) => [name, size])).toEqual([
      ['fail, split', 16],
      ['fail, unanimous', 32],
      ['pass, split', 64],
      ['pass, unanimous', 128],
    ]);
    expect(strata.reduce((sum, one) => sum + one.checked, 0)).toBe(25);
  });

  test('is found again by what judged, in whatever run, as long as it is asked for', async () => {
    const { parts, clock } = open(current(), { [RUN]: ['pass', 'fail'], 'weekly-2': ['pass', 'fail'] });
    await volunteer(parts, 'ada');
    await beginReview(parts, RUN, aWish());
    clock.now += dayMs;
    await beginReview(parts, 'weekly-2', aWish());
    for (let n = 0; n < 4; n += 1) await answerReview(parts, 'ada', await next(parts, 'ada'), 'pass');
    const manifest = await parts.runs.readRun(RUN);
    if (manifest === null) throw new Error('there is no run');
    const like = (signatures: ReadonlySet<string>, since: number) =>
      reviewedAnswersLike(parts.store, signatures, since, clock.now);
    const runs = (found: Awaited<ReturnType<typeof like>>) =>
      found.map(({ design, answers }) => [design.run, answers.length]);
    expect(runs(await like(signaturesOf(manifest), monday))).toEqual([
      ['weekly-2', 2],
      [RUN, 2],
    ]);
    expect(runs(await like(signaturesOf(manifest), monday + 1))).toEqual([['weekly-2', 2]]);
    const changed = { ...manifest, wordings: { 'navigation, io': 'sha256:2' } };
    expect(await like(signaturesOf(changed), monday)).toEqual([]);
  });

  test('belongs to the run that it was drawn from, not to a later one of the same name', async () => {
    const { parts, clock } = open();
    await beginReview(parts, RUN, aWish());
    await volunteer(parts, 'ada');
    const pending = await next(parts, 'ada');
    const manifest = await parts.runs.readRun(RUN);
    if (manifest === null) throw new Error('there is no run');
    for (const remade of [
      { ...manifest, createdAt: new Date(monday).toISOString() },
      { ...manifest, dataset: { ...manifest.dataset, hash: 'another' } },
    ]) {
      const later: ReviewParts = { ...parts, runs: { ...parts.runs, readRun: async () => remade } };
      expect(await beginReview(later, RUN, aWish())).toEqual({ kind: 'other-run' });
      expect(await nextReview(later, 'ada')).toEqual({ kind: 'none' });
      expect(await readOf(later)).toBeNull();
    }
    expect(await answerReview(parts, 'ada', pending, 'pass')).toEqual({ kind: 'kept' });
    const like = await reviewedAnswersLike(parts.store, signaturesOf(manifest), 0, clock.now);
    expect(like).toMatchObject([{ answers: [{ place: pending.place }] }]);
    expect((await readOf(parts))?.answers).toHaveLength(1);
  });

  test('is kept as long as labels; claims, offers and skips are not', async () => {
    const { parts, clock } = open();
    await beginReview(parts, RUN, aWish({ retentionDays: 400 }));
    await volunteer(parts, 'ada');
    await answerReview(parts, 'ada', await next(parts, 'ada'), 'pass');
    clock.now = monday + 400 * dayMs - 1;
    expect(await checked(parts)).toMatchObject({ checked: 1 });
    clock.now = monday + 400 * dayMs;
    expect(await checked(parts)).toBeNull();
    expect(await readOf(parts)).toBeNull();
  });

  test.each([
    { how: 'who is named', people: ['ada', 'bea'] },
    { how: 'of those who may run commands', people: null },
  ])('forgets a person $how though an answer of theirs is under way', async ({ people }) => {
    const { parts } = open();
    const { store } = parts;
    await beginReview(parts, RUN, aWish({ people }));
    await volunteer(parts, 'ada');
    const offer = offered(await nextReview(parts, 'ada', RUN));
    let isForgotten = false;
    const racing: KeyValue = {
      get: (...of) => store.get(...of),
      setIfAbsent: (...of) => store.setIfAbsent(...of),
      delete: (...of) => store.delete(...of),
      compareAndSet: async (...of) => {
        if (!isForgotten) {
          isForgotten = true;
          await forgetReviewer(parts, 'ada');
        }
        return store.compareAndSet(...of);
      },
    };
    expect(await answerReview({ ...parts, store: racing }, 'ada', offer, 'pass')).toEqual({ kind: 'gone' });
    expect(isForgotten).toBe(true);
    expect(await checked(parts)).toMatchObject({ checked: 0, asked: 0 });
    expect(await forgetReviewer(parts, 'ada')).toBe(0);
  });

  /** A store that calls `before` with the number of each call, and what it then holds about a person. */
  function watched(store: KeyValue, before: (call: number) => Promise<void>) {
    const keys = new Set<string>();
    let calls = 0;
    const counted = async (key: string): Promise<void> => {
      keys.add(key);
      calls += 1;
      await before(calls);
    };
    const racing: KeyValue = {
      get: async (key, ...of) => counted(key).then(() => store.get(key, ...of)),
      setIfAbsent: async (key, ...of) => counted(key).then(() => store.setIfAbsent(key, ...of)),
      compareAndSet: async (key, ...of) => counted(key).then(() => store.compareAndSet(key, ...of)),
      delete: async (key) => counted(key).then(() => store.delete(key)),
    };
    const leftOf = async (voter: string, now: number): Promise<string[]> => {
      const held = await Promise.all([...keys].map(async (key) => [key, await store.get(key, now)] as const));
      return held.flatMap(([key, value]) =>
        value !== null && `${key} ${value}`.includes(voter) ? [`${key} ${value}`] : [],
      );
    };
    return { racing, leftOf, calls: () => calls };
  }

  const poster: ReviewPoster = { surface: 'slack', invite: async () => {} };
  const person = { surface: 'slack', team: '', user: 'U1' };
  const doings = {
    'is offered an answer': (parts: ReviewParts, voter: string) => nextReview(parts, voter),
    'is invited': (parts: ReviewParts, voter: string) =>
      inviteReviewer({ ...parts, holder: 'h' }, poster, { person, voter }),
  };

  test.each(Object.entries(doings))(
    'leaves nothing of a person who is erased while one %s, at any moment',
    async (_, does) => {
      const left: string[] = [];
      const most = 60;
      const orders = ['erased meanwhile', 'erasing meanwhile'] as const;
      const nameOf = (order: string, moment: number): string => `${order.slice(0, 7)}-${moment}.`;
      const people = orders.flatMap((order) =>
        Array.from({ length: most + 1 }, (_each, moment) => nameOf(order, moment)),
      );
      const { parts } = open();
      await beginReview(parts, RUN, aWish({ people }));
      let moments = 0;
      // Either of the two is done, in whole, before the n-th step of the other.
      for (const order of orders)
        for (let moment = 1, isDone = false; !isDone; moment += 1) {
          expect(moment).toBeLessThan(most);
          const voter = nameOf(order, moment);
          await volunteer(parts, voter);
          const erase = (one: ReviewParts) => forgetReviewer(one, voter);
          const act = (one: ReviewParts) => does(one, voter);
          const [first, other] = order === 'erased meanwhile' ? [act, erase] : [erase, act];
          let hasRun = false;
          const { racing, leftOf, calls } = watched(parts.store, async (call) => {
            if (call !== moment || hasRun) return;
            hasRun = true;
            await other({ ...parts, store: seen.racing });
          });
          const seen = watched(parts.store, async () => {});
          await first({ ...parts, store: racing });
          isDone = calls() < moment;
          if (isDone) continue;
          moments += 1;
          const now = parts.now();
          left.push(...(await leftOf(voter, now)), ...(await seen.leftOf(voter, now)));
        }
      expect(left).toEqual([]);
      expect(moments).toBeGreaterThan(10);
    },
  );

  test('says so where its answers are no longer offered', async () => {
    const { parts, clock } = open();
    await beginReview(parts, RUN, aWish({ people: ['ada'] }));
    for (const person of ['ada', 'zoe']) await volunteer(parts, person);
    clock.now += 30 * dayMs;
    expect(await nextReview(parts, 'ada', RUN)).toEqual({ kind: 'past' });
    expect(await nextReview(parts, 'zoe', RUN)).toEqual({ kind: 'not-asked' });
    expect(await nextReview(parts, 'ada')).toEqual({ kind: 'none' });
  });

  test('counts for a person only what others are not asked about already', async () => {
    const { parts } = open(current(), { [RUN]: ['pass', 'fail', 'pass'] });
    await beginReview(parts, RUN, aWish());
    for (const person of ['ada', 'bea']) await volunteer(parts, person);
    expect(await countToReview(parts, 'bea')).toBe(3);
    await next(parts, 'ada');
    expect(await countToReview(parts, 'bea')).toBe(2);
    expect(await countToReview(parts, 'ada')).toBe(3);
    await skipReviews(parts, 'ada', 'week');
    expect(await countToReview(parts, 'bea')).toBe(3);
  });

  test('forgets a person: their answers, offers and choice; their answers are asked of others', async () => {
    const { parts } = open();
    await beginReview(parts, RUN, aWish({ people: ['ada', 'bea'] }));
    for (const person of ['ada', 'bea']) await volunteer(parts, person);
    const first = await next(parts, 'ada');
    await answerReview(parts, 'ada', first, 'pass');
    const second = await next(parts, 'ada');
    expect(await forgetReviewer(parts, 'ada')).toBe(1);
    expect(await forgetReviewer(parts, 'ada')).toBe(0);
    expect(await checked(parts)).toMatchObject({ checked: 0, asked: 0 });
    expect(await nextReview(parts, 'ada')).toEqual({ kind: 'not-volunteer' });
    await volunteer(parts, 'ada');
    expect(await nextReview(parts, 'ada')).toEqual({ kind: 'none' });
    const places = [await next(parts, 'bea')].map(({ place }) => place);
    expect([first.place, second.place]).toContain(places[0]);
  });
}
