import { describe, expect, test } from 'vitest';
import { missingFields } from '../../../../src/case/case.ts';
import { declaredFields, pathOfField } from '../../../../src/case/format/case-format.ts';
import { parseInput } from '../../../../src/case/paste/parse-input.ts';
import { noticeLooks } from '../../../../src/surfaces/chat/notices.ts';
import {
  advanced,
  type CheckProgress,
  judgedLine,
  type SummaryLine,
  waitingJudges,
} from '../../../../src/surfaces/chat/progress.ts';
import { describeField } from '../../../../src/surfaces/forms/case-fields.ts';
import {
  casesValue,
  casesView,
  readCasesValue,
  summaryMessage,
} from '../../../../src/surfaces/slack/render/lists.ts';
import { linesMessage, noticeMessage } from '../../../../src/surfaces/slack/render/notices.ts';
import { suggestedPrompts } from '../../../../src/surfaces/wording/examples.ts';
import { aPanel, fail, judgementOf, mute, pass, plainTexts } from '../../../support/builders.ts';
import { builtInLibrary } from '../../../support/built-in.ts';
import { contractFormat } from '../../../support/format.ts';
import { aRecord, verdictFrom } from '../../../support/records.ts';
import { messageProblems, textsIn, viewProblems } from '../../../support/slack-limits.ts';

const {
  budget: budgetMessage,
  unclear: problemMessage,
  progress: progressMessage,
} = noticeLooks(noticeMessage, 'en');

const panel = aPanel(3);
const judge = (seat: number) => panel.seats[seat]?.judge ?? { persona: null, model: '', sample: 0 };
const start: CheckProgress = {
  checkId: 'k1',
  stage: 'panel',
  round: 0,
  rounds: 4,
  judges: waitingJudges(panel, plainTexts),
  given: 0,
  stopping: false,
};
const answer = (progress: CheckProgress, seat: number, said = fail, round = 0) =>
  advanced(
    progress,
    {
      kind: 'answered',
      stage: 'panel',
      judgement: judgementOf({ judge: judge(seat), round }, said),
    },
    'en',
  );
const asked = (progress: CheckProgress, seat: number, round = 0) =>
  advanced(progress, { kind: 'asked', stage: 'panel', round, judge: judge(seat) }, 'en');
const all = (payload: unknown): string => textsIn(payload).join('');

describe('live progress', () => {
  test('says how far it is, what was answered so far and who thinks, with the reason of each answer', () => {
    const { blocks, text } = progressMessage(asked(answer(start, 0), 1));
    expect(text).toBe('Round 1 of 4 · 1 fail so far · P1 is thinking…');
    expect(all(blocks[0])).toBe(`⚖️ ${text}`);
    expect(all(blocks)).toContain('❌ P0  p0 in round 0');
    expect(all(blocks)).not.toContain('P2');
    const more = progressMessage(asked(asked(answer(answer(start, 0), 1, pass), 2), 0));
    expect(more.text).toBe('Round 1 of 4 · 1 pass, 1 fail so far · P0 and P2 are thinking…');
    expect(progressMessage(asked(asked(asked(start, 0), 1), 2)).text).toBe(
      'Round 1 of 4 · P0 and 2 others are thinking…',
    );
  });

  test('keeps the last answer and its reason while a judge is asked again', () => {
    const again = asked(answer(start, 0), 0, 1);
    expect(again.round).toBe(1);
    const { text, blocks } = progressMessage(again);
    expect(text).toBe('Round 2 of 4 · 1 fail so far · P0 is thinking…');
    expect(all(blocks)).toContain('❌ P0  p0 in round 0');
  });

  test('says that a judge gave no answer', () => {
    const { text, blocks } = progressMessage(answer(start, 1, mute));
    expect(text).toBe('Round 1 of 4 · 1 without an answer so far');
    expect(all(blocks)).toContain('❔ P1  no usable reply');
  });

  test('says that the criteria are rated before the panel speaks', () => {
    const rating = advanced(start, { kind: 'asked', stage: 'rating', round: 0, judge: judge(0) }, 'en');
    expect(progressMessage(rating).text).toBe('Rating the criteria first');
  });

  test('can be stopped, once', () => {
    expect(JSON.stringify(progressMessage(start).blocks)).toContain('"action_id":"check_stop","value":"k1"');
    const stopping = progressMessage({ ...start, stopping: true });
    expect(JSON.stringify(stopping.blocks)).not.toContain('check_stop');
    expect(stopping.text).toMatch(/^Stopping/);
  });

  test('counts judges beyond those that have room', () => {
    const judges = waitingJudges(aPanel(45), plainTexts);
    const many = judges.map((one) => ({
      ...one,
      answer: { tone: 'pass' as const, text: 'long '.repeat(90) },
    }));
    const message = progressMessage({ ...start, judges: many });
    expect(messageProblems(message)).toEqual([]);
    expect(all(message.blocks)).toContain('and 15 more judges');
  });
});

