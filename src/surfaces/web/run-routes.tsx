import type { Request, Response, Router } from 'express';
import * as z from 'zod';
import { readCaseDetails, readComparedCase, titled } from '../../benchmark/case-details.ts';
import { readSide } from '../run-reports.ts';
import { showInvisible } from '../safe-text.ts';
import { visitor } from './access.ts';
import type { PageContext } from './context.ts';
import { pageHtml, refusePage } from './layout.tsx';
import { hasCharts } from './report/charts.tsx';
import { ComparisonReport } from './report/comparison-report.tsx';
import { RunReport } from './report/run-report.tsx';
import { refuse, saying } from './routes.ts';
import { runFor, runNamesFor, runsFor } from './runs.ts';
import { CompareForm, RunsPage } from './runs-page.tsx';

const GONE = 'There is no such run, or you may not see it.';
/** What a run is compared with: `NAME` or `NAME:CONFIGURATION`, and which of its own configurations. */
const Query = z.object({ against: z.string().default(''), of: z.string().default('') });
const Row = z.coerce.number().int().min(0);

/** Runs: the list, one of them, and its cases. */
export function registerRuns(own: Router, context: PageContext): void {
  const { runs, texts } = context;

  /** What the visitor may see compared; null if one of the runs is not there for them. */
  async function comparisonFor(request: Request, name: string, against: string, of: string) {
    const first = readSide(against);
    const second = { run: name, setup: of === '' ? null : of };
    if ((await runFor(context, request, first.run)) === null) return null;
    return runs.compare(first, second);
  }

  async function compared(request: Request, response: Response, name: string, against: string) {
    const { of } = Query.parse(request.query);
    const found = await comparisonFor(request, name, against, of);
    if (found === null) return refusePage(response, '/runs', visitor(request), GONE);
    const query = new URLSearchParams({ against, of });
    const children = <ComparisonReport {...found} url={`/ui/runs/${name}/cases/{row}?${query}`} />;
    const who = visitor(request);
    const title = `${name} against ${against}`;
    const page = pageHtml({ title, at: '/runs', who, scripts: ['report'], children });
    response.type('html').send(showInvisible(page));
  }

  own.get(
    '/runs',
    saying(async (request, response) => {
      const children = <RunsPage runs={await runsFor(context, request)} />;
      const who = visitor(request);
      response.type('html').send(showInvisible(pageHtml({ title: 'Runs', at: '/runs', who, children })));
    }),
  );
  own.get(
    '/runs/:name',
    saying(async (request, response) => {
      const manifest = await runFor(context, request, request.params.name);
      if (manifest === null) return refusePage(response, '/runs', visitor(request), GONE);
      const { against, of } = Query.parse(request.query);
      const other = of === '' ? await runFor(context, request, against) : null;
      // What is chosen on an older run's page: what changed reads from the older to the newer one.
      if (other !== null && other.createdAt > manifest.createdAt)
        return response.redirect(`/runs/${other.name}?against=${manifest.name}`);
      if (against !== '') return compared(request, response, manifest.name, against);
      const { report, matrix } = await runs.read(manifest.name);
      const url = `/ui/runs/${manifest.name}/cases/{row}`;
      const others = (await runNamesFor(context, request)).filter((name) => name !== manifest.name);
      const children = (
        <RunReport report={report} matrix={matrix} url={url} published={false}>
          <CompareForm name={manifest.name} others={others} />
        </RunReport>
      );
      const page = pageHtml({
        title: manifest.name,
        at: '/runs',
        who: visitor(request),
        scripts: hasCharts(report) ? ['report', 'charts'] : ['report'],
        children,
      });
      response.type('html').send(showInvisible(page));
    }),
  );
  own.get(
    '/ui/runs/:name/cases/:row',
    saying(async (request, response) => {
      const manifest = await runFor(context, request, request.params.name);
      const place = Row.safeParse(request.params.row).data;
      if (manifest === null || place === undefined || place >= manifest.dataset.cases)
        return refuse(response, 404, GONE);
      const { against, of } = Query.parse(request.query);
      const found = against === '' ? null : await comparisonFor(request, manifest.name, against, of);
      const before = found?.cases.before.get(place);
      if (against !== '' && before === undefined) return refuse(response, 404, GONE);
      const store = await runs.store();
      const details =
        found === null || before === undefined
          ? await readCaseDetails(store, manifest.name, place)
          : await readComparedCase(store, found.comparison, { before, after: place });
      const trials = details.trials.map((trial) => titled(trial, texts));
      response.type('json').send(showInvisible(JSON.stringify({ ...details, trials })));
    }),
  );
}
