import { readFileSync, statSync } from 'node:fs';
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

/** Where the build keeps what V8 compiled: it is good for one version on one kind of processor. */
export const compiledFile = (folder: string): string =>
  join(folder, `program-${process.version}-${process.arch}.compiled`);

/** V8 itself compares no more of the program than its length; one that was changed since is the newer file. */
function readCompiled(folder: string, program: string): Buffer | undefined {
  const kept = compiledFile(folder);
  try {
    return statSync(kept).mtimeMs >= statSync(program).mtimeMs ? readFileSync(kept) : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Reads the program from the folder it was built into, with the code that V8 compiled at build time. Where that is of another
 * version or processor, or older than the program, or V8 runs under other flags, everything is compiled anew: the same, only slower.
 */
export function compileProgram(folder: string): Program {
  // Before anything is compiled: V8 takes kept code only under the flags that it was compiled with. Later versions have no such flag.
  if (process.version.startsWith('v20.')) setFlagsFromString(INTERRUPT_BUDGET);
  const filename = join(folder, 'program.cjs');
  // The build writes ASCII alone, which is read fastest as what it is.
  const script = new Script(readFileSync(filename, 'latin1'), {
    filename,
    cachedData: readCompiled(folder, filename),
  });
  return {
    run: () => script.runInThisContext()(createRequire(filename), filename, dirname(filename)),
    compiled: () => script.createCachedData(),
    isCompiled: script.cachedDataRejected === false,
  };
}
