import { describe, expect, test } from 'vitest';
import { gatherDigest } from '../../src/digests/gather-digest.ts';
import { sendDigest } from '../../src/digests/send-digest.ts';
import type { Env } from '../../src/env.ts';
import type { Person } from '../../src/labels/access/permissions.ts';
import { readAgreement } from '../../src/labels/agreement/read-agreement.ts';
import { labelOf, readVoted } from '../../src/labels/label.ts';
import { usualRule } from '../../src/labels/label-rule.ts';
import { answersKey } from '../../src/requests/judge-one-case.ts';
import { inviteReviewer } from '../../src/reviews/invite-reviewer.ts';
import { findSample } from '../../src/reviews/kept-reviews.ts';
import { beginReview, reviewStatus } from '../../src/reviews/manage-reviews.ts';
import { reviewedRun } from '../../src/reviews/review-sample.ts';
import { openStore, openTrialStore } from '../../src/stores/open-store.ts';
import type { Parts } from '../../src/surfaces/program-parts.ts';
import type { Surface } from '../../src/surfaces/surface.ts';
import { folderWith } from '../support/built-in.ts';
import { digestSenderOf } from '../support/digest-sender.ts';
import { keepMadeRun } from '../support/made-run.ts';
import {
  ALIKE_LINE,
  CHECKABLE,
  GOOD_PASTE,
  PASTE,
  UNSURE,
  UNSURE_ALIKE,
  UNSURE_LINE,
} from '../support/pastes.ts';
import { isReading, part, unlabeled, unlabeledParts } from '../support/reader-double.ts';
import { closing, newFolder, until } from '../support/resources.ts';
import { aWish } from '../support/reviews.ts';
import { oneQuickJudge, serviceModel } from '../support/service-model.ts';
import { aSchedule } from '../support/store-builders.ts';
import { aStudy } from '../support/study-builders.ts';

/** A message as people see it. */
export interface Seen {
  id: string;
  /** All that it shows. */
  text: string;
  /** Where it is, if not in the conversation where the person asks. */
  at?: string;
}

/** A service that runs, in this process. */
export interface Running {
  parts: Parts;
  logged: string[];
  close: () => Promise<void>;
  /** Ends as a process does that dies. */
  die: () => Promise<void>;
}

/** A request that was made. */
export interface MadeRequest {
  /** The platform delivers it once more. */
  again: (jury: Running) => Promise<void>;
  /** What stands as the answer to it, oldest first. */
  seen: () => Promise<Seen[]>;
  /** The person writes to the app below it. */
  reply: (jury: Running, text: string) => Promise<void>;
}

type Button =
  | ('stop' | 'agree' | 'right' | 'what is right' | 'take back' | 'judge these')
  | ('judge without' | 'belongs' | 'judge reading' | 'edit' | 'judge with' | 'details' | 'try again')
  | ('start' | 'response right' | 'response wrong' | 'not sure' | 'whole case' | 'not this week' | 'never');

/** A platform with a person in it who asks and votes. */
export interface SurfaceRig {
  surface: Surface;
  /** The environment that sets the surface up; without it, or with what turns it off, it is off. */
  env: Record<string, string>;
  off?: Partial<Env['settings']>;
  /** Starts a service, with a clock of its own if need be; everything is closed after the test. */
  start: (env?: Record<string, string>, now?: () => number) => Promise<Running>;
  /** Where the person asks, as it is stored. */
  conversation: { team: string; channel: string };
  person: Person;
  /** The person asks for a verdict on a text. */
  ask: (jury: Running, text: string) => Promise<MadeRequest>;
  /** The person presses what a message shows. */
  press: (jury: Running, message: Seen, button: Button) => Promise<void>;
  can: (message: Seen, button: Button) => boolean;
  /** The person says what is right in the form that was opened last, and sends it; the platform may deliver it once more. */
  send: (jury: Running, right: 'pass' | 'fail' | 'unsure') => Promise<() => Promise<void>>;
  /** Whether an answer becomes one line once it was judged again. */
  folds?: true;
  /** What others see of the request, where a person who has answered sees more in the same place. */
  seenByOthers?: () => Promise<Seen[]>;
  /** The view that was opened last for the person, and for no one else. */
  opened: () => string;
  /** Whether several people write in one thread, so that a conversation can stand in several messages. */
  hasThreads?: boolean;
  /** From now on messages are changed only after the returned function was called. */
  holdChanges: () => () => void;
  /** How often it tries to change a card before it lets go of the request for a while. */
  tries: number;
  /** So many of the next changes to a card that says FAIL fail, and no others, as they do where a platform has a passing fault. */
  failCards: (times: number) => { failed: () => number; end: () => void };
  /** What the app wrote in the conversation itself, and to the person in private. */
  posts: () => Promise<Seen[]>;
  received: () => Promise<Seen[]>;
}

/** A case that nothing can judge: the rubric asks for more than it has. */
const INCOMPLETE = '{"rubric":"navigation","conversation":[{"role":"user","text":"Where to?"}]}';
const WEEK_MS = 7 * 86_400_000;
/** A case about which the exact checks say nothing. */
const UNCHECKED = PASTE.replace('rated at least 4.5', 'somewhere nice').replace('Rating: 4.3', 'Cost: low');
const DUE = { slot: 0, late: false };
const A_SECOND_MS = 1_000;
/** The clock of a process that starts when what an earlier one had taken up has run out. */
const aMinuteLater = () => Date.now() + 60_000;

