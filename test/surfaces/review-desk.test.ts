import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type Viewer, withdrawVerdict } from '../../src/labels/access/permissions.ts';
import { beginReview, volunteer } from '../../src/reviews/manage-reviews.ts';
import { openSqliteStore } from '../../src/stores/sqlite/sqlite-store.ts';
import {
  isReviewCommand,
  keepReview,
  offerMessage,
  type ReviewDesk,
  readReviewPress,
  readReviewRef,
  reviewNow,
  wholeReview,
} from '../../src/surfaces/desks/review-desk.ts';
import { aCase } from '../support/builders.ts';
import { closeAfterEach, closing } from '../support/resources.ts';
import { aWish, type Habit, reviewParts } from '../support/reviews.ts';
import { scratch } from '../support/run-jury.ts';
import { aRecord, dayMs, saturday } from '../support/store-builders.ts';

closeAfterEach();

const RUN = 'weekly-1';
const now = () => Date.now();
/** A verdict's id, which the case has that was copied from it. */
const idOf = (index: number): string => `${index}`.padStart(20, '0');

/** A desk with a run of cases that were copied from chats. */
async function aDesk(habits: readonly Habit[] = ['pass', 'pass', 'pass']) {
  const store = await openSqliteStore(join(scratch(), 'jury.db'));
  closing(() => store.close());
  const { runs, library } = reviewParts(store, now, { [RUN]: habits });
  const desk: ReviewDesk = {
    ...{ store, library, now },
    texts: { language: 'en' as const },
    benchmarkRuns: async () => ({
      ...runs,
      caseAt: async (_run, index) => aCase({ id: idOf(index), response: `Response ${index}.` }),
    }),
  };
  await beginReview({ store, runs, now }, RUN, aWish({ people: ['ada'] }));
  await volunteer(desk, 'ada');
  return desk;
}

/** Sees the verdicts of one channel. */
const inChannel = (channel: string): Viewer => ({
  voter: 'ada',
  maySee: async ({ source }) => source.channel === channel,
});

const shown = async (desk: ReviewDesk, viewer: Viewer) => JSON.stringify(await reviewNow(desk, viewer, null));

describe('answers to check that were copied from chats', () => {
  test('are offered only to people who may read the verdict; others are offered the rest', async () => {
    const desk = await aDesk();
    for (const index of [0, 1, 2])
      await desk.store.saveVerdict(aRecord({ id: idOf(index), channel: index === 1 ? 'C1' : 'C2' }));
    const viewer = inChannel('C1');
    expect(await shown(desk, viewer)).toContain('Response 1.');
    const { buttons } = await reviewNow(desk, viewer, null);
    const press = readReviewPress(buttons[0]?.does ?? '', buttons[0]?.id ?? '');
    if (press === null) throw new Error('no answer can be given');
    expect(await keepReview(desk, 'ada', press)).toBeNull();
    const rest = await shown(desk, viewer);
    expect(rest).toContain('You checked 1 answer this week. There is nothing left to check. Thank you.');
    expect(rest).not.toContain('Response');
  });

  test('are not offered once their verdict was withdrawn or is no longer kept', async () => {
    const desk = await aDesk();
    await desk.store.saveVerdict(aRecord({ id: idOf(0), channel: 'C1' }));
    await withdrawVerdict(desk.store, idOf(0), now());
    expect(await shown(desk, inChannel('C1'))).toContain('There is nothing left to check.');
  });
});

