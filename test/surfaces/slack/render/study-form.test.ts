import { describe, expect, test } from 'vitest';
import { readStudyForm } from '../../../../src/surfaces/desks/study-desk.ts';
import { readFormState } from '../../../../src/surfaces/slack/render/form.ts';
import { readStudyValue, studyMessage, studyView } from '../../../../src/surfaces/slack/render/study.ts';
import { filledForm } from '../../../support/fill-form.ts';
import { viewProblems } from '../../../support/slack-limits.ts';
import { aStudy, labeled, says } from '../../../support/study-builders.ts';

const about = { study: 's1', at: 1, place: 0, opened: 5, message: null };
const shown = labeled('c0', 'pass');
const read = (state: object) => readStudyForm(aStudy(), 0, about, readFormState(state), 'en');

describe('the form of a case', () => {
  test('is read as it was filled in, and shows what was said before', () => {
    const answers = { ...says(1, 5, 'time', 'cost'), comment: 'late' };
    const view = studyView({
      study: aStudy(),
      index: 0,
      shown,
      about,
      answers,
      done: 1,
      guide: false,
      language: 'en',
    });
    expect(read(filledForm(view))).toEqual({ answers });
    const changed = filledForm(view, {
      'user-0-5': '3',
      'correct-0-5': 'yes',
      'errors-0-5': null,
      'comment-0-5': null,
    });
    expect(read(changed)).toEqual({ answers: says(3, 5) });
  });

  test('asks only what the study asks', () => {
    const study = aStudy({ items: ['correct'] });
    const view = studyView({
      study,
      index: 0,
      shown,
      about,
      answers: {},
      done: 0,
      guide: true,
      language: 'en',
    });
    const inputs = view.blocks.flatMap((block) => (block.type === 'input' ? [block.block_id] : []));
    expect(inputs).toEqual(['correct-0-5']);
  });

  test('begins with the guide, and says how much of a long one is missing', () => {
    const criteria = Array.from({ length: 12 }, (_, n) => ({
      title: `Rule ${n}`,
      rule: 'It fits. '.repeat(60),
    }));
    const long = aStudy({ standard: { rubric: 'r', task: 'Decide.', criteria } });
    const text = (guide: boolean) =>
      JSON.stringify(
        studyView({ study: long, index: 0, shown, about, answers: {}, done: 0, guide, language: 'en' }),
      );
    // The head, the task and four rules of 540 characters are within 2,500; eight rules are left.
    expect(text(true)).toContain('Rule 3');
    expect(text(true)).toContain('8 more parts of the guide');
    expect(text(false)).not.toContain('Rule 0');
  });

  test('stays within what Slack takes for a study of hundreds of errors and cases', () => {
    const errorTypes = Array.from({ length: 300 }, (_, n) => ({
      id: `e${n}`,
      title: `Error ${n} ${'x'.repeat(90)}`,
    }));
    const study = aStudy({
      errorTypes,
      cases: Array.from({ length: 1000 }, (_, n) => labeled(`c${n}`, 'pass')),
    });
    const view = studyView({
      study,
      index: 0,
      shown,
      about: { ...about, place: 998 },
      answers: {},
      done: 998,
      guide: false,
      language: 'en',
    });
    expect(viewProblems(view)).toEqual([]);
  });
});

describe('questions about criteria', () => {
  const criterion = (id: string, scale: 'binary' | { min: number; max: number } = 'binary') => ({
    id,
    title: `Criterion ${id}`,
    rule: 'It fits. '.repeat(50),
    scale,
    mayNotApply: true,
  });
  const asking = (count: number) =>
    aStudy({
      items: ['correct', 'comment'],
      questions: [
        criterion('level', { min: 0, max: 4 }),
        criterion('wide', { min: 0, max: 100 }),
        ...Array.from({ length: count }, (_, n) => criterion(`c${n}`)),
      ],
    });

  test('are answered on their scale, or with “Unsure”', () => {
    const study = asking(1);
    const view = studyView({
      study,
      shown,
      index: 0,
      about,
      answers: {},
      done: 0,
      guide: true,
      language: 'en',
    });
    expect(viewProblems(view)).toEqual([]);
    const filled = filledForm(view, {
      'correct-0-5': 'unsure',
      'criteria.level-0-5': '4',
      'criteria.wide-0-5': '62.5',
      'criteria.c0-0-5': 'not-relevant',
    });
    expect(readStudyForm(study, 0, about, readFormState(filled), 'en')).toEqual({
      answers: { correct: 'unsure', criteria: { level: 4, wide: 62.5, c0: 'not-relevant' } },
    });
  });

  test('stay within what Slack takes beside a long case', () => {
    const documents = Array.from({ length: 90 }, (_, n) => ({ text: `Document ${n} ${'x'.repeat(250)}` }));
    const study = asking(40);
    const { evalCase } = labeled('long', 'pass', { documents });
    const view = studyView({
      study,
      shown: { id: 'long', evalCase },
      index: 0,
      about,
      answers: {},
      done: 0,
      guide: true,
      language: 'en',
    });
    expect(viewProblems(view)).toEqual([]);
  });
});

describe('the message of a study', () => {
  test('names the study for good in its button', () => {
    const study = aStudy();
    const [, row] = studyMessage(study, { done: 1, total: 2 }, 'en').blocks;
    const value = row?.type === 'actions' && row.elements[0]?.type === 'button' ? row.elements[0].value : '';
    expect(readStudyValue(value ?? '')).toEqual({ id: 's1', at: study.at, place: 0, page: 0 });
    expect(readStudyValue(`${value} 7 2`)).toMatchObject({ place: 7, page: 2 });
    for (const text of ['', 's1', 's1 x', 's1 1 2 3 4', 'agree v1']) expect(readStudyValue(text)).toBeNull();
  });
});
