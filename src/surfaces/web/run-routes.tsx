import type { Router } from 'express';
import * as z from 'zod';
import { readCaseDetails } from '../../benchmark/case-details.ts';
import { showInvisible } from '../safe-text.ts';
import { visitor } from './access.ts';
import type { PageContext } from './context.ts';
import { pageHtml } from './layout.tsx';
import { hasCharts } from './report/charts.tsx';
import { RunReport } from './report/run-report.tsx';
import { refuse, saying } from './routes.ts';
import { runFor, runsFor } from './runs.ts';
import { RunsPage } from './runs-page.tsx';

const GONE = 'There is no such run, or you may not see it.';
const Row = z.coerce.number().int().min(0);

/** Runs: the list, one of them, and its cases. */
export function registerRuns(own: Router, context: PageContext): void {
  const { runs } = context;

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
      if (manifest === null) return refuse(response, 404, GONE);
      const { report, matrix } = await runs.read(manifest.name);
      const url = `/ui/runs/${manifest.name}/cases/`;
      const children = <RunReport report={report} matrix={matrix} url={url} published={false} />;
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
      const details = await readCaseDetails(await runs.store(), manifest.name, place);
      response.type('json').send(showInvisible(JSON.stringify(details)));
    }),
  );
}
