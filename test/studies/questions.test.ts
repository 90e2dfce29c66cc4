import { describe, expect, test } from 'vitest';
import { answersOf, checkAnswers, isAskedAfter, questionsOf, saidTo } from '../../src/studies/questions.ts';
import { newStudy, type Study } from '../../src/studies/study.ts';
import { labeledStudyCases } from '../../src/studies/study-data.ts';
import { studyReport } from '../../src/studies/study-report.ts';
import { readStudyForm, studyForm } from '../../src/surfaces/desks/study-desk.ts';
import { aRubric } from '../support/builders.ts';
import { saturday } from '../support/store-builders.ts';
import { anAnnotation, annotators, aStudy, labeled } from '../support/study-builders.ts';

const criterion = (id: string, parts: Partial<NonNullable<Study['questions']>[number]> = {}) => ({
  id,
  title: id.toUpperCase(),
  rule: `Whether ${id}.`,
  scale: 'binary' as const,
  mayNotApply: false,
  ...parts,
});

const rated = aStudy({
  items: ['correct', 'errors', 'comment'],
  questions: [
    criterion('met'),
    criterion('tone', { mayNotApply: true }),
    criterion('level', { scale: { min: 0, max: 4, levels: { '0': 'not at all', '4': 'fully' } } }),
    criterion('wide', { scale: { min: 0, max: 100 } }),
  ],
});

const pair = {
  ...labeled('p', 'pass'),
  evalCase: { ...labeled('p', 'pass').evalCase, alternative: { response: 'Another answer' } },
};

describe('the questions about a case', () => {
  test('are the items, the criteria on their scales, and the comment at the end', () => {
    const questions = questionsOf(rated, 0);
    expect(questions.map(({ id }) => id)).toEqual([
      'correct',
      'errors',
      'criteria.met',
      'criteria.tone',
      'criteria.level',
      'criteria.wide',
      'comment',
    ]);
    const choices = questions.map(({ answer }) =>
      'choices' in answer ? answer.choices.map(({ id }) => id) : [],
    );
    expect(choices[0]).toEqual(['yes', 'no', 'unsure']);
    expect(choices[2]).toEqual(['pass', 'fail', 'unsure']);
    expect(choices[3]).toEqual(['pass', 'fail', 'not-relevant', 'unsure']);
    expect(choices[4]).toEqual(['0', '1', '2', '3', '4', 'unsure']);
    expect(questions[5]?.answer).toEqual({ kind: 'number', min: 0, max: 100 });
  });

  test('of two answers compare them', () => {
    const study = { ...rated, items: [...aStudy().items], cases: [pair] };
    const questions = questionsOf(study, 0);
    expect(questions.map(({ id }) => id)).toEqual([
      'user',
      'better',
      ...(rated.questions?.map(({ id }) => `criteria.${id}`) ?? []),
      'comment',
    ]);
    const { answer } = questions[2] ?? {};
    expect(answer).toMatchObject({ choices: [{ id: 'A' }, { id: 'B' }, { id: 'same' }, { id: 'unsure' }] });
  });

  test('are those of the case’s own rubric', () => {
    const other = {
      rubric: 'tone',
      task: 'Decide.',
      criteria: [],
      errorTypes: [],
      questions: [criterion('kind')],
    };
    const study = {
      ...rated,
      others: [other],
      cases: [labeled('a', 'pass'), { ...labeled('b', 'pass'), rubric: 'tone' }],
    };
    expect(questionsOf(study, 0).some(({ id }) => id === 'criteria.met')).toBe(true);
    expect(questionsOf(study, 1).map(({ id }) => id)).toEqual([
      'correct',
      'errors',
      'criteria.kind',
      'comment',
    ]);
  });
});

describe('what is said', () => {
  const questions = questionsOf(rated, 0);
  const values = {
    correct: 'unsure',
    'criteria.met': 'fail',
    'criteria.tone': 'not-relevant',
    'criteria.level': '3',
    'criteria.wide': '62.5',
    comment: '12',
  };
  const answers = {
    correct: 'unsure' as const,
    criteria: { met: 'fail' as const, tone: 'not-relevant' as const, level: 3, wide: 62.5 },
    comment: '12',
  };

  test('becomes answers, and answers show what was said', () => {
    expect(answersOf(questions, values)).toEqual(answers);
    expect(checkAnswers(questions, answers)).toEqual({ ok: true, answers });
    for (const [id, said] of Object.entries(values)) expect(saidTo(answers, id)).toBe(said);
    expect(answersOf(questions, { ...values, 'criteria.wide': undefined }).criteria?.wide).toBe('unsure');
  });

  test('is refused where it is off the scale, missing, or contradicts itself', () => {
    const problems = (more: object) => {
      const checked = checkAnswers(questions, { ...answers, ...more });
      return checked.ok ? [] : checked.problems.map(({ item }) => item);
    };
    expect(problems({ criteria: { ...answers.criteria, level: 5, wide: 101, met: 3 } })).toEqual([
      'criteria.met',
      'criteria.level',
      'criteria.wide',
    ]);
    expect(problems({ criteria: {} })).toEqual(['criteria.met', 'criteria.tone', 'criteria.level']);
    expect(problems({ errors: ['time'] })).toEqual(['errors']);
    const errors = questions.find(({ id }) => id === 'errors') ?? expect.fail();
    expect([true, 'unsure' as const, false].map((correct) => isAskedAfter(errors, { correct }))).toEqual([
      false,
      false,
      true,
    ]);
  });

  test('is read from the neutral form that every surface shows', () => {
    const at = { place: 0, opened: 5 };
    const form = studyForm(rated, 0, at, answers, 'en');
    const filledIn = Object.fromEntries(
      form.parts.flatMap((part) => ('initial' in part ? [[part.id, part.initial ?? null]] : [])),
    );
    expect(readStudyForm(rated, 0, at, filledIn, 'en')).toEqual({ answers });
  });
});