/** What every surface does, whatever platform it stands on. */
export function surfaceContract(name: string, open: () => Promise<SurfaceRig>): void {
  const verdicts = async (jury: Running) =>
    (await jury.parts.store()).recentVerdicts({ channel: null, limit: 9 });
  const card = (request: MadeRequest, start: string) =>
    until(async () => (await request.seen()).find(({ text }) => text.startsWith(start)));

  describe(`${name}: a request`, () => {
    test('gets one message that becomes the card, however often it is delivered', async () => {
      const rig = await open();
      const jury = await rig.start();
      const release = rig.holdChanges();
      const request = await rig.ask(jury, PASTE);
      const [placeholder] = await until(async () => {
        const seen = await request.seen();
        return seen.length > 0 && seen;
      });
      for (let n = 0; n < 5; n += 1) await request.again(jury);
      release();
      expect((await card(request, 'FAIL')).id).toBe(placeholder?.id);
      await request.again(jury);
      expect(await request.seen()).toHaveLength(1);
      expect(await verdicts(jury)).toHaveLength(1);
    });

    test('that a process left behind is brought to its end by the next one, in the same message', async () => {
      const rig = await open();
      const env = { JURY_DATA_DIR: newFolder() };
      const first = await rig.start(env);
      const release = rig.holdChanges();
      const request = await rig.ask(first, PASTE);
      const [placeholder] = await until(async () => {
        const seen = await request.seen();
        return seen.length > 0 && seen;
      });
      await first.die();
      const second = await rig.start(env, aMinuteLater);
      release();
      expect((await card(request, 'FAIL')).id).toBe(placeholder?.id);
      await request.again(second);
      expect(await request.seen()).toHaveLength(1);
      expect(await verdicts(second)).toHaveLength(1);
    });

    test('that a process left behind asks no judge again that had answered', async () => {
      const rig = await open();
      const { env: model, double, letGo } = await oneQuickJudge();
      const env = { ...model, JURY_DATA_DIR: newFolder() };
      const first = await rig.start(env);
      const request = await rig.ask(first, PASTE);
      await until(async () => (await request.seen()).some(({ text }) => text.includes('1 fail so far')));
      await first.die();
      const askedBefore = double.counts.received;
      letGo();
      const second = await rig.start(env, aMinuteLater);
      await card(request, 'FAIL');
      const [record] = await verdicts(second);
      expect(record?.verdict.judgements.map(({ status }) => status)).toEqual(['scored', 'scored', 'scored']);
      expect([askedBefore, double.counts.received]).toEqual([3, 5]);
      expect(record?.verdict.usage.costUsd).toBeGreaterThan(0);
      expect(record?.verdict.judgements.some(({ usage }) => usage.fromCache)).toBe(false);
      const store = await second.parts.store();
      await until(async () => (await store.get(answersKey(record?.id ?? ''), Date.now())) === null);
    });

    test('has its votes on the card after a process died that had counted one and not shown it', async () => {
      const rig = await open();
      const env = { JURY_DATA_DIR: newFolder() };
      const first = await rig.start(env);
      const request = await rig.ask(first, PASTE);
      await card(request, 'FAIL');
      const store = await first.parts.store();
      const [record] = await until(async () => (await store.pendingSpotChecks()) === 0 && verdicts(first));
      const vote = { voter: 'v1', value: 'agree', surface: rig.surface.name, at: Date.now() } as const;
      await store.castVote({ verdictId: record?.id ?? '', ...vote });
      await first.die();
      await rig.start(env);
      await until(async () => (await card(request, 'FAIL')).text.includes('👍 1'));
      expect(await request.seen()).toHaveLength(1);
    });

    test('has no vote on the card that was taken back before a process died, which had not shown so', async () => {
      const rig = await open();
      const env = { JURY_DATA_DIR: newFolder() };
      const first = await rig.start(env);
      const request = await rig.ask(first, PASTE);
      const shown = await card(request, 'FAIL');
      const store = await first.parts.store();
      const [record] = await until(async () => (await store.pendingSpotChecks()) === 0 && verdicts(first));
      await rig.press(first, shown, 'agree');
      await until(async () => (await card(request, 'FAIL')).text.includes('👍 1'));
      const verdictId = record?.id ?? '';
      await until(async () => (await store.get(`shown-votes:${verdictId}`, Date.now())) !== null);
      const [vote] = await store.votes(verdictId);
      if (vote === undefined) throw new Error('there is no vote');
      const { voter, surface } = vote;
      await store.castVote({ verdictId, voter, surface, value: null, at: Date.now() + WEEK_MS });
      await first.die();
      await rig.start(env);
      await until(async () => !(await card(request, 'FAIL')).text.includes('👍 1'));
      expect(await request.seen()).toHaveLength(1);
    });

    test('whose verdict was kept before it was stopped shows that verdict, whatever process comes next', async () => {
      const rig = await open();
      const env = { JURY_DATA_DIR: newFolder() };
      const first = await rig.start(env);
      const release = rig.holdChanges();
      const request = await rig.ask(first, PASTE);
      await until(async () => (await verdicts(first)).length > 0);
      await first.die();
      const store = await openStore({ JURY_DATA_DIR: env.JURY_DATA_DIR }, () => {});
      closing(() => store.close());
      const { readable } = await store.abandonedSpotChecks(Date.now() + WEEK_MS, 9);
      await store.setIfAbsent(`stop:${readable[0]?.id}`, 'U1', Date.now(), WEEK_MS);
      await rig.start(env, aMinuteLater);
      release();
      await until(async () => (await store.pendingSpotChecks()) === 0);
      expect((await request.seen()).map(({ text }) => text)).toEqual([expect.stringMatching(/^FAIL/)]);
    });

    test.each([
      ['once', () => 1],
      ['once more than it is tried', (tries: number) => tries + 1],
    ])('shows its verdict once where its card was not taken at first, %s', async (_, timesOf) => {
      const rig = await open();
      const times = timesOf(rig.tries);
      const { env, double } = await serviceModel({ answer: () => ({ fields: { decision: 'fail' } }) });
      let ahead = 0;
      const jury = await rig.start(env, () => Date.now() + ahead);
      const store = await jury.parts.store();
      const failing = rig.failCards(times);
      const request = await rig.ask(jury, PASTE);
      await until(() => {
        ahead += A_SECOND_MS;
        return failing.failed() === times;
      });
      await until(async () => {
        ahead += A_SECOND_MS;
        return (await store.pendingSpotChecks()) === 0;
      });
      expect((await request.seen()).map(({ text }) => text)).toEqual([expect.stringMatching(/^FAIL/)]);
      expect(await verdicts(jury)).toHaveLength(1);
      expect(double.counts.received).toBe(3);
      // Every time that it had been tried so often, the request was let go of.
      const letGo = jury.logged.filter((line) => line.includes('"outcome":"left"'));
      expect(letGo).toHaveLength(Math.floor(times / rig.tries));
    });

    test('shows its verdict once where its card was not taken for an hour and by three processes', async () => {
      const rig = await open();
      const { env: model, double } = await serviceModel({ answer: () => ({ fields: { decision: 'fail' } }) });
      const env = { ...model, JURY_DATA_DIR: newFolder() };
      let ahead = 0;
      const now = () => Date.now() + ahead;
      const failing = rig.failCards(Number.POSITIVE_INFINITY);
      let jury = await rig.start(env, now);
      const request = await rig.ask(jury, PASTE);
      await until(async () => (await verdicts(jury)).length > 0);
      for (const minutes of [20, 40, 60]) {
        const before = failing.failed();
        await until(() => {
          ahead += A_SECOND_MS;
          return failing.failed() > before;
        });
        await jury.die();
        ahead = minutes * 60_000;
        jury = await rig.start(env, now);
      }
      failing.end();
      const store = await jury.parts.store();
      await until(async () => {
        ahead += A_SECOND_MS;
        return (await store.pendingSpotChecks()) === 0;
      });
      expect((await request.seen()).map(({ text }) => text)).toEqual([expect.stringMatching(/^FAIL/)]);
      expect(await verdicts(jury)).toHaveLength(1);
      expect(double.counts.received).toBe(3);
    });

    test('that cannot be judged is refused with the reason', async () => {
      const rig = await open();
      const jury = await rig.start();
      const request = await rig.ask(jury, INCOMPLETE);
      await until(async () => (await request.seen()).find(({ text }) => /response/i.test(text)));
      expect(await request.seen()).toHaveLength(1);
      expect(await verdicts(jury)).toEqual([]);
    });

    test('of which the answer comes in a message below it is joined with that; a second answer is asked about first', async () => {
      const rig = await open();
      if (rig.hasThreads !== true) return;
      const jury = await rig.start();
      const store = await jury.parts.store();
      const request = await rig.ask(jury, 'User: Find me a sushi place rated at least 4.5');
      await until(async () =>
        (await request.seen()).some(({ text }) => text.includes('There is no response')),
      );
      await request.reply(jury, 'System: Sakura is five minutes away.\nRating: 4.3');
      const shown = await card(request, 'FAIL');
      expect(shown.text).toContain('joined 2 messages of this thread');
      await until(async () => (await store.pendingSpotChecks()) === 0);
      await request.reply(jury, 'System: Ginza is ten minutes away.\nRating: 4.6');
      const question = await until(async () =>
        (await request.seen()).find(({ text }) => text.includes('More than one message may be the answer')),
      );
      await until(async () => (await store.pendingSpotChecks()) === 0);
      expect(await verdicts(jury)).toHaveLength(1);
      await rig.press(jury, question, 'judge these');
      await until(async () => (await verdicts(jury)).length === 2);
      const [newest] = await verdicts(jury);
      expect(newest?.evalCase).toMatchObject({
        response: 'Ginza is ten minutes away.',
        recommendation: { rating: 4.6 },
      });
      // The card stands where the question stood.
      await until(async () =>
        (await request.seen()).some(({ id, text }) => id === question.id && text.includes('4.6')),
      );
      expect(await request.seen()).toHaveLength(3);
    });

    test('can be stopped; what was said stays', async () => {
      const rig = await open();
      const { env } = await oneQuickJudge();
      const jury = await rig.start(env);
      const request = await rig.ask(jury, PASTE);
      const running = await until(async () =>
        (await request.seen()).find(({ text }) => text.includes('1 fail so far')),
      );
      await rig.press(jury, running, 'stop');
      await card(request, 'NOT DECIDED');
      const [record] = await verdicts(jury);
      expect(record?.verdict.cancelled).toBe(true);
      expect(record?.verdict.judgements.filter(({ status }) => status === 'scored')).toHaveLength(1);
    });

    test('is what a question below it is about: that gets one answer, and no new verdict', async () => {
      const rig = await open();
      const { env } = await serviceModel({
        answer: ({ body }) =>
          body.response_format?.json_schema?.name === 'answer'
            ? { json: { words: ['rated 4.3'], answer: 'The rating is below what was asked for.' } }
            : { fields: { decision: 'fail' } },
      });
      const jury = await rig.start(env);
      const request = await rig.ask(jury, PASTE);
      await until(async () => (await verdicts(jury)).length === 1 && (await card(request, 'FAIL')));
      const store = await jury.parts.store();
      await until(async () => (await store.pendingSpotChecks()) === 0);
      await request.reply(jury, 'why did the panel fail this?');
      const answer = await until(async () =>
        (await request.seen()).find(({ text }) => text.includes('below what was asked for')),
      );
      expect(answer.text).toContain('The panel answers');
      expect(answer.text).toContain('An answer, not a new verdict');
      expect(await request.seen()).toHaveLength(2);
      expect(await verdicts(jury)).toHaveLength(1);
    });

    test('is kept with its conversation, whose kind is stored only if the id does not say it', async () => {
      const rig = await open();
      const jury = await rig.start();
      await card(await rig.ask(jury, PASTE), 'FAIL');
      const { surface, conversation } = rig;
      const kind = surface.kindOf(conversation.channel);
      const [record] = await verdicts(jury);
      expect(record?.source).toMatchObject({ surface: surface.name, ...conversation });
      expect(record?.source.kind === undefined).toBe(kind !== null);
    });
  });

  describe(`${name}: a request that no model decides`, () => {
    const allOf = async (jury: Running) => (await verdicts(jury)).map(({ verdict }) => verdict);

    test.each([
      ['fails where a check fails', PASTE, 'FAIL'],
      ['passes where every criterion was checked', CHECKABLE, 'PASS'],
      ['is left open where a criterion was not', GOOD_PASTE, 'NOT DECIDED'],
    ])('since the budget is spent %s', async (_what, paste, label) => {
      const rig = await open();
      const { env, double } = await serviceModel();
      const jury = await rig.start({ ...env, JURY_DAILY_BUDGET_USD: '0' });
      const request = await rig.ask(jury, paste);
      expect((await card(request, label)).text).toContain("exact checks only, today's budget is spent");
      const [verdict] = await allOf(jury);
      expect(verdict).toMatchObject({ fallback: 'budget', usage: { costUsd: 0 } });
      expect(new Set(verdict?.judgements.map(({ judge }) => judge.model))).toEqual(new Set(['rules']));
      expect(double.counts.received).toBe(0);
      expect(await request.seen()).toHaveLength(1);
    });

    test('since the budget ran out meanwhile gets the exact checks, and what was spent stands', async () => {
      const rig = await open();
      const { env, double } = await serviceModel({ answer: () => ({ fields: { decision: 'pass' } }) });
      const jury = await rig.start({ ...env, JURY_DAILY_BUDGET_USD: '0.000001' });
      const request = await rig.ask(jury, PASTE);
      expect((await card(request, 'FAIL')).text).toContain("exact checks only, today's budget is spent");
      const [verdict] = await allOf(jury);
      expect(verdict).toMatchObject({ fallback: 'budget', decision: 'fail' });
      expect(verdict?.usage.costUsd).toBeGreaterThan(0);
      expect(double.counts.received).toBe(1);
    });

    test.each([
      [
        'the key',
        { status: 401, error: 'Incorrect API key provided' },
        'refuses the key. Ask your Jury admin',
      ],
      [
        'the model',
        { status: 404, error: 'The model `gpt-4o-mini` does not exist' },
        'does not know the model',
      ],
    ])('since the endpoint refuses %s gets the exact checks and the reason', async (_what, answer, todo) => {
      const rig = await open();
      const { env } = await serviceModel({ answer: () => answer });
      const jury = await rig.start(env);
      const shown = await card(await rig.ask(jury, PASTE), 'FAIL');
      expect(shown.text).toContain('exact checks only');
      expect(shown.text.replaceAll(/&#39;|'/g, '’')).toContain(todo);
      expect(shown.text).not.toContain('Incorrect API key');
      expect(await allOf(jury)).toMatchObject([{ fallback: 'refused' }]);
    });

    test('since nothing listens there gets the exact checks and the reason', async () => {
      const rig = await open();
      const { env, double } = await serviceModel();
      await double.close();
      const jury = await rig.start(env);
      const shown = await card(await rig.ask(jury, PASTE), 'FAIL');
      expect(shown.text).toContain('exact checks only');
      expect(shown.text).toContain('The model cannot be reached.');
      expect(shown.text).not.toContain('ECONNREFUSED');
      expect(await allOf(jury)).toMatchObject([{ fallback: 'unreachable' }]);
    });

    test('keeps the verdict that it got, whatever process shows it and whatever the budget is then', async () => {
      const rig = await open();
      const { env: model, double } = await serviceModel();
      const env = { ...model, JURY_DATA_DIR: newFolder() };
      const first = await rig.start({ ...env, JURY_DAILY_BUDGET_USD: '0' });
      const release = rig.holdChanges();
      const request = await rig.ask(first, PASTE);
      const [kept] = await until(async () => {
        const all = await verdicts(first);
        return all.length > 0 && all;
      });
      await first.die();
      const second = await rig.start(env, aMinuteLater);
      release();
      await card(request, 'FAIL');
      expect(await verdicts(second)).toEqual([kept]);
      expect(double.counts.received).toBe(0);
    });

    test('is told of the budget where there is nothing to check, or people vote first', async () => {
      const rig = await open();
      const { env } = await serviceModel();
      const jury = await rig.start({ ...env, JURY_DAILY_BUDGET_USD: '0' });
      await card(await rig.ask(jury, 'User: Tell me a joke\nSystem: No.'), 'The daily budget');
      const store = await jury.parts.store();
      await store.saveChannelSettings(rig.conversation.channel, { wish: {}, blind: true });
      await card(await rig.ask(jury, PASTE), 'The daily budget');
      expect(await verdicts(jury)).toEqual([]);
    });
  });

  describe(`${name}: a line that may belong to the answer`, () => {
    const question = (request: MadeRequest) =>
      until(async () => (await request.seen()).find(({ text }) => text.includes('belong to the answer?')));
    const idle = async (jury: Running) => {
      const store = await jury.parts.store();
      await until(async () => (await store.pendingSpotChecks()) === 0);
    };

    test('is left out where exact checks come to the same outcome, and judged with at the press of a button', async () => {
      const rig = await open();
      const jury = await rig.start();
      const request = await rig.ask(jury, UNSURE_ALIKE);
      const shown = await card(request, 'PASS');
      expect(shown.text).toContain(`Left out: “${ALIKE_LINE}”`);
      const [first] = await verdicts(jury);
      expect(first?.verdict.leftOut).toBe(ALIKE_LINE);
      expect(first?.evalCase.response).not.toContain(ALIKE_LINE);
      await rig.press(jury, shown, 'judge with');
      await rig.press(jury, shown, 'judge with');
      await until(async () => (await verdicts(jury)).length === 2);
      await idle(jury);
      const [again] = await verdicts(jury);
      expect(again?.evalCase.response).toContain(ALIKE_LINE);
      expect(again?.verdict.leftOut).toBeUndefined();
      expect(again?.verdict.assumed.join()).toContain(`"${ALIKE_LINE}" was read as part of the response`);
      expect(await verdicts(jury)).toHaveLength(2);
      const cards = await until(async () => {
        const seen = await request.seen();
        return seen.length === 2 && seen;
      });
      expect(cards.filter(({ text }) => text.includes('Left out:'))).toHaveLength(rig.folds === true ? 0 : 1);
    });

    test('is left out by models, who say so', async () => {
      const rig = await open();
      const { env, double } = await serviceModel({ answer: () => ({ fields: { decision: 'pass' } }) });
      const jury = await rig.start(env);
      const shown = await card(await rig.ask(jury, UNSURE), 'PASS');
      expect(shown.text).toContain(`Left out: “${UNSURE_LINE}”`);
      expect(rig.can(shown, 'judge with')).toBe(true);
      expect(JSON.stringify(double.requests)).not.toContain(UNSURE_LINE);
    });

    test.each([
      ['judge without', 'PASS', false],
      ['belongs', 'NOT DECIDED', true],
    ] as const)(
      'is asked about where the outcome depends on it; %s judges that, in the same message, once',
      async (button, label, isIn) => {
        const rig = await open();
        const jury = await rig.start();
        const request = await rig.ask(jury, UNSURE);
        const asked = await question(request);
        expect(asked.text).toContain(UNSURE_LINE);
        await idle(jury);
        expect(await verdicts(jury)).toEqual([]);
        await rig.press(jury, asked, button);
        await rig.press(jury, asked, button);
        await rig.press(jury, asked, button === 'belongs' ? 'judge without' : 'belongs');
        const judged = await card(request, label);
        await idle(jury);
        expect(judged.id).toBe(asked.id);
        expect(await request.seen()).toHaveLength(1);
        const kept = await verdicts(jury);
        expect(kept.map(({ evalCase }) => evalCase.response.includes(UNSURE_LINE))).toEqual([isIn]);
        expect(judged.text.includes('Left out:')).toBe(button === 'judge without');
      },
    );

    test('is asked about once more by nobody after a process died that had taken the answer', async () => {
      const rig = await open();
      const env = { JURY_DATA_DIR: newFolder() };
      const first = await rig.start(env);
      const request = await rig.ask(first, UNSURE);
      const asked = await question(request);
      await idle(first);
      const release = rig.holdChanges();
      // What a press is answered with may wait for the change.
      void rig.press(first, asked, 'belongs').catch(() => {});
      const store = await first.parts.store();
      await until(async () => (await store.pendingSpotChecks()) === 1);
      await first.die();
      const second = await rig.start(env, aMinuteLater);
      release();
      expect((await card(request, 'NOT DECIDED')).id).toBe(asked.id);
      await idle(second);
      await request.again(second);
      expect(await request.seen()).toHaveLength(1);
      expect((await verdicts(second)).map(({ evalCase }) => evalCase.response.includes(UNSURE_LINE))).toEqual(
        [true],
      );
    });

    test('can be edited, with all that was understood', async () => {
      const rig = await open();
      const jury = await rig.start();
      await rig.press(jury, await question(await rig.ask(jury, UNSURE)), 'edit');
      await until(() => rig.opened().includes(UNSURE_LINE) && rig.opened().includes('five minutes away'));
    });

    test('is asked about too where exact checks stand in for models', async () => {
      const rig = await open();
      const { env } = await serviceModel();
      const jury = await rig.start({ ...env, JURY_DAILY_BUDGET_USD: '0' });
      const request = await rig.ask(jury, UNSURE);
      await rig.press(jury, await question(request), 'judge without');
      expect((await card(request, 'NOT DECIDED')).text).toContain('exact checks only');
    });

    test('stands in the details among the parts of the paste', async () => {
      const rig = await open();
      const jury = await rig.start();
      await rig.press(jury, await card(await rig.ask(jury, UNSURE_ALIKE), 'PASS'), 'details');
      await until(() => rig.opened().includes('How the paste was read'));
      expect(rig.opened()).toContain(ALIKE_LINE);
    });
  });

  describe(`${name}: a paste without labels that a model reads`, () => {
    const idle = async (jury: Running) => {
      const store = await jury.parts.store();
      await until(async () => (await store.pendingSpotChecks()) === 0);
    };
    const RESPONSE = 'Sakura is five minutes away, Klaus. It is rated 4.3.';
    /** A service whose model reads as scripted, and whose judges are exact checks. */
    const withReader = async (parts: readonly unknown[] = unlabeledParts) => {
      const rig = await open();
      const { env, double } = await serviceModel({ answer: () => ({ json: { parts } }) });
      const own = { ...env, JURY_MODEL: 'rules', JURY_READER: 'openai/gpt-4o-mini' };
      return { rig, env: own, readings: () => double.requests.filter(isReading).length };
    };
    const shownReading = (request: MadeRequest) =>
      until(async () => (await request.seen()).find(({ text }) => text.includes('Is this right?')));

    test('is shown first, and judged in the same message after one click, once', async () => {
      const { rig, env, readings } = await withReader();
      const jury = await rig.start(env);
      const request = await rig.ask(jury, unlabeled);
      const asked = await shownReading(request);
      expect(asked.text).toContain('openai/gpt-4o-mini read it');
      expect(asked.text).toContain('five minutes away, Klaus');
      expect(asked.text).toContain('wanted to know');
      await idle(jury);
      await request.again(jury);
      await idle(jury);
      expect(await verdicts(jury)).toEqual([]);
      await rig.press(jury, asked, 'judge reading');
      await rig.press(jury, asked, 'judge reading');
      const judged = await card(request, 'NOT DECIDED');
      await idle(jury);
      await request.again(jury);
      await idle(jury);
      expect(judged.id).toBe(asked.id);
      expect(await request.seen()).toHaveLength(1);
      const [record, ...more] = await verdicts(jury);
      expect(more).toEqual([]);
      expect(record?.evalCase).toMatchObject({
        conversation: [{ role: 'user', text: 'find me a sushi place, rated at least 4' }],
        response: RESPONSE,
        recommendation: { rating: 4.3 },
      });
      expect(record?.verdict.reader).toMatchObject({
        model: 'openai/gpt-4o-mini',
        usage: { promptTokens: 100 },
      });
      expect(record?.verdict.usage.costUsd).toBeGreaterThan(0);
      expect(readings()).toBe(1);
      await rig.press(jury, judged, 'details');
      await until(() => rig.opened().includes('read by') && rig.opened().includes('openai/gpt-4o-mini'));
    });

    test('is read once, and judged by the next process, if one died between reading and click', async () => {
      const { rig, env, readings } = await withReader();
      const folder = { ...env, JURY_DATA_DIR: newFolder() };
      const first = await rig.start(folder);
      const request = await rig.ask(first, unlabeled);
      const asked = await shownReading(request);
      await idle(first);
      await first.die();
      const second = await rig.start(folder, aMinuteLater);
      await request.again(second);
      await idle(second);
      expect(await verdicts(second)).toEqual([]);
      await rig.press(second, asked, 'judge reading');
      expect((await card(request, 'NOT DECIDED')).id).toBe(asked.id);
      await idle(second);
      expect(await request.seen()).toHaveLength(1);
      expect(await verdicts(second)).toHaveLength(1);
      expect(readings()).toBe(1);
    });

    test('with speakers swapped, or in a conversation where people vote first, decides nothing before the click', async () => {
      const swapped = [part(2, 2, 'system'), part(1, 1, 'user'), part(4, 4, 'left out')];
      const { rig, env } = await withReader(swapped);
      const jury = await rig.start(env);
      const store = await jury.parts.store();
      const settings = await store.channelSettings(rig.conversation.channel);
      await store.saveChannelSettings(rig.conversation.channel, { ...settings, blind: true });
      const request = await rig.ask(jury, unlabeled);
      const asked = await shownReading(request);
      await idle(jury);
      expect(asked.text).not.toMatch(/PASS|FAIL|NOT DECIDED/);
      expect(await verdicts(jury)).toEqual([]);
    });

    test('can be edited, with all that was read', async () => {
      const { rig, env } = await withReader();
      const jury = await rig.start(env);
      await rig.press(jury, await shownReading(await rig.ask(jury, unlabeled)), 'edit');
      await until(() => rig.opened().includes(RESPONSE) && rig.opened().includes('rated at least 4'));
    });

    test.each([
      ['a reader that is wrong twice', [part(1, 1, 'user', 'invented')], {}, 2, /gave no usable reading/],
      ['a reader that finds no conversation', [], {}, 1, /found no conversation/],
      [
        'a model that the conversation does not allow',
        unlabeledParts,
        { allowedModels: ['openai/gpt-4o'] },
        0,
        null,
      ],
    ])('after %s is answered as before, and says so', async (_, parts, settings, asked, says) => {
      const { rig, env, readings } = await withReader(parts);
      const jury = await rig.start(env);
      const store = await jury.parts.store();
      const { channel } = rig.conversation;
      await store.saveChannelSettings(channel, { ...(await store.channelSettings(channel)), ...settings });
      const request = await rig.ask(jury, unlabeled);
      await idle(jury);
      const [shown, ...more] = await until(async () => {
        const seen = await request.seen();
        return seen.some(({ text }) => /User:/.test(text)) && seen;
      });
      expect(more).toEqual([]);
      if (says === null) expect(shown?.text).not.toMatch(/gpt-4o-mini/);
      else expect(shown?.text).toMatch(says);
      expect(readings()).toBe(asked);
      expect(await verdicts(jury)).toEqual([]);
    });
  });

  describe(`${name}: a vote`, () => {
    test('reaches the store, and the tally comes back to the card', async () => {
      const rig = await open();
      const jury = await rig.start();
      const request = await rig.ask(jury, PASTE);
      await rig.press(jury, await card(request, 'FAIL'), 'agree');
      const [record] = await verdicts(jury);
      const store = await jury.parts.store();
      expect(await store.tally(record?.id ?? '')).toEqual({ agree: 1, disagree: 0, unsure: 0 });
      await until(async () => (await request.seen()).some(({ text }) => text.includes('👍 1')));
      expect(await request.seen()).toHaveLength(1);
    });

    test('on a verdict without a decision is none before its form is sent; then it is a label, once', async () => {
      const rig = await open();
      const jury = await rig.start();
      const store = await jury.parts.store();
      const request = await rig.ask(jury, UNCHECKED);
      const shown = await card(request, 'NOT DECIDED');
      const [record] = await until(async () => (await store.pendingSpotChecks()) === 0 && verdicts(jury));
      const id = record?.id ?? '';
      const schedule = aSchedule({ target: { surface: rig.surface.name, ...rig.conversation } });
      const digest = async () => {
        const parts = { store, benchmarks: null, now: Date.now, personas: new Map() };
        const { counts, recent } = await gatherDigest(parts, schedule, DUE, null, [], 'en');
        return { votes: counts.filter(({ key }) => key.kind === 'verdict'), disputed: recent.disputed };
      };
      const agreement = () => readAgreement(store, { by: 'rubric' });
      const before = { digest: await digest(), agreement: await agreement() };
      expect(shown.text).not.toContain('👎');

      // Opened, and closed again: no platform tells of that.
      await rig.press(jury, shown, 'what is right');
      await until(() => rig.opened().includes('Nothing counts before you send this.'));
      expect(await store.votes(id)).toEqual([]);
      expect(await store.tally(id)).toEqual({ agree: 0, disagree: 0, unsure: 0 });
      expect({ digest: await digest(), agreement: await agreement() }).toEqual(before);

      const again = await rig.send(jury, 'fail');
      await until(async () => (await card(request, 'NOT DECIDED')).text.includes('People say: 1 fail'));
      await again();
      expect(await store.tally(id)).toEqual({ agree: 0, disagree: 0, unsure: 0, right: { fail: 1 } });
      expect(labelOf(await readVoted(store, id), null, { ...usualRule, minVotes: 1 }).label).toMatchObject({
        right: { kind: 'decision', decision: 'fail' },
      });
      expect({ digest: await digest(), agreement: await agreement() }).toEqual(before);

      await rig.press(jury, await card(request, 'NOT DECIDED'), 'take back');
      await until(async () => !(await card(request, 'NOT DECIDED')).text.includes('People say'));
      expect(await store.votes(id)).toEqual([]);
      expect(await request.seen()).toHaveLength(1);
    });

    test('comes first where a conversation votes first; the verdict is shown to the voter alone', async () => {
      const rig = await open();
      const jury = await rig.start();
      const store = await jury.parts.store();
      await store.saveChannelSettings(rig.conversation.channel, { wish: {}, blind: true });
      const request = await rig.ask(jury, PASTE);
      const [record] = await until(async () => {
        const kept = await verdicts(jury);
        return kept.length > 0 && kept;
      });
      const why = record?.verdict.criteria.find(({ decision }) => decision === 'fail')?.rationale ?? '–';
      const hidden = await until(async () =>
        (await request.seen()).find((message) => rig.can(message, 'right')),
      );
      expect(hidden.text).not.toContain(why);
      await rig.press(jury, hidden, 'right');
      // What was opened may be JSON, in which quotation marks are escaped.
      const written = [why, JSON.stringify(why).slice(1, -1)];
      await until(() => written.some((text) => rig.opened().includes(text)));
      const seen = await (rig.seenByOthers ?? request.seen)();
      expect(seen.map(({ text }) => text).join()).not.toContain(why);
    });
  });

  describe(`${name}: what is posted without a request`, () => {
    test('is one digest a slot, whichever process sends it', async () => {
      const rig = await open();
      const jury = await rig.start();
      const { parts } = jury;
      const store = await parts.store();
      const now = Math.ceil(Date.now() / WEEK_MS) * WEEK_MS;
      const target = { surface: rig.surface.name, ...rig.conversation };
      const schedule = aSchedule({
        cron: '0 0 * * 4',
        timezone: 'UTC',
        target,
        since: now - WEEK_MS,
        owner: null,
      });
      await store.saveSchedule({ ...schedule, paused: true });
      const posters = await rig.surface.posters(parts);
      if ('needs' in posters || posters.digests === null) return;
      const poster = posters.digests;
      expect(poster.surface).toBe(rig.surface.name);
      const sender = () => digestSenderOf(store, poster, { now, steady: 0 });
      const outcomes = await Promise.all(
        [sender(), sender(), sender()].map((one) => sendDigest(one, schedule, new Map())),
      );
      expect(outcomes.filter((outcome) => outcome === 'posted')).toHaveLength(1);
      expect(await sendDigest(sender(), schedule, new Map())).toBe('nothing-due');
      expect(await rig.posts()).toHaveLength(1);
    });

    test('is one invitation to a study for each annotator, in private', async () => {
      const rig = await open();
      const posters = await rig.surface.posters((await rig.start()).parts);
      if ('needs' in posters || posters.studies === null) return;
      const study = aStudy({ at: Date.now() });
      const entry = { ...study, cases: study.cases.length };
      for (let n = 0; n < 3; n += 1) await posters.studies.invite(rig.person, entry, 'study:s1:1:0');
      expect(posters.studies.surface).toBe(rig.surface.name);
      expect((await rig.received()).filter(({ text }) => text.startsWith('Study'))).toHaveLength(1);
      expect(await rig.posts()).toEqual([]);
    });
  });

  describe(`${name}: answers drawn by chance`, () => {
    const secret = 'for this test';
    const RUN = 'nightly-1';
    /** What would tell of a case's label, id or tags, or of what the judges said. */
    const HIDDEN = ['u1-right', 'SECRET BUILD', 'PASS', 'FAIL', '"pass"', '"fail"', 'verdict: '];

    /** Answers of a run that a benchmark's file draws for the person to check, and what a service there needs; null if it invites no one. */
    async function drawn(rig: SurfaceRig, perWeek = 10, response?: string) {
      const folder = { JURY_DATA_DIR: newFolder(), JURY_SECRET: secret };
      const first = await rig.start(folder);
      const { parts } = first;
      const posters = await rig.surface.posters(parts);
      if ('needs' in posters || posters.reviews === null) return null;
      const { person, surface } = rig;
      const voter = (await parts.pseudonym())(person);
      const runs = await openTrialStore(parts.env.settings, () => {});
      const habit = { method: 'io', models: ['rules'], skill: 0.8, costUsd: 0, latencyMs: 1, judges: 1 };
      const shape = () => ({
        tags: { build: 'SECRET BUILD' },
        ...(response === undefined ? {} : { response }),
      });
      await keepMadeRun(runs, { name: RUN, cases: 24, repeats: 1, habits: [habit], shape });
      const wish = aWish({ size: 8, people: [voter], perWeek });
      await beginReview({ store: await parts.store(), runs, now: Date.now }, RUN, wish);
      await runs.close();
      await first.die();
      const id = surface.isPerson(person.user)
        ? person.user
        : `${person.surface}:${person.team}:${person.user}`;
      const file = [
        ...['title: Nightly', 'dataset: { generate: navigation, users: 2, seed: 1 }', 'methods: [io]'],
        ...['models: [rules]', 'budget: none', `review: { people: ["${id}"] }`],
      ].join('\n');
      const env = { ...folder, JURY_PROMPTS_DIR: folderWith({ 'benchmarks/nightly.yaml': file }) };
      return { env, voter };
    }

    /** The one private message about answers to check, once it says this. */
    const saying = (rig: SurfaceRig, text: string) =>
      until(async () => (await rig.received()).find((message) => message.text.includes(text)));
    const about = async (rig: SurfaceRig) =>
      (await rig.received()).filter((message) => rig.can(message, 'never') || rig.can(message, 'start'))
        .length;
    const status = async (jury: Running) => {
      const found = await reviewStatus({ store: await jury.parts.store(), now: Date.now }, RUN);
      return { checked: found?.design.checked, asked: found?.asked };
    };

    test('are asked about in one private message a week, whichever process sends it and dies behind it', async () => {
      const rig = await open();
      const review = await drawn(rig);
      if (review === null) return;
      const { parts } = await rig.start({ ...review.env, JURY_PROMPTS_DIR: folderWith({}) });
      const posters = await rig.surface.posters(parts);
      if ('needs' in posters || posters.reviews === null) throw new Error('no one is invited');
      const { reviews } = posters;
      expect(reviews.surface).toBe(rig.surface.name);
      const store = await parts.store();
      const invite = (holder: string, now = Date.now, kept: Pick<typeof store, 'compareAndSet'> = store) => {
        const { compareAndSet } = kept;
        const sender = { store: { ...store, compareAndSet }, holder, now };
        return inviteReviewer(sender, reviews, { person: rig.person, voter: review.voter });
      };
      const dying = { compareAndSet: () => Promise.reject(new Error('dead')) };
      await expect(invite('p0', Date.now, dying)).rejects.toThrow('dead');
      expect((await invite('p1')).outcome).toBe('waiting');
      const later = () => Date.now() + 300_000;
      const outcomes = await Promise.all(['p2', 'p3', 'p4'].map((holder) => invite(holder, later)));
      expect(outcomes.filter(({ outcome }) => outcome === 'sent')).toHaveLength(1);
      expect((await invite('p5', later)).outcome).toBe('none');
      expect(await about(rig)).toBe(1);
      expect(await rig.posts()).toEqual([]);
    });

    test('are shown one by one in that message, and answered once each, without the verdict', async () => {
      const rig = await open();
      const review = await drawn(rig, 3);
      if (review === null) return;
      const jury = await rig.start(review.env);
      const invitation = await saying(rig, '3 answers to check, about 2 minutes');
      expect(invitation.text).toContain('drawn by chance');
      for (const button of ['start', 'not this week', 'never'] as const)
        expect(rig.can(invitation, button)).toBe(true);
      await rig.press(jury, invitation, 'start');
      const first = await saying(rig, 'Answer 1 of at most 3 this week');
      expect(first.id).toBe(invitation.id);
      expect(first.text).toContain('Find me a sushi place');
      expect(first.text).toContain('Sakura is 5 minutes away');
      expect(first.text).toContain('Is the response right?');
      expect(HIDDEN.filter((text) => first.text.includes(text))).toEqual([]);
      for (const button of [
        'response right',
        'response wrong',
        'not sure',
        'not this week',
        'never',
      ] as const)
        expect(rig.can(first, button)).toBe(true);
      // Pressed twice, and delivered again.
      for (let n = 0; n < 3; n += 1) await rig.press(jury, first, 'response right');
      const second = await saying(rig, 'Answer 2 of at most 3 this week');
      expect(await status(jury)).toEqual({ checked: 1, asked: 1 });
      await rig.press(jury, first, 'response wrong');
      await saying(rig, 'You answered this before. Your first answer counts, this one does not.');
      await rig.press(jury, second, 'response wrong');
      await rig.press(jury, await saying(rig, 'Answer 3 of at most 3 this week'), 'not sure');
      const last = await saying(
        rig,
        'You checked 3 answers this week. Thank you, that is all for this week.',
      );
      expect(last.id).toBe(invitation.id);
      expect(await status(jury)).toEqual({ checked: 2, asked: 0 });
      const sample = await findSample(await jury.parts.store(), RUN, Date.now());
      expect(
        sample === null
          ? null
          : reviewedRun(sample)
              .answers.map(({ right }) => right)
              .sort(),
      ).toEqual(['fail', 'pass']);
      expect(await about(rig)).toBe(1);
      expect(await rig.posts()).toEqual([]);
    });

    test.each([
      ['not this week', 'You’re skipping this week.'],
      ['never', 'You asked never to be offered answers to check.'],
    ] as const)('can be left to others: %s', async (button, text) => {
      const rig = await open();
      const review = await drawn(rig);
      if (review === null) return;
      const jury = await rig.start(review.env);
      const invitation = await saying(rig, '8 answers to check');
      await rig.press(jury, invitation, 'start');
      const offered = await saying(rig, 'Answer 1 of');
      expect(await status(jury)).toEqual({ checked: 0, asked: 1 });
      await rig.press(jury, offered, button);
      const skipped = await saying(rig, text);
      expect(await status(jury)).toEqual({ checked: 0, asked: 0 });
      expect(rig.can(skipped, 'never')).toBe(button === 'not this week');
      // That the first press arrives once more changes nothing.
      await rig.press(jury, invitation, 'start');
      expect(await status(jury)).toEqual({ checked: 0, asked: 0 });
      if (button === 'never') {
        await rig.press(jury, skipped, 'start');
        await saying(rig, 'Answer 2 of');
      }
      expect(await about(rig)).toBe(1);
    });

    test.each([
      ['not this week', 'You’re skipping this week.'],
      ['never', 'You asked never to be offered answers to check.'],
    ] as const)('can be declined at once: %s', async (button, text) => {
      const rig = await open();
      const review = await drawn(rig);
      if (review === null) return;
      const jury = await rig.start(review.env);
      const invitation = await saying(rig, '8 answers to check');
      await rig.press(jury, invitation, button);
      expect((await saying(rig, text)).id).toBe(invitation.id);
      expect(await status(jury)).toEqual({ checked: 0, asked: 0 });
    });

    test('have all of a long case and its guide one press away', async () => {
      const rig = await open();
      const long = `${'Sakura is open. '.repeat(500)}THE END`;
      const review = await drawn(rig, 10, long);
      if (review === null) return;
      const jury = await rig.start(review.env);
      await rig.press(jury, await saying(rig, '8 answers to check'), 'start');
      const shown = await saying(rig, 'Answer 1 of');
      expect(shown.text).not.toContain('THE END');
      await rig.press(jury, shown, 'whole case');
      await until(() => rig.opened().includes('THE END'));
      expect(HIDDEN.filter((text) => rig.opened().includes(text))).toEqual([]);
    });
  });

  describe(`${name}: set up`, () => {
    test('says how it is reached, or what it needs, without a word of a secret', async () => {
      const rig = await open();
      const jury = await rig.start();
      const { surface } = rig;
      expect(surface.setup(jury.parts.env).kind).toBe('ready');
      expect(jury.logged.join()).toContain(`${surface.title.toLowerCase()}: on`);
      expect((await surface.inspect(jury.parts.env, [surface])).works).not.toBe('');
      const settings = { ...jury.parts.env.settings };
      for (const key of Object.keys(rig.env)) Reflect.deleteProperty(settings, key);
      Object.assign(settings, rig.off);
      const off = surface.setup({ ...jury.parts.env, settings });
      expect(off).toMatchObject({ kind: 'off', begun: false });
      for (const secret of Object.values(rig.env)) expect(jury.logged.join()).not.toContain(secret);
    });
  });
}
