import type { Request } from 'express';
import { belongs, benchmarkIds } from '../../benchmark/benchmark-definition.ts';
import { plannedTrials, type RunManifest, RunName, subjectOf } from '../../benchmark/run.ts';
import { visibleVerdict } from '../../labels/visible-verdict.ts';
import { visitor } from './access.ts';
import { type PageContext, viewerOf } from './context.ts';
import { LOCAL_USER } from './ids.ts';
import type { RunSummary } from './run-shelf.ts';

/** How long a list of runs takes for scores that are not known yet, ms; the others come later. */
const PATIENCE_MS = 1_500;

/**
 * Whether a visitor may see a run. Runs are for everyone who may use the console, but copies of chats' cases only for those who may see
 * the verdicts that they were copied from; a person on the machine itself sees all.
 */
async function maySee(context: PageContext, request: Request, run: RunManifest): Promise<boolean> {
  if (visitor(request).user === LOCAL_USER) return true;
  const viewer = viewerOf(context, request);
  for (const id of await context.runs.copies(run)) {
    const visible = await visibleVerdict(context.store, id, viewer, context.now());
    if (visible === null || visible.kind === 'hidden') return false;
  }
  return true;
}

/** A run, if there is one that the visitor may see. */
export async function runFor(
  context: PageContext,
  request: Request,
  name: unknown,
): Promise<RunManifest | null> {
  const known = RunName.safeParse(name).data;
  const manifest = known === undefined ? null : await (await context.runs.store()).readRun(known);
  return manifest !== null && (await maySee(context, request, manifest)) ? manifest : null;
}

/** Names of the runs that the visitor may see, the newest first. */
export async function runNamesFor(context: PageContext, request: Request): Promise<string[]> {
  const names: string[] = [];
  for (const { manifest } of await context.runs.list())
    if (await maySee(context, request, manifest)) names.push(manifest.name);
  return names;
}

/** The runs that the visitor may see, the newest first, with what each came to. */
export async function runsFor(context: PageContext, request: Request): Promise<RunSummary[]> {
  const { env, now, runs } = context;
  const deadline = now() + PATIENCE_MS;
  const defined = benchmarkIds(env.promptFolders);
  const found: RunSummary[] = [];
  for (const run of await runs.list()) {
    const { manifest, totals } = run;
    if (!(await maySee(context, request, manifest))) continue;
    const { name, createdAt, dataset, configurations } = manifest;
    found.push({
      id: name,
      benchmark: defined.find((id) => belongs(id, name, defined)) ?? null,
      createdAt,
      subject: subjectOf(manifest),
      source: dataset.source,
      cases: dataset.cases,
      configurations: configurations.filter(({ repeat }) => repeat === 1).length,
      trials: totals.trials,
      planned: plannedTrials(manifest),
      score: await runs.score(run, deadline),
    });
  }
  return found;
}
