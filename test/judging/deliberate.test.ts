import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Ask, Question } from '../../src/judging/ask.ts';
import { decide, type Outcome } from '../../src/judging/decide.ts';
import { deliberate } from '../../src/judging/deliberate.ts';
import { callsToDecide } from '../../src/judging/early-stop.ts';
import type { Method } from '../../src/judging/standards/method.ts';
import type { UnscoredReason } from '../../src/judging/verdict/judgement.ts';
import {
  aCase,
  aDebate,
  aMethod,
  aPanel,
  aRubric,
  aScoreRubric,
  fail,
  judgementOf,
  mute,
  pass,
  type Said,
  scripted,
} from '../support/builders.ts';

interface Run {
  method: Method;
  script: readonly (readonly Said[])[];
  size?: number;
  rubric?: ReturnType<typeof aRubric>;
}

/** Runs a script through the engine. */
async function run({ method, script, size = script[0]?.length ?? 0, rubric = aRubric() }: Run) {
  const panel = aPanel(size);
  const { ask, asked } = scripted(script, panel);
  const outcome = await outcomeOf(method, ask, size, rubric);
  return { outcome, asked };
}

async function outcomeOf(
  method: Method,
  ask: Ask,
  size: number,
  rubric = aRubric(),
  signal = new AbortController().signal,
) {
  const plan = {
    panel: aPanel(size),
    method,
    rubric,
    criteria: rubric.criteria,
    evalCase: aCase(),
    seed: null,
  };
  const deliberation = await deliberate({ ...plan, ask, signal, deadlineAt: Number.POSITIVE_INFINITY });
  return decide({ deliberation, panelSize: size, method, criteria: rubric.criteria, setAside: [] });
}

describe('one round', () => {
  test('asks every judge once and takes the majority', async () => {
    const { outcome, asked } = await run({ method: aMethod(), script: [[pass, fail, fail]] });
    expect(asked).toHaveLength(3);
    expect(outcome).toMatchObject({ decision: 'fail', rounds: 1, calls: 3 });
    expect(outcome.tally).toEqual({
      pass: 1,
      fail: 2,
      scored: 0,
      unscored: 0,
      notRelevant: 0,
      notAsked: 0,
      panel: 3,
    });
  });

  test('leaves a tie undecided and says so', async () => {
    const { outcome } = await run({ method: aMethod(), script: [[pass, fail, pass, fail]] });
    expect(outcome.decision).toBe('undecided');
    expect(outcome.why).toContain('the judges split 2 : 2');
  });

  test('says first which judges did not answer where the others are split', async () => {
    const { outcome } = await run({ method: aMethod(), script: [[pass, mute, fail]] });
    expect(outcome.why).toMatch(/^1 of 3 judges did not answer \(1 [^)]+\); the others split 1 : 1$/);
  });

  test('gives no verdict without more than half of the panel, and says what was in the way', async () => {
    const { outcome } = await run({ method: aMethod(), script: [[pass, mute, mute]] });
    expect(outcome.decision).toBe('undecided');
    expect(outcome.why).toContain('1 of 3 judges answered');
    expect(outcome.why).toContain('2 no usable reply');
  });

  test('half of an even panel is no quorum', async () => {
    const { outcome } = await run({ method: aMethod(), script: [[pass, pass, mute, mute]] });
    expect(outcome.decision).toBe('undecided');
  });

  test('an unscored judge neither counts nor shrinks the panel', async () => {
    const { outcome } = await run({ method: aMethod(), script: [[pass, pass, mute]] });
    expect(outcome.decision).toBe('pass');
    expect(outcome.tally).toMatchObject({ pass: 2, unscored: 1, panel: 3 });
  });

  test('asks all judges of a round before the first has answered', async () => {
    let waiting = 0;
    let release: () => void = () => {};
    const all = new Promise<void>((resolve) => {
      release = resolve;
    });
    const ask: Ask = async (question) => {
      waiting += 1;
      if (waiting === 3) release();
      await all;
      return judgementOf(question, pass);
    };
    expect((await outcomeOf(aMethod(), ask, 3)).decision).toBe('pass');
  });

  test('a judge whose asking throws is unscored, the others count', async () => {
    const ask: Ask = async (question) => {
      if (question.judge.persona === 'p1') throw new Error('boom');
      return judgementOf(question, pass);
    };
    const outcome = await outcomeOf(aMethod(), ask, 3);
    expect(outcome.decision).toBe('pass');
    expect(outcome.judgements[1]).toMatchObject({ status: 'unscored', reason: 'error', message: 'boom' });
  });
});

