import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, inject, test } from 'vitest';
import * as z from 'zod';
import { EvalCase } from '../../../src/case/case.ts';
import { type AssistantReply, startAssistant } from '../../support/assistant-double.ts';
import { closeAfterEach, closing, until } from '../../support/resources.ts';
import { jury, scratch, spawnJury } from '../../support/run-jury.ts';

closeAfterEach();
const { rounds } = inject('counts');
const { cases: CASES, kills: KILLS } = inject('counts').collected;
/** Answers between two kills. */
const BETWEEN = Math.floor(CASES / (KILLS + 1));
const CONCURRENCY = 8;

const Sent = z.strictObject({ ask: z.string() });

test(`${CASES} answers of a system that fails, refuses and dawdles survive ${KILLS} kills; none is lost, none that was kept is asked again`, {
  repeats: rounds - 1,
}, async () => {
  /** Kept when a process was killed, and what of that was asked again. */
  const done = new Set<string>();
  const askedAgain: string[] = [];
  const answered: string[] = [];
  const tries = new Map<string, number>();
  const reply = (text: string, n: number): AssistantReply => {
    const number = Number(text.split(' ').at(-1));
    const again = (tries.get(text) ?? 0) + 1;
    tries.set(text, again);
    // One in fifty never gets an answer, one in fifty not at first.
    if (number % 50 === 7) return { status: 422, text: 'cannot' };
    if (number % 50 === 9 && again === 1) return { status: 500 };
    if (n % 20 === 0) return { status: 429, headers: { 'retry-after-ms': '20' } };
    answered.push(text);
    return { json: { answer: `re: ${text}` }, delayMs: number % 40 === 3 ? 400 : 10 };
  };
  const double = await startAssistant(({ n, body }) => {
    const { ask } = Sent.parse(JSON.parse(body));
    if (done.has(ask)) askedAgain.push(ask);
    return reply(ask, n);
  });
  closing(double.close);

  const cwd = scratch();
  const cases = Array.from({ length: CASES }, (_, at) => ({
    id: `hidden-${at}`,
    conversation: [{ role: 'user', text: `request ${at}` }],
    response: 'hidden',
    groundTruth: 'hidden',
    tags: { intent: 'hidden' },
    label: { decision: 'fail', errorType: 'hidden' },
  }));
  writeFileSync(join(cwd, 'set.jsonl'), cases.map((one) => JSON.stringify(one)).join('\n'));
  const file = {
    http: { url: double.url, body: { ask: '{{request}}' } },
    answer: 'answer',
    concurrency: CONCURRENCY,
  };
  writeFileSync(join(cwd, 'system.yaml'), JSON.stringify(file));
  const command = ['collect', 'set.jsonl', '-s', 'system.yaml', '-o', 'out.jsonl'];
  const kept = (): EvalCase[] =>
    readFileSync(join(cwd, 'out.jsonl'), 'utf8')
      .split('\n')
      .slice(0, -1)
      .map((line) => EvalCase.parse(JSON.parse(line)));

  for (let kill = 1; kill <= KILLS; kill += 1) {
    const child = spawnJury(command, { cwd });
    await until(() => answered.length >= kill * BETWEEN);
    child.kill('SIGKILL');
    await once(child, 'exit');
    const before = kept();
    expect(before.length).toBeGreaterThan((kill - 1) * BETWEEN);
    // What the killed process had sent may still arrive.
    await new Promise((resolve) => setTimeout(resolve, 50));
    for (const { conversation } of before) done.add(conversation[0]?.text ?? '');
  }
  const ran = await jury(command, { cwd });
  expect(ran.code).toBe(1);
  expect(ran.err).toContain(`${CASES} of ${CASES} cases`);

  const all = kept();
  expect(all.map(({ id }) => id)).toEqual(cases.map(({ id }) => id));
  for (const [at, one] of all.entries()) {
    if (at % 50 === 7) expect(one).toMatchObject({ tags: { unanswered: 'error' } });
    else expect(one.response).toBe(`re: request ${at}`);
  }
  expect(askedAgain).toEqual([]);
  // At a kill as many as were under way at once: they had no answer, or it was not kept yet.
  const answeredTwice = answered.length - new Set(answered).size;
  expect(answeredTwice).toBeLessThanOrEqual(KILLS * CONCURRENCY);
  expect(JSON.stringify(double.requests)).not.toContain('hidden');
});