describe('the summary of several cases', () => {
  const line = (index: number, decision: 'pass' | 'fail'): SummaryLine => ({
    kind: 'judged',
    id: `v${index}`,
    title: `case ${index}`,
    decision,
    reason: `reason ${index}`,
  });

  test('counts decisions and has a row that opens its card for each case that does not pass', () => {
    const { text, blocks } = summaryMessage(
      'k1',
      [
        line(1, 'pass'),
        line(2, 'fail'),
        { kind: 'problem', title: 'case 3', problem: 'no response' },
        { kind: 'pending' },
      ],
      'en',
    );
    expect(text).toBe('4 cases: 1 pass · 1 fail · 1 not judged · 1 waiting');
    expect(blocks.slice(1).flatMap(textsIn)).toEqual([
      '❌ case 2 – reason 2',
      'Open',
      '⚠️ case 3 – not judged: no response',
      '✅ 1 more',
      'Show',
      'Stop',
    ]);
    expect(JSON.stringify(blocks)).toContain('"action_id":"verdict_details","value":"v2"');
    expect(JSON.stringify(blocks)).toContain('"action_id":"check_cases","value":"4 k1"');
  });

  test('of many is one message that lists the failed ones and counts the rest', () => {
    const lines = Array.from({ length: 100 }, (_, index) => line(index, index < 50 ? 'fail' : 'pass'));
    const long = lines.map((one) => ({ ...one, title: 'x'.repeat(200), reason: 'y '.repeat(1000) }));
    expect(messageProblems(summaryMessage('k1', long, 'en'))).toEqual([]);
    const { blocks } = summaryMessage('k1', lines, 'en');
    expect(all(blocks)).toContain('case 39 ');
    expect(all(blocks)).toContain('10 more that do not pass');
    expect(all(blocks)).toContain('✅ 50 more');
  });

  test('shows all judged cases in a view, the failing first', () => {
    const view = casesView([line(1, 'pass'), line(2, 'fail')], 'en');
    expect(viewProblems(view)).toEqual([]);
    expect(all(view)).toMatch(/case 2.*case 1/);
    const full = casesView(
      Array.from({ length: 100 }, (_, index) => line(index, 'pass')),
      'en',
    );
    expect(viewProblems(full)).toEqual([]);
    expect(full.blocks).toHaveLength(100);
  });

  test('names the cases by what the user said; what is hidden until a vote names nothing else', () => {
    const record = aRecord(verdictFrom([[fail]]));
    expect(judgedLine(record, false, 'en')).toEqual({
      kind: 'judged',
      id: 'v1',
      title: 'c1  “Find me a sushi place rated at least 4.”',
      decision: 'fail',
      reason: 'first fail says p0 in round 0',
    });
    expect(judgedLine(record, true, 'en')).toEqual({
      kind: 'blind',
      id: 'v1',
      title: '“Find me a sushi place rated at least 4.”',
    });
  });

  test('reads back what its button carries', () => {
    expect(readCasesValue(casesValue('slack:T1:C1:1.0', 61))).toEqual({
      checkId: 'slack:T1:C1:1.0',
      count: 61,
    });
    expect(readCasesValue('k1')).toBeNull();
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
    ['context.date', { context: { date: '2026-03-02' } }],
    ['context.time', { context: { time: '20:35' } }],
    ['context.location', { context: { location: { latitude: 52.53, longitude: 13.41 } } }],
    ['recommendation', { recommendation: { cuisine: 'French' } }],
    ['documents', { documents: [{ id: 'm12', text: 'The tire pressure is 2.4 bar.' }] }],
    ['groundTruth', { groundTruth: 'Alien' }],
    ['latencyMs', { latencyMs: 1800 }],
    ['language', { language: 'en' }],
  ])('for %s are read as that', (path, expected) => {
    const [parsed] = parseInput(`User: a\nSystem: b\n${describeField(path, contractFormat, 'en').example}`, {
      maxCaseChars: 1000,
      format: contractFormat,
    });
    expect(parsed).toMatchObject({ case: expected });
  });

  const { caseFormat: format } = builtInLibrary();
  test.each(declaredFields(format).map(pathOfField))('for the declared %s are read as that', (path) => {
    const [parsed] = parseInput(`User: a\nSystem: b\n${describeField(path, format, 'en').example}`, {
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
    expect(describeField('recommendation.rating', contractFormat, 'en')).toEqual({
      label: 'Rating',
      example: 'Rating: 4.6',
    });
    expect(describeField('wheel.size', contractFormat, 'en').label).toBe('wheel.size');
  });
});

test('a used-up budget says how much it was and when it starts anew', () => {
  expect(budgetMessage({ limitUsd: 5 }).text).toMatch(
    /daily budget for model calls \(\$5\.00\) .* 00:00 UTC/,
  );
});

test('a long list is as many lines as a message takes, and says how many more there are', () => {
  const line = (n: number) => [`d${n} ${'every Monday '.repeat(12)}for `, { person: 'U01234567' }];
  const message = linesMessage(Array.from({ length: 200 }, (_, n) => line(n)));
  expect(messageProblems(message)).toEqual([]);
  const shown = JSON.stringify(message.blocks).match(/"user_id"/g)?.length ?? 0;
  expect(shown).toBeGreaterThan(50);
  expect(textsIn(message.blocks).at(-1)).toBe(`${200 - shown} more lines do not fit here.`);
  expect(linesMessage([line(1), line(2)]).blocks).toHaveLength(1);
});

test('a part of which nothing can be shown, such as a field without a name, is left out', () => {
  const parts = [
    { kind: 'line' as const, runs: [{ bold: '' }] },
    { kind: 'title' as const, text: '' },
    { kind: 'quote' as const, text: '' },
    { kind: 'quote' as const, text: 'Sakura is open.' },
  ];
  const message = noticeMessage({ text: 'Answer 1', parts, buttons: [] });
  expect(messageProblems(message)).toEqual([]);
  expect(textsIn(message.blocks)).toEqual(['Sakura is open.']);
});