describe('stopping once the majority is decided', () => {
  const five = (script: Said[]) => run({ method: aMethod({ stop: 'decided' }), script: [script], size: 5 });

  test.each([
    // Three equal answers of five cannot be overtaken.
    ['all alike', [pass, pass, pass, pass, pass], 3, 'pass'],
    // 2–1, then one more call: 3–1 with one seat left.
    ['2–1 and the fourth sides with the majority', [pass, fail, pass, pass, fail], 4, 'pass'],
    // Three unscored of five: a quorum is out of reach, the rest is not paid for.
    ['three of the first three unscored', [mute, mute, mute, pass, pass], 3, 'undecided'],
    // 2–1, 2–2, then the last one decides.
    ['2–1 and the fourth evens it', [pass, fail, pass, fail, fail], 5, 'fail'],
    // One unscored of three: 2–0 with two left could still end 2–2, one more settles it.
    ['an unscored one among the first three', [pass, mute, pass, pass, fail], 4, 'pass'],
  ])('%s', async (_name, script, calls, decision) => {
    const { outcome, asked } = await five(script);
    expect(asked).toHaveLength(calls);
    expect(outcome.decision).toBe(decision);
    expect(outcome.tally.notAsked).toBe(5 - calls);
  });

  test.each([
    // 2–2 with four left: three more on one side make it 5–2, which the last one cannot change.
    ['split evenly', [pass, fail, pass, fail], 8, 3],
    // 3–1 with four left: two more make it 5–1 with two left.
    ['three to one', [pass, fail, pass, pass], 8, 2],
    ['decided', [pass, pass, pass], 5, 0],
    ['not begun', [], 5, 3],
    ['out of reach of a quorum', [mute, mute, mute], 5, 0],
  ])('asks at once as many as could decide it where it is %s', (_name, said, size, calls) => {
    const answered = aPanel(size)
      .seats.slice(0, said.length)
      .map(({ judge }, seat) => judgementOf({ judge, round: 0 }, said[seat] ?? mute));
    expect(callsToDecide(answered, size)).toBe(calls);
  });

  test('never changes the decision that asking everybody would give', async () => {
    const answers = fc.array(fc.constantFrom(pass, fail, mute), { minLength: 1, maxLength: 9 });
    await fc.assert(
      fc.asyncProperty(answers, async (script) => {
        const early = await run({ method: aMethod({ stop: 'decided' }), script: [script] });
        const full = await run({ method: aMethod(), script: [script] });
        expect(early.outcome.decision).toBe(full.outcome.decision);
        expect(early.asked.length).toBeLessThanOrEqual(full.asked.length);
      }),
    );
  });
});

describe('debate', () => {
  test('ends after the first round when all agree', async () => {
    const { outcome, asked } = await run({ method: aDebate(), script: [[fail, fail, fail]] });
    expect(asked).toHaveLength(3);
    expect(outcome).toMatchObject({ decision: 'fail', rounds: 1 });
  });

  test('continues to the last round when they never agree, and takes that round’s majority', async () => {
    const { outcome, asked } = await run({
      method: aDebate(),
      script: [
        [pass, fail, pass],
        [fail, fail, pass],
      ],
    });
    expect(asked).toHaveLength(12);
    expect(outcome).toMatchObject({ decision: 'fail', rounds: 4, calls: 12 });
    expect(outcome.tally).toMatchObject({ pass: 1, fail: 2 });
  });

  test('shows each judge the last round of all, its own included, and nothing of its own round', async () => {
    const { asked } = await run({ method: aDebate({ rounds: 3 }), script: [[pass, fail, pass]] });
    for (const question of asked) {
      const rounds = question.seen.map((round) => round.map((judgement) => judgement.round));
      expect(rounds).toEqual(question.round === 0 ? [] : [Array(3).fill(question.round - 1)]);
    }
  });

  test('shows all earlier rounds where the method says so', async () => {
    const { asked } = await run({
      method: aDebate({ rounds: 3, sees: 'all-rounds' }),
      script: [[pass, fail, pass]],
    });
    expect(asked.at(-1)?.seen.map((round) => round.length)).toEqual([3, 3]);
  });

  test('does not take silence for agreement', async () => {
    const { asked } = await run({ method: aDebate({ rounds: 2 }), script: [[pass, pass, mute]] });
    expect(asked).toHaveLength(6);
  });

  test('ends when no judge has said anything', async () => {
    const { outcome, asked } = await run({ method: aDebate(), script: [[mute, mute, mute]] });
    expect(asked).toHaveLength(3);
    expect(outcome.decision).toBe('undecided');
  });
});

