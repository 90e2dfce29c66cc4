import { readFileSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { Script } from 'node:vm';
import { setForOneCommand } from './v8-settings.ts';

/**
 * What nearly every command loads of Node itself. It comes compiled with Node, and V8 takes that, too, only under the flags that it was
 * compiled with: before they are set.
 */
const COMMON = [
  'node:child_process',
  'node:crypto',
  'node:fs/promises',
  'node:http',
  'node:os',
  'node:perf_hooks',
  'node:timers/promises',
];

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
  const filename = join(folder, 'program.cjs');
  const require = createRequire(filename);
  for (const name of COMMON) require(name);
  setForOneCommand();
  // The build writes ASCII alone, which is read fastest as what it is.
  const script = new Script(readFileSync(filename, 'latin1'), {
    filename,
    cachedData: readCompiled(folder, filename),
  });
  return {
    run: () => script.runInThisContext()(require, filename, dirname(filename)),
    compiled: () => script.createCachedData(),
    isCompiled: script.cachedDataRejected === false,
  };
}
