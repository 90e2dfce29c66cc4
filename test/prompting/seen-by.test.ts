import { expect, test } from 'vitest';
import { readLibrary } from '../../src/prompting/read-library.ts';
import { judgeCall, planCall } from '../../src/surfaces/program-parts.ts';
import { builtIn, folderWith } from '../support/built-in.ts';
import { criteriaOf, isDebate, roleOf, scores } from '../support/core-answers.ts';
import { right } from '../support/judged-cases.ts';
import { startModelDouble } from '../support/model-double.ts';
import { closeAfterEach, closing } from '../support/resources.ts';
import { runService } from '../support/run-service.ts';

closeAfterEach();

const log = {
  conversation: [{ role: 'user', text: 'A calm film, please.' }],
  response: 'Take Solaris.',
  recommendations: [['Solaris', 'Heat']],
  groundTruth: 'Stalker',
};

/** What a model is asked about a case. */
async function asked(evalCase: object, options: Parameters<typeof planCall>[2]) {
  const double = await startModelDouble({
    answer: (request) =>
      criteriaOf(request).includes('coherence') || isDebate(request) ? scores(request, () => 3) : {},
  });
  closing(double.close);
  const { parts } = await runService({
    JURY_MODEL: 'openai/gpt-4o-mini',
    OPENAI_API_KEY: 'sk-test-0123456789',
    OPENAI_BASE_URL: double.baseUrl,
  });
  const verdict = await judgeCall(parts, await planCall(parts, JSON.stringify(evalCase), options), {});
  return { verdict, requests: double.requests };
}

test('only effectiveness and the common user are shown what the user wanted', async () => {
  const { requests } = await asked({ ...log, rubric: 'core' }, { method: 'core-debate' });
  const [ratings, debate] = [requests.filter((one) => !isDebate(one)), requests.filter(isDebate)];
  expect(ratings).toHaveLength(12);
  const shown = (list: typeof requests) => list.filter(({ system, user }) => /stalker/i.test(system + user));
  expect(shown(ratings).map((one) => criteriaOf(one))).toEqual([['effectiveness']]);
  expect(debate).toHaveLength(4);
  expect(shown(debate).map(roleOf)).toEqual([0]);
  // What is not shown is not named either.
  for (const request of ratings)
    expect((request.system + request.user).includes('groundTruth')).toBe(shown([request]).length === 1);
});

test('a judge of all criteria at once is shown it', async () => {
  const { requests } = await asked({ ...log, rubric: 'core' }, { method: 'io' });
  expect(requests.map(({ user }) => user.includes('Stalker'))).toEqual([true]);
});

test('consistency is judged by documents and answer alone, relevance with the question', async () => {
  const answered = { ...right, documents: [{ text: 'Hold the knob.' }] };
  const [consistency, relevance] = await Promise.all(
    ['factual-consistency-paper', 'factual-relevance-paper'].map(async (rubric) => {
      const { requests } = await asked({ ...answered, rubric }, { method: 'io-plain' });
      expect(requests).toHaveLength(1);
      return requests[0]?.user ?? '';
    }),
  );
  const question = right.conversation.at(-1)?.text ?? '?';
  expect(consistency).toContain('Hold the knob.');
  expect(consistency).toContain(right.response);
  expect(consistency).not.toContain(question);
  expect(consistency).not.toContain('turns before');
  expect(relevance).toContain(question);
});

const RUBRIC = `title: T
source: us
task: Judge.
decide: all
panel: [ann]
method: io
criteria:
  - { id: tone, title: Tone, rule: It is warm. }
`;

test.each([
  ['seenBy: { groundTrut: [tone] }', 'seenBy: a case has no field "groundTrut"'],
  ['seenBy: { groundTruth: [tune] }', 'seenBy.groundTruth: no criterion or persona "tune"'],
  ['seenBy: { response: [tone] }', 'seenBy.response: judges see this in every case or in none'],
])('%s is refused', (line, message) => {
  const folder = folderWith({
    'rubrics/own.yaml': `${RUBRIC}${line}\n`,
    'personas/ann.md': '---\ntitle: Ann\nsource: us\n---\nYou are Ann.',
  });
  expect(() => readLibrary([builtIn, folder])).toThrow(message);
});

test('a criterion that may not apply needs "unscored"', () => {
  const folder = folderWith({
    'rubrics/own.yaml': `${RUBRIC.replace('warm. }', 'warm., mayNotApply: true }')}mayLeaveOpen: false\n`,
    'personas/ann.md': '---\ntitle: Ann\nsource: us\n---\nYou are Ann.',
  });
  expect(() => readLibrary([builtIn, folder])).toThrow(
    'criteria.0.mayNotApply: is not allowed if mayLeaveOpen is false',
  );
});
