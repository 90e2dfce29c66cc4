import { asksForDecision, conclude } from '../judging/conclude.ts';
import type { Exemplar } from '../judging/exemplar.ts';
import type { Finding } from '../judging/judgement.ts';
import type { Question, Ratings } from '../judging/ports.ts';
import type { Criterion } from '../judging/rubric.ts';
import { isBinary } from '../judging/scale.ts';
import { fenced, markersOf } from './fence.ts';
import type { Library } from './library.ts';
import { materialOf } from './material.ts';
import { replyFormText } from './reply.ts';

const EXAMPLE_KEY = 'EXAMPLE';

/**
 * The criteria that a judge is told of. What exact checks decide is none of its business, and where criteria are asked
 * about one by one, neither are the others; else all of them, so that the text is the same for every case.
 */
export const shownCriteria = ({ rubric, method, criteria }: Question): Criterion[] =>
  (method.criteria === 'one-by-one' ? criteria : rubric.criteria).filter(
    ({ judgedBy }) => judgedBy === 'panel',
  );

/** The rated criteria that this judge takes an interest in; all of them where it named none. */
export function criteriaOfInterest({ persona }: Question, { rubric }: Ratings): Criterion[] {
  const wanted =
    persona !== null && Object.hasOwn(rubric.interests, persona.id) ? rubric.interests[persona.id] : null;
  return rubric.criteria.filter(({ id }) => wanted?.includes(id) ?? true);
}

const levelsOf = ({ scale }: Criterion): { level: string; meaning: string }[] =>
  isBinary(scale) ? [] : Object.entries(scale.levels ?? {}).map(([level, meaning]) => ({ level, meaning }));

/** An example's findings in the form in which a judge replies. */
function exampleFindings({ reply }: Exemplar, criteria: readonly Criterion[]): Record<string, unknown> {
  return Object.fromEntries(
    criteria.map(({ id, mayNotApply }) => {
      const { rationale, decision, score } = reply.criteria[id] ?? { rationale: '' };
      if (!mayNotApply) return [id, { rationale, decision, score }];
      const relevant = decision !== 'not-relevant';
      return [id, { rationale, relevant, decision: relevant ? decision : 'unscored' }];
    }),
  );
}

/** What an example's reply says in the end, where it is shown with some of its criteria only. */
function partialOutcome({ reply }: Exemplar, { rubric }: Question, wanted: readonly Criterion[]) {
  const findings = wanted.flatMap(({ id }): Finding[] => {
    const found = reply.criteria[id];
    if (found === undefined) return [];
    const { rationale, decision = 'scored', score = null } = found;
    return [{ id, rationale, decision, score }];
  });
  const conclusion = conclude(findings, rubric.decide);
  const rationale = findings.map((finding) => finding.rationale).join(' ');
  const decides = asksForDecision(wanted, rubric.decide) && conclusion.kind === 'decision';
  return { rationale, decision: decides ? conclusion.decision : undefined };
}

function exampleText(exemplar: Exemplar, number: number, question: Question, wanted: readonly Criterion[]) {
  const whole = Object.keys(exemplar.reply.criteria).length === wanted.length;
  const { rationale, decision } = whole ? exemplar.reply : partialOutcome(exemplar, question, wanted);
  const criteria = exampleFindings(exemplar, wanted);
  const stated = question.method.confidence ? { confidence: exemplar.reply.confidence } : {};
  return {
    number,
    material: fenced(materialOf(exemplar.case), EXAMPLE_KEY),
    reply: JSON.stringify(
      { criteria, rationale, ...stated, ...(decision === undefined ? {} : { decision }) },
      null,
      1,
    ),
  };
}

/** What was rated before, as a judge has to know it to read the ratings; null where nothing was. */
function ratedBefore(question: Question): Record<string, string>[] | null {
  if (question.ratings === undefined) return null;
  return criteriaOfInterest(question, question.ratings).map(({ id, title, rule, scale }) => ({
    id,
    title,
    rule,
    scale: isBinary(scale) ? 'pass or fail' : `${scale.min} to ${scale.max}, more is better`,
  }));
}

/** What is the same for every case: task, criteria, form of the reply, worked examples, then the point of view. */
export function systemText(library: Library, question: Question): string {
  const { rubric, method, persona, cast } = question;
  const criteria = shownCriteria(question);
  const exemplars = method.examples === 0 ? [] : library.exemplars(rubric.id).slice(0, method.examples);
  const steps = criteria.flatMap(({ id, steps }) => (steps === undefined ? [] : [{ id, steps }]));
  return library.template('system', {
    task: rubric.task,
    markers: markersOf('KEY', 'name'),
    rated: ratedBefore(question),
    binary: rubric.decide === 'all',
    several: criteria.length > 1,
    criteria: criteria.map((criterion) => ({
      id: criterion.id,
      title: criterion.title,
      rule: criterion.rule,
      levels: levelsOf(criterion),
    })),
    stepwise: method.reasoning === 'stepwise',
    steps: rubric.steps ?? null,
    criterionSteps: steps.length > 0 ? steps : null,
    confidence: method.confidence,
    replyForm: replyFormText({ criteria, decide: rubric.decide, confidence: method.confidence }),
    optional: criteria.some(({ mayNotApply }) => mayNotApply),
    asksForDecision: asksForDecision(criteria, rubric.decide),
    examples: exemplars.map((exemplar, index) => exampleText(exemplar, index + 1, question, criteria)),
    cast: cast.length > 0 ? cast.map(({ title, voice }) => ({ title, voice })) : null,
    voice: persona?.voice ?? library.template('neutral', {}),
  });
}
