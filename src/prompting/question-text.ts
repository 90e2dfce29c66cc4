import { weekdayOf } from '../case/format/index.ts';
import { type EvalCase, eitherAnswer, lastRequest } from '../case/index.ts';
import { capital } from '../common/text/index.ts';
import { asksForDecision, conclude, type Question, type Ratings } from '../judging/index.ts';
import {
  type Criterion,
  criteriaInForce,
  type Exemplar,
  hiddenFields,
  isBinary,
} from '../judging/standards/index.ts';
import { answerOf, type Finding, type Judgement } from '../judging/verdict/index.ts';
import { languageOfText } from '../words/index.ts';
import { fenced, fenceKey, type HeadedBlock, headed, markersOf, materialOf } from './fence.ts';
import type { Library } from './library.ts';
import { comparedText, replyFormOf, replyFormText } from './read-reply.ts';

const EXAMPLE_KEY = 'EXAMPLE';

/**
 * The criteria in a judge's prompt, without those that exact checks decide: only the question's own if criteria are asked one by one,
 * otherwise all of them, so that the prompt is the same for every case.
 */
export const shownCriteria = ({ rubric, method, criteria }: Question): Criterion[] =>
  (method.criteria === 'one-by-one' ? criteria : rubric.criteria).filter(
    ({ judgedBy }) => judgedBy === 'panel',
  );

/** The paths of the fields that this judge is not shown. */
export const hiddenFrom = (question: Question): string[] =>
  hiddenFields(question.rubric, {
    criteria: shownCriteria(question).map(({ id }) => id),
    personas: [question.persona, ...question.cast].flatMap((one) => one?.id ?? []),
  });

/** The rated criteria that this judge's persona is interested in; all of them by default. */
function criteriaOfInterest({ persona }: Question, { rubric }: Ratings): Criterion[] {
  const wanted =
    persona !== null && Object.hasOwn(rubric.interests, persona.id) ? rubric.interests[persona.id] : null;
  return rubric.criteria.filter(({ id }) => wanted?.includes(id) ?? true);
}

/** Fills a template in the version that the rubric uses. */
export const template = (
  library: Library,
  { wording }: Question['rubric'],
  id: string,
  values: Record<string, unknown>,
): string => library.template(wording?.templates[id] ?? id, values);

/** The request's date and its weekday, which models often get wrong. Both null without a date. */
export function dayOf({ context }: Pick<EvalCase, 'context'>): Day {
  const date = context?.date ?? null;
  const weekday = date === null ? null : weekdayOf(date);
  return { date, weekday: weekday === null ? null : capital(weekday) };
}

interface Day {
  date: string | null;
  weekday: string | null;
}

/** The day as a judge by this rubric reads it. */
const dayFor = (question: Question, day: Day): Day =>
  question.rubric.weekday === false || hiddenFrom(question).some((path) => /^context(?:\.date)?$/.test(path))
    ? { date: null, weekday: null }
    : day;

const levelsOf = ({ scale }: Criterion): { level: string; meaning: string }[] =>
  isBinary(scale) ? [] : Object.entries(scale.levels ?? {}).map(([level, meaning]) => ({ level, meaning }));

/** An example's findings in the form of a judge's reply. */
function exampleFindings(
  { reply }: Exemplar,
  criteria: readonly Criterion[],
  reasons: boolean,
): Record<string, unknown> {
  return Object.fromEntries(
    criteria.map(({ id, mayNotApply }) => {
      const { rationale, decision, score } = reply.criteria[id] ?? { rationale: '' };
      const reason = reasons ? { rationale } : {};
      if (!mayNotApply) return [id, { ...reason, decision, score }];
      const relevant = decision !== 'not-relevant';
      return [id, { ...reason, relevant, decision: relevant ? decision : 'unscored' }];
    }),
  );
}

