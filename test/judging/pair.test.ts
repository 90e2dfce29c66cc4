import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { swapped } from '../../src/case/pair.ts';
import type { Ask } from '../../src/judging/ask.ts';
import type { CardPart } from '../../src/judging/card/card.ts';
import { cardOf } from '../../src/judging/card/make-card.ts';
import { splitAsk } from '../../src/judging/split-ask.ts';
import { comparing } from '../../src/judging/standards/rubric.ts';
import { ScoredJudgement } from '../../src/judging/verdict/judgement.ts';
import type { Verdict } from '../../src/judging/verdict/verdict.ts';
import { aDebate, aMethod, aPanel, aRubric, judgementOf, plainTexts } from '../support/builders.ts';
import { always, favors, NEW, OLD, pair, prefers, verdictBy } from '../support/pairs.ts';
import { repeated } from '../support/repeated.ts';

const partOf = <Kind extends CardPart['kind']>(card: CardPart[], kind: Kind) =>
  card.find((part): part is Extract<CardPart, { kind: Kind }> => part.kind === kind);

const cardFor = (verdict: Verdict) => cardOf(verdict, pair, plainTexts, { hasModel: true });

describe('two answers', () => {
  test('are shown to every judge in both orders', async () => {
    const { asked, verdict } = await verdictBy({ ann: favors(NEW), bob: favors(NEW) });
    expect(asked.map(({ judge, evalCase }) => [judge.persona, evalCase.response])).toEqual([
      ['ann', OLD],
      ['ann', NEW],
      ['bob', OLD],
      ['bob', NEW],
    ]);
    expect(verdict).toMatchObject({ calls: 4, decision: 'scored', score: 1 });
  });

  test('come to the one that most judges prefer in both orders, with a reason for each', async () => {
    const { verdict } = await verdictBy({ ann: favors(NEW), bob: favors(NEW), cem: favors(OLD) });
    expect(verdict.preference).toEqual({
      better: 'B',
      names: ['Old', 'New'],
      judges: { A: 1, B: 2, same: 0, changed: 0 },
      reasons: { A: `says “${OLD}”`, B: `says “${NEW}”` },
    });
    expect(verdict.why).toBe(
      'New is better (2 of 3 judges, in both orders): New says “I set the temperature to 22 degrees.”; Old says “Yes.”',
    );
  });

  test('have the reasons of a judge that prefers what the panel prefers', async () => {
    const telling =
      (text: string, word: string): Ask =>
      async (question) => {
        const said = await favors(text)(question);
        const { sides } = said.status === 'scored' ? said : {};
        if (sides === undefined) return said;
        return { ...said, sides: { first: `${word} ${sides.first}`, second: `${word} ${sides.second}` } };
      };
    const { verdict } = await verdictBy({
      ann: telling(OLD, 'ann'),
      bob: telling(NEW, 'bob'),
      cem: telling(NEW, 'cem'),
    });
    expect(verdict.preference?.reasons).toEqual({ A: `bob says “${OLD}”`, B: `bob says “${NEW}”` });
  });

  test('are compared by every criterion, also by one that may not apply to a single answer', () => {
    const [first] = aRubric().criteria;
    if (first === undefined) throw new Error('a rubric has criteria');
    const rubric = aRubric({ criteria: [{ ...first, mayNotApply: true }] });
    expect(comparing(rubric).criteria).toMatchObject([
      { id: first.id, mayNotApply: false, scale: { min: -1, max: 1 } },
    ]);
  });

  test('are tied for a judge that always prefers the first, and the card says that it changed with the order', async () => {
    const { verdict } = await verdictBy({ ann: always('first'), bob: always('first'), cem: always('first') });
    expect(verdict).toMatchObject({
      score: 0,
      preference: { better: 'same', judges: { A: 0, B: 0, same: 3, changed: 3 } },
    });
    expect(verdict.judgements).toMatchObject([1, 2, 3].map(() => ({ score: 0, changedWithOrder: true })));
    expect(partOf(cardFor(verdict), 'headline')).toMatchObject({
      label: 'Tie',
      reason: '3 of 3 judges changed with the order',
    });
    expect(partOf(cardFor(verdict), 'opinions')?.opinions).toMatchObject([
      { stance: 'changed with the order' },
    ]);
  });

  test('are tied for a judge that sees a difference in one order only', async () => {
    const wavers: Ask = async (question) =>
      prefers(question, question.evalCase.response === OLD ? 'second' : 'same');
    const { verdict } = await verdictBy({ ann: wavers });
    expect(verdict.preference?.judges).toEqual({ A: 0, B: 0, same: 1, changed: 1 });
  });

  test('are tied where the judges are split', async () => {
    const { verdict } = await verdictBy({ ann: favors(NEW), bob: favors(OLD) });
    expect(verdict).toMatchObject({ decision: 'scored', score: 0, preference: { better: 'same' } });
    expect(verdict.why).toContain('the judges split 1 : 1');
  });

  test('are not decided without a quorum; an answer in one order alone is none', async () => {
    const once: Ask = async (question) =>
      question.evalCase.response === OLD
        ? prefers(question, 'second')
        : judgementOf(question, { unscored: 'timeout' });
    const { verdict } = await verdictBy({ ann: once, bob: once, cem: favors(NEW) });
    expect(verdict).toMatchObject({
      decision: 'undecided',
      score: null,
      preference: { better: null },
      tally: { scored: 1, unscored: 2 },
    });
  });

  test('that were stopped keep what was said in both orders, and nothing that was said in one', async () => {
    const stop = new AbortController();
    const waits: Ask = async (question) => {
      if (question.evalCase.response === OLD) return prefers(question, 'second');
      stop.abort();
      return judgementOf(question, { unscored: 'cancelled' });
    };
    const { verdict } = await verdictBy(
      { ann: favors(NEW), bob: waits, cem: waits },
      { signal: stop.signal },
    );
    expect(verdict).toMatchObject({
      cancelled: true,
      decision: 'undecided',
      preference: { better: null, judges: { B: 1 } },
    });
  });

  test('can be asked about criterion by criterion, and the sum of preferences counts', async () => {
    const { verdict } = await verdictBy(
      { ann: favors(NEW) },
      { method: aMethod({ criteria: 'one-by-one' }) },
    );
    expect(verdict.preference?.better).toBe('B');
  });

  test('are debated: each judge reads the others in the order in which it is shown the answers', async () => {
    const { asked, verdict } = await verdictBy(
      { ann: favors(NEW), bob: favors(OLD) },
      { method: aDebate({ rounds: 2 }) },
    );
    const later = asked.filter(({ round, judge }) => round === 1 && judge.persona === 'ann');
    const seen = later.map(({ evalCase, seen: [round = []] }) => [
      evalCase.response,
      round.map((one) => (one.status === 'scored' ? [one.score, one.sides?.first] : null)),
    ]);
    expect(seen).toEqual([
      [
        OLD,
        [
          [1, `says “${OLD}”`],
          [-1, `says “${OLD}”`],
        ],
      ],
      [
        NEW,
        [
          [-1, `says “${NEW}”`],
          [1, `says “${NEW}”`],
        ],
      ],
    ]);
    expect(verdict.rounds).toBe(2);
  });

  test('weigh the lower confidence of both orders', async () => {
    const sure: Ask = async (question) =>
      prefers(
        question,
        question.evalCase.response === NEW ? 'first' : 'second',
        question.evalCase.response === NEW ? 0.9 : 0.6,
      );
    const { verdict } = await verdictBy(
      { ann: sure },
      { method: aMethod({ confidence: true, reduce: 'weighted' }) },
    );
    expect(verdict.judgements).toMatchObject([{ confidence: 0.6 }]);
  });

  test('show no names of theirs to judges', async () => {
    const { asked } = await verdictBy({ ann: favors(NEW) });
    for (const { evalCase } of asked) expect(evalCase.response).not.toContain('New');
  });
});

