import { describe, expect, test } from 'vitest';
import { noVotes } from '../../../../src/labels/vote.ts';
import { cardMessage } from '../../../../src/surfaces/slack/render/card.ts';
import { type BlockStyle, readVoteValue, voteValue } from '../../../../src/surfaces/slack/render/votes.ts';
import { tallyText } from '../../../../src/surfaces/wording.ts';
import { aCase, fail, mute, pass, type Said } from '../../../support/builders.ts';
import { aRecord, verdictFrom } from '../../../support/records.ts';
import { messageProblems, textsIn } from '../../../support/slack-limits.ts';

const texts = { personaTitle: (id: string) => id.toUpperCase() };
const STYLES: BlockStyle[] = ['native', 'classic'];

const cardFor = (rounds: readonly (readonly Said[])[], blocks: BlockStyle = 'classic', text?: string) =>
  cardMessage({
    record: aRecord(verdictFrom(rounds, text === undefined ? {} : { text })),
    tally: noVotes,
    texts,
    blocks,
  });

const allText = (payload: unknown): string => textsIn(payload).join('');

describe('a card in Slack', () => {
  test('says decision, reason, criteria and what it took', () => {
    const { blocks, text } = cardFor([[fail, fail, pass]]);
    expect(blocks[0]).toMatchObject({ type: 'header', text: { text: '❌ FAIL · c1' } });
    expect(allText(blocks[1])).toMatch(/^2 of 3 judges: /);
    expect(allText(blocks)).toContain('✅ SECOND'.slice(2));
    expect(allText(blocks)).toContain('rubric plain · method m · model test/model · asked 3 calls');
    expect(text).toMatch(/^FAIL on c1: 2 of 3 judges: .*No votes yet/);
  });

  test('says how often colleagues agreed with such verdicts right below the reason, where that is known', () => {
    const record = aRecord(verdictFrom([[fail]]), { trust: { agreed: 108, n: 124, days: 180 } });
    const { blocks, text } = cardMessage({ record, tally: noVotes, texts, blocks: 'native' });
    expect(allText(blocks[2])).toBe(
      'Colleagues agreed with 87 % (80–92, n = 124) of similar verdicts: same rubric, method, models and decision, in the 180 days before.',
    );
    expect(text).not.toContain('Colleagues');
    expect(allText(cardFor([[fail]]).blocks)).not.toContain('Colleagues');
  });

  test('leaves dissent open and folds agreement away', () => {
    const { blocks } = cardFor([[fail, fail, pass]], 'native');
    const folded = blocks.find(({ type }) => type === 'container');
    expect(folded).toMatchObject({ default_collapsed: true, title: { text: 'Panel: 2 opinions' } });
    expect(allText(folded)).toContain('p0 in round 0');
    expect(allText(folded)).not.toContain('p2 in round 0');
    expect(allText(blocks)).toContain('Dissent');
    expect(allText(blocks.filter((block) => block !== folded))).toContain('p2 in round 0');
  });

  test('does not fold away the sides of a tie', () => {
    const { blocks } = cardFor([[fail, pass]], 'native');
    expect(blocks.find(({ type }) => type === 'container')).toMatchObject({ default_collapsed: false });
  });

  test('has native thumbs, or buttons where a workspace lacks them', () => {
    expect(cardFor([[pass]], 'native').blocks.some(({ type }) => type === 'context_actions')).toBe(true);
    const classic = JSON.stringify(cardFor([[pass]], 'classic').blocks);
    expect(classic).not.toContain('context_actions');
    expect(classic).not.toContain('container');
    for (const value of ['agree', 'disagree', 'unsure', 'retract'] as const)
      expect(classic).toContain(`"value":"${voteValue(value, 'v1')}"`);
  });

  test('tells the tally and nobody who voted', () => {
    expect(tallyText({ agree: 3, disagree: 1, unsure: 0 })).toBe('Votes: 👍 3 agree · 👎 1 disagrees');
    expect(tallyText({ agree: 1, disagree: 2, unsure: 4 })).toBe(
      'Votes: 👍 1 agrees · 👎 2 disagree · 🤷 4 not sure',
    );
  });

  test('reads back what its vote buttons carry', () => {
    expect(readVoteValue(voteValue('unsure', 'v1'))).toEqual({ value: 'unsure', verdictId: 'v1' });
    expect(readVoteValue(voteValue('retract', 'v1'))).toEqual({ value: null, verdictId: 'v1' });
    expect(readVoteValue('agree')).toBeNull();
    expect(readVoteValue('love v1')).toBeNull();
  });

  test('says that it is shortened when it is, and only then', () => {
    expect(allText(cardFor([[fail, fail, pass]]).blocks)).not.toContain('shortened');
    expect(allText(cardFor([[fail, fail, pass]], 'classic', 'word '.repeat(600)).blocks)).toContain(
      'Some of this is shortened; Details shows all of it.',
    );
  });
});

