import { createHash } from 'node:crypto';
import { type Build, type BuildCase, brokenBy, type CasePlace, wrongIn } from './build.ts';
import { caseLine, headlineOf } from './build-words.ts';

/** A finding in the form that GitLab reads, the one of Code Climate. */
interface Finding {
  description: string;
  check_name: string;
  /** The same from run to run, so that GitLab knows what is new. */
  fingerprint: string;
  severity: 'info' | 'minor' | 'major' | 'critical';
  location: { path: string; lines: { begin: number } };
}

const fingerprint = (...parts: readonly string[]): string =>
  createHash('sha256').update(JSON.stringify(parts)).digest('hex');

const locationOf = (place: CasePlace | null, dataset: string): Finding['location'] => ({
  path: place?.file ?? dataset,
  lines: { begin: place?.line ?? 1 },
});

/**
 * A build as GitLab's code quality report: every case that is wrong, those that broke the build as major. GitLab compares it with the
 * target branch's and shows what is new.
 * @param dataset the file to name where a case's own is not known
 */
export function codeQualityFile(build: Build, dataset: string): string {
  const { series } = build;
  if (build.unfinished !== null)
    return JSON.stringify([
      {
        description: headlineOf(build),
        check_name: 'jury/unfinished',
        fingerprint: fingerprint(series, 'unfinished'),
        severity: 'critical',
        location: locationOf(null, dataset),
      } satisfies Finding,
    ]);
  const broken = new Set(brokenBy(build));
  const finding = (one: BuildCase): Finding => ({
    description: caseLine(build, one),
    check_name: `jury/${one.turn.replaceAll(' ', '-')}`,
    fingerprint: fingerprint(series, one.setup, one.caseId),
    severity: broken.has(one) ? 'major' : 'minor',
    location: locationOf(build.placeOf(one), dataset),
  });
  return JSON.stringify(wrongIn(build).map(finding), null, 2);
}
