const DAY = String.raw`20\d\d(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])`;
const TIME = String.raw`(?:[01]\d|2[0-3])[0-5]\d`;
const DASHED_DAY = String.raw`20\d\d-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])`;
/** When a run was made, at the end of its name: a day, a day and a time, or the slot of a schedule. Nothing else is taken for a moment. */
const MOMENT = new RegExp(`-(?:${DAY}(?:-${TIME})?|${DASHED_DAY}|${DAY}T${TIME}[0-5]\\dZ)$`);

/** The series that a name stands for: `nightly-2026-11-21` is a run of `nightly`, `nightly-fr` is not. */
export const seriesOfName = (name: string): string => name.replace(MOMENT, '');

/** A source's first file, without folders and extensions, reduced to the characters that run names allow. */
export function nameOfSource(source: string): string {
  const base = (source.split(/[,\s]/)[0] ?? '').split(/[/\\]/).at(-1) ?? '';
  const safe = base
    .replace(/\..*$/, '')
    .replaceAll(/[^A-Za-z0-9._-]+/g, '-')
    .replace(/^[^A-Za-z0-9]+/, '');
  return safe.slice(0, 60) || 'run';
}

/** The name of a run that was given none. @param identity hash of what is compared */
export const unnamedRun = (source: string, identity: string): string =>
  `${nameOfSource(source)}-${identity.slice(0, 8)}`;

/** Whether a name is one that a run gets if it was given none. */
function isUnnamed(name: string, source: string): boolean {
  const start = `${nameOfSource(source)}-`;
  return name.startsWith(start) && /^[0-9a-f]{8}$/.test(name.slice(start.length));
}

/** What a run's series follows from. */
interface NamedRun {
  /** Absent in older runs. */
  series?: string | undefined;
  name: string;
  dataset: { source: string };
}

/**
 * The series that a run belongs to: runs of one series are compared with each other over time, and no others. Older runs don't record it;
 * theirs follows from the name.
 */
export function seriesOf({ series, name, dataset }: NamedRun): string {
  if (series !== undefined) return series;
  return isUnnamed(name, dataset.source) ? nameOfSource(dataset.source) : seriesOfName(name);
}
