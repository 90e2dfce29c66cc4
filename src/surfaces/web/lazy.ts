/** The heavy parts of this room: modules that a command loads when it needs them. Importing this file loads none of them. */
export const loadReportFile = () => import('./report/report-file.tsx');
export const loadPrepare = () => import('./report/prepare.tsx');
export const loadOpenConsole = () => import('./open-console.ts');
export const loadRunSummaries = () => import('./run-summaries.ts');
