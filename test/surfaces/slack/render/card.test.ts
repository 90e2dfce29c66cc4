import { describe, expect, test } from 'vitest';
import { menuActions } from '../../../../src/judging/card/card.ts';
import { noVotes, type VoteTally } from '../../../../src/labels/record/vote.ts';
import type { CardInput } from '../../../../src/surfaces/chat/chat-presenter.ts';
import {
  cardMessage,
  carried,
  readMenuValue,
  readVoteValue,
  sharedMessage,
} from '../../../../src/surfaces/slack/render/card.ts';
import { detailsView } from '../../../../src/surfaces/slack/render/details.ts';
import { tallyText } from '../../../../src/surfaces/wording/wording.ts';
import { aCase, fail, mute, pass, plainTexts, type Said } from '../../../support/builders.ts';
import { aRecord, verdictFrom } from '../../../support/records.ts';
import { messageProblems, textsIn } from '../../../support/slack-limits.ts';

const inputOf = (record: CardInput['record'], tally: VoteTally = noVotes): CardInput => ({
  record,
  tally,
  texts: plainTexts,
  setting: { hasModel: true, askedBy: 'Alice' },
});

const cardFor = (rounds: readonly (readonly Said[])[], tally?: VoteTally) =>
  cardMessage(inputOf(aRecord(verdictFrom(rounds)), tally));

const linesOf = (payload: unknown): string[] => textsIn(payload).join('').split('\n');
const allText = (payload: unknown): string => textsIn(payload).join('');