describe('criteria', () => {
  const told = (first: 'pass' | 'fail' | 'unscored', confidence = 1): Said => ({
    decision: 'pass',
    confidence,
    findings: { first },
  });
  const first = async (method: Method, ...script: Said[]) =>
    (await run({ method, script: [script] })).outcome.criteria[0]?.decision;

  test('are undecided where most judges could not tell, whatever the rest says', async () => {
    expect(await first(aMethod(), told('pass'), told('unscored'), told('unscored'))).toBe('undecided');
    expect(await first(aMethod(), told('pass'), told('pass'), told('unscored'))).toBe('pass');
  });

  test('are weighed as the method weighs answers: 0.3 + 0.3 for fail against 1.0 for pass', async () => {
    const weighted = aMethod({ reduce: 'weighted', confidence: true });
    expect(await first(weighted, told('fail', 0.65), told('fail', 0.65), told('pass'))).toBe('pass');
    expect(await first(aMethod(), told('fail'), told('fail'), told('pass'))).toBe('fail');
  });
});

describe('confidence', () => {
  const roundtable = aDebate({
    reduce: 'weighted',
    confidence: true,
    rounds: 1,
    sees: 'nothing',
    stop: 'never',
  });

  test('two unsure judges weigh less than a certain one: 0.3 + 0.3 against 1.0', async () => {
    const unsure: Said = { decision: 'fail', confidence: 0.65 };
    const { outcome } = await run({
      method: roundtable,
      script: [[unsure, unsure, { decision: 'pass', confidence: 1 }]],
    });
    expect(outcome.decision).toBe('pass');
    expect(outcome.why).toContain('1 of 3 judges, 63 % of the weight: ');
    expect(outcome.confidence).toBeCloseTo(10 / 16, 12);
  });

  test('sees a tie that floating-point sums would hide: 0.1 + 0.1 + 0.1 against 0.3', async () => {
    const low: Said = { decision: 'fail', confidence: 0.2 };
    const { outcome } = await run({
      method: roundtable,
      script: [[low, low, low, { decision: 'pass', confidence: 0.7 }]],
    });
    expect(outcome.decision).toBe('undecided');
    expect(outcome.why).toContain('the judges split 3 : 1, with the same weight on each side');
  });
});

describe('scores', () => {
  const mean = aMethod({ reduce: 'mean' });

  test('are reduced to their exact mean', async () => {
    const { outcome } = await run({
      method: mean,
      rubric: aScoreRubric(),
      script: [[{ score: 70 }, { score: 80 }, { score: 90 }, { score: 45 }]],
    });
    // (70 + 80 + 90 + 45) / 4 = 285 / 4
    expect(outcome).toMatchObject({ decision: 'scored', score: 71.25 });
  });

  test('that are all the same end a debate', async () => {
    const debate = aDebate({ reduce: 'mean' });
    const { asked } = await run({
      method: debate,
      rubric: aScoreRubric(),
      script: [[{ score: 3 }, { score: 3 }]],
    });
    expect(asked).toHaveLength(2);
  });

  test('need a quorum too', async () => {
    const { outcome } = await run({ method: mean, rubric: aScoreRubric(), script: [[{ score: 3 }, mute]] });
    expect(outcome).toMatchObject({ decision: 'undecided', score: null });
  });
});

describe('cancelling', () => {
  /** Judges that answer until the script says `stop`; from then on they are cancelled. */
  function stopping(script: readonly (readonly (Said | 'stop')[])[]) {
    const stop = new AbortController();
    const ask: Ask = async (question) => {
      const said = script[question.round]?.[Number(question.judge.persona?.slice(1))] ?? 'stop';
      if (said === 'stop') stop.abort();
      return judgementOf(question, said === 'stop' ? { unscored: 'cancelled' } : said);
    };
    return outcomeOf(aDebate(), ask, 3, aRubric(), stop.signal);
  }

  test('keeps what was said and says that it was stopped', async () => {
    const outcome = await stopping([[pass, 'stop', 'stop']]);
    expect(outcome).toMatchObject({ decision: 'undecided', cancelled: true, decidedInRound: 0 });
    expect(outcome.why).toMatch(/^stopped early; no quorum: only 1 of 3 judges answered/);
    expect(outcome.judgements.map(({ status }) => status)).toEqual(['scored', 'unscored', 'unscored']);
  });

  test('in a later round leaves the verdict of the last whole round, and says so', async () => {
    const outcome = await stopping([
      [pass, fail, fail],
      ['stop', 'stop', 'stop'],
    ]);
    expect(outcome).toMatchObject({ decision: 'fail', cancelled: true, rounds: 2, decidedInRound: 0 });
    expect(outcome.why).toMatch(/^stopped early; round 2 was not finished, after round 1; 2 of 3 judges: /);
    expect(outcome.tally).toMatchObject({ pass: 1, fail: 2 });
  });

  test('so does a later round that ran out of time, but not one that was answered badly', async () => {
    const rounds = (reason: UnscoredReason) => [
      [pass, fail, fail],
      [fail, { unscored: reason }, { unscored: reason }] satisfies Said[],
    ];
    const decided = async (reason: UnscoredReason) =>
      (await run({ method: aDebate({ rounds: 2 }), script: rounds(reason) })).outcome.decision;
    expect(await decided('timeout')).toBe('fail');
    expect(await decided('malformed')).toBe('undecided');
  });

  test('before anyone was asked gives an undecided verdict', async () => {
    const outcome = await outcomeOf(
      aMethod(),
      async (question) => judgementOf(question, pass),
      3,
      aRubric(),
      AbortSignal.abort(),
    );
    expect(outcome).toMatchObject({ decision: 'undecided', calls: 0, rounds: 0 });
    expect(outcome.tally).toMatchObject({ notAsked: 3, panel: 3 });
  });
});

