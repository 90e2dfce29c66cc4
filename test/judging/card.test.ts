import { describe, expect, test } from 'vitest';
import type { EvalCase } from '../../src/case/case.ts';
import { type CardPart, type CardSetting, costText, judgeName } from '../../src/judging/card/card.ts';
import { cardOf, timeText } from '../../src/judging/card/make-card.ts';
import { decide } from '../../src/judging/decide.ts';
import { Check } from '../../src/judging/standards/rubric-checks.ts';
import type { Judgement } from '../../src/judging/verdict/judgement.ts';
import type { Verdict } from '../../src/judging/verdict/verdict.ts';
import { whyOf } from '../../src/judging/verdict/verdict-reason.ts';
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
  plainTexts,
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

const cardFor = (
  rounds: readonly (readonly Said[])[],
  assumed?: string[],
  setting: CardSetting = { hasModel: true },
) => cardOf(verdictOf(rounds, assumed), aCase(), plainTexts, setting);

const partOf = <Kind extends CardPart['kind']>(card: CardPart[], kind: Kind) =>
  card.find((part): part is Extract<CardPart, { kind: Kind }> => part.kind === kind);

describe('a card', () => {
  test('begins with the outcome and one reason', () => {
    const [headline, request] = cardFor([[fail, fail, pass]]);
    expect(headline).toEqual({
      kind: 'headline',
      tone: 'fail',
      label: 'FAIL',
      reason: 'p0 in round 0',
    });
    expect(request).toEqual({ kind: 'request', id: 'c1', text: aCase().conversation[0]?.text });
  });

  test('has a line for each criterion that fails, and one for all that hold', () => {
    const card = cardFor([[fail, fail, pass]]);
    expect(partOf(card, 'criteria')?.rows).toMatchObject([
      { title: 'First', tone: 'fail', text: 'first fail says p0 in round 0' },
    ]);
    expect(partOf(card, 'held')?.titles).toEqual(['Second']);
  });

  test('says the reason once if the only failing criterion is the reason', () => {
    const verdict = verdictOf([[fail]]);
    const judgements = verdict.judgements.map((one) => ({
      ...one,
      rationale: 'First fail says p0 in round 0.',
    }));
    const card = cardOf({ ...verdict, judgements }, aCase(), plainTexts, { hasModel: true });
    expect(partOf(card, 'headline')?.reason).toBe('First: first fail says p0 in round 0');
    expect(partOf(card, 'criteria')).toBeUndefined();
  });

  test('names a criterion once, whatever its reason begins with', () => {
    const long = (titles: string[]) => {
      const verdict = verdictOf([[fail]]);
      const rationale = 'Length: 32 words.';
      const criteria = titles.flatMap((title) =>
        verdict.criteria.slice(0, 1).map((row) => ({
          ...row,
          title,
          decision: 'fail' as const,
          rationale: title === 'Length' ? rationale : 'It is rude.',
        })),
      );
      const judgements = verdict.judgements.map((one) => ({ ...one, rationale }));
      return { ...verdict, criteria, judgements };
    };
    const cardWith = (verdict: Verdict, texts = plainTexts) =>
      cardOf(verdict, aCase(), texts, { hasModel: true });
    expect(partOf(cardWith(long(['Length', 'Tone'])), 'criteria')?.rows).toMatchObject([
      { title: 'Length', text: '32 words' },
      { title: 'Tone', text: 'It is rude' },
    ]);
    const exactly = (titles: string[]) => {
      const verdict = long(titles);
      const byRules = verdict.judgements.map((one) => ({ ...one, judge: { ...one.judge, model: 'rules' } }));
      return { ...verdict, judgements: byRules };
    };
    const exact = exactly(['Length']);
    expect(partOf(cardWith(exact), 'headline')?.reason).toBe('Length: 32 words');
    const alone = { ...plainTexts, rubric: () => ({ ...aRubric(), title: 'Length' }) };
    expect(partOf(cardWith(exact, alone), 'headline')?.reason).toBe('32 words');
    // Where several fail for reasons of their own, up to three are named, and more are counted.
    const first = (...titles: string[]) => partOf(cardWith(exactly(titles)), 'headline')?.reason;
    expect(first('Length', 'Tone')).toBe('Length and Tone do not hold');
    expect(first('Length', 'Tone', 'Wit')).toBe('Length, Tone and Wit do not hold');
    expect(first('Length', 'Tone', 'Wit', 'Tact')).toBe('4 of 4 criteria do not hold');
  });

  test('of a panel that was stopped before anyone answered names no judge', () => {
    const verdict = verdictOf([[{ unscored: 'cancelled' }, { unscored: 'cancelled' }]]);
    const card = cardOf({ ...verdict, cancelled: true }, aCase(), plainTexts, {
      hasModel: true,
      stoppedBy: 'Bob',
    });
    expect(partOf(card, 'headline')).toMatchObject({
      label: 'NOT DECIDED',
      reason: 'no judge had answered',
    });
    expect(partOf(card, 'panel')).toBeUndefined();
    expect(partOf(card, 'footer')?.facts.at(-1)).toBe('stopped by Bob');
  });

  test('says a reason once that several criteria fail for', () => {
    const verdict = verdictOf([[fail]]);
    const same = { decision: 'fail' as const, rationale: 'It was closed.' };
    const criteria = verdict.criteria.map((row) => ({ ...row, ...same }));
    const judgements = verdict.judgements.map((one) => ({ ...one, rationale: 'It was closed.' }));
    const card = cardOf({ ...verdict, criteria, judgements }, aCase(), plainTexts, { hasModel: true });
    expect(partOf(card, 'headline')?.reason).toBe('it was closed');
    expect(partOf(card, 'criteria')?.rows).toMatchObject([
      { title: 'First · Second', tone: 'fail', text: '' },
    ]);
  });

  test('says how many judges decided, and who disagrees in what words', () => {
    const { text, dissent } = partOf(cardFor([[fail, pass, fail, mute]]), 'panel') ?? {};
    expect(text).toBe('2 of 4 judges · P3 gave no answer (no usable reply)');
    expect(dissent).toBe('P1 disagrees: “p1 in round 0”');
    expect(partOf(cardFor([[pass, pass, pass, fail, fail]]), 'panel')?.dissent).toBe(
      'P3 and P4 disagree: “p3 in round 0”',
    );
    expect(partOf(cardFor([[fail, fail]]), 'panel')?.dissent).toBeNull();
  });

  test('says once that no judge answered, and which did not for which reason where these differ', () => {
    const card = cardFor([[mute, mute]]);
    expect(partOf(card, 'headline')?.reason).toBe('the model’s answer could not be used');
    expect(partOf(card, 'actions')).toMatchObject({
      buttons: ['again', 'right', 'details'],
      menu: expect.not.arrayContaining(['again']),
    });
    expect(partOf(card, 'panel')).toBeUndefined();
    const late = { unscored: 'timeout' } as const;
    expect(partOf(cardFor([[mute, late]]), 'panel')?.text).toBe(
      '0 of 2 judges answered · P0 gave no answer (no usable reply) · P1 gave no answer (timed out)',
    );
  });

  test('never counts judges where exact checks decided', () => {
    const exact = (verdict: Verdict): Verdict => ({
      ...verdict,
      judgements: verdict.judgements.map((one) => ({ ...one, judge: { ...one.judge, model: 'rules' } })),
    });
    const card = cardOf(exact(verdictOf([[fail, fail, fail]])), aCase(), plainTexts, { hasModel: true });
    expect(partOf(card, 'panel')).toMatchObject({ text: 'exact checks, no model', isExact: true });
    expect(JSON.stringify(card)).not.toContain('of 3 judges');
  });

  test('gives one reason for each side of a tie', () => {
    const card = cardFor([[fail, pass, pass, fail]]);
    expect(card[0]).toMatchObject({ label: 'NOT DECIDED', reason: 'the judges split 2 : 2' });
    expect(partOf(card, 'panel')?.text).toBe('4 judges');
    expect(partOf(card, 'criteria')?.rows).toMatchObject([
      { title: 'First', text: 'the judges split 2 : 2' },
    ]);
    expect(partOf(card, 'sides')?.opinions.map(({ judge, stance }) => [judge, stance])).toEqual([
      ['P1', 'pass'],
      ['P0', 'fail'],
    ]);
  });

  test('says once what several judges say to the letter', () => {
    const opinions = partOf(cardFor([[fail, fail, fail, mute, mute]]), 'opinions')?.opinions ?? [];
    expect(opinions.map(({ judge }) => judge)).toEqual(['P0', 'P1', 'P2', 'P3, P4']);
  });

  test('says which judge changed its mind in a debate', () => {
    const card = cardFor([
      [pass, fail],
      [fail, fail],
    ]);
    expect(partOf(card, 'opinions')?.opinions).toMatchObject([
      { judge: 'P0', before: ['pass'] },
      { judge: 'P1', before: [] },
    ]);
  });

  test('says how many calls it took, and in how many rounds', () => {
    const [one] = partOf(cardFor([[pass, pass]]), 'usage')?.facts ?? [];
    expect(one).toBe('2 calls');
    const [two] =
      partOf(
        cardFor([
          [pass, fail],
          [fail, fail],
        ]),
        'usage',
      )?.facts ?? [];
    expect(two).toBe('4 calls in 2 rounds');
    const verdict = verdictOf([[pass, pass]]);
    const judgements = verdict.judgements.map((judgement, seat) => ({
      ...judgement,
      usage: { ...judgement.usage, fromCache: seat === 0 },
    }));
    const card = cardOf({ ...verdict, judgements }, aCase(), plainTexts, { hasModel: true });
    expect(partOf(card, 'usage')?.facts[0]).toBe('2 calls, 1 from cache');
  });

  test('says that a judge changed its mind who came back to what it said at first', () => {
    const card = cardFor([
      [pass, fail],
      [fail, fail],
      [pass, fail],
    ]);
    expect(partOf(card, 'opinions')?.opinions).toMatchObject([
      { judge: 'P0', stance: 'pass', before: ['pass', 'fail'] },
      { judge: 'P1', before: [] },
    ]);
  });

  test('lists scored criteria from the lowest share of their scale to the highest', () => {
    const verdict = verdictOf([[pass]]);
    const rows = [
      { title: 'Whole', score: 4, scale: { min: 0, max: 4 } },
      { title: 'Least', score: 1, scale: { min: 1, max: 5 } },
      { title: 'Most', score: 60, scale: { min: 0, max: 100 } },
      { title: 'Half', score: 3, scale: { min: 1, max: 5 } },
      { title: 'Less', score: 40, scale: { min: 0, max: 100 } },
    ];
    const criteria = verdict.criteria
      .slice(0, 1)
      .flatMap((row) =>
        rows.map((scored) => ({ ...row, ...scored, decision: 'scored' as const, rationale: 'So it is.' })),
      );
    const card = cardOf({ ...verdict, decision: 'scored', criteria }, aCase(), plainTexts, {
      hasModel: true,
    });
    expect(partOf(card, 'scores')?.scores.map(({ title }) => title)).toEqual([
      'Least',
      'Less',
      'Half',
      'Most',
      'Whole',
    ]);
  });

  test('lists the score of a criterion whose scale was not kept, without it', () => {
    const verdict = verdictOf([[pass]]);
    const criteria = verdict.criteria.map((row) => ({
      ...row,
      decision: 'scored' as const,
      score: 3,
      rationale: 'So it is.',
    }));
    const card = cardOf({ ...verdict, decision: 'scored', criteria }, aCase(), plainTexts, {
      hasModel: true,
    });
    expect(partOf(card, 'scores')?.scores.map(({ score }) => score)).toEqual(['3', '3']);
  });

  test('names rubric, method, model, turn and people last', () => {
    const conversation = ['One', 'Two', 'Three'].map((text) => ({ role: 'user' as const, text }));
    const verdict = { ...verdictOf([[fail]]), cancelled: true };
    const card = cardOf(verdict, aCase({ conversation }), plainTexts, {
      hasModel: true,
      askedBy: 'Alice',
      stoppedBy: 'Bob',
    });
    expect(partOf(card, 'footer')).toEqual({
      kind: 'footer',
      facts: ['plain', 'turn 3 of 3', 'm', 'model', 'asked by Alice', 'stopped by Bob'],
    });
    expect(partOf(cardFor([[fail]]), 'footer')?.facts).toEqual(['plain', 'm', 'model']);
  });

  test('says what was assumed and left out, not why its rubric was chosen', () => {
    const verdict = verdictOf(
      [[pass]],
      [
        'Missing: date; add "Date: 2026-03-02"',
        'the venue is meant',
        'left out: Open "yes", not understood',
        'cost $$ read as moderate',
        'left out: text before the first label ("is this ok?")',
      ],
    );
    const left = {
      id: 'time',
      title: 'Time',
      decision: 'not-judged' as const,
      score: null,
      tally: { pass: 0, fail: 0, scored: 0, unscored: 0, notRelevant: 0 },
      rationale: 'the case has no context.date',
    };
    const rubric = aRubric({
      criteria: [{ id: 'time', title: 'Time', rule: 'Open.', needs: ['context.date'] }],
    });
    const texts = { ...plainTexts, rubric: () => rubric, lineFor: () => 'Date: 2026-03-02' };
    const remarks = ['rubric plain was chosen because …', 'judges read the first 2 of 9 documents'];
    const { context: _, ...evalCase } = aCase();
    const card = cardOf({ ...verdict, criteria: [...verdict.criteria, left], remarks }, evalCase, texts, {
      hasModel: true,
    });
    expect(partOf(card, 'asks')).toMatchObject({
      lines: ['Not checked: Time – the paste has no date; add “Date: 2026-03-02”'],
      before: 0,
    });
    expect(partOf(card, 'notes')?.lines).toEqual([
      'Ignored: Open "yes", not understood · text before the first label ("is this ok?")',
      'Assumed: the venue is meant · cost $$ read as moderate',
      'judges read the first 2 of 9 documents',
    ]);
  });
});