describe('a card in Slack', () => {
  test('says decision and reason, what fails, what holds and who decided in at most eight lines', () => {
    const { blocks, text } = cardFor([[fail, fail, pass]]);
    expect(text).toBe('FAIL – p0 in round 0');
    expect(allText(blocks[0])).toBe('❌ FAIL – p0 in round 0');
    const lines = blocks.flatMap((block) => (block.type === 'actions' ? ['buttons'] : linesOf(block)));
    expect(lines).toEqual([
      '❌ FAIL – p0 in round 0',
      '❌ FIRST  first fail says p0 in round 0',
      '❌ SECOND  second fail says p0 in round 0',
      '2 of 3 judges · P2 disagrees: “p2 in round 0”',
      'buttons',
      'plain · m · model · asked by Alice',
    ]);
    expect(lines.length).toBeLessThanOrEqual(8);
  });

  test('names those criteria in one line that hold', () => {
    expect(allText(cardFor([[pass]]).blocks)).toContain('✅ FIRST · SECOND');
  });

  test('does not repeat what was pasted in its own thread, and says elsewhere what was asked', () => {
    const record = aRecord(verdictFrom([[pass]]));
    const elsewhere = { ...record, source: { ...record.source, thread: null } };
    expect(allText(cardMessage(inputOf(record)).blocks)).not.toContain('Find me a sushi place');
    expect(allText(cardMessage(inputOf(elsewhere)).blocks)).toContain('“Find me a sushi place');
    expect(allText(cardMessage(inputOf(elsewhere)).blocks)).not.toContain('Sakura is 5 minutes away');
  });

  test('has thumbs with their counts, the details, and a menu of at most five', () => {
    const { blocks } = cardFor([[pass]], { agree: 3, disagree: 1, unsure: 2 });
    const row = blocks.find(({ type }) => type === 'actions');
    expect(row).toMatchObject({
      elements: [
        { text: { text: '👍 3' }, value: 'agree v1' },
        { text: { text: '👎 1' }, value: 'disagree v1' },
        { text: { text: 'Details' }, value: 'v1' },
        { type: 'overflow' },
      ],
    });
    const options = [
      'Judge again…',
      '🤷 Not sure 2',
      'Take my vote back',
      'Share to channel',
      'Add to a set…',
    ];
    expect(textsIn(row).slice(3)).toEqual(options);
    const inDetails = detailsView(inputOf(aRecord(verdictFrom([[pass]])))).blocks.find(
      ({ type }) => type === 'actions',
    );
    expect(textsIn(inDetails).slice(2)).toEqual([
      'Judge again…',
      '🤷 Not sure',
      'Take my vote back',
      'Add to a set…',
      'JSON as a file',
    ]);
    expect(JSON.stringify(cardFor([[pass]]).blocks)).toContain('"text":"👍"');
  });

  test('asks what is right where nothing was decided, with one reason a side', () => {
    const { blocks, text } = cardFor([[fail, pass]]);
    expect(text).toBe('NOT DECIDED – the judges split 1 : 1');
    expect(allText(blocks)).toContain('◻️ NOT DECIDED');
    expect(allText(blocks)).toContain('❌ P0  p0 in round 0');
    expect(allText(blocks)).toContain('✅ P1  p1 in round 0');
    expect(allText(blocks)).toContain('What is right?');
    expect(allText(blocks)).not.toContain('👍');
  });

  test('says nothing of votes on such verdicts: the details do', () => {
    const record = aRecord(verdictFrom([[fail]]), { trust: { agreed: 108, n: 124, days: 180 } });
    expect(cardMessage(inputOf(record))).toEqual(cardMessage(inputOf(aRecord(verdictFrom([[fail]])))));
    expect(JSON.stringify(detailsView(inputOf(record)))).toContain(
      'People agreed with 87 % of the 124 such verdicts they voted on; not a random sample.',
    );
    expect(JSON.stringify(detailsView(inputOf(aRecord(verdictFrom([[fail]])))))).not.toContain(
      'People agreed',
    );
  });

  test('is shared with what was asked, a link to its votes, and no buttons to vote', () => {
    const shared = sharedMessage(inputOf(aRecord(verdictFrom([[fail]]))), 'Bob', 'https://jury.slack.com/p1');
    expect(messageProblems(shared)).toEqual([]);
    expect(allText(shared.blocks)).toContain('“Find me a sushi place');
    expect(allText(shared.blocks)).toContain('Shared by Bob');
    expect(JSON.stringify(shared.blocks)).toContain('"url":"https://jury.slack.com/p1"');
    expect(JSON.stringify(shared.blocks)).not.toContain('vote_agree');
  });

  test('shows the tally and no voters', () => {
    expect(tallyText({ agree: 0, disagree: 0, unsure: 0 }, undefined, 'en')).toBe('No votes yet');
    expect(tallyText({ agree: 3, disagree: 1, unsure: 0 }, undefined, 'en')).toBe(
      'Votes: 👍 3 agree · 👎 1 disagrees',
    );
    expect(tallyText({ agree: 1, disagree: 2, unsure: 4 }, undefined, 'en')).toBe(
      'Votes: 👍 1 agrees · 👎 2 disagree · 🤷 4 not sure',
    );
  });

  test('reads back what its buttons and its menu carry', () => {
    expect(readVoteValue(carried('unsure', 'v1'))).toEqual({ value: 'unsure', verdictId: 'v1' });
    expect(readVoteValue(carried('retract', 'v1'))).toEqual({ value: null, verdictId: 'v1' });
    expect(readVoteValue('agree')).toBeNull();
    expect(readVoteValue('love v1')).toBeNull();
    for (const action of menuActions)
      expect(readMenuValue(`${action} v1`)).toEqual({ action, verdictId: 'v1' });
    expect(readMenuValue('delete v1')).toBeNull();
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
  const elsewhere = { ...record, source: { ...record.source, thread: null } };

  test('fits into one message', () => {
    const message = cardMessage(inputOf(elsewhere, { agree: 12345, disagree: 12345, unsure: 12345 }));
    expect(messageProblems(message)).toEqual([]);
    expect(allText(message.blocks)).toContain('57 more in Details');
  });

  test('fits with every judge and criterion named at length, decided or not', () => {
    const wordy = 'word '.repeat(600);
    const named = {
      ...plainTexts,
      personaTitle: (id: string) => `${id} ${'of the very long name '.repeat(20)}`,
      rubric: () => ({ title: wordy, criteria: [], decide: 'all' as const }),
    };
    const judgements = record.verdict.judgements.map((judgement, index) =>
      judgement.status === 'scored'
        ? { ...judgement, rationale: `${index} ${wordy}`, caveat: long, confidence: 0.5 }
        : judgement,
    );
    const criteria = (['fail', 'pass', 'undecided'] as const).flatMap((decision) =>
      Array.from({ length: 40 }, (_, index) => ({
        ...(record.verdict.criteria[0] ?? Object.assign({})),
        id: `${decision}${index}`,
        title: wordy,
        decision,
        tally: { pass: 1, fail: 1, scored: 0, unscored: 1, notRelevant: 0 },
        rationale: wordy,
      })),
    );
    for (const decision of ['fail', 'undecided'] as const) {
      const input = inputOf({ ...elsewhere, verdict: { ...verdict, judgements, criteria, decision } });
      expect(messageProblems(cardMessage({ ...input, texts: named }))).toEqual([]);
    }
  });

  test('counts the criteria and notes that have no room', () => {
    const many = verdictFrom([[fail]], { criteria: 33 });
    const message = cardMessage(inputOf(aRecord({ ...many, remarks: ['a', 'b', 'c', 'd', 'e', 'f'] })));
    expect(messageProblems(message)).toEqual([]);
    expect(allText(message.blocks)).toContain('25 more criteria in Details');
    expect(allText(message.blocks)).toContain('3 more in Details');
  });

  test('shows criteria that failed before those that could not be checked', () => {
    const many = verdictFrom([[fail]], { criteria: 30 });
    const criteria = many.criteria.map((criterion, index) =>
      index === 29
        ? { ...criterion, title: 'The last' }
        : { ...criterion, decision: 'undecided' as const, tally: { ...criterion.tally, unscored: 1 } },
    );
    expect(allText(cardMessage(inputOf(aRecord({ ...many, criteria }))).blocks)).toContain('The last');
  });
});
