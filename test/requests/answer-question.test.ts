import { describe, expect, test, vi } from 'vitest';
import type { Verdict } from '../../src/judging/verdict/verdict.ts';
import { answerQuestion } from '../../src/requests/answer-question.ts';
import type { CheckRun, SpotCheckParts } from '../../src/requests/check-run.ts';
import { createFairQueue } from '../../src/requests/fair-queue.ts';
import type { Presenter } from '../../src/requests/presenter.ts';
import { verdictIdOf } from '../../src/requests/spot-check.ts';
import { openSqliteStore } from '../../src/stores/sqlite/sqlite-store.ts';
import { aCase, aPersona, judgementOf } from '../support/builders.ts';
import { builtInLibrary } from '../support/built-in.ts';
import { closeAfterEach, closing, newFolder } from '../support/resources.ts';
import { aCheck, aRecord, saturday } from '../support/store-builders.ts';

closeAfterEach();

const titled = (id: string, title: string) => [id, { ...aPersona(id), title }] as const;
const personas = new Map([
  titled('ann', 'The Careful Auditor'),
  titled('bob', 'The Plain Driver'),
  titled('cem', 'The Careful Planner'),
]);

const quiet: Presenter = {
  placeholder: async () => '1.1',
  watch: () => ({ saw: () => {}, stopping: () => {}, end: async () => {} }),
  permalink: async () => undefined,
  card: async () => {},
  summary: async () => {},
  problem: async () => {},
  answer: async () => {},
  limits: async () => {},
  thank: async () => {},
  withdraw: async () => {},
  unshowable: async () => {},
};

interface Kept {
  id?: string;
  verdict?: Partial<Verdict>;
  blind?: true;
}

/** Cases judged above, and a question about them. */
async function above(...cases: Kept[]) {
  const store = await openSqliteStore(`${newFolder()}/jury.db`);
  closing(() => store.close());
  for (const [index, { id, verdict = {}, blind }] of cases.entries()) {
    const evalCase = id === undefined ? aCase() : aCase({ id });
    const record = aRecord({ id: verdictIdOf('judged', index), verdict, evalCase });
    await store.saveVerdict({ ...record, ...(blind ? { blind } : {}) });
  }
  const explain = vi.fn<SpotCheckParts['explain']>(async () => ({
    status: 'answered',
    text: 'It is closed.',
    words: ['closed'],
  }));
  const parts: SpotCheckParts = {
    store,
    library: { ...builtInLibrary(), personas },
    ask: async (question) => judgementOf(question, { decision: 'pass' }),
    reader: null,
    explain,
    queue: createFairQueue(1),
    pseudonym: ({ user }) => user,
    spentBy: async () => [],
    readTrust: async () => null,
    surfaces: new Map(),
    defaultModel: 'rules',
    settings: {},
    requireModel: () => {},
    timeoutMs: 60_000,
    now: () => saturday,
    observer: { judged: () => {}, ended: () => {}, failed: () => {} },
    owner: 'first',
  };
  const shown = {
    ...{ check: 'judged', channel: 'C1', messages: [], cases: cases.length },
    ...{ asked: null, withdrawn: false, edit: null, edits: [] },
  };
  const ask = (asked: string, own: Partial<SpotCheckParts> = {}, id = asked) => {
    const run: CheckRun = {
      check: aCheck({ id }),
      surface: { presenter: quiet, read: async () => ({ kind: 'nothing' }) },
      isRetry: false,
      signal: new AbortController().signal,
      stoppedBy: null,
      stopper: null,
      watcher: null,
      isShown: false,
      spent: null,
      stop: () => {},
      note: async () => {},
    };
    return answerQuestion({ ...parts, ...own }, run, shown, asked);
  };
  return { store, explain, ask };
}

describe('a question about a verdict', () => {
  test('is answered by a model of its judges, and the same again after a crash', async () => {
    const { ask, explain } = await above({});
    const answer = {
      kind: 'answer',
      by: null,
      model: 'test/model',
      text: 'It is closed.',
      words: ['closed'],
    };
    const before = performance.now();
    expect(await ask('why?')).toMatchObject(answer);
    expect(explain.mock.lastCall?.[0].deadlineAt).toBeGreaterThan(before);
    expect(await ask('why?')).toMatchObject(answer);
    expect(explain).toHaveBeenCalledTimes(1);
  });

  test.each([
    ['what did the careful auditor say?', 'The Careful Auditor', 'ann'],
    ['ANN, why?', 'The Careful Auditor', 'ann'],
    ['why does the auditor say so?', 'The Careful Auditor', 'ann'],
    ['and the driver?', 'The Plain Driver', 'bob'],
    ['why so careful?', null, null],
    ['why?', null, null],
  ])('“%s” is answered by %s', async (asked, by, judge) => {
    const { ask, explain } = await above({});
    expect(await ask(asked)).toMatchObject({ kind: 'answer', by });
    expect(explain.mock.lastCall?.[0].judge ?? null).toBe(judge);
  });

  test('is answered by a model that is allowed there, that of the named judge first', async () => {
    const { ask, store } = await above({});
    expect(await ask('cem?')).toMatchObject({ model: 'other/model' });
    await store.saveChannelSettings('C1', { wish: {}, allowedModels: ['third/model'] });
    expect(await ask('why so?')).toMatchObject({ model: 'third/model' });
    const requireModel = () => {
      throw new Error('no key');
    };
    expect(await ask('why then?', { requireModel })).toMatchObject({
      kind: 'details',
      by: null,
      failed: null,
    });
  });

  test('is answered with what the judges said where the model gives no answer', async () => {
    const { ask } = await above({});
    const explain: SpotCheckParts['explain'] = async () => ({
      status: 'unanswered',
      reason: 'timeout',
      message: 'timed out',
    });
    expect(await ask('ann?', { explain })).toMatchObject({
      kind: 'details',
      by: 'The Careful Auditor',
      failed: { reason: 'timeout' },
    });
    expect(await ask('x'.repeat(4_001))).toMatchObject({
      kind: 'details',
      failed: { reason: 'too-long', most: 4_000 },
    });
    expect(await ask('x'.repeat(4_000))).toMatchObject({ kind: 'answer' });
  });

  test('is answered about the case that it names, by id or number; otherwise it asks which', async () => {
    const { ask } = await above({ id: 'closed-on-sunday' }, { id: 'too-dear' }, { id: 'too' });
    const about = async (asked: string) => {
      const answer = await ask(asked);
      return answer.kind === 'answer' ? answer.record.evalCase.id : answer.kind;
    };
    expect(await about('why did closed on sunday fail?')).toBe('closed-on-sunday');
    expect(await about('why did case 2 fail?')).toBe('too-dear');
    expect(await about('what about #3?')).toBe('too');
    expect(await about('and case 4?')).toBe('which');
    expect(await ask('why?')).toMatchObject({
      kind: 'which',
      cases: [
        { number: 1, record: { evalCase: { id: 'closed-on-sunday' } } },
        { number: 2, record: { evalCase: { id: 'too-dear' } } },
        { number: 3, record: { evalCase: { id: 'too' } } },
      ],
    });
  });

  test('is not answered while people vote before they see the verdict, or where it is gone', async () => {
    const { ask, explain } = await above({ blind: true });
    expect(await ask('why?')).toMatchObject({ kind: 'hidden' });
    expect(await (await above()).ask('why?')).toEqual({ kind: 'gone' });
    expect(explain).not.toHaveBeenCalled();
  });
});
