import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { Script } from 'node:vm';

/**
 * How much of a function runs before V8 optimizes it, in bytes of its code: 4.5 times as much as usual. A command that mostly waits
 * for models or ends after seconds spends more on optimizing than that saves (`npm run bench:overhead`).
 */
const INTERRUPT_BUDGET = '--interrupt-budget=600000';

/** The built program. */
interface Program {
  /** Runs it, by `process.argv`. */
  run: () => void;
  /** What V8 has compiled of it until now, for `compiledFile`. */
  compiled: () => Buffer;
  /** Whether V8 took what is kept. */
  isCompiled: boolean;
}

/** Where the build keeps what V8 compiled. */
export const compiledFile = (folder: string): string => join(folder, 'program.compiled');

function readCompiled(folder: string): Buffer | undefined {
  try {
    return readFileSync(compiledFile(folder));
  } catch {
    return undefined;
  }
}

/**
 * Reads the program from the folder it was built into, with the code that V8 compiled at build time. Another version of
 * V8, or other flags, do not take that code and compile the program anew: the same, only slower.
 */
export function compileProgram(folder: string): Program {
  // Before anything is compiled: V8 takes kept code only under the flags that it was compiled with.
  setFlagsFromString(INTERRUPT_BUDGET);
  const filename = join(folder, 'program.cjs');
  // The build writes ASCII alone, which is read fastest as what it is.
  const script = new Script(readFileSync(filename, 'latin1'), {
    filename,
    cachedData: readCompiled(folder),
  });
  return {
    run: () => script.runInThisContext()(createRequire(filename), filename, dirname(filename)),
    compiled: () => script.createCachedData(),
    isCompiled: script.cachedDataRejected === false,
  };
}
