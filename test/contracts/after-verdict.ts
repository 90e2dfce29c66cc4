import { describe, expect, test } from 'vitest';
import { CHECKABLE, GOOD_PASTE, PASTE } from '../support/pastes.ts';
import { newFolder, until } from '../support/resources.ts';
import { serviceModel } from '../support/service-model.ts';
import { deliveryErrors } from './delivery-errors.ts';
import type { MadeRequest, Running, Seen, SurfaceRig } from './surface.ts';

/** A request made in a chat. */
interface Request extends MadeRequest {
  /** The person edits the message that asked and has it judged again, as is offered. */
  edit: (jury: Running, text: string) => Promise<void>;
  /** The person deletes the message that asked. */
  remove: (jury: Running) => Promise<void>;
}

interface Fault {
  failed: () => number;
  end: () => void;
}

/** A chat with a person in it who asks and votes. */
export interface ChatRig extends SurfaceRig {
  ask: (jury: Running, text: string) => Promise<Request>;
  /** All changes that show this text fail until `end`, as where a platform has a passing fault. */
  failChanges: (text: string) => Fault;
  /** From now on the platform answers so to messages in the conversation; null if it has no such error. */
  refuse: (error: (typeof deliveryErrors)[number]) => Fault | null;
  /** What the app wrote to the person alone. */
  told: () => Promise<Seen[]>;
  /** The link to a message, where the platform has links. */
  linkTo?: (message: Seen) => string;
  /** What the app's reactions on the message that asked say, where it can react. */
  marksOn?: (request: Request) => Promise<string[]>;
  /** All reactions fail until `end`. */
  failMarks?: () => Fault;
}

const FOLDED = 'Judged again below';