describe('two answers by a rubric that leaves some criteria to exact checks', () => {
  const rubric = comparing(
    aRubric({
      criteria: [
        { id: 'tone', title: 'Tone', rule: 'It is kind.' },
        {
          id: 'short',
          title: 'Short',
          rule: 'It is short.',
          judgedBy: 'rules',
          check: {
            type: 'within-range',
            field: 'response',
            name: 'answer',
            measure: 'words',
            unit: 'word',
            max: 5,
          },
        },
      ],
    }),
  );
  const askedOf = async (score: number | null) => {
    const rules: Ask = async (question) => ({
      ...judgementOf(question, { unscored: 'unsupported' }),
      criteria: [
        { id: 'short', decision: score === null ? 'unscored' : 'scored', score, rationale: 'counted' },
      ],
    });
    const judge = splitAsk(() => rules, always('second'));
    const { seats } = aPanel(1);
    const [seat] = seats;
    if (seat === undefined) throw new Error('no seat');
    return judge({
      ...seat,
      cast: [],
      rubric,
      criteria: rubric.criteria,
      method: aMethod(),
      evalCase: pair,
      round: 0,
      seen: [],
      temperature: 0,
      seed: null,
      deadlineAt: Number.POSITIVE_INFINITY,
      signal: new AbortController().signal,
    });
  };

  test("keeps the judge's reasons, and weighs its preference with what the checks find", async () => {
    const sides = { first: `says “${OLD}”`, second: `says “${NEW}”` };
    expect(await askedOf(0)).toMatchObject({ status: 'scored', score: 1, sides });
    expect(await askedOf(-1)).toMatchObject({ status: 'scored', score: 0, sides });
  });

  test('goes by the judge alone where a check cannot tell', async () => {
    expect(await askedOf(null)).toMatchObject({ status: 'scored', score: 1 });
  });
});

