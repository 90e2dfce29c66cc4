import { findStudy } from '../../studies/manage-studies.ts';
import { studyReport } from '../../studies/study-report.ts';
import type { Parts } from '../parts.ts';
import { type ExitCode, exitCode, type Terminal } from './console.ts';
import { jsonLine } from './plain-text.ts';
import { studyReportText } from './study-report-text.ts';

/** `jury study report`. */
export async function reportStudyCommand(
  parts: Parts,
  { out, screen }: Terminal,
  id: string,
  json: boolean,
): Promise<ExitCode> {
  const store = await parts.store();
  const study = await findStudy(store, id);
  const report = studyReport(study, await store.annotations(id));
  out(json ? jsonLine(report) : studyReportText(screen, report));
  return exitCode.ok;
}