describe('the longest debate', () => {
  const long = 'A rationale goes on and on. '.repeat(108).slice(0, 3000);
  const round: Said[] = [fail, fail, fail, fail, fail, pass, pass, pass, mute];
  const verdict = verdictFrom([round, round, round, round], { criteria: 12, text: long });
  const record = aRecord(
    { ...verdict, assumed: Array(30).fill(long), remarks: Array(30).fill(long), caseId: 'c'.repeat(200) },
    {
      evalCase: aCase({ conversation: [{ role: 'user', text: long.repeat(5) }], response: long.repeat(5) }),
      trust: { agreed: 123_456, n: 234_567, days: 180 },
    },
  );

  test.each(STYLES)('fits into one %s message', (blocks) => {
    const message = cardMessage({
      record,
      tally: { agree: 12345, disagree: 12345, unsure: 12345 },
      texts,
      blocks,
    });
    expect(messageProblems(message)).toEqual([]);
    expect(allText(message.blocks)).toContain('Details shows all of it');
  });

  test.each(STYLES)('fits with every judge named at length in a %s message', (blocks) => {
    const named = { personaTitle: (id: string) => `${id} ${'of the very long name '.repeat(20)}` };
    const judgements = record.verdict.judgements.map((judgement, index) =>
      judgement.status === 'scored'
        ? { ...judgement, rationale: `${index} ${long}`, caveat: long, confidence: 0.5 }
        : judgement,
    );
    const message = cardMessage({
      record: { ...record, verdict: { ...record.verdict, judgements } },
      tally: noVotes,
      texts: named,
      blocks,
    });
    expect(messageProblems(message)).toEqual([]);
  });

  test('counts the criteria and notes that have no room', () => {
    const many = verdictFrom([[pass]], { criteria: 33 });
    const message = cardMessage({
      record: aRecord({ ...many, remarks: ['a', 'b', 'c', 'd', 'e', 'f'] }),
      tally: noVotes,
      texts,
      blocks: 'classic',
    });
    expect(messageProblems(message)).toEqual([]);
    expect(allText(message.blocks)).toContain('13 more criteria: open Details');
    expect(allText(message.blocks)).toContain('2 more: open Details');
  });

  test('counts the opinions that have no room', () => {
    const verdictOfMany = verdictFrom([[...Array(13).fill(fail), ...Array(12).fill(pass)]]);
    const blocks = allText(
      cardMessage({ record: aRecord(verdictOfMany), tally: noVotes, texts, blocks: 'native' }).blocks,
    );
    expect(blocks).toContain('4 more: open Details');
    expect(blocks).toContain('5 more: open Details');
  });

  test('shows criteria that failed before those that have no room', () => {
    const many = verdictFrom([[pass]], { criteria: 30 });
    const criteria = many.criteria.map((criterion, index) =>
      index === 29 ? { ...criterion, decision: 'fail' as const, title: 'The last' } : criterion,
    );
    const message = cardMessage({
      record: aRecord({ ...many, criteria }),
      tally: noVotes,
      texts,
      blocks: 'classic',
    });
    expect(allText(message.blocks)).toContain('The last');
  });
});
