import { describe, expect, test } from 'vitest';
import { unsureNote } from '../../src/case/paste/problems.ts';
import { createRedactor } from '../../src/case/redact/redactor.ts';
import type { UnsureChoice } from '../../src/judging/ask.ts';
import { judgeCase, planCase } from '../../src/judging/judge-case.ts';
import { planReading, type ReadCase, UnsureError } from '../../src/judging/unsure-lines.ts';
import { ask } from '../judges/rules/world.ts';
import { aCase } from '../support/builders.ts';
import { builtInLibrary } from '../support/built-in.ts';

const context = { ask, now: () => 0, timeoutMs: 10_000, signal: new AbortController().signal };

const withLine = (text: string): ReadCase => {
  const evalCase = aCase();
  const unsure = { text, withIt: { ...evalCase, response: `${evalCase.response}\n${text}` } };
  return { case: evalCase, assumed: [unsureNote(unsure)], unsure };
};
const telling = withLine('I think the rating is 3.1 in reality');
const idle = withLine('I think you should stop soon.');

const planned = (
  read: ReadCase,
  choice?: UnsureChoice,
  { models = ['rules'], library = builtInLibrary() } = {},
) =>
  planReading(
    read,
    choice,
    'Choose.',
    (one) => planCase(library, one.case, { models }, one.assumed, one.unsure),
    context,
  );

describe('a case with lines that may belong to the answer', () => {
  test('is judged without them where exact checks come to the same outcome, and says so', async () => {
    const plan = await planned(idle);
    expect(plan).toMatchObject({ evalCase: idle.case, leftOut: idle.unsure, assumed: [] });
    expect((await judgeCase(plan, context)).leftOut).toBe(idle.unsure?.text);
  });

  test('has two readings where they change a criterion, and no one of them is judged', async () => {
    const refused = await planned(telling).catch((thrown: unknown) => thrown);
    expect(refused).toBeInstanceOf(UnsureError);
    expect(refused).toMatchObject({
      code: 'bad-input',
      text: telling.unsure?.text,
      readings: { remark: telling.case, answer: telling.unsure?.withIt },
    });
    expect(String(refused)).toContain('as a remark, the answer is "Sakura is 5 minutes away."');
    expect(String(refused)).toContain('as part of it, the answer is "Sakura is 5 minutes away. I think');
    expect(String(refused)).toMatch(/Choose\.$/);
  });

  test('is judged as was chosen', async () => {
    expect(await planned(telling, 'remark')).toMatchObject({
      evalCase: telling.case,
      leftOut: telling.unsure,
    });
    const whole = await planned(telling, 'answer');
    expect(whole).toMatchObject({
      evalCase: telling.unsure?.withIt,
      assumed: [`"${telling.unsure?.text}" was read as part of the response`],
    });
    expect(whole.leftOut).toBeUndefined();
    await expect(planned(idle, 'refuse')).rejects.toThrow(UnsureError);
  });

  test('is judged by models without them', async () => {
    const models = ['test/model'];
    expect(await planned(telling, undefined, { models })).toMatchObject({
      evalCase: telling.case,
      leftOut: telling.unsure,
    });
  });

  test('keeps what was left out redacted', async () => {
    const library = { ...builtInLibrary(), redactor: createRedactor(['phone']) };
    const { leftOut } = await planned(withLine('I think +49 171 1234567 is theirs'), 'remark', { library });
    expect(leftOut?.text).toBe('I think [phone number] is theirs');
    expect(leftOut?.withIt.response).toMatch(/I think \[phone number\] is theirs$/);
  });
});

test('a case without such lines is planned as it is, whatever was chosen', async () => {
  for (const choice of [undefined, 'answer', 'remark', 'refuse'] as const) {
    const plan = await planned({ case: aCase(), assumed: [] }, choice);
    expect(plan.evalCase).toEqual(aCase());
    expect(plan.leftOut).toBeUndefined();
  }
});
