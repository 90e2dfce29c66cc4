import { expect, test } from 'vitest';
import { createRedactor } from '../../src/case/redact/redactor.ts';
import { redactedExplain, type VerdictQuestion } from '../../src/judging/ask.ts';
import { aCase } from '../support/builders.ts';
import { aVerdict } from '../support/run-builders.ts';

test('a model that answers a question reads no detail, be it in the name of an answer', async () => {
  const phone = '+49 171 1234567';
  const verdict = { ...aVerdict(), why: `by ${phone} is better` };
  const evalCase = aCase({
    response: `Call ${phone}`,
    alternative: { response: 'Else' },
    answerNames: [`by ${phone}`, 'New'],
  });
  let read: VerdictQuestion | null = null;
  const explain = redactedExplain(createRedactor(['phone']), async (question) => {
    read = question;
    return { status: 'answered', text: '', words: [] };
  });
  const asked = `Why not ${phone}?`;
  const signal = new AbortController().signal;
  await explain({
    ...{ evalCase, verdict, judge: null, model: 'test/model', asked },
    ...{ signal, deadlineAt: 0 },
  });
  expect(JSON.stringify(read)).not.toContain('1234567');
  expect(read).toMatchObject({
    asked: 'Why not [phone number]?',
    evalCase: { answerNames: ['by [phone number]', 'New'] },
  });
});
