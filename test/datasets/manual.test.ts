import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import type { EvalCase } from '../../src/case/case.ts';
import { drawPassages, isQuoteOf, nearestTo } from '../../src/datasets/manual-cases.ts';
import { manualFormat, readPassages } from '../../src/datasets/manual-passages.ts';
import { type DoubleRequest, type ModelDouble, startModelDouble } from '../support/model-double.ts';
import { jury, scratch } from '../support/run-jury.ts';

const MARKDOWN = `# Climate

## Rest heating

Rest heating keeps the cabin warm for up to 30 minutes after the engine is off.
Press the **REST** button to switch it on.

- The lamp in the button is lit.
- It ends by itself when the battery is low.

## Standby ventilation

Standby ventilation blows outside air into the cabin while the car is parked. It is set in the *Climate* menu.

# Rights

© Makers.
`;

const HTML = `<html><head><title>x</title><style>p { color: red }</style></head><body><nav>Home</nav>
<h1>Climate</h1><h2>Rest heating</h2><p>Rest heating keeps the cabin <b>warm</b> for up to 30&nbsp;minutes.</p>
<table><tr><th>Lamp</th><td>lit</td></tr><tr><th>Fan</th><td>slow</td></tr></table><script>alert(1)</script>
<h2>Fan</h2><p>The fan stops.</p></body></html>`;

describe('a manual', () => {
  test('in Markdown is read as passages under their headings', async () => {
    const passages = await readPassages([{ text: MARKDOWN, format: 'markdown' }]);
    expect(passages.map(({ id, headings }) => [id, headings])).toEqual([
      ['p001', ['Climate', 'Rest heating']],
      ['p002', ['Climate', 'Standby ventilation']],
      ['p003', ['Rights']],
    ]);
    expect(passages[0]?.text).toBe(
      'Rest heating keeps the cabin warm for up to 30 minutes after the engine is off. Press the REST button to switch it on.\nThe lamp in the button is lit.\nIt ends by itself when the battery is low.',
    );
  });

  test('in HTML is read without menus, scripts and styles; a row of a table is a line', async () => {
    const passages = await readPassages([{ text: HTML, format: 'html' }]);
    expect(passages).toEqual([
      {
        id: 'p001',
        headings: ['Climate', 'Rest heating'],
        text: 'Rest heating keeps the cabin warm for up to 30 minutes.\nLamp lit\nFan slow',
      },
      { id: 'p002', headings: ['Climate', 'Fan'], text: 'The fan stops.' },
    ]);
  });

  test('in plain text is read by paragraphs, which are joined up to a length', async () => {
    const long = 'The belt holds you. '.repeat(40).trim();
    const passages = await readPassages([
      { text: `Belts\n\n${long}\n\n${long}\n`, format: 'text' },
      { text: 'Another manual.', format: 'text' },
    ]);
    expect(passages.map(({ text }) => text.length)).toEqual([
      'Belts\n'.length + long.length,
      long.length,
      'Another manual.'.length,
    ]);
  });

  test('is known by the ending of its name', () => {
    expect(['a.md', 'b.HTML', 'c.txt', 'd.pdf', 'e'].map(manualFormat)).toEqual([
      'markdown',
      'html',
      'text',
      null,
      null,
    ]);
  });

  test('gives passages by chance, the same for a seed, and no short ones', async () => {
    const passages = await readPassages([{ text: MARKDOWN, format: 'markdown' }]);
    expect(
      drawPassages(passages, 1, 5)
        .map(({ id }) => id)
        .sort(),
    ).toEqual(['p001', 'p002']);
    expect(drawPassages(passages, 4, 1)).toEqual(drawPassages(passages, 4, 1));
    const [first] = passages;
    if (first === undefined) throw new Error('no passage');
    expect(nearestTo(first, passages)?.id).toBe('p002');
  });

  test('holds a quote character by character, apart from spaces', () => {
    const passage = { text: 'Press the REST button\nto switch it on.' };
    expect(isQuoteOf('REST  button to switch', passage)).toBe(true);
    expect(isQuoteOf('press the rest button', passage)).toBe(false);
    expect(isQuoteOf('on.', passage)).toBe(false);
  });
});

let double: ModelDouble;
const root = scratch();

/** What stands between the markers of a block. */
const blockOf = (user: string, name: string): string =>
  new RegExp(`\\[\\[\\w+ ${name}\\]\\]\\n([\\s\\S]*?)\\n\\[\\[/`).exec(user)?.[1] ?? '';

const isQuestion = ({ system }: DoubleRequest) => system.includes('Write one question');

/** Writes questions and wrong answers by rote, with the last sentence of the passage as the quote. */
function writes(request: DoubleRequest) {
  const passage = blockOf(request.user, 'PASSAGE').split('\n').slice(1).join('\n');
  const quote = /[^.\n]+\.\s*$/.exec(passage)?.[0].trim() ?? '';
  if (isQuestion(request))
    return { json: { question: `What of ${quote.length}?`, answer: `It is so: ${quote}`, quote } };
  return { json: { answer: `It is not so, ${request.system.length}.`, quote } };
}

