import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, test } from 'vitest';
import * as z from 'zod';
import type { Verdict } from '../src/judging/verdict/verdict.ts';
import { welcomeMessage } from '../src/surfaces/slack/render/notices.ts';
import { suggestedPrompts } from '../src/surfaces/wording/examples.ts';
import { startModelDouble } from './support/model-double.ts';
import { jury, scratch, verdictsOf } from './support/run-jury.ts';

/** Something that is printed for people to copy. */
interface Example {
  /** Where it is printed. */
  from: string;
  text: string;
  needs: 'nothing' | 'model';
  /** The rubric that it has to be judged by, where that is said. */
  rubric?: string;
}

const root = fileURLToPath(new URL('..', import.meta.url));
const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const filesIn = (folder: string): string[] =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name));

const pages = ['README.md', 'CONTRIBUTING.md', ...filesIn('docs'), ...filesIn('prompts')].filter((path) =>
  path.endsWith('.md'),
);

/** Fenced and indented blocks of Markdown, without what sets them in. */
function codeBlocks(markdown: string): string[] {
  const fenced = [...markdown.matchAll(/^```\w*\n([\s\S]*?)^```/gm)].map(([, block = '']) => block);
  const rest = markdown.replaceAll(/^```[\s\S]*?^```/gm, '');
  const indented = [...rest.matchAll(/(?:^ {4,}\S.*\n)+/gm)].map(([block]) => block.replaceAll(/^ +/gm, ''));
  return [...fenced, ...indented];
}