describe('a card without a decision by exact checks', () => {
  const unchecked = (rationale: string): Verdict => {
    const verdict = verdictOf([[{ unscored: 'unsupported' }]]);
    const criteria = verdict.criteria.map((row, index) => ({
      ...row,
      decision: index === 0 ? ('undecided' as const) : ('pass' as const),
      tally: { ...row.tally, unscored: 1 },
      rationale,
    }));
    const judgements = verdict.judgements.map((one) => ({ ...one, judge: { ...one.judge, model: 'rules' } }));
    const exact = { ...verdict, criteria, judgements };
    return { ...exact, why: whyOf(exact) };
  };
  const check = { type: 'drive-at-most' as const, minutes: 15, speedKmh: 30, detour: 1.3 };
  const checked = aRubric({
    criteria: [{ id: 'first', title: 'First', rule: 'It fits.', check }],
  });
  const actions = (card: CardPart[]) => partOf(card, 'actions')?.buttons;

  test('quotes in its first line as in the others', () => {
    const verdict = unchecked('No drive time; add `Duration: 5 min`.');
    const criteria = verdict.criteria.map((row) => ({ ...row, decision: 'undecided' as const }));
    const [first] = cardOf(
      { ...verdict, criteria },
      aCase(),
      { ...plainTexts, rubric: () => checked },
      { hasModel: true },
    );
    expect(first).toMatchObject({ reason: 'no drive time; add “Duration: 5 min”' });
  });

  test('says what holds and what to add, and offers the form, and a model if one is connected', () => {
    const verdict = unchecked('No drive time; add `Duration: 5 min`.');
    const texts = { ...plainTexts, rubric: () => checked };
    const card = cardOf(verdict, aCase(), texts, { hasModel: true });
    expect(card[0]).toMatchObject({
      label: 'NOT DECIDED',
      reason: '1 of 2 criteria holds, 1 could not be checked',
    });
    expect(partOf(card, 'criteria')?.rows).toMatchObject([
      { title: 'First', tone: 'undecided', text: 'No drive time; add “Duration: 5 min”' },
    ]);
    expect(actions(card)).toEqual(['fill-in', 'ask-model', 'right', 'details']);
    expect(actions(cardOf(verdict, aCase(), texts, { hasModel: false }))).toEqual([
      'fill-in',
      'right',
      'details',
    ]);
  });

  test('says of a value that was given and could not be read how to write it, once', () => {
    const note = 'left out: Fahrzeit "bald", not understood; write one number, such as “Duration: 5 min”';
    const verdict = { ...unchecked('No drive time; add `Duration: 5 min`.'), assumed: [note] };
    const texts = {
      ...plainTexts,
      rubric: () =>
        aRubric({ criteria: [{ id: 'first', title: 'First', rule: 'It fits.', check: Check.parse(check) }] }),
      lineFor: (path: string) => (path === 'recommendation.durationMin' ? 'Duration: 5 min' : null),
    };
    const card = cardOf(verdict, aCase({ recommendation: { name: 'Sakura' } }), texts, { hasModel: false });
    expect(partOf(card, 'criteria')?.rows).toMatchObject([
      { text: 'The duration "bald" could not be read; write one number, such as “Duration: 5 min”' },
    ]);
    expect(partOf(card, 'notes')).toBeUndefined();
  });

  test('does not count or show what was not asked for as checked', () => {
    const verdict = unchecked('Not asked for: the request names no cost.');
    const card = cardOf(verdict, aCase(), { ...plainTexts, rubric: () => checked }, { hasModel: false });
    expect(partOf(card, 'held')).toBeUndefined();
    expect(partOf(card, 'headline')?.reason).toMatch(/^Not asked for/);
  });

  test('says that a rubric without exact checks needs a model, and how to connect one', () => {
    const texts = { ...plainTexts, rubric: () => aRubric() };
    const verdict = unchecked('Needs a model.');
    const none = cardOf(verdict, aCase(), texts, { hasModel: false });
    expect(none[0]).toMatchObject({ reason: 'this needs a model, and none is connected' });
    expect(partOf(none, 'notes')?.lines[0]).toBe('Ask your Jury admin to connect a model');
    const operator = cardOf(verdict, aCase(), texts, { hasModel: false, isOperator: true });
    expect(partOf(operator, 'notes')?.lines[0]).toMatch(/^Set JURY_MODEL/);
    // What can be checked exactly is named where the paste has nothing but words.
    const bare = { conversation: aCase().conversation, response: 'Done.' };
    const hint = (evalCase: EvalCase) =>
      partOf(cardOf(verdict, evalCase, texts, { hasModel: false }), 'notes')?.lines[1];
    expect(hint(bare)).toMatch(/^Exact checks need data in the paste/);
    expect(hint({ ...bare, recommendation: { name: 'Sakura', rating: 4.3 } }) ?? '').not.toMatch(/^Exact/);
    // Nothing was checked, and no judge was asked.
    expect(partOf(none, 'panel')).toBeUndefined();
    expect(partOf(none, 'opinions')).toBeUndefined();
    const connected = cardOf(verdict, aCase(), texts, { hasModel: true });
    expect(connected[0]).toMatchObject({ reason: 'this needs a model' });
    expect(actions(connected)).toEqual(['ask-model', 'right', 'details']);
  });
});

