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
      [expect.stringMatching(/^p001-[0-9a-f]{8}$/), ['Climate', 'Rest heating']],
      [expect.stringMatching(/^p002-[0-9a-f]{8}$/), ['Climate', 'Standby ventilation']],
      [expect.stringMatching(/^p003-[0-9a-f]{8}$/), ['Rights']],
    ]);
    expect(passages[0]?.text).toBe(
      'Rest heating keeps the cabin warm for up to 30 minutes after the engine is off. Press the REST button to switch it on.\nThe lamp in the button is lit.\nIt ends by itself when the battery is low.',
    );
  });

  test('in HTML is read without menus, scripts and styles; a row of a table is a line', async () => {
    const passages = await readPassages([{ text: HTML, format: 'html' }]);
    expect(passages).toEqual([
      {
        id: expect.stringMatching(/^p001-[0-9a-f]{8}$/),
        headings: ['Climate', 'Rest heating'],
        text: 'Rest heating keeps the cabin warm for up to 30 minutes.\nLamp lit\nFan slow',
      },
      {
        id: expect.stringMatching(/^p002-[0-9a-f]{8}$/),
        headings: ['Climate', 'Fan'],
        text: 'The fan stops.',
      },
    ]);
  });

  test('has passages that are known by their words, not by their place alone', async () => {
    const idsOf = async (text: string) =>
      (await readPassages([{ text, format: 'markdown' }])).map(({ id }) => id);
    const [before, after] = [
      await idsOf(MARKDOWN),
      await idsOf(MARKDOWN.replace('30 minutes', '20 minutes')),
    ];
    expect(after[0]).not.toBe(before[0]);
    expect(after.slice(1)).toEqual(before.slice(1));
    expect(await idsOf(MARKDOWN)).toEqual(before);
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
        .map(({ headings }) => headings[1])
        .sort(),
    ).toEqual(['Rest heating', 'Standby ventilation']);
    expect(drawPassages(passages, 4, 1)).toEqual(drawPassages(passages, 4, 1));
    const [first] = passages;
    if (first === undefined) throw new Error('no passage');
    expect(nearestTo(first, passages)?.headings[1]).toBe('Standby ventilation');
    // The same words once more are no other passage.
    expect(nearestTo(first, [first, { ...first, id: 'p009' }])).toBeNull();
  });

  test('holds a quote character by character, apart from spaces', () => {
    const passage = { text: 'Press the REST button\nto switch it on.' };
    expect(isQuoteOf('REST  button to switch', passage)).toBe(true);
    expect(isQuoteOf('press the rest button', passage)).toBe(false);
    expect(isQuoteOf('on.', passage)).toBe(false);
  });
});

/** A manual of so many passages that are long enough to ask about. */
const manyPassages = (count: number): string =>
  Array.from(
    { length: count },
    (_, at) =>
      `## Function ${at}\n\nFunction number ${at} of the car is switched on with its own button in the ceiling. The lamp ${'x'.repeat(at)} is lit.\n`,
  ).join('\n');

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
    write: (text: string, name = 'manual.md') => writeFileSync(join(cwd, name), text),
    read: () => readFileSync(join(cwd, 'out.jsonl'), 'utf8'),
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
    const first = made.filter(({ id }) => id?.startsWith('p001'));
    expect(first.map(({ id, label }) => [id?.replace(/^p001-[0-9a-f]{8}-/, ''), label])).toEqual([
      ['right', { decision: 'pass', criteria: { consistency: 'pass', relevance: 'pass' } }],
      ...['terminology', 'hallucination', 'common-sense', 'wrong-document'].map((kind) => [
        kind,
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
      ['right', 'terminology', 'common-sense', 'wrong-document'].map((kind) =>
        expect.stringMatching(new RegExp(`^p001-[0-9a-f]{8}-${kind}$`)),
      ),
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

  test('with a budget, passages from the cache do not make the next ones look free', async () => {
    const { run, write, read, cases } = await begin({ answer: writes });
    write(manyPassages(8));
    await run('--passages', '3');
    // The cases are gone, and the answers to the first three passages are in the cache.
    write('', 'out.jsonl');
    const before = double.counts.received;
    // One answer costs $0.00045, a passage $0.00225: the fourth passage fits, a fifth does not.
    const stopped = await run('--passages', '8', '--budget', '0.004', '--concurrency', '8');
    expect(stopped.code, stopped.err).toBe(75);
    expect(double.counts.received - before).toBe(5);
    expect(cases()).toHaveLength(20);
    expect(read().endsWith('\n')).toBe(true);
  });

  test('of more passages stay when fewer are asked for', async () => {
    const { run, write, cases } = await begin({ answer: writes });
    write(manyPassages(6));
    expect((await run('--passages', '5')).code).toBe(0);
    const made = cases();
    expect(made).toHaveLength(25);
    const before = double.counts.received;
    const fewer = await run('--passages', '2');
    expect(fewer.code, fewer.err).toBe(0);
    expect(fewer.err).toContain('25 cases of 5 passages in out.jsonl: 5 right, 20 wrong.');
    expect(fewer.err).toContain('15 cases of an earlier run, of passages beyond --passages, kept.');
    expect(cases()).toEqual(made);
    expect(double.counts.received).toBe(before);
  });

  test('are not mixed with those of another manual, another seed or another command', async () => {
    const { run, write, read } = await begin({ answer: writes });
    await run();
    const made = read();
    const asked = double.counts.received;
    const refused = async (says: string, ...args: string[]) => {
      const ran = await run(...args);
      expect(ran.code, ran.err).toBe(64);
      expect(ran.err).toContain(says);
      expect(double.counts.received).toBe(asked);
    };
    await refused('has cases of seed 1. Nothing was asked or changed. Add --seed 1', '--seed', '2');
    write(MARKDOWN.replace('30 minutes', '20 minutes'));
    await refused('has cases of another manual, or of this one before it was changed. Nothing was asked');
    write(manyPassages(2));
    await refused('Name another file with --out, or the manual that it was made of.');
    expect(read()).toBe(made);
    const other = '{"conversation":[{"role":"user","text":"Hi"}],"id":"a","response":"Hello."}\n';
    write(other, 'out.jsonl');
    await refused(
      'has cases that this command did not make. Nothing was asked or changed. Name another file',
    );
    expect(read()).toBe(other);
    // Back to where it was, it goes on.
    write(MARKDOWN);
    write(made, 'out.jsonl');
    expect((await run()).code).toBe(0);
    expect(read()).toBe(made);
  });

  test('of a manual with one passage have no answer from another one', async () => {
    const { run, write, cases } = await begin({ answer: writes });
    write(manyPassages(1));
    const ran = await run();
    expect(ran.code, ran.err).toBe(0);
    expect(ran.err).toContain('4 calls to openai/gpt-4o');
    expect(ran.err).toContain('Left out: wrong-document, which needs another passage of the manual');
    expect(cases().map(({ label }) => label?.errorType ?? 'right')).toEqual([
      'right',
      'terminology',
      'hallucination',
      'common-sense',
    ]);
    expect(double.counts.received).toBe(4);
  });

  test('are refused of a PDF, with what to do', async () => {
    const { check } = await begin({ answer: writes });
    const ran = await check('dataset', 'manual', 'manual.pdf', '--model', 'openai/gpt-4o', '-o', 'x.jsonl');
    expect(ran.code).toBe(64);
    expect(ran.err).toContain('pdftotext');
  });
});
