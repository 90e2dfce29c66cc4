import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Digest, DigestBlock } from '../../../src/digests/digest.ts';
import { noVotes } from '../../../src/labels/record/vote.ts';
import type { SummaryLine } from '../../../src/surfaces/chat/progress.ts';
import { cardMessage } from '../../../src/surfaces/teams/render/card.ts';
import { detailsCard } from '../../../src/surfaces/teams/render/details.ts';
import { digestDetails, digestMessage } from '../../../src/surfaces/teams/render/digest.ts';
import { queueMessage, summaryMessage } from '../../../src/surfaces/teams/render/lists.ts';
import { linesMessage, looksIn } from '../../../src/surfaces/teams/render/notices.ts';
import { aCase, fail, pass } from '../../support/builders.ts';
import { everythingWith } from '../../support/everything-shown.ts';
import { aRecord, verdictFrom } from '../../support/records.ts';
import { repeated } from '../../support/repeated.ts';
import { cardProblems, wordsOn } from '../../support/teams-limits.ts';
import { hostile } from '../slack/render/hostile.ts';
import { everythingOf } from './everything.ts';

/** Why Teams would refuse any of it, or read something into it. */
function problemsWith(text: string): string[] {
  const { messages, dialogs } = everythingOf(text);
  return [
    ...messages.flatMap(({ card, ...rest }) => {
      const spoken = rest.summary !== '' && (card.speak ?? '') !== '' ? [] : ['nothing to say aloud'];
      const markup = /(?<!\\)[<[`]/.exec((rest.cited?.text ?? '').replaceAll(/ \[\d+\]/g, ''));
      return [
        ...cardProblems(card, rest),
        ...spoken,
        ...(markup === null ? [] : [`markup: ${markup.input}`]),
      ];
    }),
    ...dialogs.flatMap((card) => cardProblems(card)),
  ];
}

describe('whatever is pasted or said', () => {
  test('Teams reads nothing into it, takes every message and dialog, and says it aloud', () => {
    fc.assert(
      fc.property(hostile, (text) => {
        expect(problemsWith(text)).toEqual([]);
      }),
      { numRuns: repeated(60) },
    );
  });

  // Of three bytes, of a pair of escapes, and of an escape alone.
  test.each(['長い', '👩‍🚀', '"\\', '\n'])('a text of many %j takes no more than Teams takes', (sign) => {
    expect(problemsWith(`x${sign.repeat(4_000)}`)).toEqual([]);
  });
});

test.each(['長い', 'long ', '"\\'])(
  'every page of the details of the longest card fits, of criteria and judges in many %j',
  (sign) => {
    const text = `x${sign.repeat(2_500)}`;
    const { texts, vote } = everythingWith(text);
    const tied = Array.from({ length: 12 }, (_, seat) => (seat % 2 === 0 ? pass : fail));
    const verdict = verdictFrom([tied], { text, criteria: 30 });
    const outcomes = ['fail', 'pass', 'undecided'] as const;
    const criteria = verdict.criteria.map((one, n) => ({
      ...one,
      title: `${n} ${text}`,
      rationale: `${n} ${text}`,
      decision: outcomes[n % 3] ?? 'fail',
    }));
    const evalCase = aCase({ id: text, conversation: [{ role: 'user', text }], response: text });
    const input = {
      record: aRecord({ ...verdict, criteria, assumed: [text, text], remarks: [text, text] }, { evalCase }),
      tally: noVotes,
      texts,
      setting: { hasModel: true, askedBy: text },
    };
    const pageOf = (at: number) => detailsCard(input, at, vote, 'Your answer counts.');
    const [, count = '1'] =
      /of (\d+)/.exec(
        wordsOn(pageOf(0))
          .split('\n')
          .find((one) => /^Page \d/.test(one)) ?? '',
      ) ?? [];
    expect(Number(count)).toBeGreaterThan(10);
    expect(Array.from({ length: Number(count) }, (_, at) => cardProblems(pageOf(at))).flat()).toEqual([]);
  },
);

test('judges who have answered stand below each other, each behind a mark alone', () => {
  const { progress } = everythingWith('so');
  expect(wordsOn(looksIn('en').progress(progress).card)).toContain('✅ \nso\n');
  expect(wordsOn(looksIn('en').progress(progress).card)).not.toContain('•');
});

describe('what does not fit into a card is said', () => {
  const LONG = '長い'.repeat(200);

  test('of many cases: how many, and where they are listed', () => {
    const lines = Array.from(
      { length: 60 },
      (_, n): SummaryLine => ({
        kind: 'judged',
        id: `a-verdict-with-quite-a-long-id-${n}`,
        title: LONG,
        decision: n < 50 ? 'fail' : 'pass',
        reason: LONG,
      }),
    );
    const { card, summary } = summaryMessage('k1', lines, 'en');
    expect(cardProblems(card, summary)).toEqual([]);
    const rows = card.body?.length ?? 0;
    const said = wordsOn(card);
    const shown = said.split('\n').filter((words) => words === 'Open').length;
    expect(rows).toBeGreaterThan(shown);
    expect(said).toContain(`${50 - shown} more that do not pass`);
    expect(said).toContain('✅ 10 more');
    expect(said.split('\n').filter((words) => words === 'Show')).toHaveLength(2);
  });

  test('of a queue: how many, and that they come when these are done', () => {
    const { queue, listed } = everythingWith(LONG);
    const items = Array.from({ length: 20 }, (_, n) => queue.items[n % 4] ?? Object.assign({}));
    const { card, summary } = queueMessage(
      { ...queue, items, waiting: 30, asked: 20 },
      { recent: Array(9).fill(listed), own: { right: 4, of: 5 }, agreement: { agreed: 20, n: 30 } },
    );
    expect(cardProblems(card, summary)).toEqual([]);
    const said = wordsOn(card);
    const shown = said.split('\n').filter((words) => /^(?:Details|Whole case)$/.test(words)).length;
    expect(shown).toBeLessThan(20);
    expect(said).toContain(`and ${30 - shown} more, after these`);
    expect(said).toContain('those that need your vote most come first');
  });

  test('of the lines of a list, which has no details to open', () => {
    const { card, summary } = linesMessage(
      () => null,
      Array.from({ length: 200 }, () => [LONG]),
    );
    expect(cardProblems(card, summary)).toEqual([]);
    expect(wordsOn(card)).toMatch(/\d+ more parts do not fit here\.$/);
  });

  test('of a digest: its parts are shortened and counted, however long its headline is', () => {
    const trend: DigestBlock = {
      kind: 'trend',
      title: LONG,
      categories: Array.from({ length: 20 }, (_, n) => `2026-11-${n}`),
      series: [1, 2, 3].map((n) => ({ name: LONG.slice(0, 58) + n, values: Array(20).fill(50 + n) })),
    };
    const list: DigestBlock = {
      kind: 'list',
      title: LONG,
      items: Array.from({ length: 40 }, () => ({ text: LONG, link: 'https://example.com/x' })),
      more: 7,
    };
    const blocks = [trend, list, list];
    const digest: Digest = {
      ...{ headline: LONG.repeat(5), trend: 'alert', quiet: false, note: LONG, pause: 'a1' },
      ...{ blocks, details: blocks },
    };
    const picture = `data:image/png;base64,${'A'.repeat(12_000)}`;
    for (const { card, summary } of [
      digestMessage(digest, picture, 'en'),
      digestDetails(digest, picture, 'en'),
    ]) {
      expect(cardProblems(card, summary)).toEqual([]);
      expect(wordsOn(card)).toMatch(/\d+ more/);
    }
  });
});

test('the details, and no card, say how often people agreed with such verdicts', () => {
  const voted = 'People agreed with 87 % of the 124 such verdicts they voted on; not a random sample.';
  const { texts } = everythingWith('any');
  const verdict = verdictFrom([[fail]]);
  const inputWith = (parts: Parameters<typeof aRecord>[1]) => ({
    record: aRecord(verdict, parts),
    tally: noVotes,
    texts,
    setting: { hasModel: true },
  });
  const trusted = inputWith({ trust: { agreed: 108, n: 124, days: 180 } });
  expect(wordsOn(detailsCard(trusted))).toContain(voted);
  expect(wordsOn(detailsCard(inputWith({})))).not.toContain('People agreed');
  expect(cardMessage(trusted)).toEqual(cardMessage(inputWith({})));
});
