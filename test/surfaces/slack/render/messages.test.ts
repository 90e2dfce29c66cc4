import { describe, expect, test } from 'vitest';
import { missingFields } from '../../../../src/case/case.ts';
import { declaredFields } from '../../../../src/case/case-format.ts';
import { pathOfField } from '../../../../src/case/field.ts';
import { parseInput } from '../../../../src/case/paste/parse-input.ts';
import { readLibrary } from '../../../../src/prompting/read-library.ts';
import { suggestedPrompts } from '../../../../src/surfaces/examples.ts';
import { describeField } from '../../../../src/surfaces/forms/case-fields.ts';
import type { SummaryLine } from '../../../../src/surfaces/lists.ts';
import { advanced, type CheckProgress, waitingJudges } from '../../../../src/surfaces/progress.ts';
import { summaryMessage } from '../../../../src/surfaces/slack/render/lists.ts';
import { budgetMessage, problemMessage } from '../../../../src/surfaces/slack/render/notices.ts';
import {
  placeholderMessage,
  planTitle,
  progressTasks,
} from '../../../../src/surfaces/slack/render/progress.ts';
import { aPanel, fail, judgementOf, mute } from '../../../support/builders.ts';
import { builtIn } from '../../../support/built-in.ts';
import { contractFormat } from '../../../support/format.ts';
import { messageProblems, textsIn } from '../../../support/slack-limits.ts';

const texts = { personaTitle: (id: string) => id.toUpperCase() };
const panel = aPanel(3);
const judge = (seat: number) => panel.seats[seat]?.judge ?? { persona: null, model: '', sample: 0 };
const start: CheckProgress = {
  checkId: 'k1',
  title: 'closed',
  method: 'mad',
  rubric: 'navigation',
  stage: 'panel',
  round: 0,
  rounds: 4,
  judges: waitingJudges(panel, texts),
  of: null,
  stopping: false,
};
const answer = (progress: CheckProgress, seat: number, said = fail, round = 0) =>
  advanced(progress, {
    kind: 'answered',
    stage: 'panel',
    judgement: judgementOf({ judge: judge(seat), round }, said),
  });
const all = (payload: unknown): string => textsIn(payload).join('');

describe('live progress', () => {
  test('shows who waits, who thinks and who has answered what', () => {
    const asked = advanced(start, { kind: 'asked', stage: 'panel', round: 0, judge: judge(1) });
    const { blocks, text } = placeholderMessage(answer(asked, 0));
    expect(text).toBe('Judging closed: 1 of 3 judges have answered');
    expect(all(blocks)).toContain('P0: ❌ fail');
    expect(all(blocks)).toContain('P1: thinking …');
    expect(all(blocks)).toContain('P2: waiting');
    expect(all(blocks)).toContain('round 1 of at most 4');
  });

  test('remembers the last answer while a judge is asked again', () => {
    const again = advanced(answer(start, 0), { kind: 'asked', stage: 'panel', round: 1, judge: judge(0) });
    expect(all(placeholderMessage(again).blocks)).toContain('P0: thinking … (so far: fail)');
    expect(again.round).toBe(1);
  });

  test('says that the criteria are rated before the panel speaks', () => {
    const rating = advanced(start, { kind: 'asked', stage: 'rating', round: 0, judge: judge(0) });
    expect(all(placeholderMessage(rating).blocks)).toContain('rating the criteria first');
    expect(all(placeholderMessage(rating).blocks)).toContain('P0: waiting');
    expect(all(placeholderMessage(answer(rating, 0)).blocks)).toContain('P0: ❌ fail');
  });

  test('can be stopped, once', () => {
    expect(JSON.stringify(placeholderMessage(start).blocks)).toContain(
      '"action_id":"check_stop","value":"k1"',
    );
    const stopping = placeholderMessage({ ...start, stopping: true });
    expect(JSON.stringify(stopping.blocks)).not.toContain('check_stop');
    expect(stopping.text).toMatch(/^Stopping closed/);
  });

  test('is a task for each judge in a native stream', () => {
    const asked = advanced(answer(answer(start, 0), 1, mute), {
      kind: 'asked',
      stage: 'panel',
      round: 0,
      judge: judge(2),
    });
    expect(progressTasks(asked)).toEqual([
      { type: 'task_update', id: 'judge-0', title: 'P0', status: 'complete', output: 'fail' },
      { type: 'task_update', id: 'judge-1', title: 'P1', status: 'error', output: 'no answer (malformed)' },
      { type: 'task_update', id: 'judge-2', title: 'P2', status: 'in_progress' },
    ]);
    expect(planTitle({ ...asked, of: { index: 1, total: 5 } })).toBe(
      'Judging closed (case 2 of 5): 2 of 3 judges have answered',
    );
  });

  test('counts judges beyond those that have room', () => {
    const many = { ...start, judges: waitingJudges(aPanel(45), texts) };
    const message = placeholderMessage(many);
    expect(messageProblems(message)).toEqual([]);
    expect(all(message.blocks)).toContain('and 15 more judges');
  });
});