/** The rationale and decision of an example when only some of its criteria are shown. */
function partialOutcome({ reply }: Exemplar, { rubric }: Question, wanted: readonly Criterion[]) {
  const findings = wanted.flatMap(({ id }): Finding[] => {
    const finding = reply.criteria[id];
    if (finding === undefined) return [];
    const { rationale, decision = 'scored', score = null } = finding;
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
  const reasons = question.method.reasoning !== 'none';
  const criteria = exampleFindings(exemplar, wanted, reasons);
  const stated = question.method.confidence ? { confidence: exemplar.reply.confidence } : {};
  return {
    number,
    material: fenced(materialOf(exemplar.case, hiddenFrom(question)), EXAMPLE_KEY),
    ...dayFor(question, dayOf(exemplar.case)),
    reply: JSON.stringify(
      {
        criteria,
        ...(reasons ? { rationale } : {}),
        ...stated,
        ...(decision === undefined ? {} : { decision }),
      },
      null,
      1,
    ),
  };
}

/** The rated criteria, for a judge that reads ratings; null if there are no ratings. */
function ratedCriteria(question: Question): Record<string, string>[] | null {
  if (question.ratings === undefined) return null;
  return criteriaOfInterest(question, question.ratings).map(({ id, title, rule, scale }) => ({
    id,
    title,
    rule,
    scale: isBinary(scale) ? 'pass or fail' : `${scale.min} to ${scale.max}, more is better`,
  }));
}

/** The part of the prompt that is the same for every case: task, criteria, reply format, worked examples, persona. */
export function systemText(library: Library, question: Question): string {
  const { rubric, method, persona, cast } = question;
  const criteria = shownCriteria(question);
  const isPair = rubric.decide === 'pair';
  const exemplars =
    method.examples === 0 || isPair ? [] : library.exemplars(rubric.id).slice(0, method.examples);
  const steps = criteria.flatMap(({ id, steps }) => (steps === undefined ? [] : [{ id, steps }]));
  return template(library, rubric, 'system', {
    task: rubric.task,
    markers: markersOf('KEY', 'name'),
    rated: ratedCriteria(question),
    binary: rubric.decide === 'all',
    mayLeaveOpen: rubric.mayLeaveOpen !== false,
    pair: isPair,
    several: criteria.length > 1,
    criteria: criteria.map((criterion) => ({
      id: criterion.id,
      title: criterion.title,
      rule: criterion.rule,
      levels: levelsOf(criterion),
    })),
    stepwise: method.reasoning === 'stepwise',
    reasons: method.reasoning !== 'none',
    steps: rubric.steps ?? null,
    criterionSteps: steps.length > 0 ? steps : null,
    confidence: method.confidence,
    replyForm: replyFormText(replyFormOf(question, criteria)),
    optional: criteria.some(({ mayNotApply }) => mayNotApply),
    asksForDecision: asksForDecision(criteria, rubric.decide),
    examples: exemplars.map((exemplar, index) => exampleText(exemplar, index + 1, question, criteria)),
    cast: cast.length > 0 ? cast.map(({ title, voice }) => ({ title, voice })) : null,
    voice: persona?.voice ?? template(library, rubric, 'neutral', {}),
  });
}

export const withReason = (outcome: string, reason: string | null): string =>
  reason === null ? outcome : `${outcome}. ${reason}`;

/** A judgement as shown to other judges. It must be fenced like all untrusted text. */
export function judgementText(judgement: Judgement): string {
  if (judgement.status === 'unscored') return 'gave no usable answer';
  if (judgement.sides !== undefined) return comparedText(judgement);
  const findings = judgement.criteria
    .map(({ id, decision, score, rationale }) => withReason(`- ${id}: ${score ?? decision}`, rationale))
    .join('\n');
  const sure = judgement.confidence === null ? '' : `\nconfidence: ${judgement.confidence}`;
  const reasons = judgement.rationale === null ? '' : `\nreasons: ${judgement.rationale}`;
  return `answer: ${answerOf(judgement)}${sure}\nfindings:\n${findings}${reasons}`;
}

function earlierAnswers(library: Library, { seen, judge, round }: Question): HeadedBlock[] {
  return seen.flatMap((judgements, index) =>
    judgements.map((judgement, seat) => {
      const { persona, model, sample } = judgement.judge;
      const isOwn = persona === judge.persona && model === judge.model && sample === judge.sample;
      const title = persona === null ? '' : ` (${library.personas.get(persona)?.title ?? persona})`;
      const roundNumber = round - seen.length + index + 1;
      const heading = isOwn
        ? `You, in round ${roundNumber}:`
        : `Judge ${seat + 1}${title}, in round ${roundNumber}:`;
      return {
        heading,
        block: {
          name: isOwn ? 'your own answer' : `answer of judge ${seat + 1}`,
          text: judgementText(judgement),
        },
      };
    }),
  );
}

function rating({ scale, id }: Criterion, { decision, score, rationale }: Finding): string {
  if (decision === 'unscored') return withReason(`- ${id}: could not be rated`, rationale);
  const outcome = score === null || isBinary(scale) ? decision : `${score} of ${scale.max}`;
  return withReason(`- ${id}: ${outcome}`, rationale);
}

/** The ratings that this judge is interested in, one block per rater. */
function ratings(question: Question): HeadedBlock[] {
  if (question.ratings === undefined) return [];
  const wanted = criteriaOfInterest(question, question.ratings);
  return question.ratings.judgements.map(({ criteria }, index) => ({
    heading: `Ratings of evaluator ${index + 1}:`,
    block: {
      name: `ratings of evaluator ${index + 1}`,
      text: wanted
        .flatMap((criterion) => {
          const finding = criteria.find(({ id }) => id === criterion.id);
          return finding === undefined ? [] : [rating(criterion, finding)];
        })
        .join('\n'),
    },
  }));
}

/** Criteria in this judge's prompt that do not apply to this case, with the reason. */
function unjudgedCriteria({ caseFormat }: Library, question: Question): { id: string; reason: string }[] {
  const shown =
    question.ratings === undefined ? shownCriteria(question) : criteriaOfInterest(question, question.ratings);
  return criteriaInForce(
    question.ratings?.rubric ?? question.rubric,
    eitherAnswer(question.evalCase),
    caseFormat,
  )
    .setAside.filter(({ criterion }) => shown.some(({ id }) => id === criterion.id))
    .map(({ criterion, reason }) => ({ id: criterion.id, reason }));
}

/**
 * The language in which judges give their reasons, by its English name: that of the case. Null for English, and where it is not
 * clear: nothing is said then, so that such prompts stay as they are.
 */
function reasonsLanguage(evalCase: EvalCase): string | null {
  const stated = evalCase.language?.trim().toLowerCase();
  const code =
    stated === undefined
      ? languageOfText(`${lastRequest(evalCase)}\n${evalCase.response}`, 2)
      : (stated.split(/[-_]/)[0] ?? '');
  if (code === null || code === 'en' || !/^[a-z]{2,3}$/.test(code)) return null;
  return new Intl.DisplayNames(['en'], { type: 'language', fallback: 'none' }).of(code) ?? null;
}

/**
 * The part of the prompt about the case: the case itself, its ratings, then the panel's earlier answers.
 * @param day date and weekday of the request
 */
export function userText(library: Library, question: Question, day = dayOf(question.evalCase)): string {
  const hidden = hiddenFrom(question);
  const material = materialOf(question.evalCase, hidden);
  const [rated, argued] = [ratings(question), earlierAnswers(library, question)];
  const key = fenceKey([...material, ...[...rated, ...argued].map(({ block }) => block)]);
  return template(library, question.rubric, 'case', {
    key,
    material: fenced(material, key),
    ...dayFor(question, day),
    pair: question.rubric.decide === 'pair',
    turns: !hidden.includes('conversation'),
    interaction: question.rubric.judged === 'interaction',
    language: question.method.reasoning === 'none' ? null : reasonsLanguage(question.evalCase),
    leftOut: unjudgedCriteria(library, question),
    ratings: headed(rated, key),
    arguments: headed(argued, key),
  });
}