describe('a pair in the other order', () => {
  const judge = fc.oneof(
    fc.constantFrom<Ask>(favors(NEW), favors(OLD), favors(null), always('first'), always('second')),
    fc.constant<Ask>(async (question) => judgementOf(question, { unscored: 'malformed' })),
  );
  const method = fc.constantFrom(aMethod(), aMethod({ stop: 'decided' }), aDebate({ rounds: 2 }));

  test('comes to the same verdict, mirrored', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(judge, { minLength: 1, maxLength: 5 }), method, async (judges, by) => {
        const panel = Object.fromEntries(judges.map((one, index) => [`p${index}`, one]));
        const one = (await verdictBy(panel, { method: by })).verdict;
        const other = (await verdictBy(panel, { method: by, evalCase: swapped(pair) })).verdict;
        expect(other.decision).toBe(one.decision);
        expect(other.score).toBe(one.score === null || one.score === 0 ? one.score : -one.score);
        const { A, B, same, changed } = one.preference?.judges ?? { A: 0, B: 0, same: 0, changed: 0 };
        expect(other.preference?.judges).toEqual({ A: B, B: A, same, changed });
        const labelOf = (verdict: Verdict) => partOf(cardFor(verdict), 'headline')?.label;
        expect(labelOf(other)).toBe(labelOf(one));
      }),
      { numRuns: repeated(200) },
    );
  });
});

describe('the card of a pair', () => {
  test('has no line for reasons where judges were asked for none', async () => {
    const silent =
      (text: string): Ask =>
      async (question) => {
        const { sides: _, ...said } = await favors(text)(question).then((one) => ScoredJudgement.parse(one));
        return { ...said, rationale: null, criteria: [] };
      };
    const agreed = await verdictBy({ ann: silent(NEW), bob: silent(NEW) });
    expect(partOf(cardFor(agreed.verdict), 'panel')).toBeUndefined();
    const split = await verdictBy({ ann: silent(NEW), bob: silent(NEW), cem: silent(OLD) });
    expect(partOf(cardFor(split.verdict), 'panel')).toMatchObject({ text: 'CEM disagrees', dissent: null });
  });

  test('names no judge that finds no difference as one that disagrees', async () => {
    const { verdict } = await verdictBy({ ann: favors(NEW), bob: favors(NEW), cem: favors(null) });
    expect(partOf(cardFor(verdict), 'panel')).toMatchObject({ dissent: null });
  });

  test('says what is better, who says so, one reason for each, and who disagrees', async () => {
    const { verdict } = await verdictBy({ ann: favors(NEW), bob: favors(NEW), cem: favors(OLD) });
    const card = cardFor(verdict);
    expect(partOf(card, 'headline')).toEqual({
      kind: 'headline',
      tone: 'scored',
      label: 'New is better',
      reason: '2 of 3 judges, in both orders',
    });
    expect(partOf(card, 'panel')).toMatchObject({
      text: 'New says “I set the temperature to 22 degrees.”; Old says “Yes.”',
      dissent: expect.stringContaining('CEM disagrees'),
    });
    expect(partOf(card, 'scores')?.scores).toMatchObject([
      { title: 'First', score: '→ New' },
      { title: 'Second', score: '→ New' },
    ]);
    expect(partOf(card, 'actions')).toMatchObject({
      names: ['Old', 'New'],
      buttons: ['prefer-first', 'prefer-second', 'prefer-same', 'details'],
    });
  });
});
