/**
 * What a command is given: the terminal, its options, its output, the layout of tables. It knows no single command. Start reading:
 * `command-context.ts`.
 */
export {
  type CommandAction,
  type CommandContext,
  codeOfEnd,
  type ExitCode,
  exitCode,
  type JsonFlag,
  openTerminal,
  type ProgramContext,
  type Screen,
  type Terminal,
  withContext,
} from './command-context.ts';
export {
  type Column,
  cut,
  hang,
  list,
  padded,
  tableOf,
  textTable,
  titledTable,
  widthOf,
  wrap,
} from './layout.ts';
export {
  type Growing,
  makeOutputFolder,
  openBeside,
  openFile,
  openOutput,
  requireWritable,
  writeCases,
  writeOutput,
  writePieces,
} from './output-files.ts';
export { MARKS, painted, renderCard, renderDigest, renderList } from './render-card.ts';
