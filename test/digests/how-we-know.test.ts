import { expect, test } from 'vitest';
import { composeDigest } from '../../src/digests/compose-digest.ts';
import type { DigestData } from '../../src/digests/digest.ts';
import { aHistory, anAssistant, counted, someData } from './world.ts';

/** The section of a digest that says how each number is known, as label and value. */
const known = (parts: Partial<DigestData>): [string, string][] =>
  composeDigest(someData(parts)).digest.details.flatMap((block) =>
    block.kind === 'facts' && block.title === 'How we know'
      ? block.facts.map(({ label, value }): [string, string] => [label, value])
      : [],
  );

test('each number of a digest about judges is told with its n, source and assumption', () => {
  const compared = { against: 'trip-1', gained: 2, lost: 12, n: 100, cases: 100, regressions: [] };
  const trip = {
    ...aHistory('trip', [90, 80], compared),
    lead: 'No change beyond chance among 24 configurations.',
  };
  expect(known({ benchmarks: [trip] })).toEqual([
    [
      'trip: the judges agree with the labels on 80 %',
      'n: 100 trials of 100 cases. From: run trip-2; Wilson’s interval, by case. Assumes: the labels are right; a trial without a decision counts as wrong',
    ],
    [
      'trip: −10.0 points since the last digest',
      'n: 100 cases in both runs. From: runs trip-1 and trip-2; paired interval (Agresti and Min). Assumes: the same cases and configurations in both; cases do not depend on each other',
    ],
    [
      'trip: what changed among its configurations',
      'n: 100 cases in both runs. From: runs trip-1 and trip-2; a test of each, adjusted for all of them (Holm). Assumes: the same cases in both; without a change, either run could have come to either outcome',
    ],
  ]);
});

test('so are those about an assistant and about votes', () => {
  expect(
    known({ benchmarks: [anAssistant('nightly')], counts: [counted(26, [3, 0]), counted(4, [0, 3])] }),
  ).toEqual([
    [
      'nightly: 81 % of the answers pass',
      'n: 100 answers decided of 100. From: run nightly-2, judged by rules; 95 % interval of these answers. Assumes: judges can be wrong: it is the share that they pass, not the share that is right',
    ],
    [
      'nightly: the change since nightly-1',
      'n: 100 requests decided both times, of 100 in both. From: runs nightly-1 and nightly-2; 95 % interval of the difference. Assumes: the same requests, judges, prompts and rubric in both; it is a change of judged answers',
    ],
    [
      'People agree with 87 %',
      'n: 30 verdicts settled by votes. From: votes in this conversation (three votes or more, more than half of them on one side); Wilson’s interval. Assumes: people vote on what they choose, or are shown: no random sample of what is judged',
    ],
  ]);
});

test('a digest without a number that needs it has no such section', () => {
  expect(known({ counts: [counted(3, [3, 0])] })).toEqual([]);
});