describe('a study of criteria', () => {
  const people = [{ surface: 'name', team: '', user: 'ann' }];
  const make = (ask: string[], rubrics = [aRubric()]) =>
    newStudy(
      {
        id: 's1',
        name: 'S',
        at: saturday,
        seed: 1,
        cases: [labeled('a', 'pass')],
        count: 1,
        ask,
        people,
        rubrics,
      },
      ({ user }) => user,
    );

  test('asks those that are named, or all', () => {
    expect(make(['second']).questions?.map(({ id }) => id)).toEqual(['second']);
    expect(make(['correct', 'criteria']).questions?.map(({ id }) => id)).toEqual(['first', 'second']);
    expect(make(['correct']).questions).toBeUndefined();
    expect(() => make(['mood'])).toThrow(/--ask mood: Must be user, .* or a criterion \(first, second\)\./);
    const overall = { title: 'Overall', task: 'Judge.', rule: 'All in all.', scale: { min: 0, max: 100 } };
    expect(make(['overall'], [aRubric({ overall })]).questions).toMatchObject([
      { id: 'overall', scale: { max: 100 } },
    ]);
  });

  const study = {
    ...rated,
    annotators: annotators(3),
    cases: [labeled('a', 'pass'), labeled('b', 'time'), pair],
  };
  const said = [
    { correct: true, criteria: { met: 'pass', level: 4, wide: 90 } },
    { correct: 'unsure', criteria: { met: 'fail', level: 3, wide: 'unsure' } },
    { correct: true, criteria: { met: 'unsure', level: 2, wide: 80 } },
  ] as const;
  const annotations = [
    ...said.map((answers, n) => anAnnotation({ annotator: `p${n}`, case: 0, answers })),
    anAnnotation({
      annotator: 'p0',
      case: 1,
      answers: { correct: false, errors: ['cost'], criteria: { met: 'fail' } },
    }),
    anAnnotation({ annotator: 'p1', case: 1, answers: { correct: true, criteria: { met: 'unsure' } } }),
    anAnnotation({ annotator: 'p0', case: 2, answers: { better: 'B' } }),
    anAnnotation({ annotator: 'p1', case: 2, answers: { better: 'unsure' } }),
  ];

  test('reports each criterion, and "unsure" as an answer that takes no side', () => {
    const report = studyReport(study, annotations);
    expect(report.correct).toMatchObject({ said: { value: 3 / 4, n: 4 }, unsure: 1 });
    expect(report.correct?.alpha.scale).toBe('nominal');
    // Of a: pass, fail, unsure; of b: fail, unsure. Nothing agrees, so observed is as high as it can be.
    const [met, , level] = report.criteria;
    expect(met).toMatchObject({
      id: 'met',
      annotations: 5,
      counts: { pass: 1, fail: 2, unsure: 2 },
      mean: null,
    });
    expect(met?.alpha).toMatchObject({ defined: true, scale: 'nominal' });
    expect(level).toMatchObject({ mean: { value: 3, n: 3 }, alpha: { scale: 'ordinal' } });
    expect(report.better).toMatchObject({ A: 0, B: 1, same: 0, unsure: 1 });
  });

  test('becomes a dataset of what its annotators agree on', () => {
    const rule = { minVotes: 1, posterior: 0.8 };
    const { cases, open } = labeledStudyCases(study, annotations, { by: 'majority', rule, all: false });
    expect(cases.map(({ id, rubric, label }) => ({ id, rubric, label }))).toEqual([
      {
        id: 'a',
        rubric: 'navigation',
        // One pass and one fail of "met": open. The median of the scores, without who is unsure.
        label: { decision: 'pass', criteria: { level: 3, wide: 85 } },
      },
      // One says it is right, one that it is wrong.
      { id: 'b', rubric: 'navigation', label: { criteria: { met: 'fail' } } },
      { id: 'p', rubric: 'navigation', label: { score: 1 } },
    ]);
    expect(open).toBe(0);
    const strict = labeledStudyCases(study, annotations, {
      by: 'dawid-skene',
      rule: { ...rule, minVotes: 2 },
      all: true,
    });
    expect(strict.cases).toHaveLength(3);
    // Of the pair, one is unsure.
    expect(strict.open).toBe(1);
  });
});
