/**
 * Judgements made elsewhere, by models or people, read from tables and kept as a run. It asks no judge. Start reading:
 * `import-run.ts`.
 */
export { importRun, keepImported } from './import-run.ts';
