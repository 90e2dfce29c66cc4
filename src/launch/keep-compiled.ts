import { writeFileSync } from 'node:fs';
import { compiledFile, compileProgram } from './compile-program.ts';

/**
 * Run by the build, in a process of its own: runs the program by `process.argv` and the environment, and keeps what V8 compiled
 * for that.
 */
const folder = import.meta.dirname;
const program = compileProgram(folder);
process.on('exit', (code) => {
  if (code === 0) writeFileSync(compiledFile(folder), program.compiled(), { flush: true });
});
program.run();
