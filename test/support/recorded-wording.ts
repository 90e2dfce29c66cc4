import { EvalCase } from '../../src/case/case.ts';
import type { Question } from '../../src/judging/ask.ts';
import { entry } from '../../src/judging/standards/library.ts';
import { explainMisfit, ratingMethod, seatPanel } from '../../src/judging/standards/method.ts';
import { withSettings } from '../../src/judging/standards/persona.ts';
import { criteriaInForce, fittedTo, overallRubric } from '../../src/judging/standards/rubric.ts';
import { freeUsage, type Judgement } from '../../src/judging/verdict/judgement.ts';
import { contentHash, type Library } from '../../src/prompting/library.ts';
import { createRenderer } from '../../src/prompting/render.ts';

/** Between them, they show every part of the templates that a recorded version has. */
const METHODS = ['io', 'cot-5', 'mad', 'roundtable', 'mpsc', 'core-factors', 'core-debate'];

const evalCase: EvalCase = EvalCase.parse({
  conversation: [
    { role: 'user', text: 'Find me a French restaurant' },
    { role: 'system', text: 'How about Chez Luc?' },
    { role: 'user', text: 'Rated at least 4.5, please' },
  ],
  response: 'Then Le Coin, ten minutes away.',
  context: { date: '2024-03-04', time: '20:35' },
  recommendation: {
    name: 'Le Coin',
    cuisine: 'French',
    rating: 4.6,
    openingHours: { monday: '12:00-20:00' },
  },
  documents: [{ id: 'm12', text: 'Le Coin is closed on Mondays.' }],
});

const said = (rubric: Question['rubric'], judge: Question['judge']): Judgement => ({
  round: 0,
  judge,
  usage: freeUsage,
  promptHash: null,
  status: 'scored',
  decision: rubric.decide === 'all' ? 'fail' : 'scored',
  score: rubric.decide === 'all' ? null : 1,
  confidence: 0.8,
  rationale: 'It is closed on Mondays.',
  criteria: rubric.criteria.map(({ id }) => ({
    id,
    decision: rubric.decide === 'all' ? 'fail' : 'scored',
    score: rubric.decide === 'all' ? null : 1,
    rationale: `the reason for ${id}`,
  })),
});

function questionsUnder(library: Library, rubricId: string, methodId: string): Question[] {
  const rubric = fittedTo(entry('rubric', library.rubrics, rubricId), evalCase);
  const method = entry('method', library.methods, methodId);
  if (explainMisfit(method, rubric) !== null) return [];
  const rubricPanel = rubric.panel.map((id) => withSettings(entry('persona', library.personas, id), {}));
  const { seats, cast } = seatPanel({ method, models: ['test/model'], chosen: null, rubricPanel });
  const { inForce } = criteriaInForce(rubric, evalCase, library.caseFormat);
  const common = {
    evalCase,
    temperature: 0,
    seed: null,
    deadlineAt: Number.POSITIVE_INFINITY,
    signal: new AbortController().signal,
  };
  const [rating, overall] = [ratingMethod(method), overallRubric(rubric)];
  const judge = { persona: null, model: 'test/model', sample: 0 };
  const asked = rating === null ? { rubric, criteria: inForce } : { rubric: overall ?? rubric };
  const panel = seats.flatMap((seat) =>
    [0, ...(method.sees === 'nothing' ? [] : [1])].map(
      (round): Question => ({
        ...common,
        ...seat,
        cast,
        method,
        round,
        criteria: asked.rubric.criteria,
        ...asked,
        seen: round === 0 ? [] : [seats.map((one) => said(asked.rubric, one.judge))],
        ...(rating === null ? {} : { ratings: { rubric, judgements: [said(rubric, judge)] } }),
      }),
    ),
  );
  const raters = { ...common, judge, persona: null, cast: [], rubric, round: 0, seen: [] };
  return [...panel, ...(rating === null ? [] : [{ ...raters, criteria: inForce, method: rating }])].flatMap(
    (question) =>
      question.method.criteria === 'together'
        ? [question]
        : question.criteria.map((criterion) => ({ ...question, criteria: [criterion] })),
  );
}

/** A hash of all that judges read by a rubric, with the hashes that judgements record. */
export function recordOf(library: Library, rubricId: string): string {
  const render = createRenderer(library);
  const texts = METHODS.flatMap((method) =>
    questionsUnder(library, rubricId, method).flatMap((question) => {
      const { system, user, promptHash, reply, repairText } = render(question);
      return [system, user, promptHash, JSON.stringify(reply.json), repairText('…')];
    }),
  );
  return contentHash(...texts);
}
