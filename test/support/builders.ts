import type { z } from 'zod';
import type { EvalCase } from '../../src/case/case.ts';
import type { Ask, Question } from '../../src/judging/ask.ts';
import type { CardTexts } from '../../src/judging/card/card.ts';
import { Method, type Panel } from '../../src/judging/standards/method.ts';
import type { Persona } from '../../src/judging/standards/persona.ts';
import { Rubric } from '../../src/judging/standards/rubric.ts';
import {
  freeUsage,
  type Judgement,
  type ScoredJudgement,
  type UnscoredReason,
} from '../../src/judging/verdict/judgement.ts';

/** A small case that carries what the navigation rubric needs; parts can be replaced. */
export const aCase = (parts: Partial<EvalCase> = {}): EvalCase => ({
  id: 'c1',
  conversation: [{ role: 'user', text: 'Find me a sushi place rated at least 4.' }],
  response: 'Sakura is 5 minutes away.',
  context: { date: '2024-03-04', time: '19:50' },
  recommendation: { name: 'Sakura', cuisine: 'Japanese', rating: 4.3, cost: 'high', durationMin: 5 },
  ...parts,
});

/** The words of a card without a library. */
export const plainTexts: CardTexts = {
  language: 'en',
  personaTitle: (id) => id.toUpperCase(),
  methodTitle: (id) => id,
  rubric: () => undefined,
  lineFor: () => null,
};

/** A case that carries declared fields, which no type knows. */
export const withDeclared = (evalCase: EvalCase, declared: object): EvalCase => ({
  ...evalCase,
  ...declared,
});

export const aRubric = (
  parts: Partial<Omit<z.input<typeof Rubric>, 'decide'> & Pick<Rubric, 'decide'>> = {},
): Rubric =>
  Rubric.parse({
    id: 'plain',
    title: 'Plain',
    source: 'a test',
    task: 'Decide whether the answer fits.',
    criteria: [
      { id: 'first', title: 'First', rule: 'It fits.' },
      { id: 'second', title: 'Second', rule: 'It is polite.' },
    ],
    decide: 'all',
    panel: ['ann'],
    method: 'io',
    ...parts,
  });

export const aScoreRubric = (): Rubric =>
  aRubric({
    decide: 'mean',
    criteria: [{ id: 'overall', title: 'Overall', rule: 'How good it is.', scale: { min: 0, max: 100 } }],
  });

export const aMethod = (parts: Partial<z.input<typeof Method>> = {}): Method =>
  Method.parse({
    id: 'm',
    title: 'A method',
    source: 'a test',
    seats: 'personas',
    examples: 0,
    reasoning: 'brief',
    rounds: 1,
    sees: 'nothing',
    stop: 'never',
    reduce: 'majority',
    confidence: false,
    temperature: 0,
    ...parts,
  });

export const aDebate = (parts: Partial<z.input<typeof Method>> = {}): Method =>
  aMethod({ rounds: 4, sees: 'last-round', stop: 'unanimous', ...parts });

export const aPersona = (id: string): Persona => ({
  id,
  title: id.toUpperCase(),
  source: 'a test',
  voice: `You are ${id}.`,
});

/** A panel of so many personas p0, p1, … on one model. */
export const aPanel = (size: number): Panel => ({
  seats: Array.from({ length: size }, (_, index) => ({
    persona: aPersona(`p${index}`),
    judge: { persona: `p${index}`, model: 'test/model', sample: 0 },
  })),
  cast: [],
  notes: [],
});

/** What a scripted judge says: a decision, a score, or the reason why it gives no answer. */
export type Said =
  | {
      decision: 'pass' | 'fail';
      confidence?: number;
      findings?: Record<string, 'pass' | 'fail' | 'unscored'>;
    }
  | { score: number; confidence?: number }
  | { unscored: UnscoredReason };

export const pass: Said = { decision: 'pass' };
export const fail: Said = { decision: 'fail' };
export const mute: Said = { unscored: 'malformed' };

export function judgementOf(question: Pick<Question, 'judge' | 'round'>, said: Said): Judgement {
  const asked = {
    round: question.round,
    judge: question.judge,
    usage: { ...freeUsage, promptTokens: 100, completionTokens: 10, costUsd: 0.001, attempts: 1 },
    promptHash: 'sha256:test',
  };
  if ('unscored' in said)
    return {
      ...asked,
      status: 'unscored',
      reason: said.unscored,
      message: `was ${said.unscored}`,
      criteria: [],
    };
  const rationale = `${question.judge.persona ?? question.judge.model} in round ${question.round}`;
  const confidence = said.confidence ?? null;
  if ('score' in said) {
    const criteria: ScoredJudgement['criteria'] = [
      { id: 'overall', decision: 'scored', score: said.score, rationale },
    ];
    return {
      ...asked,
      status: 'scored',
      decision: 'scored',
      score: said.score,
      confidence,
      rationale,
      criteria,
    };
  }
  const criteria = Object.entries(said.findings ?? { first: said.decision, second: 'pass' as const }).map(
    ([id, decision]) => ({ id, decision, score: null, rationale: `${id} ${decision} says ${rationale}` }),
  );
  return {
    ...asked,
    status: 'scored',
    decision: said.decision,
    score: null,
    confidence,
    rationale,
    criteria,
  };
}

/** Judges that follow a script by round and seat, and the questions they were asked. */
export function scripted(
  script: readonly (readonly Said[])[],
  panel: Panel,
): { ask: Ask; asked: Question[] } {
  const asked: Question[] = [];
  return {
    asked,
    ask: async (question) => {
      asked.push(question);
      const seat = panel.seats.findIndex(
        ({ judge }) => JSON.stringify(judge) === JSON.stringify(question.judge),
      );
      const round = script[Math.min(question.round, script.length - 1)] ?? [];
      return judgementOf(question, round[seat] ?? mute);
    },
  };
}
