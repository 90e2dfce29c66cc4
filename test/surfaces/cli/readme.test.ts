import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { keyVariable, providers } from '../../../src/judges/llm/providers.ts';
import { startModelDouble } from '../../support/model-double.ts';
import { jury, scratch, verdictsOf } from '../../support/run-jury.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const readme = readFileSync(join(root, 'README.md'), 'utf8');
const cases = readFileSync(join(root, 'docs/cases.md'), 'utf8');

/** The first code block of a page after a text. */
function blockAfter(page: string, text: string): string {
  const from = page.indexOf(text);
  const start = page.indexOf('\n', page.indexOf('```', from)) + 1;
  return page.slice(start, page.indexOf('```', start));
}

const timeless = (text: string): string =>
  text
    .replaceAll('\u00a0', ' ')
    .replaceAll(/took [\d.]+ m?s/g, 'took …')
    .trimEnd();

test('the card in the README is what its paste prints', async () => {
  const file = /<!-- card: (\S+) -->/.exec(readme)?.[1] ?? '';
  const { out } = await jury(['judge', join(root, file)]);
  expect(timeless(blockAfter(readme, '<!-- card:'))).toBe(timeless(out));
});

test('the paste on the page of cases is judged as it stands', async () => {
  const { code, out } = await jury(['judge'], {
    input: blockAfter(cases, 'What you paste into a chat is enough'),
  });
  expect(code).toBe(1);
  expect(out).toMatch(/^✗ FAIL – Time: /);
});

test('the JSON case on the page of cases is judged as it stands', async () => {
  const [verdict] = verdictsOf(
    await jury(['judge', '--json'], { input: blockAfter(cases, 'For files and scripts') }),
  );
  expect(verdict).toMatchObject({ caseId: 'u1-time', decision: 'fail' });
});

test('what the commands in the docs write into a clone is no part of it', () => {
  const pages = readdirSync(join(root, 'docs')).filter((name) => name.endsWith('.md'));
  const texts = [readme, ...pages.map((name) => readFileSync(join(root, 'docs', name), 'utf8'))];
  const written = texts.flatMap((page) =>
    [...page.matchAll(/jury [^|`\n]*(?:--out|-o) ([a-z][\w.-]*)/g)].map(([, name = '']) =>
      name.includes('.') ? name : `${name}/report.html`,
    ),
  );
  expect(written).toContain('report/report.html');
  const ignored = execFileSync('git', ['check-ignore', '--no-index', '--stdin'], {
    cwd: root,
    input: written.join('\n'),
    encoding: 'utf8',
  });
  expect(new Set(ignored.trim().split('\n'))).toEqual(new Set(written));
});

test('the rubric of the README judges from end to end', async () => {
  const cwd = scratch();
  const file = /Save this as `([^`]+)`/.exec(readme)?.[1] ?? '';
  mkdirSync(join(cwd, dirname(file)), { recursive: true });
  writeFileSync(join(cwd, file), blockAfter(readme, 'Save this as'));
  const double = await startModelDouble({ answer: () => ({ fields: { decision: 'fail' } }) });
  const command = /JURY_PROMPTS_DIR=(\S+) npx jury (judge .*) my-paste\.txt/.exec(readme);
  const ran = await jury([...(command?.[2] ?? '').split(' '), '--json'], {
    cwd,
    input: 'User: Where can I eat?\nSystem: Figure it out yourself.',
    env: { JURY_PROMPTS_DIR: command?.[1] ?? '', OPENAI_BASE_URL: double.baseUrl },
  });
  await double.close();
  expect(verdictsOf(ran)[0]).toMatchObject({
    rubric: 'polite',
    decision: 'fail',
    criteria: [{ id: 'tone' }, { id: 'brevity' }],
  });
  expect(double.counts.received).toBe(2);
});

/** Every command with its parents, as the program lists them. */
async function commandsBelow(...parents: string[]): Promise<string[]> {
  const { out } = await jury([...parents, '--help']);
  const listed = out.slice(out.indexOf('\nOptions:'));
  const names = /\n(?:Commands|Judge):/.test(out)
    ? [...listed.matchAll(/^ {2}([a-z][a-z-]*)\b/gm)]
        .map(([, name = '']) => name)
        .filter((name) => name !== 'help')
    : [];
  const deeper = await Promise.all(names.map((name) => commandsBelow(...parents, name)));
  return names.flatMap((name, index) => [[...parents, name].join(' '), ...(deeper[index] ?? [])]);
}

test('the page of the command line has every command, and every variable of the environment', async () => {
  const page = readFileSync(join(root, 'docs/cli.md'), 'utf8');
  const commands = await commandsBelow();
  expect(commands).toContain('labels stats');
  const single = commands.filter((command) => !commands.some((other) => other.startsWith(`${command} `)));
  expect(single.filter((command) => !new RegExp(`\`jury ${command}[\` ]`).test(page))).toEqual([]);
  const source = readFileSync(join(root, 'src/env.ts'), 'utf8');
  const variables = [...source.matchAll(/^ {2}([A-Z][A-Z_]+):/gm)].map(([, name = '']) => name);
  expect(variables.filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
});

test('every provider stands on the page of the command line, and its key in .env.example', () => {
  const page = readFileSync(join(root, 'docs/cli.md'), 'utf8');
  const [, listed = ''] = /\n### Models\n([\s\S]*?)\n##/.exec(page) ?? [];
  const variables = readFileSync(join(root, '.env.example'), 'utf8').split('\n');
  const names = Object.keys(providers);
  expect(names.filter((name) => !listed.includes(`\`${name}\``))).toEqual([]);
  const keys = names.filter((name) => providers[name]?.needsKey).map(keyVariable);
  expect(keys.filter((name) => !variables.includes(`${name}=`))).toEqual([]);
});
