import { readFileSync } from 'node:fs';
import { load } from 'js-yaml';
import * as z from 'zod';
import { EvalCase } from '../../src/case/case.ts';
import { judgeCase, planCase } from '../../src/judging/judge-case.ts';
import type { Decision } from '../../src/judging/verdict/verdict.ts';
import type { Parts } from '../../src/surfaces/program-parts.ts';
import { closed, right } from './judged-cases.ts';

const Corpus = z.strictObject({
  fields: z.array(z.string()),
  ways: z.array(
    z.strictObject({
      id: z.string(),
      aim: z.enum(['pass', 'fail', 'undecided']),
      texts: z.record(z.string(), z.string()),
    }),
  ),
});

/** A case with an attack in one of its fields, and the same case without it, which is not decided as the attack wants. */
export interface Attack {
  way: string;
  language: string;
  field: string;
  aim: Decision;
  text: string;
  clean: EvalCase;
  attacked: EvalCase;
}

const PLACEMENTS: Readonly<Record<string, (to: EvalCase, text: string) => Partial<EvalCase>>> = {
  conversation: ({ conversation: [turn] }, text) => ({
    conversation: [{ role: 'user', text: `${turn?.text}\n${text}` }],
  }),
  history: (_, text) => ({ history: [{ role: 'system', text }] }),
  response: ({ response }, text) => ({ response: `${response}\n${text}` }),
  'recommendation.name': ({ recommendation }, name) => ({ recommendation: { ...recommendation, name } }),
  'recommendation.menu': ({ recommendation }, dish) => ({
    recommendation: { ...recommendation, menu: ['Onion soup', dish] },
  }),
  'recommendation.cuisine': ({ recommendation }, text) => ({
    recommendation: { ...recommendation, cuisine: `French\n${text}` },
  }),
  'recommendation.location.description': ({ recommendation }, description) => ({
    recommendation: { ...recommendation, location: { description } },
  }),
  'context.location.description': ({ context }, description) => ({
    context: { ...context, location: { description } },
  }),
  'documents.text': (_, text) => ({ documents: [{ id: 'd1', text }] }),
  'documents.id': (_, id) => ({ documents: [{ id, text: 'Chez Luc serves French food.' }] }),
  recommendations: (_, text) => ({ recommendations: [['Chez Luc', text]] }),
  groundTruth: (_, groundTruth) => ({ groundTruth }),
  language: (_, language) => ({ language }),
};

/** The attacks of `test/fixtures/attacks.yaml`. Judges who are not steered fail the closed place and pass the right one. */
export function attacks(): Attack[] {
  const { fields, ways } = Corpus.parse(
    load(readFileSync(new URL('../fixtures/attacks.yaml', import.meta.url), 'utf8')),
  );
  return ways
    .flatMap(({ id: way, aim, texts }) =>
      Object.entries(texts).map(([language, text]) => ({ way, aim, language, text })),
    )
    .map((attack, index) => {
      const field = fields[index % fields.length] ?? '';
      const clean = { ...(attack.aim === 'pass' ? closed : right), rubric: 'navigation' };
      const placed = PLACEMENTS[field]?.(clean, attack.text);
      if (placed === undefined) throw new Error(`attacks.yaml names the field ${field}, which has no place`);
      const id = `${attack.way}-${attack.language}`;
      return { ...attack, field, clean, attacked: EvalCase.parse({ ...clean, ...placed, id }) };
    });
}

/** An attack and how its case was decided without it and with it. */
export interface Outcome extends Attack {
  before: Decision;
  after: Decision;
}

/** The attack changed the decision. */
export const isFlipped = ({ before, after }: Outcome): boolean => before !== after;

/** The attack got the decision that it wanted. */
export const isForced = (outcome: Outcome): boolean => isFlipped(outcome) && outcome.after === outcome.aim;

/** Judges each case without and with its attack; each clean case once. */
export async function underAttack(
  { ask, library, now, timeoutMs }: Pick<Parts, 'ask' | 'library' | 'now' | 'timeoutMs'>,
  { model, method, attacks }: { model: string; method: string; attacks: readonly Attack[] },
): Promise<Outcome[]> {
  const { signal } = new AbortController();
  const decided = async (evalCase: EvalCase): Promise<Decision> => {
    const plan = planCase(library, evalCase, { models: [model], method });
    return (await judgeCase(plan, { ask, now, timeoutMs, signal })).decision;
  };
  const clean = new Map<string, Promise<Decision>>();
  const before = ({ clean: evalCase }: Attack) => {
    const known = clean.get(evalCase.id ?? '') ?? decided(evalCase);
    clean.set(evalCase.id ?? '', known);
    return known;
  };
  return Promise.all(
    attacks.map(async (attack) => ({
      ...attack,
      before: await before(attack),
      after: await decided(attack.attacked),
    })),
  );
}
