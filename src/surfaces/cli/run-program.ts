import { CommanderError } from 'commander';
import { JuryError, messageOf } from '../../common/errors.ts';
import type { ProgramContext } from './command-context.ts';
import { createProgram } from './program.ts';
import { type ExitCode, exitCode } from './terminal.ts';

/**
 * Runs one command to its end.
 * @param args the command and its options, without the names of the program and its interpreter
 * @returns what its end means to the shell; whatever went wrong was said on standard error
 */
export async function runProgram(args: readonly string[], context: ProgramContext): Promise<ExitCode> {
  let code: ExitCode = exitCode.ok;
  try {
    const program = await createProgram(args, context, (ended) => {
      code = ended;
    });
    await program.parseAsync(args, { from: 'user' });
    return code;
  } catch (thrown) {
    return explainFailure(thrown, context);
  }
}

/** Says what went wrong, with a stack trace only where the program itself is at fault. */
export function explainFailure(
  thrown: unknown,
  { terminal, stop }: Pick<ProgramContext, 'terminal' | 'stop'>,
): ExitCode {
  // Commander has printed its message already; asking for help or the version is no failure.
  if (thrown instanceof CommanderError) return thrown.exitCode === 0 ? exitCode.ok : exitCode.usage;
  if (stop.aborted && thrown instanceof Error && thrown.name === 'AbortError') return exitCode.interrupted;
  const known = thrown instanceof JuryError && thrown.code !== 'internal';
  terminal.err(known ? thrown.message : `Internal error, please report it: ${messageOf(thrown)}`);
  if (!known && thrown instanceof Error && thrown.stack !== undefined) terminal.err(thrown.stack);
  return known ? exitCode.usage : exitCode.internal;
}
