import { spawnSync } from 'node:child_process';
import { copyFileSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { load } from 'js-yaml';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { newFolder } from './support/resources.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const read = (path: string): string => readFileSync(join(root, path), 'utf8');

const workflows = readdirSync(join(root, '.github/workflows')).map((name) => `.github/workflows/${name}`);
const Step = z.looseObject({ name: z.string().optional(), run: z.string().optional() });
const { jobs } = z
  .object({ jobs: z.record(z.string(), z.object({ steps: z.array(Step) })) })
  .parse(load(read('.github/workflows/release.yml')));
const { version } = z.object({ version: z.string() }).parse(JSON.parse(read('package.json')));

/** What a step of the release runs. */
const commandOf = (job: string, name: string): string =>
  jobs[job]?.steps.find((step) => step.name === name)?.run ?? '';

test.each([...workflows, 'action.yml', 'examples/ci-gate/github-actions.yml'])(
  '%s uses actions by their commits, with the version beside them',
  (path) => {
    const used = [...read(path).matchAll(/^[ -]*uses: (?!YOUR-)(.+)$/gm)].map(([, one = '']) => one);
    expect(used.length).toBeGreaterThan(0);
    expect(used.filter((one) => !/^[\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(one))).toEqual([]);
  },
);

/** Runs the first check of a release on a tag and a changelog. */
function check(tag: string, changelog = read('CHANGELOG.md')) {
  const folder = newFolder();
  copyFileSync(join(root, 'package.json'), join(folder, 'package.json'));
  writeFileSync(join(folder, 'CHANGELOG.md'), changelog);
  const command = commandOf('notes', 'The tag is the version, and the changelog has it');
  const { status, stdout } = spawnSync('bash', ['-ec', command], {
    cwd: folder,
    env: { PATH: process.env.PATH, GITHUB_REF_NAME: tag },
    encoding: 'utf8',
  });
  return { status, stdout, notes: () => readFileSync(join(folder, 'notes.md'), 'utf8') };
}

test('the notes of a release are its section of the changelog', () => {
  const changelog = `# Changelog\n\n## [9.9.9] (later)\n\nNot yet.\n\n## [${version}] (today)\n\n- New.\n\n## [0.0.1]\n\n- Old.\n`;
  const { status, notes } = check(`v${version}`, changelog);
  expect(status).toBe(0);
  expect(notes().trim()).toBe('- New.');
  expect(check(`v${version}`).status).toBe(0);
});

test('a tag that is not the version is no release, nor is one that the changelog does not have', () => {
  expect(check('v9.9.9')).toMatchObject({ status: 1, stdout: expect.stringContaining(`says ${version}`) });
  expect(check(`v${version}`, '# Changelog\n')).toMatchObject({
    status: 1,
    stdout: expect.stringContaining('There is no section'),
  });
});

test('the package names the repository that it is built in, as npm wants it for provenance', () => {
  const folder = newFolder();
  copyFileSync(join(root, 'package.json'), join(folder, 'package.json'));
  const [command = ''] = /^npm pkg set .*$/m.exec(commandOf('package', 'Build the package')) ?? [];
  const { status } = spawnSync('bash', ['-ec', command], {
    cwd: folder,
    env: {
      PATH: process.env.PATH,
      HOME: folder,
      GITHUB_SERVER_URL: 'https://github.com',
      GITHUB_REPOSITORY: 'Acme/jury',
    },
  });
  expect(status).toBe(0);
  const packed = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  expect(packed).toEqual({
    ...JSON.parse(read('package.json')),
    repository: { type: 'git', url: 'git+https://github.com/Acme/jury.git' },
  });
});

test('the image is named in small letters, whatever the repository is called', () => {
  const folder = newFolder();
  const { status } = spawnSync(
    'bash',
    ['-ec', commandOf('image', 'The name of the image, which has no capital letters')],
    {
      env: { PATH: process.env.PATH, GITHUB_REPOSITORY: 'Acme/Jury', GITHUB_ENV: join(folder, 'env') },
    },
  );
  expect(status).toBe(0);
  expect(readFileSync(join(folder, 'env'), 'utf8')).toBe('IMAGE=ghcr.io/acme/jury\n');
});

test('the action installs packages that run nothing and see no key', () => {
  const { runs } = z.object({ runs: z.object({ steps: z.array(Step) }) }).parse(load(read('action.yml')));
  const install = runs.steps.find(({ run }) => run?.includes('npm ci'))?.run ?? '';
  expect(install).toContain('npm ci --ignore-scripts');
  const printing = install.replace(/sh -c '.*'/, 'env');
  const { stdout } = spawnSync('bash', ['-ec', printing], {
    env: { PATH: process.env.PATH, HOME: '/', HTTPS_PROXY: 'http://proxy:3128', OPENAI_API_KEY: 'a-key' },
    encoding: 'utf8',
  });
  expect(stdout).toContain('HTTPS_PROXY=http://proxy:3128');
  expect(stdout).not.toContain('a-key');
});