/** A request without an answer, for `jury collect`, is no case. */
const isCase = (block: string): boolean =>
  (/^User: /m.test(block) && /^System: /m.test(block)) || /^\{.*"conversation":.*"response":/s.test(block);

function inText(from: string, text: string): Example[] {
  return codeBlocks(text)
    .filter(isCase)
    .map((block) => ({
      from,
      text: block.replace(/^@Jury\n/, ''),
      // The papers' rubrics have no exact checks.
      needs: from === 'docs/papers.md' ? 'model' : 'nothing',
    }));
}

/** The folders of samples and what each of them needs, from the table there. */
const sampleFolders = [
  ...read('prompts/samples/README.md').matchAll(/^\| \[(\S+)\]\(\1\) \| (nothing|model) \|$/gm),
].map(([, rubric = '', needs]) => ({ rubric, needs: z.enum(['nothing', 'model']).parse(needs) }));

const samples = sampleFolders.flatMap(({ rubric, needs }) =>
  filesIn(`prompts/samples/${rubric}`).map((from): Example => ({ from, text: read(from), needs, rubric })),
);

const Manifest = z.object({
  features: z.object({
    agent_view: z.object({
      suggested_prompts: z.array(z.object({ title: z.string(), message: z.string() })),
    }),
  }),
});
const isPaste = ({ message }: { message: string }): boolean => message !== 'help';
const manifests = filesIn('manifests')
  .filter((path) => /\bslack\S*\.json$/.test(path))
  .flatMap((path) =>
    Manifest.parse(JSON.parse(read(path)))
      .features.agent_view.suggested_prompts.filter(isPaste)
      .map(({ title, message }): Example => ({ from: `${path}: ${title}`, text: message, needs: 'nothing' })),
  );

const withoutModel = suggestedPrompts(false).map(({ title }) => title);
const prompts = suggestedPrompts(true)
  .filter(isPaste)
  .map(
    ({ title, message }): Example => ({
      from: `suggested prompt: ${title}`,
      text: message,
      needs: withoutModel.includes(title) ? 'nothing' : 'model',
    }),
  );

const Preformatted = z.object({
  type: z.literal('rich_text_preformatted'),
  elements: z.array(z.object({ text: z.string() })),
});
const helpCard = welcomeMessage('en').blocks.flatMap((block): Example[] =>
  (block.type === 'rich_text' ? block.elements : []).flatMap((element) => {
    const shown = Preformatted.safeParse(element);
    if (!shown.success) return [];
    return [
      { from: 'help card', text: shown.data.elements.map(({ text }) => text).join(''), needs: 'nothing' },
    ];
  }),
);

const help = inText(
  'judge --help',
  (await jury(['judge', '--help'])).out.replaceAll(/^ {2}(?=\w+: )/gm, '    '),
);
const printed = pages.flatMap((path) => inText(path, read(path)));
const examples = [...samples, ...printed, ...manifests, ...prompts, ...helpCard, ...help];

/** Judges all of them as a person does who copies them into files, in one go. */
async function judged(
  all: readonly Pick<Example, 'text'>[],
  args: readonly string[],
  env: Record<string, string>,
): Promise<Verdict[]> {
  const cwd = scratch();
  const files = all.map(({ text }, index) => {
    const name = `example-${index}.${/^\s*\{/.test(text) ? 'json' : 'txt'}`;
    writeFileSync(join(cwd, name), text);
    return name;
  });
  const ran = await jury(['judge', '--json', ...args, ...files], { cwd, env });
  expect(ran.err).not.toMatch(/could not|not understood/i);
  const verdicts = verdictsOf(ran);
  expect(verdicts).toHaveLength(all.length);
  return verdicts;
}

const double = await startModelDouble({ answer: () => ({ fields: { decision: 'pass', relevant: true } }) });
afterAll(() => double.close());

const found = async (needs: Example['needs']) => {
  const all = examples.filter((example) => example.needs === needs);
  const verdicts = await (needs === 'nothing'
    ? judged(all, ['--model', 'rules'], {})
    : judged(all, ['--model', 'openai/judge'], { OPENAI_BASE_URL: double.baseUrl }));
  return all.map((example, index) => ({ ...example, verdict: verdicts[index] }));
};
const results = [...(await found('nothing')), ...(await found('model'))];

test('examples are found wherever they are printed', () => {
  const places = new Set(results.map(({ from }) => from.replace(/[/:].*/, '')));
  expect([...places].sort()).toEqual([
    'README.md',
    'docs',
    'help card',
    'judge --help',
    'manifests',
    'prompts',
    'suggested prompt',
  ]);
  expect(printed.length).toBeGreaterThanOrEqual(3);
  expect(manifests.length).toBeGreaterThanOrEqual(4);
});

test('every folder of samples is in the table that says what it needs', () => {
  const folders = readdirSync(join(root, 'prompts/samples'), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name);
  expect(sampleFolders.map(({ rubric }) => rubric)).toEqual(folders.sort());
});

describe('what is printed for people to copy', () => {
  test.each(results)('$from is decided', ({ needs, rubric, verdict }) => {
    expect(verdict?.decision, verdict?.why).toMatch(
      needs === 'model' ? /^(pass|fail|scored)$/ : /^(pass|fail)$/,
    );
    if (rubric !== undefined) expect(verdict?.rubric).toBe(rubric);
  });

  test.each(samples.filter(({ needs }) => needs === 'nothing'))('$from is what its name says', ({ from }) => {
    const { verdict } = results.find((result) => result.from === from) ?? {};
    expect(verdict?.decision).toBe(from.endsWith('/right.txt') ? 'pass' : 'fail');
  });
});

test('the first thing to try is the same in the README, on the help card and in --help', () => {
  const [card] = helpCard;
  expect(help.map(({ text }) => text.trim())).toEqual([card?.text]);
  expect(printed.map(({ text }) => text.trim())).toContain(card?.text);
});

/** A row of the table on the page of cases: the rubric, and lines of a paste that select it. */
const rows = [...read('docs/cases.md').matchAll(/^\| .* \| `([\w-]+)` \| (.*) \|$/gm)].flatMap(
  ([, rubric = '', cell = '']) => {
    const lines = [...cell.matchAll(/`(\w[^`]*: [^`]*[^`…])`/g)].map(([, line]) => line);
    return lines.length === 0 ? [] : [{ rubric, text: ['User: a', 'System: b', ...lines].join('\n') }];
  },
);

test('the lines that the page of cases lists are understood, and select the rubric beside them', async () => {
  expect(rows.map(({ rubric }) => rubric)).toEqual(['car-function', 'fuel-station', 'charging-station']);
  for (const { text } of rows) {
    const { code, out } = await jury(['parse'], { input: text });
    expect(code).toBe(0);
    expect(out).not.toMatch(/not (?:used|understood)/);
  }
  const verdicts = await judged(rows, ['--model', 'rules'], {});
  expect(verdicts.map(({ rubric }) => rubric)).toEqual(rows.map(({ rubric }) => rubric));
});

test('every sample that a page names is there', () => {
  const named = pages.flatMap((path) =>
    [...read(path).matchAll(/prompts\/samples\/[\w/.-]+\.\w+/g)].map(([sample]) => sample),
  );
  const there = new Set(samples.map(({ from }) => from));
  expect(named.filter((sample) => !there.has(sample))).toEqual([]);
});
