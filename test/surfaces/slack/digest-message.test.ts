import { describe, expect, test } from 'vitest';
import { composeDigest } from '../../../src/digests/compose-digest.ts';
import {
  type DigestStyle,
  digestDetails,
  digestMessage,
  nativeStyle,
  textStyle,
} from '../../../src/surfaces/slack/render/digest.ts';
import { aGroup, aHistory, anAssistant, counted, someData } from '../../digests/world.ts';
import { loudness, messageProblems } from '../../support/slack-limits.ts';

const HOSTILE = '<!channel> <@U1> *bold* `x` &lt; https://evil.test :tada: \u202e\u200b @here \n\n| a |';
const link = 'https://acme.slack.com/archives/C1/p1';

/** As much as there can be of everything, with the most hostile names there can be. */
const huge = () => {
  const name = (n: number) => `${n}-${HOSTILE}-${'long'.repeat(300)}`;
  const hostileGroups = (n: number) => Array.from({ length: 8 }, (_, g) => aGroup(name(n + g), 20));
  const compared = (n: number) => ({
    against: `r${n}`,
    gained: 0,
    lost: 100,
    n: 100,
    cases: 100,
    regressions: Array.from({ length: 100 }, (_, c) => ({
      caseId: name(c),
      category: name(c),
      why: name(c),
    })),
  });
  return composeDigest(
    someData({
      benchmarks: Array.from({ length: 30 }, (_, n) =>
        n % 2 === 0
          ? anAssistant(
              name(n),
              { builds: [name(n)], failing: hostileGroups(n), passing: hostileGroups(n) },
              { builds: [name(n)] },
            )
          : aHistory(
              name(n),
              Array.from({ length: 40 }, (__, run) => run + n),
              compared(n),
            ),
      ),
      outcomes: Array.from(
        { length: 30 },
        (_, n) => ({ kind: 'not-run', name: name(n), why: name(n) }) as const,
      ),
      counts: Array.from({ length: 40 }, (_, n) => counted(20, [1, 2], { kind: 'judge', subject: name(n) })),
      recent: {
        hidden: 0,
        blind: false,
        preferred: {},
        disputed: Array.from({ length: 30 }, (_, n) => ({ title: name(n), agree: 1, disagree: 1, link })),
        read: 30,
        isAll: false,
        costUsd: 1,
        unpriced: 0,
      },
    }),
  ).digest;
};

/** Made once: nothing changes it. */
const digest = huge();

const styles: [string, DigestStyle][] = [
  ['tables and charts', nativeStyle],
  ['tables and a picture', { tables: 'native', chart: { kind: 'picture', file: 'F1' } }],
  ['text and a picture', { tables: 'text', chart: { kind: 'picture', file: 'F1' } }],
  ['text', textStyle],
];

describe.each(styles)('a digest as %s', (_, style) => {
  test('is what Slack takes, however much there is to say', () => {
    expect(messageProblems(digestMessage(digest, style, 'en'))).toEqual([]);
    expect(messageProblems(digestDetails(digest, style, 'en'))).toEqual([]);
  });

  test('is text, whatever names and reasons hold', () => {
    expect(loudness(digestMessage(digest, style, 'en'))).toEqual([]);
    expect(loudness(digestDetails(digest, style, 'en'), [link])).toEqual([]);
  });
});

test('the post of an alert has a button that pauses it', () => {
  const alert = {
    headline: 'fell',
    trend: 'alert' as const,
    quiet: false,
    note: null,
    blocks: [],
    details: [],
  };
  const shown = digestMessage({ ...alert, pause: 'a1' }, nativeStyle, 'en');
  expect(shown.blocks.at(-1)).toMatchObject({ elements: [{ action_id: 'pause_alert', value: 'a1' }] });
  expect(messageProblems(shown)).toEqual([]);
  expect(JSON.stringify(digestMessage(alert, nativeStyle, 'en'))).not.toContain('pause_alert');
});