/** What becomes of an answer once it stands, on every chat. */
export function afterVerdictContract(name: string, open: () => Promise<ChatRig>): void {
  const verdicts = async (jury: Running) =>
    (await jury.parts.store()).recentVerdicts({ channel: null, limit: 9 });
  const settled = async (jury: Running) => {
    const store = await jury.parts.store();
    await until(async () => (await store.pendingSpotChecks()) === 0);
  };
  const shown = (request: Request, start: string) =>
    until(async () => (await request.seen()).find(({ text }) => text.startsWith(start)));
  const texts = async (request: Request) =>
    (await request.seen()).map(({ text }) => /^[A-Z][a-zA-Z]*(?: [a-z]+)*/.exec(text)?.[0] ?? '');

  /** A request that was judged and settled. */
  async function judged(rig: ChatRig, jury: Running, paste = PASTE, label = 'FAIL') {
    const request = await rig.ask(jury, paste);
    const card = await shown(request, label);
    await settled(jury);
    return { request, card };
  }

  describe(`${name}: an answer that was replaced`, () => {
    test('after an edit becomes one line that leads to the new one, which says what changed', async () => {
      const rig = await open();
      const jury = await rig.start();
      const { request, card } = await judged(rig, jury);
      await request.edit(jury, GOOD_PASTE);
      const newer = await shown(request, 'PASS');
      await settled(jury);
      expect(newer.id).not.toBe(card.id);
      expect(newer.text).toContain('Was: fail');
      const folded = await shown(request, FOLDED);
      expect(folded.id).toBe(card.id);
      expect(folded.text).not.toContain('4.3');
      if (rig.linkTo !== undefined) expect(folded.text).toContain(rig.linkTo(newer));
      expect(await texts(request)).toEqual([FOLDED, 'PASS']);
    });

    test('by a mention below it becomes one line, too, and goes with the message that asked first', async () => {
      const rig = await open();
      const jury = await rig.start();
      const { request, card } = await judged(rig, jury);
      await request.reply(jury, 'judge this again');
      const newer = await until(async () =>
        (await request.seen()).find(({ id, text }) => id !== card.id && text.startsWith('FAIL')),
      );
      await settled(jury);
      expect(newer.text).toContain('Was: fail');
      const folded = await shown(request, FOLDED);
      expect(folded.id).toBe(card.id);
      if (rig.linkTo !== undefined) expect(folded.text).toContain(rig.linkTo(newer));
      expect(await texts(request)).toEqual([FOLDED, 'FAIL']);
      await request.remove(jury);
      await until(async () => (await texts(request)).every((text) => text !== FOLDED && text !== 'FAIL'));
    });

    test('stays one line after a vote on it, a restart and another edit', async () => {
      const rig = await open();
      const env = { JURY_DATA_DIR: newFolder() };
      const first = await rig.start(env);
      const { request, card } = await judged(rig, first);
      await request.edit(first, GOOD_PASTE);
      const second = await shown(request, 'PASS');
      await settled(first);
      // As from a client that still shows the old card.
      await rig.press(first, card, 'agree');
      await first.die();
      const jury = await rig.start(env);
      await request.edit(jury, PASTE.replace('4.3', '4.1'));
      const third = await shown(request, 'FAIL');
      await settled(jury);
      expect(third.text).toContain('Was: pass');
      expect(third.id).not.toBe(second.id);
      await until(async () => (await texts(request)).join() === [FOLDED, FOLDED, 'FAIL'].join());
      const [, , oldest] = await verdicts(jury);
      expect(await (await jury.parts.store()).tally(oldest?.id ?? '')).toMatchObject({ agree: 1 });
    });

    test('is folded by the next process if the first one died before it could', async () => {
      const rig = await open();
      const env = { JURY_DATA_DIR: newFolder() };
      const first = await rig.start(env);
      const { request, card } = await judged(rig, first);
      const failing = rig.failChanges(FOLDED);
      await request.edit(first, GOOD_PASTE);
      await shown(request, 'PASS');
      await until(() => failing.failed() > 0);
      await first.die();
      failing.end();
      const second = await rig.start(env, () => Date.now() + 900_000);
      await settled(second);
      expect((await shown(request, FOLDED)).id).toBe(card.id);
      expect(await texts(request)).toEqual([FOLDED, 'PASS']);
      expect(await verdicts(second)).toHaveLength(2);
    });

    test('says nothing of either outcome where people vote first', async () => {
      const rig = await open();
      const jury = await rig.start();
      const { channel } = rig.conversation;
      await (await jury.parts.store()).saveChannelSettings(channel, { wish: {}, blind: true });
      const hidden = (request: Request, not: string) =>
        until(async () =>
          (await request.seen()).find((message) => message.id !== not && rig.can(message, 'right')),
        );
      /** What everyone sees after an edit, where only the outcomes differ: from fail to pass, and from pass to pass. */
      const seenAfter = async (paste: string): Promise<string[]> => {
        const request = await rig.ask(jury, paste);
        const before = await hidden(request, '');
        await settled(jury);
        await request.edit(jury, GOOD_PASTE);
        await hidden(request, before.id);
        await settled(jury);
        const seen = await request.seen();
        return seen.map(({ text }) => withoutIds(text));
      };
      const first = await seenAfter(PASTE);
      expect(first[0]).toContain(FOLDED);
      expect(await seenAfter(CHECKABLE)).toEqual(first);
      expect(first.join()).not.toMatch(/Was: /);
    });

    test('is one line, and there is one newer one, whichever of two processes takes which step', async () => {
      const rig = await open();
      const env = { JURY_DATA_DIR: newFolder() };
      const [one, other] = [await rig.start(env), await rig.start(env)];
      const { request, card } = await judged(rig, one);
      await request.edit(other, GOOD_PASTE);
      await shown(request, 'PASS');
      for (const jury of [one, other]) {
        await request.again(jury);
        await rig.press(jury, card, 'agree');
        await settled(jury);
      }
      await until(async () => (await texts(request)).join() === [FOLDED, 'PASS'].join());
      expect(await verdicts(one)).toHaveLength(2);
    });

    test('goes with its request, as does the newer one', async () => {
      const rig = await open();
      const jury = await rig.start();
      const { request } = await judged(rig, jury);
      await request.edit(jury, GOOD_PASTE);
      await shown(request, 'PASS');
      await settled(jury);
      await request.remove(jury);
      await until(async () => (await texts(request)).every((text) => text !== FOLDED && text !== 'PASS'));
    });
  });

  /** A request to which the platform answers with errors, until they end; null if it has no such error. */
  async function refused(row: (typeof deliveryErrors)[number], { paste = PASTE, blind = false } = {}) {
    const rig = await open();
    let ahead = 0;
    const jury = await rig.start({}, () => Date.now() + ahead);
    const fault = rig.refuse(row);
    if (fault === null) return null;
    const store = await jury.parts.store();
    if (blind) await store.saveChannelSettings(rig.conversation.channel, { wish: {}, blind });
    const request = await rig.ask(jury, paste);
    const later = <T>(isThere: () => Promise<T>) =>
      until(async () => {
        ahead += 1_000;
        return isThere();
      });
    await later(async () => fault.failed() > 0);
    const isDone = () => later(async () => (await store.pendingSpotChecks()) === 0);
    return { rig, jury, fault, request, later, isDone };
  }

  describe(`${name}: a message that the platform does not take`, () => {
    /** What everyone sees in the end: the card, and one verdict behind it. */
    async function isShownOnce({
      jury,
      request,
      later,
      isDone,
    }: NonNullable<Awaited<ReturnType<typeof refused>>>) {
      await later(async () => (await texts(request)).includes('FAIL'));
      await isDone();
      expect(await texts(request)).toEqual(['FAIL']);
      expect(await verdicts(jury)).toHaveLength(1);
    }

    test('since it is busy is shown later, and no one is bothered', async () => {
      for (const row of deliveryErrors.filter(({ asker }) => asker === null)) {
        const made = await refused(row);
        if (made === null) continue;
        made.fault.end();
        await isShownOnce(made);
        expect(await made.rig.told()).toEqual([]);
      }
    });

    test.each(deliveryErrors.filter(({ asker }) => asker !== null))(
      'is told once to the person who asked, and to the log: $kind',
      async (row) => {
        const made = await refused(row);
        if (made === null) return;
        const { rig, jury, fault, request, later, isDone } = made;
        await later(async () => (await rig.told()).length > 0);
        const [message = { id: '', text: '' }] = await rig.told();
        expect(message.text).toMatch(row.asker ?? /^$/);
        const isWarned = (line: string) => line.includes('"where":"chat"') && line.includes('"level":40');
        expect(jury.logged.find(isWarned)).toContain(row.kind === 'scope' ? 'chat:write' : '"why":');
        const { inPlace } = row;
        if (inPlace !== null)
          await later(async () => (await request.seen()).some(({ text }) => inPlace.test(text)));
        if (!row.byItself) await isDone();
        fault.end();
        // Pressed twice, and once more by another client: it is tried once.
        if (!row.byItself) for (let n = 0; n < 3; n += 1) await rig.press(jury, message, 'try again');
        await isShownOnce(made);
        expect(await rig.told()).toHaveLength(1);
      },
    );
  });

  describe(`${name}: a message that the platform does not take where people vote first`, () => {
    const everywhere = deliveryErrors.filter(({ refuses, asker }) => refuses === 'all' && asker !== null);

    test.each(everywhere)('says the same in private whatever the outcome is: $kind', async (row) => {
      const all: string[][] = [];
      for (const paste of [PASTE, CHECKABLE]) {
        const made = await refusedBlind(row, paste);
        if (made === null) return;
        all.push(made);
      }
      expect(all[0]).toHaveLength(1);
      expect(all[1]).toEqual(all[0]);
      expect(all.join()).not.toMatch(/\b(?:pass|fail)/i);
    });

    /** What the person who asked reads; null if the platform has no such error. */
    async function refusedBlind(row: (typeof deliveryErrors)[number], paste: string) {
      const made = await refused(row, { paste, blind: true });
      if (made === null) return null;
      const { rig, later } = made;
      await later(async () => (await rig.told()).length > 0);
      const { team, channel } = rig.conversation;
      return (await rig.told()).map(({ text }) =>
        withoutIds(text.replaceAll(channel, 'CHANNEL').replaceAll(team, 'TEAM')),
      );
    }
  });

  describe(`${name}: a request that failed`, () => {
    test('says so with a way to try again, in its message, and is judged then', async () => {
      const rig = await open();
      const { env, double } = await serviceModel({ answer: () => ({ fields: { decision: 'pass' } }) });
      const jury = await rig.start({ ...env, JURY_DAILY_BUDGET_USD: '0' });
      const { channel } = rig.conversation;
      // Voters in a blind channel get a verdict by models or none.
      await (await jury.parts.store()).saveChannelSettings(channel, { wish: {}, blind: true });
      const request = await rig.ask(jury, PASTE);
      const failed = await until(async () =>
        (await request.seen()).find((message) => rig.can(message, 'try again')),
      );
      await settled(jury);
      expect(failed.text).toMatch(/budget/);
      expect(double.counts.received).toBe(0);
      await rig.press(jury, failed, 'try again');
      await settled(jury);
      expect(await verdicts(jury)).toEqual([]);
      await (await jury.parts.store()).saveChannelSettings(channel, { wish: { models: ['rules'] } });
      // What was asked waits for another try after a restart, too.
      await jury.die();
      const next = await rig.start({ ...env, JURY_DATA_DIR: jury.parts.env.settings.JURY_DATA_DIR });
      await rig.press(next, failed, 'try again');
      const card = await until(async () =>
        (await request.seen()).find(({ text }) => /FAIL|answer/i.test(text)),
      );
      expect(card.id).toBe(failed.id);
      expect(await request.seen()).toHaveLength(1);
    });

    test('is tried again once, whichever of two processes the presses reach', async () => {
      const rig = await open();
      const { env } = await serviceModel({ answer: () => ({ fields: { decision: 'pass' } }) });
      const both = { ...env, JURY_DATA_DIR: newFolder() };
      const poor = await rig.start({ ...both, JURY_DAILY_BUDGET_USD: '0' });
      const request = await rig.ask(poor, `Model: ${env.JURY_MODEL}\n\n${PASTE}`);
      const failed = await until(async () =>
        (await request.seen()).find((message) => rig.can(message, 'try again')),
      );
      await settled(poor);
      await poor.die();
      const processes = [await rig.start(both), await rig.start(both)];
      await Promise.all(processes.map((jury) => rig.press(jury, failed, 'try again')));
      const card = await shown(request, 'PASS');
      for (const jury of processes) await settled(jury);
      // As from a client that still shows that it failed.
      for (const jury of processes) await rig.press(jury, failed, 'try again');
      for (const jury of processes) await settled(jury);
      expect(card.id).toBe(failed.id);
      expect(await texts(request)).toEqual(['PASS']);
      expect(await verdicts(processes[0] ?? poor)).toHaveLength(1);
    });

    test('and is tried again once people vote first there shows no outcome', async () => {
      const rig = await open();
      const { env } = await serviceModel({ answer: () => ({ fields: { decision: 'fail' } }) });
      const first = await rig.start({ ...env, JURY_DAILY_BUDGET_USD: '0' });
      const { channel } = rig.conversation;
      // Who names the model gets a verdict by that model or none.
      const request = await rig.ask(first, `Model: ${env.JURY_MODEL}\n\n${PASTE}`);
      const failed = await until(async () =>
        (await request.seen()).find((message) => rig.can(message, 'try again')),
      );
      await settled(first);
      await (await first.parts.store()).saveChannelSettings(channel, { wish: {}, blind: true });
      await first.die();
      const jury = await rig.start({ ...env, JURY_DATA_DIR: first.parts.env.settings.JURY_DATA_DIR });
      await rig.press(jury, failed, 'try again');
      await until(async () => (await verdicts(jury)).length > 0);
      await settled(jury);
      expect(await verdicts(jury)).toMatchObject([{ blind: true }]);
      const [card = { id: '', text: '' }] = await request.seen();
      expect(rig.can(card, 'right')).toBe(true);
      expect(card.text).not.toMatch(/^FAIL/);
    });

    test('is gone with the message that asked', async () => {
      const rig = await open();
      const { env } = await serviceModel();
      const jury = await rig.start({ ...env, JURY_DAILY_BUDGET_USD: '0' });
      const { channel } = rig.conversation;
      await (await jury.parts.store()).saveChannelSettings(channel, { wish: {}, blind: true });
      const request = await rig.ask(jury, PASTE);
      const failed = await until(async () =>
        (await request.seen()).find((message) => rig.can(message, 'try again')),
      );
      await settled(jury);
      await request.remove(jury);
      await until(async () => (await request.seen()).length === 0);
      await rig.press(jury, failed, 'try again');
      await settled(jury);
      expect(await request.seen()).toEqual([]);
    });
  });

  describe(`${name}: a mark on the message that asked`, () => {
    const marked = async (rig: ChatRig, blind = false, env: Record<string, string> = {}) => {
      const jury = await rig.start(env);
      const store = await jury.parts.store();
      const { channel } = rig.conversation;
      await store.saveChannelSettings(channel, { wish: {}, marks: true, ...(blind ? { blind } : {}) });
      return jury;
    };
    const marks = (rig: ChatRig, request: Request) => rig.marksOn?.(request) ?? Promise.resolve([]);

    test('is not there unless the conversation wants it', async () => {
      const rig = await open();
      if (rig.marksOn === undefined) return;
      const { request } = await judged(rig, await rig.start());
      expect(await marks(rig, request)).toEqual([]);
    });

    test('is one, after redelivery, on two replicas and after a restart, and is replaced when judged again', async () => {
      const rig = await open();
      if (rig.marksOn === undefined) return;
      const env = { JURY_DATA_DIR: newFolder() };
      const first = await marked(rig, false, env);
      const other = await rig.start(env);
      const request = await rig.ask(first, PASTE);
      for (const jury of [other, first, other]) await request.again(jury);
      await shown(request, 'FAIL');
      await settled(first);
      expect(await marks(rig, request)).toEqual(['fail']);
      await first.die();
      await other.die();
      const jury = await rig.start(env);
      await request.again(jury);
      await request.edit(jury, GOOD_PASTE);
      await shown(request, 'PASS');
      await settled(jury);
      expect(await marks(rig, request)).toEqual(['pass']);
      const [newest] = await verdicts(jury);
      expect(await (await jury.parts.store()).tally(newest?.id ?? '')).toEqual({
        ...{ agree: 0, disagree: 0, unsure: 0 },
      });
    });

    test('is set by the next process if the first one died before it could', async () => {
      const rig = await open();
      if (rig.failMarks === undefined) return;
      const env = { JURY_DATA_DIR: newFolder() };
      const first = await marked(rig, false, env);
      const failing = rig.failMarks();
      const request = await rig.ask(first, PASTE);
      await shown(request, 'FAIL');
      await until(() => failing.failed() > 0);
      await first.die();
      failing.end();
      const second = await rig.start(env, () => Date.now() + 900_000);
      await settled(second);
      expect(await marks(rig, request)).toEqual(['fail']);
      expect(await request.seen()).toHaveLength(1);
    });

    test('is never there where people vote first', async () => {
      const rig = await open();
      if (rig.marksOn === undefined) return;
      const jury = await marked(rig, true);
      const request = await rig.ask(jury, PASTE);
      await until(async () => (await request.seen()).some((message) => rig.can(message, 'right')));
      await settled(jury);
      expect(await marks(rig, request)).toEqual([]);
    });
  });
}

/** What a message shows, without ids and times, which differ from request to request. */
const withoutIds = (text: string): string =>
  text.replaceAll(/[0-9a-f]{20}|\b[0-9a-f]{8}-[0-9a-f-]{27}\b|p?\d{9,}(?:\.\d+)?/g, 'ID');
