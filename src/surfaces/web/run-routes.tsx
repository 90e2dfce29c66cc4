import type { Request, Response, Router } from 'express';
import * as z from 'zod';
import { belongs, benchmarkIds } from '../../benchmark/benchmark-definition.ts';
import { readCaseDetails, readComparedCase, titled } from '../../benchmark/case-details.ts';
import { plannedTrials, type RunManifest, RunName, subjectOf } from '../../benchmark/run.ts';
import { JuryError } from '../../common/errors.ts';
import { visibleVerdict } from '../../labels/visible-verdict.ts';
import { readSide } from '../run-reports.ts';
import { showInvisible } from '../safe-text.ts';
import { visitor } from './access.ts';
import { type PageContext, viewerOf } from './context.ts';
import { LOCAL_USER } from './ids.ts';
import { refuse, saying, sendPage } from './page.tsx';
import { hasCharts } from './report/charts.tsx';
import { ComparisonReport } from './report/comparison-report.tsx';
import { RunReport } from './report/run-report.tsx';
import type { RunSummary } from './run-shelf.ts';
import { CompareRun, CompareSetups, RunsPage } from './runs-page.tsx';

/** How long a list of runs takes for scores that are not known yet, ms; the others come later. */
const PATIENCE_MS = 1_500;

const isLocal = (request: Request): boolean => visitor(request).user === LOCAL_USER;

/** The runs as the visitor reads them: a person on the machine itself reads also copies of cases whose verdict is gone. */
export const runsOf = ({ runs }: PageContext, request: Request): PageContext['runs']['whole'] =>
  isLocal(request) ? runs.whole : runs.withoutGone;

/**
 * Whether a visitor may see a run. Runs are for everyone who may use the console, but copies of chats' cases only for those who may see
 * the verdicts that they were copied from; a person on the machine itself sees all. Where such a verdict is gone, no one else reads
 * its case, and it hides no run.
 */
async function maySee(context: PageContext, request: Request, run: RunManifest): Promise<boolean> {
  if (isLocal(request)) return true;
  const viewer = viewerOf(context, request);
  const { ids, gone } = await context.runs.copies(run);
  for (const id of ids) {
    if (gone.has(id)) continue;
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
  const manifest = known === undefined ? null : await (await context.runs.whole.store()).readRun(known);
  return manifest !== null && (await maySee(context, request, manifest)) ? manifest : null;
}

/** Names of the runs that the visitor may see, the newest first. */
async function runNamesFor(context: PageContext, request: Request): Promise<string[]> {
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

const GONE = 'There is no such run, or you may not see it.';
/** What a run is compared with: `NAME` or `NAME:CONFIGURATION`, and which of its own configurations. */
const Query = z.object({ against: z.string().default(''), of: z.string().default('') });
const Row = z.coerce.number().int().min(0);

/** Runs: the list, one of them, and its cases. */
export function registerRuns(own: Router, context: PageContext): void {
  const { texts } = context;

  /** What the visitor may see compared; null if one of the runs is not there for them. */
  async function comparisonFor(request: Request, name: string, against: string, of: string) {
    const first = readSide(against);
    const second = { run: name, setup: of === '' ? null : of };
    if ((await runFor(context, request, first.run)) === null) return null;
    return runsOf(context, request).compare(first, second);
  }

  /** Both runs' configurations to choose from, where there is nothing to compare without a choice. */
  async function choice(request: Request, response: Response, name: string, against: string, why: string) {
    const { run: before, setup } = readSide(against);
    const setupsOf = async (run: string) =>
      (await runsOf(context, request).read(run)).report.setups.map(({ id }) => id);
    const [first, second] = [await setupsOf(before), await setupsOf(name)];
    const isApart = setup === null && !first.some((id) => second.includes(id));
    const said = isApart ? 'These runs share no configuration: choose one of each.' : why;
    const children = (
      <CompareSetups why={said} before={{ name: before, setups: first }} after={{ name, setups: second }} />
    );
    sendPage(request, response.status(422), { title: 'Compare', at: '/runs', children });
  }

  async function compared(request: Request, response: Response, name: string, against: string) {
    const { of } = Query.parse(request.query);
    const found = await comparisonFor(request, name, against, of).catch((thrown) => {
      if (thrown instanceof JuryError && thrown.code === 'usage') return thrown.message;
      throw thrown;
    });
    if (typeof found === 'string') return choice(request, response, name, against, found);
    if (found === null) return refuse(request, response, 404, GONE);
    const query = new URLSearchParams({ against, of });
    const children = <ComparisonReport {...found} url={`/ui/runs/${name}/cases/{row}?${query}`} />;
    const title = `${name} against ${against}`;
    sendPage(request, response, { title, at: '/runs', scripts: ['console', 'report'], children });
  }

  own.get(
    '/runs',
    saying(async (request, response) => {
      const children = <RunsPage runs={await runsFor(context, request)} />;
      sendPage(request, response, { title: 'Runs', at: '/runs', children });
    }),
  );
  own.get(
    '/runs/:name',
    saying(async (request, response) => {
      const manifest = await runFor(context, request, request.params.name);
      if (manifest === null) return refuse(request, response, 404, GONE);
      const { against, of } = Query.parse(request.query);
      const other = of === '' ? await runFor(context, request, against) : null;
      // What is chosen on an older run's page: what changed reads from the older to the newer one.
      if (other !== null && other.createdAt > manifest.createdAt)
        return response.redirect(`/runs/${other.name}?against=${manifest.name}`);
      if (against !== '') return compared(request, response, manifest.name, against);
      const { report, matrix } = await runsOf(context, request).read(manifest.name);
      const url = `/ui/runs/${manifest.name}/cases/{row}`;
      const others = (await runNamesFor(context, request)).filter((name) => name !== manifest.name);
      const children = (
        <RunReport report={report} matrix={matrix} url={url} published={false}>
          <CompareRun name={manifest.name} others={others} />
        </RunReport>
      );
      const scripts = ['console', 'report', ...(hasCharts(report) ? (['charts'] as const) : [])] as const;
      sendPage(request, response, { title: manifest.name, at: '/runs', scripts, children });
    }),
  );
  own.get(
    '/ui/runs/:name/cases/:row',
    saying(async (request, response) => {
      const manifest = await runFor(context, request, request.params.name);
      const place = Row.safeParse(request.params.row).data;
      if (manifest === null || place === undefined || place >= manifest.dataset.cases)
        return refuse(request, response, 404, GONE);
      const { against, of } = Query.parse(request.query);
      const found = against === '' ? null : await comparisonFor(request, manifest.name, against, of);
      const before = found?.cases.before.get(place);
      if (against !== '' && before === undefined) return refuse(request, response, 404, GONE);
      const store = await runsOf(context, request).store();
      const details =
        found === null || before === undefined
          ? await readCaseDetails(store, manifest.name, place)
          : await readComparedCase(store, found.comparison, { before, after: place });
      const trials = details.trials.map((trial) => titled(trial, texts));
      response.type('json').send(showInvisible(JSON.stringify({ ...details, trials })));
    }),
  );
}