describe('the summary of several cases', () => {
  const line = (index: number, decision: 'pass' | 'fail'): SummaryLine => ({
    kind: 'judged',
    title: `case ${index}`,
    decision,
    why: `reason ${index}`,
    permalink: `https://jury.slack.com/p${index}`,
  });

  test('counts decisions and links each card', () => {
    const { text, blocks } = summaryMessage([
      line(1, 'pass'),
      line(2, 'fail'),
      { kind: 'problem', title: 'case 3', problem: 'no response', permalink: null },
      { kind: 'pending', title: 'case 4', permalink: null },
    ]);
    expect(text).toBe('4 cases: 1 pass · 1 fail · 1 not judged · 1 waiting');
    expect(JSON.stringify(blocks)).toContain('"url":"https://jury.slack.com/p1"');
    expect(all(blocks)).toContain('case 3: not judged: no response');
  });

  test('of many lists the failed ones and counts the rest', () => {
    const lines = Array.from({ length: 500 }, (_, index) => line(index, index === 499 ? 'fail' : 'pass'));
    const long = lines.map((one) => ({ ...one, title: 'x'.repeat(200), why: 'y '.repeat(1000) }));
    expect(messageProblems(summaryMessage(long))).toEqual([]);
    const { blocks } = summaryMessage(lines);
    expect(all(blocks)).toContain('case 499');
    expect(all(blocks)).toContain('460 more');
  });

  test('links only to addresses that begin with https', () => {
    const { blocks } = summaryMessage([{ ...line(1, 'pass'), permalink: 'javascript:alert(1)' }]);
    expect(JSON.stringify(blocks)).not.toContain('link');
  });
});

describe('a paste that cannot be judged', () => {
  const [parsed] = parseInput('User: Find me sushi', { maxCaseChars: 1000, format: contractFormat });
  if (parsed === undefined || !('problem' in parsed))
    throw new Error('this paste was expected to be a problem');

  test('is answered with what was understood, what is missing and the form', () => {
    const message = problemMessage({ ...parsed, draftId: 'd1', format: contractFormat });
    expect(messageProblems(message)).toEqual([]);
    expect(all(message.blocks)).toContain('There is no response to judge');
    expect(all(message.blocks)).toContain('User: Find me sushi');
    expect(all(message.blocks)).toContain('Response, for example: System: Sakura');
    expect(JSON.stringify(message.blocks)).toContain('"action_id":"open_form","value":"d1"');
  });

  test('has no button where nothing could be kept', () => {
    expect(
      JSON.stringify(problemMessage({ ...parsed, draftId: null, format: contractFormat }).blocks),
    ).not.toContain('open_form');
  });
});

describe('the examples that are shown', () => {
  test.each([
    ['context.date', { context: { date: '2024-03-04' } }],
    ['context.time', { context: { time: '20:35' } }],
    ['context.location', { context: { location: { latitude: 52.53, longitude: 13.41 } } }],
    ['recommendation', { recommendation: { cuisine: 'French' } }],
    ['documents', { documents: [{ id: 'm12', text: 'The tire pressure is 2.4 bar.' }] }],
    ['groundTruth', { groundTruth: 'Alien' }],
    ['latencyMs', { latencyMs: 1800 }],
    ['language', { language: 'en' }],
  ])('for %s are read as that', (path, expected) => {
    const [parsed] = parseInput(`User: a\nSystem: b\n${describeField(path, contractFormat).example}`, {
      maxCaseChars: 1000,
      format: contractFormat,
    });
    expect(parsed).toMatchObject({ case: expected });
  });

  const { caseFormat: format } = readLibrary([builtIn]);
  test.each(declaredFields(format).map(pathOfField))('for the declared %s are read as that', (path) => {
    const [parsed] = parseInput(`User: a\nSystem: b\n${describeField(path, format).example}`, {
      maxCaseChars: 1000,
      format,
    });
    if (parsed === undefined || !('case' in parsed)) throw new Error('a case was expected');
    expect(missingFields(parsed.case, [path])).toEqual([]);
  });

  test.each([
    ['without a model', false, [[true], [true], [false]]],
    ['with a model', true, [[true], [true], [true], [false]]],
  ])('for the first prompts are cases %s, and the last asks for help', (_, hasModel, expected) => {
    const read = suggestedPrompts(hasModel).map(({ message }) =>
      parseInput(message, { maxCaseChars: 1000, format: contractFormat }).map((parsed) => 'case' in parsed),
    );
    expect(read).toEqual(expected);
  });

  test('name a path by the line that gives it', () => {
    expect(describeField('recommendation.rating', contractFormat)).toEqual({
      label: 'Rating',
      example: 'Rating: 4.6',
    });
    expect(describeField('wheel.size', contractFormat).label).toBe('wheel.size');
  });
});

test('a used-up budget says how much it was and when it starts anew', () => {
  expect(budgetMessage({ limitUsd: 5 }).text).toMatch(/daily budget of \$5\.00 .* 00:00 UTC/);
});
