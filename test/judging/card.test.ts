import { describe, expect, test } from 'vitest';
import { type CardBlock, cardOf, costText } from '../../src/judging/card.ts';
import { decide } from '../../src/judging/decide.ts';
import type { Judgement } from '../../src/judging/judgement.ts';
import type { Verdict } from '../../src/judging/verdict.ts';
import {
  aCase,
  aDebate,
  aMethod,
  aPanel,
  aRubric,
  fail,
  judgementOf,
  mute,
  pass,
  type Said,
} from '../support/builders.ts';

/** The verdict that rounds of answers come to. */
function verdictOf(rounds: readonly (readonly Said[])[], assumed: string[] = []): Verdict {
  const size = rounds[0]?.length ?? 0;
  const panel = aPanel(size);
  const said = rounds.map((answers, round) =>
    panel.seats.flatMap(({ judge }, seat): Judgement[] => {
      const answer = answers[seat];
      return answer === undefined ? [] : [judgementOf({ judge, round }, answer)];
    }),
  );
  const outcome = decide({
    deliberation: { rounds: said, cancelled: false },
    panelSize: size,
    method: rounds.length > 1 ? aDebate() : aMethod(),
    criteria: aRubric().criteria,
    setAside: [],
  });
  return {
    caseId: 'c1',
    rubric: 'plain',
    method: 'm',
    ...outcome,
    settings: { panel: [], temperature: 0, seed: null, rounds: rounds.length, examples: 0 },
    assumed,
    remarks: [],
    startedAt: '2026-01-01T00:00:00.000Z',
    durationMs: 1234,
  };
}

const cardFor = (rounds: readonly (readonly Said[])[], assumed?: string[]) =>
  cardOf(verdictOf(rounds, assumed), aCase(), { personaTitle: (id) => id.toUpperCase() });

const opinions = (card: CardBlock[]) =>
  card.flatMap((block) =>
    block.kind === 'opinions' ? [[block.title, block.opinions.map(({ judge }) => judge)]] : [],
  );

describe('a card', () => {
  test('begins with the outcome and its reason, then shows what was judged', () => {
    const [headline, exchange] = cardFor([[fail, fail, pass]]);
    expect(headline).toMatchObject({ kind: 'headline', tone: 'fail', label: 'FAIL', title: 'c1' });
    expect(headline).toMatchObject({ why: expect.stringMatching(/^2 of 3 judges: first fail says p0/) });
    expect(exchange).toMatchObject({ user: aCase().conversation[0]?.text, system: aCase().response });
  });

  test('shows dissent first, then the panel, then who gave no answer', () => {
    expect(opinions(cardFor([[fail, pass, fail, mute]]))).toEqual([
      ['Dissent', ['P1']],
      ['Panel', ['P0', 'P2']],
      ['No answer counted', ['P3']],
    ]);
  });

  test('says once what several judges say to the letter', () => {
    expect(opinions(cardFor([[fail, fail, fail, mute, mute]])).at(-1)).toEqual([
      'No answer counted',
      ['P3, P4'],
    ]);
  });

  test('knows no dissent where nothing was decided', () => {
    expect(opinions(cardFor([[fail, pass]]))).toEqual([['Panel', ['P0', 'P1']]]);
  });

  test('says which judge changed its mind in a debate', () => {
    const card = cardFor([
      [pass, fail],
      [fail, fail],
    ]);
    const panel = card.find((block) => block.kind === 'opinions');
    expect(panel).toMatchObject({
      opinions: [
        { judge: 'P0', before: ['pass'] },
        { judge: 'P1', before: [] },
      ],
    });
  });

  test('shows the tally of each criterion', () => {
    const rows = cardFor([[fail, fail, pass]]).find((block) => block.kind === 'criteria');
    expect(rows).toMatchObject({
      rows: [
        { title: 'First', tone: 'fail', tally: '1–2' },
        { title: 'Second', tone: 'pass', tally: '3–0' },
      ],
    });
  });

  test('tells what was assumed, and what it took', () => {
    const card = cardFor(
      [[pass]],
      ['Missing: date, so opening hours are not judged; add "Date: 2024-03-04"'],
    );
    expect(card).toContainEqual({
      kind: 'notes',
      title: 'Assumed',
      lines: ['Missing: date, so opening hours are not judged; add "Date: 2024-03-04"'],
    });
    expect(card.at(-1)).toMatchObject({
      facts: expect.arrayContaining([
        { label: 'cost', value: '$0.0010' },
        { label: 'took', value: '1.23\u00a0s' },
      ]),
    });
  });
});

describe('a cost', () => {
  test.each([
    [null, 'unknown'],
    [0, '$0'],
    [0.000123, '$0.00012'],
    [0.05, '$0.050'],
    [1.5, '$1.50'],
  ])('of %s reads %s', (cost, text) => {
    expect(costText(cost)).toBe(text);
  });
});
