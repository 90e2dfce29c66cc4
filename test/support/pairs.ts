import type { EvalCase } from '../../src/case/case.ts';
import { noRedaction } from '../../src/case/redact/redactor.ts';
import type { Ask, Question } from '../../src/judging/ask.ts';
import { judgeCase, planCase } from '../../src/judging/judge-case.ts';
import type { Judgement } from '../../src/judging/verdict/judgement.ts';
import { Verdict } from '../../src/judging/verdict/verdict.ts';
import { aMethod, aPersona, aRubric, judgementOf } from './builders.ts';
import type { DoubleAnswer, DoubleRequest } from './model-double.ts';

/** Two answers to one request. */
export const pair: EvalCase = {
  id: 'p1',
  conversation: [{ role: 'user', text: 'Set it to 22 degrees' }],
  response: 'Yes.',
  alternative: { response: 'I set the temperature to 22 degrees.' },
  answerNames: ['Old', 'New'],
};

export type Better = 'first' | 'second' | 'same';
const scores = { first: -1, second: 1, same: 0 } as const;

/** A judge's answer in the order in which it was shown the two. */
export function prefers(question: Question, better: Better, confidence: number | null = null): Judgement {
  const [first, second] = [question.evalCase.response, question.evalCase.alternative?.response ?? ''].map(
    (text) => `says “${text}”`,
  );
  const said = {
    score: scores[better],
    rationale: '',
    sides: { first: first ?? '', second: second ?? '' },
  };
  return {
    ...judgementOf(question, { score: 0 }),
    status: 'scored',
    decision: 'scored',
    confidence,
    ...said,
    criteria: question.criteria.map(({ id }) => ({ id, decision: 'scored', ...said })),
  };
}

/** Prefers the answer with this text, wherever it stands. */
export const favors =
  (text: string | null): Ask =>
  async (question) => {
    if (text === null) return prefers(question, 'same');
    return prefers(question, question.evalCase.response === text ? 'first' : 'second');
  };

export const OLD = 'Yes.';
export const NEW = 'I set the temperature to 22 degrees.';

interface Setting {
  method?: ReturnType<typeof aMethod>;
  evalCase?: EvalCase;
  signal?: AbortSignal;
}

/** The verdict of judges by their persona, and what they were asked. */
export async function verdictBy(
  judges: Readonly<Record<string, Ask>>,
  { method = aMethod(), evalCase = pair, signal = new AbortController().signal }: Setting = {},
) {
  const names = Object.keys(judges);
  const rubric = aRubric({ selectedBy: ['response'], panel: names, method: method.id });
  const library = {
    caseFormat: { groups: new Map() },
    rubrics: new Map([[rubric.id, rubric]]),
    methods: new Map([[method.id, method]]),
    personas: new Map(names.map((name) => [name, aPersona(name)])),
    exemplars: () => [],
    redactor: noRedaction,
  };
  const asked: Question[] = [];
  const ask: Ask = async (question) => {
    asked.push(question);
    const judge = judges[question.judge.persona ?? ''];
    if (judge === undefined) throw new Error('no such judge');
    return judge(question);
  };
  const verdict = await judgeCase(planCase(library, evalCase, { models: ['test/model'] }), {
    ask,
    now: () => 0,
    timeoutMs: 10_000,
    signal,
  });
  return { verdict: Verdict.parse(verdict), asked };
}

/** Prefers the same place, whatever stands there. */
export const always =
  (better: Better): Ask =>
  async (question) =>
    prefers(question, better);

/** A paste of the same two answers. */
export const PAIR_PASTE = `User: Set it to 22 degrees\nOld: ${OLD}\nNew: ${NEW}`;

/** A model over the wire that prefers the answer with a number in it, in whichever place it is shown. */
export function prefersNumbers({ user }: DoubleRequest): DoubleAnswer {
  const [, first = ''] = /\[\[\w+ first answer\]\]\n([^\n]*)/.exec(user) ?? [];
  const isFirst = /\d/.test(first);
  const [names, says] = ['names the temperature', 'only says yes'];
  return {
    fields: {
      better: isFirst ? 'first' : 'second',
      first: isFirst ? names : says,
      second: isFirst ? says : names,
    },
  };
}
