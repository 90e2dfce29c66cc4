import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import stringWidth from 'string-width';
import { describe, expect, test } from 'vitest';
import { groupings } from '../../../src/labels/agreement/read-agreement.ts';
import { thresholdMetrics } from '../../../src/reports/gates/thresholds.ts';
import { studyItems } from '../../../src/studies/study.ts';
import words from '../../../src/surfaces/cli/commands.json' with { type: 'json' };
import { startModelDouble } from '../../support/model-double.ts';
import { jury, scratch } from '../../support/run-jury.ts';

const prompts = fileURLToPath(new URL('../../../prompts', import.meta.url));
const paths = Object.keys(words.commands);
const groups = paths.filter((path) => paths.some((other) => other.startsWith(`${path} `)));

describe('help', () => {
  test.each(paths)(
    'of %s has examples that are commands with their options, and fits 80 columns',
    async (path) => {
      const { code, out } = await jury([...path.split(' '), '--help'], { columns: 80 });
      expect(code).toBe(0);
      expect(out).toContain(`Usage: jury ${path}`);
      const [, examples = ''] = out.split('\nExamples:\n');
      const lines = [...examples.matchAll(/^ {2}\$ (.*)$/gm)].map(([, line = '']) => line);
      expect(lines.length).toBeGreaterThan(0);
      for (const line of lines) expect(line).toContain(`jury ${path}`);
      const flags = lines.flatMap((line) => line.match(/(?<= )--?[a-z][a-z-]*/g) ?? []);
      // The examples of a group are of its commands.
      if (!groups.includes(path))
        for (const flag of flags) expect(out.split('\nExamples:')[0]).toContain(flag);
      for (const line of out.split('\n').filter((one) => !one.startsWith('  $ ')))
        expect(stringWidth(line)).toBeLessThanOrEqual(80);
    },
  );

  test('short options are the long ones', async () => {
    expect(await jury(['-V'])).toEqual(await jury(['--version']));
    expect(await jury(['-h'])).toEqual(await jury(['--help']));
    expect(await jury(['judge', '-h'])).toEqual(await jury(['judge', '--help']));
    const input = 'User: Where?\nSystem: Here.';
    const long = await jury(['judge', '--rubric', 'question-answering', '--model', 'rules', '--json'], {
      input,
    });
    const short = await jury(['judge', '-r', 'question-answering', '-m', 'rules', '--json'], { input });
    const plain = ({ out }: { out: string }) =>
      out.replaceAll(/"(startedAt|durationMs|latencyMs)":[^,}]+/g, '');
    expect(plain(short)).toBe(plain(long));
  });

  test('lists what the program takes', async () => {
    const [gate, stats, create] = [
      await jury(['bench', 'report', '--help']),
      await jury(['labels', 'stats', '--help']),
      await jury(['study', 'create', '--help']),
    ].map(({ out }) => out.replaceAll(/\s+/g, ' '));
    const [, scores = ''] = /from -1\), such as (.*?) \(0\.9 if not named\)/.exec(gate ?? '') ?? [];
    const named = scores.split(/, | or /);
    expect(named).toContain('f1');
    for (const score of named) expect(thresholdMetrics).toContain(score);
    expect(stats).toContain(groupings.join(', '));
    expect(create).toContain(studyItems.join(','));
  });
});

test('a score that --fail-under does not know is answered with all that it does', async () => {
  const { code, err } = await jury(['bench', 'report', 'nightly', '--fail-under', 'nonsense=0.5']);
  expect(code).toBe(64);
  const [, scores = ''] = /Scores: (.*?)\.$/m.exec(err.replaceAll(/\s+/g, ' ').trim()) ?? [];
  expect(scores.split(', ')).toEqual(thresholdMetrics);
});

describe('what was probably meant', () => {
  test.each([
    [['jugde'], 'Did you mean judge?'],
    [['labels', 'exprot'], 'Did you mean export?'],
    [['judge', '--rubirc', 'x'], 'Did you mean --rubric?'],
    [['judge', '-r', 'navigaton'], 'There is no rubric "navigaton". Did you mean "navigation"?'],
    [['judge', '--method', 'mabb'], 'There is no method "mabb". Did you mean "mab"?'],
    [['judge', '--panel', 'Auditor'], 'There is no persona "Auditor". Did you mean "auditor"?'],
    [['rubrics', 'nav'], 'There is no rubric "nav". Did you mean "navigation"?'],
    [['judge', '-m', 'gpt-4o-mini'], 'Did you mean "openai/gpt-4o-mini"?'],
    [['judge', '-m', 'rulez'], 'Did you mean "rules"?'],
    [['judge', '-m', 'opnai/gpt-4o'], 'Did you mean "openai"?'],
  ])('%j', async (args, message) => {
    const { code, out, err } = await jury(args, { input: 'User: Where?\nSystem: Here.' });
    expect({ code, out }).toEqual({ code: 64, out: '' });
    expect(err).toContain(message);
  });

  test('of a model that the endpoint does not know', async () => {
    const double = await startModelDouble({ answer: () => ({ status: 404, error: 'no such model' }) });
    const { code, err } = await jury(['judge', '-m', 'openai/gpt-4o-mni'], {
      input: 'User: Where?\nSystem: Here.',
      env: { OPENAI_BASE_URL: double.baseUrl },
    });
    await double.close();
    expect(code).toBe(69);
    expect(err).toContain('Did you mean "openai/gpt-4o-mini"?');
  });

  test('nothing is made up', async () => {
    const { err } = await jury(['judge', '-r', 'zzz'], { input: 'User: Where?\nSystem: Here.' });
    expect(err).not.toContain('Did you mean');
  });
});

describe('lists', () => {
  test.each([
    ['rubrics', 'navigation', '.yaml'],
    ['methods', 'mab', '.yaml'],
    ['personas', 'auditor', '.md'],
  ])('jury %s %s prints the file as it is', async (kind, id, ending) => {
    const { code, out } = await jury([kind, id]);
    expect(code).toBe(0);
    expect(out).toBe(readFileSync(join(prompts, kind, `${id}${ending}`), 'utf8'));
  });

  test.each(['navigation', 'mine'])('a template can be written to the own folder, as %s', async (name) => {
    const own = scratch();
    mkdirSync(join(own, 'rubrics'));
    writeFileSync(join(own, 'rubrics', `${name}.yaml`), '');
    const { code, out } = await jury(['rubrics', 'navigation'], { env: { JURY_PROMPTS_DIR: own } });
    expect(code).toBe(0);
    expect(out).toBe(readFileSync(join(prompts, 'rubrics', 'navigation.yaml'), 'utf8'));
  });

  test.each(['rubrics', 'methods', 'personas', 'models', 'digest benchmarks', 'bench published'])(
    'jury %s --json prints one object a line',
    async (list) => {
      const { code, out } = await jury([...list.split(' '), '--json']);
      expect(code).toBe(0);
      const items = out
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line));
      expect(items.length).toBeGreaterThan(0);
      for (const item of items) expect(item.id ?? item.table).toEqual(expect.any(String));
    },
  );
});