describe('order', () => {
  const method = fc.constantFrom(aMethod(), aMethod({ stop: 'decided' }), aDebate());
  const answer = fc.constantFrom(pass, fail, mute);
  const script = fc
    .integer({ min: 1, max: 6 })
    .chain((size) =>
      fc.array(fc.array(answer, { minLength: size, maxLength: size }), { minLength: 1, maxLength: 4 }),
    );

  test('of arrival changes nothing', async () => {
    await fc.assert(
      fc.asyncProperty(
        method,
        script,
        fc.array(fc.nat(5), { maxLength: 30 }),
        async (chosen, rounds, delays) => {
          const size = rounds[0]?.length ?? 0;
          const panel = aPanel(size);
          let call = 0;
          const late =
            (ask: Ask): Ask =>
            async (question: Question) => {
              const turns = delays[call++ % Math.max(1, delays.length)] ?? 0;
              const judgement = await ask(question);
              for (let turn = 0; turn < turns; turn += 1) await Promise.resolve();
              return judgement;
            };
          const prompt = await outcomeOf(chosen, scripted(rounds, panel).ask, size);
          const delayed = await outcomeOf(chosen, late(scripted(rounds, panel).ask), size);
          expect(delayed).toEqual(prompt);
        },
      ),
    );
  });

  test('of seats changes no decision, score or tally of a full round', async () => {
    const said: fc.Arbitrary<Said> = fc.oneof(
      fc.constant(mute),
      fc.record({
        decision: fc.constantFrom('pass' as const, 'fail' as const),
        confidence: fc.double({ min: 0, max: 1, noNaN: true }),
      }),
    );
    const methods = fc.constantFrom(aMethod(), aMethod({ reduce: 'weighted', confidence: true }));
    const core = ({ decision, score, tally, confidence }: Outcome) => ({
      decision,
      score,
      tally,
      confidence,
    });
    await fc.assert(
      fc.asyncProperty(methods, fc.array(said, { minLength: 1, maxLength: 7 }), async (chosen, seats) => {
        const there = await run({ method: chosen, script: [seats] });
        const back = await run({ method: chosen, script: [[...seats].reverse()] });
        expect(core(back.outcome)).toEqual(core(there.outcome));
      }),
    );
  });
});

describe('judges that find the rubric not relevant', () => {
  const aside: Said = { unscored: 'not-relevant' };

  test('leave the panel, and the rest decides by its own majority', async () => {
    const { outcome } = await run({ method: aMethod(), script: [[pass, aside, pass, fail]] });
    expect(outcome).toMatchObject({
      decision: 'pass',
      tally: { pass: 2, fail: 1, unscored: 0, notRelevant: 1, panel: 4 },
    });
  });

  test('are the outcome where they are more than half, and never a fail', async () => {
    const { outcome } = await run({ method: aMethod(), script: [[aside, fail, aside]] });
    expect(outcome).toMatchObject({ decision: 'undecided', tally: { fail: 1, notRelevant: 2 } });
    expect(outcome.why).toContain('2 of 3 judges found the rubric not relevant');
  });

  test('settle it without asking the rest', async () => {
    const { asked } = await run({
      method: aMethod({ stop: 'decided' }),
      script: [[aside, aside, aside, pass, pass]],
    });
    expect(asked).toHaveLength(3);
  });
});
