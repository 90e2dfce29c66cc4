import { mkdtempSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { preparedModule } from './src/prompting/read-library.ts';
import { shares } from './test/support/counts.ts';

/** The built-in prompts, read once as by the build and not by each service that a test starts. */
const preparedPrompts = {
  name: 'prepared-prompts',
  load: (id: string) => {
    if (!id.endsWith('/src/prompting/prepared.ts')) return null;
    const { source, files } = preparedModule('prompts');
    const folder = mkdtempSync(join(tmpdir(), 'jury-prompts-'));
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
    return source.replaceAll('import.meta.url', JSON.stringify(pathToFileURL(`${folder}/`).href));
  },
};

const waits = ({ moduleId }: TestSpecification): boolean =>
  /\/(?:surfaces\/(?:slack|teams|web)|chaos|digests)\//.test(moduleId);

/** Files that mostly wait, for a chat or for a process, come first: at the end nothing else could run meanwhile. */
class WaitingFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    return [...sorted.filter(waits), ...sorted.filter((file) => !waits(file))];
  }
}

export const base = defineConfig({
  plugins: [preparedPrompts],
  test: {
    globalSetup: ['test/support/temp-folder.ts', 'test/support/build.ts', 'test/support/redis-setup.ts'],
    // Files share what they import: importing it anew for each takes longer than the tests.
    isolate: false,
    sequence: { sequencer: WaitingFirst },
    // What ends a test that waits in vain: far above what a slow and busy machine needs.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    expect: { poll: { timeout: 600_000 } },
    // One more than there are cores, for tests that wait for a server or a process. More would cost more: each imports the whole program.
    maxWorkers: availableParallelism() + 1,
    provide: { share: shares.test },
  },
});

/** `npm test`: everything but what kills, floods, opens a browser or takes minutes. */
export default defineConfig({
  ...base,
  test: {
    ...base.test,
    include: ['test/**/*.test.ts'],
    exclude: ['test/**/*.chaos.test.ts'],
  },
});
