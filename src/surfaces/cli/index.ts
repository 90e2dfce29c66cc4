/**
 * The command line: one module a command. Commands parse, call and print; the work is done in the rooms above. Start reading:
 * `program.ts`.
 */
export { explainFailure, runProgram } from './program.ts';