describe('the name of a judge', () => {
  const named = (seats: [persona: string | null, model: string, sample: number][]) => {
    const panel = seats.map(([persona, model, sample]) => ({ persona, model, sample }));
    return panel.map((judge) => judgeName({ judge }, panel, plainTexts));
  };

  test('is its persona, or its model if it plays none', () => {
    expect(named([['ann', 'm', 0]])).toEqual(['ANN']);
    expect(named([[null, 'm', 0]])).toEqual(['m']);
  });

  test('says which model where there are several', () => {
    expect(
      named([
        ['ann', 'm', 0],
        ['ann', 'n', 0],
        [null, 'o', 0],
      ]),
    ).toEqual(['ANN (m)', 'ANN (n)', 'o']);
  });

  test('counts the samples of the judge that was asked more than once, and no other’s', () => {
    expect(
      named([
        ['ann', 'm', 0],
        ['ann', 'm', 1],
        ['bob', 'm', 0],
        ['ann', 'n', 0],
      ]),
    ).toEqual(['ANN (m) #1', 'ANN (m) #2', 'BOB (m)', 'ANN (n)']);
  });
});

test.each([
  [0, '0\u00a0ms'],
  [999, '999\u00a0ms'],
  [1000, '1\u00a0s'],
  [12_345, '12.35\u00a0s'],
])('a time of %d ms stays on one line: %j', (ms, text) => {
  expect(timeText(ms, 'en')).toBe(text);
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