async function begin(answer: Parameters<typeof startModelDouble>[0]) {
  double = await startModelDouble(answer);
  const cwd = mkdtempSync(join(root, 'manual-'));
  writeFileSync(join(cwd, 'manual.md'), MARKDOWN);
  const env = { OPENAI_BASE_URL: double.baseUrl, JURY_DATA_DIR: join(cwd, 'data') };
  return {
    run: (...args: string[]) =>
      jury(['dataset', 'manual', 'manual.md', '--model', 'openai/gpt-4o', '-o', 'out.jsonl', ...args], {
        cwd,
        env,
      }),
    cases: (): EvalCase[] =>
      readFileSync(join(cwd, 'out.jsonl'), 'utf8')
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line)),
    check: (...args: string[]) => jury(args, { cwd, env }),
  };
}

describe('cases of a manual', () => {
  afterEach(() => double.close());

  test('are a question with its right answer and four wrong ones a passage, each with the words that it rests on', async () => {
    const { run, cases, check } = await begin({ answer: writes });
    const plan = await run('--plan');
    expect(plan.err).toContain('3 passages read, 2 drawn (seed 1). 10 calls to openai/gpt-4o, about $');
    expect(double.counts.received).toBe(0);
    const ran = await run();
    expect(ran.code, ran.err).toBe(0);
    expect(double.counts.received).toBe(10);
    const made = cases();
    expect(made).toHaveLength(10);
    expect(made.filter(({ id }) => id?.startsWith('p001')).map(({ id, label }) => [id, label])).toEqual([
      ['p001-right', { decision: 'pass', criteria: { consistency: 'pass', relevance: 'pass' } }],
      ...['terminology', 'hallucination', 'common-sense', 'wrong-document'].map((kind) => [
        `p001-${kind}`,
        { decision: 'fail', errorType: kind, criteria: { consistency: 'fail' } },
      ]),
    ]);
    expect(made[0]).toMatchObject({ rubric: 'factual-correctness', tags: { label: 'model' } });
    for (const { tags, documents } of made) expect(documents?.[0]?.text).toContain(tags?.quote);
    expect(new Set(made.map(({ tags }) => tags?.group)).size).toBe(2);
    // They are read as any dataset, and judged.
    const stats = await check('dataset', 'stats', 'out.jsonl');
    expect(stats.out).toContain('wrong-document 2');
    expect(
      (await check('bench', 'run', 'out.jsonl', '--methods', 'io', '--models', 'openai/gpt-4o', '--plan'))
        .code,
    ).toBe(0);
  });

  test('are not asked for again when all are there, and only the missing ones after a failure', async () => {
    let down = true;
    const { run, cases } = await begin({
      answer: (request) =>
        down && request.system.includes('as if the other passage') ? { refusal: 'no' } : writes(request),
    });
    const first = await run();
    expect(first.code).toBe(1);
    expect(first.err).toContain('2 answers missing (the model declined');
    expect(cases()).toHaveLength(8);
    down = false;
    const before = double.counts.received;
    expect((await run()).code).toBe(0);
    expect(double.counts.received).toBe(before + 2);
    expect(cases()).toHaveLength(10);
    await run();
    expect(double.counts.received).toBe(before + 2);
  });

  test('leave out an answer without proof, and a passage that answers nothing', async () => {
    const { run, cases } = await begin({
      answer: (request) => {
        if (isQuestion(request) && request.user.includes('Standby'))
          return { json: { question: '', answer: '', quote: '' } };
        return request.system.includes('as certain as the rest')
          ? { json: { answer: 'It lasts 90 minutes.', quote: 'for up to 90 minutes' } }
          : writes(request);
      },
    });
    const ran = await run();
    expect(ran.err).toContain('1 passage answered no question.');
    expect(ran.err).toContain('1 answer left out: their quotes do not stand in the passage.');
    expect(cases().map(({ id }) => id)).toEqual(
      ['right', 'terminology', 'common-sense', 'wrong-document'].map((kind) => `p001-${kind}`),
    );
  });

  test('stop at a budget, and go on with a larger one', async () => {
    const { run, cases } = await begin({ answer: writes });
    const stopped = await run('--budget', '0.004', '--concurrency', '1');
    expect(stopped.code, stopped.err).toBe(75);
    expect(cases()).toHaveLength(5);
    expect((await run('--budget', '1')).code).toBe(0);
    expect(cases()).toHaveLength(10);
  });

  test('are refused of a PDF, with what to do', async () => {
    const { check } = await begin({ answer: writes });
    const ran = await check('dataset', 'manual', 'manual.pdf', '--model', 'openai/gpt-4o', '-o', 'x.jsonl');
    expect(ran.code).toBe(64);
    expect(ran.err).toContain('pdftotext');
  });
});