describe('a message about an answer to check', () => {
  const standard = {
    title: 'Navigation',
    task: 'Is it right?',
    criteria: [{ title: 'Time', rule: 'Open.' }],
  };
  const offer = { run: RUN, place: 7, number: 2, most: 10, standard };

  test('has the whole case, if it is short, and no button to open it', () => {
    const message = offerMessage({ ...offer, evalCase: aCase({ response: 'Done.' }) }, null, 'en');
    expect(message.buttons.map(({ does, id }) => [does, id])).toEqual([
      ...['review-right', 'review-wrong', 'review-unsure'].map((does) => [does, `7 ${RUN}`]),
      ['review-skip', ''],
      ['review-never', ''],
    ]);
    expect(JSON.stringify(message)).not.toContain('shortened');
  });

  test.each([
    ['a long response', aCase({ response: 'long '.repeat(1_000) }), 'long long'],
    [
      'many turns',
      aCase({
        conversation: Array.from({ length: 31 }, (_, n) => ({
          role: n % 2 === 0 ? ('user' as const) : ('system' as const),
          text: `turn ${n}`,
        })),
      }),
      'turn 30',
    ],
  ])('shows as much as there is room for of %s, and says so', (_, evalCase, text) => {
    const message = offerMessage({ ...offer, evalCase }, null, 'en');
    expect(JSON.stringify(message.parts)).toContain(text);
    expect(JSON.stringify(message.parts)).toContain(
      'This is shortened: “Whole case and guide” has all of it.',
    );
    expect(message.buttons.some(({ does }) => does === 'review-case')).toBe(true);
  });

  test('opens the whole case to the person who is checking it, and to no one else', async () => {
    const desk = await aDesk();
    for (const index of [0, 1, 2]) await desk.store.saveVerdict(aRecord({ id: idOf(index), channel: 'C1' }));
    const { buttons } = await reviewNow(desk, inChannel('C1'), null);
    const about = readReviewRef(buttons[0]?.id ?? '');
    if (about === null) throw new Error('nothing is offered');
    const own = await wholeReview(desk, inChannel('C1'), about);
    expect(JSON.stringify(own)).toContain('Response ');
    const why = { why: 'This answer is no longer there to check.' };
    expect(await wholeReview(desk, { ...inChannel('C1'), voter: 'eve' }, about)).toEqual(why);
    expect(await wholeReview(desk, inChannel('C1'), { ...about, place: about.place + 1 })).toEqual(why);
  });
});

test('only people who are named are offered to be asked', async () => {
  const store = await openSqliteStore(join(scratch(), 'jury.db'));
  closing(() => store.close());
  const parts = reviewParts(store, () => saturday, { [RUN]: ['pass'] });
  const desk: ReviewDesk = {
    ...{ store, library: parts.library, now: parts.now },
    texts: { language: 'en' as const },
    benchmarkRuns: async () => parts.runs,
  };
  await beginReview(parts, RUN, aWish({ people: ['ada', 'bea'] }));
  const buttonsOf = async (voter: string) =>
    (await reviewNow(desk, { voter, maySee: async () => false }, null)).buttons.map(({ label }) => label);
  await keepReview(desk, 'bea', { does: 'start', again: false });
  await reviewNow(desk, { voter: 'bea', maySee: async () => false }, null);
  // The only answer is another person's now.
  expect(await buttonsOf('ada')).toEqual(['Ask me when there is', 'Never']);
  expect(await buttonsOf('zoe')).toEqual([]);
});

test('who answers after another person was asked is told so, and goes on', async () => {
  const store = await openSqliteStore(join(scratch(), 'jury.db'));
  closing(() => store.close());
  const clock = { now: saturday };
  const parts = reviewParts(store, () => clock.now, { [RUN]: ['pass', 'pass'] });
  const desk: ReviewDesk = {
    ...{ store, library: parts.library, now: parts.now },
    texts: { language: 'en' as const },
    benchmarkRuns: async () => parts.runs,
  };
  await beginReview(parts, RUN, aWish({ people: ['ada', 'bea'], days: 1 }));
  const see = (voter: string): Viewer => ({ voter, maySee: async () => false });
  for (const voter of ['ada', 'bea']) await keepReview(desk, voter, { does: 'start', again: false });
  const { buttons } = await reviewNow(desk, see('ada'), null);
  clock.now += dayMs;
  expect((await reviewNow(desk, see('bea'), null)).buttons[0]).toEqual(buttons[0]);
  const press = readReviewPress(buttons[0]?.does ?? '', buttons[0]?.id ?? '');
  if (press === null) throw new Error('no answer can be given');
  const said = await keepReview(desk, 'ada', press);
  expect(said).toBe('Someone else has since been asked about this one.');
  const { parts: shown, text } = await reviewNow(desk, see('ada'), said);
  expect(shown[0]).toEqual({ kind: 'note', text: said });
  expect(text).toBe('Answer 2 of at most 10 this week');
});

test.each([
  ['review-right', '7'],
  ['review-right', 'weekly-1'],
  ['review-right', '-1 weekly-1'],
  ['review-right', '7 week/ly'],
  ['review-else', '7 weekly-1'],
  ['agree', '7 weekly-1'],
])('%s with the value %j is no answer', (does, value) => {
  expect(readReviewPress(does, value)).toBeNull();
});

test('the command is one word', () => {
  expect(['review', ' Reviews '].map(isReviewCommand)).toEqual([true, true]);
  expect(['review my answer', 'User: review', ''].map(isReviewCommand)).toEqual([false, false, false]);
});
