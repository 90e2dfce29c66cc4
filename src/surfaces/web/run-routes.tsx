import type { Request, Response, Router } from 'express';
import * as z from 'zod';
import { groupedBy, JuryError } from '../../common/index.ts';
import { counted, grouped, minuteText } from '../../common/text/index.ts';
import { fixed, percent, percentRange, rangeText } from '../../reports/estimates/index.ts';
import { readCaseDetails, readComparedCase, titled } from '../../reports/index.ts';
import { NAMES_NOTE } from '../../reports/metrics/index.ts';
import { drawnText, reviewedAnswersOf } from '../../reviews/index.ts';
import type { Choice } from '../forms/index.ts';
import { type RunScore, type RunSummary, readSide } from '../index.ts';
import { showInvisible } from '../wording/index.ts';
import { listedRunsFor, type PageContext, runFor, runsFor, runsOf } from './context.ts';
import { Select } from './form.tsx';
import { refuse, saying, sendPage } from './page.tsx';
import { hasCharts } from './report/charts.tsx';
import { ComparisonReport } from './report/comparison-report.tsx';
import { RunReport } from './report/run-report.tsx';

/** A result with the name of its measure: `F1 0.83 (0.69–0.92)`. */
function scoreText({ kind, measure, interval }: RunScore): string {
  switch (kind) {
    case 'f1':
      return `F1 ${fixed(measure, 2)} (${rangeText(interval, 2)})`;
    case 'pass-rate':
      return `${percent(measure)} pass (${percentRange(interval)})`;
    case 'mean-score':
      return `mean score ${fixed(measure, 2)} (${rangeText(interval, 2)})`;
  }
}

function Result({ run: { score, trials, planned } }: { run: RunSummary }) {
  return (
    <>
      {score === null ? (
        <span class="pale">{trials === 0 ? 'no trial yet' : 'reload for the result'}</span>
      ) : (
        <>
          <b>{scoreText(score)}</b>
          <small class="block">
            {percent(score.coverage)} decided · {score.configuration}
          </small>
        </>
      )}
      {trials < planned ? (
        <small class="block">
          not complete: {grouped(trials)} of {grouped(planned)} trials
        </small>
      ) : null}
    </>
  );
}

/** Runs of one benchmark, or of the same cases, newest first. */
const History = ({ title, runs }: { title: string; runs: readonly RunSummary[] }) => (
  <section>
    <h2>{title}</h2>
    <table>
      <thead>
        <tr>
          <th scope="col">Run</th>
          <th scope="col">Result (95 %)</th>
          <th scope="col">What was judged</th>
          <th scope="col">When (UTC)</th>
          <th scope="col">Compare</th>
        </tr>
      </thead>
      <tbody>
        {runs.map((run, at) => {
          const before = runs[at + 1];
          return (
            <tr key={run.id}>
              <td>
                <a href={`/runs/${run.id}`}>{run.id}</a>
              </td>
              <td>
                <Result run={run} />
              </td>
              <td>
                {counted(run.cases, 'case')} × {counted(run.configurations, 'configuration')}
              </td>
              <td class="nowrap">{minuteText(run.createdAt).replace(' UTC', '')}</td>
              <td>
                {before === undefined ? null : (
                  <a href={`/runs/${run.id}?against=${before.id}`}>
                    changes since the run before<span class="sr">, {before.id}</span>
                  </a>
                )}
              </td>
            </tr>
          );
        })}
      </tbody>
    </table>
  </section>
);

/** All runs, grouped by benchmark or, if they belong to none, by the source of their cases. */
function RunsPage({ runs }: { runs: readonly RunSummary[] }) {
  const histories = groupedBy(runs, ({ benchmark, source }) => benchmark ?? `Cases of ${source}`);
  return (
    <>
      <h1>Runs</h1>
      {runs.length === 0 ? (
        <p>
          There are no runs yet. <code>npx jury bench run cases.jsonl --name first</code> makes one.
        </p>
      ) : null}
      {runs.length === 0 ? null : <p class="pale">{NAMES_NOTE}</p>}
      {[...histories].map(([title, history]) => (
        <History key={title} title={title} runs={history} />
      ))}
    </>
  );
}

const sameTitle = (id: string) => ({ id, title: id });

/** A form to choose what a run is compared with. @param of the run's own configurations, if one has to be chosen; otherwise empty */
function CompareForm({
  name,
  label,
  against,
  of,
}: {
  name: string;
  label: string;
  against: readonly Choice[];
  of: readonly string[];
}) {
  return (
    <form class="how" method="get" action={`/runs/${name}`} aria-label="Compare">
      <Select name="against" label={label} choices={against} />
      {of.length === 0 ? null : <Select name="of" label={name} choices={of.map(sameTitle)} />}
      <button type="submit">Show what changed</button>
    </form>
  );
}

/** A form to choose another run to compare with. */
const CompareRun = ({ name, others }: { name: string; others: readonly string[] }) =>
  others.length === 0 ? null : (
    <CompareForm name={name} label="Compare with" against={others.map(sameTitle)} of={[]} />
  );

/** A run with the ids of its configurations. */
interface Side {
  name: string;
  setups: readonly string[];
}

/** A form to choose one configuration of each run. @param why says why the choice is needed */
const CompareSetups = ({ why, before, after }: { why: string; before: Side; after: Side }) => (
  <>
    <h1>
      {after.name} against {before.name}
    </h1>
    <p role="alert" class="pre">
      {why}
    </p>
    <CompareForm
      name={after.name}
      label={before.name}
      against={before.setups.map((title) => ({ id: `${before.name}:${title}`, title }))}
      of={after.setups}
    />
  </>
);

const GONE = 'There is no such run, or you may not see it.';
/** `against`: what the run is compared with, `NAME` or `NAME:CONFIGURATION`. `of`: which of its own configurations is compared. */
const Query = z.object({ against: z.string().default(''), of: z.string().default('') });
const Row = z.coerce.number().int().min(0);

/** Registers the routes of runs: the list, single runs and comparisons, and their cases. */
export function registerRuns(router: Router, context: PageContext): void {
  const { texts } = context;

  /** A comparison with another run; null if that run does not exist or the visitor may not see it. @throws JuryError `usage` */
  async function comparisonFor(request: Request, name: string, against: string, of: string) {
    const first = readSide(against);
    const second = { run: name, setup: of === '' ? null : of };
    if ((await runFor(context, request, first.run)) === null) return null;
    return runsOf(context, request).compare(first, second);
  }

  /** Sends the form to choose configurations, if the runs cannot be compared without a choice. */
  async function choice(request: Request, response: Response, name: string, against: string, why: string) {
    const { run: before, setup } = readSide(against);
    const setupsOf = async (run: string) =>
      (await runsOf(context, request).read(run)).report.setups.map(({ id }) => id);
    const [first, second] = [await setupsOf(before), await setupsOf(name)];
    const isApart = setup === null && !first.some((id) => second.includes(id));
    const problem = isApart ? 'These runs share no configuration: choose one of each.' : why;
    const children = (
      <CompareSetups
        why={problem}
        before={{ name: before, setups: first }}
        after={{ name, setups: second }}
      />
    );
    sendPage(request, response.status(422), { title: 'Compare', at: '/runs', children });
  }

  async function compared(request: Request, response: Response, name: string, against: string) {
    const { of } = Query.parse(request.query);
    const compared = await comparisonFor(request, name, against, of).catch((thrown) => {
      if (thrown instanceof JuryError && thrown.code === 'usage') return thrown.message;
      throw thrown;
    });
    if (typeof compared === 'string') return choice(request, response, name, against, compared);
    if (compared === null) return refuse(request, response, 404, GONE);
    const query = new URLSearchParams({ against, of });
    const children = <ComparisonReport {...compared} url={`/ui/runs/${name}/cases/{row}?${query}`} />;
    const title = `${name} against ${against}`;
    sendPage(request, response, { title, at: '/runs', scripts: ['console', 'report'], children });
  }

  router.get(
    '/runs',
    saying(async (request, response) => {
      const children = <RunsPage runs={await runsFor(context, request)} />;
      sendPage(request, response, { title: 'Runs', at: '/runs', children });
    }),
  );
  router.get(
    '/runs/:name',
    saying(async (request, response) => {
      const manifest = await runFor(context, request, request.params.name);
      if (manifest === null) return refuse(request, response, 404, GONE);
      const { against, of } = Query.parse(request.query);
      const otherRun = of === '' ? await runFor(context, request, against) : null;
      // Changes read from the older run to the newer one, whichever page the other run was chosen on.
      if (otherRun !== null && otherRun.createdAt > manifest.createdAt)
        return response.redirect(`/runs/${otherRun.name}?against=${manifest.name}`);
      if (against !== '') return compared(request, response, manifest.name, against);
      const { report, matrix } = await runsOf(context, request).read(manifest.name);
      const url = `/ui/runs/${manifest.name}/cases/{row}`;
      const others = (await listedRunsFor(context, request)).flatMap(({ manifest: { name } }) =>
        name === manifest.name ? [] : [name],
      );
      const reviewed = await reviewedAnswersOf(context.store, manifest, context.now());
      const drawn = reviewed === null ? null : `${drawnText(reviewed.design)}.`;
      const children = (
        <RunReport report={report} matrix={matrix} url={url} published={false} drawn={drawn}>
          <CompareRun name={manifest.name} others={others} />
        </RunReport>
      );
      const scripts = ['console', 'report', ...(hasCharts(report) ? (['charts'] as const) : [])] as const;
      sendPage(request, response, { title: manifest.name, at: '/runs', scripts, children });
    }),
  );
  router.get(
    '/ui/runs/:name/cases/:row',
    saying(async (request, response) => {
      const manifest = await runFor(context, request, request.params.name);
      const place = Row.safeParse(request.params.row).data;
      if (manifest === null || place === undefined || place >= manifest.dataset.cases)
        return refuse(request, response, 404, GONE);
      const { against, of } = Query.parse(request.query);
      const compared = against === '' ? null : await comparisonFor(request, manifest.name, against, of);
      const before = compared?.cases.before.get(place);
      if (against !== '' && before === undefined) return refuse(request, response, 404, GONE);
      const store = await runsOf(context, request).store();
      const details =
        compared === null || before === undefined
          ? await readCaseDetails(store, manifest.name, place)
          : await readComparedCase(store, compared.comparison, { before, after: place });
      const trials = details.trials.map((trial) => titled(trial, texts));
      response.type('json').send(showInvisible(JSON.stringify({ ...details, trials })));
    }),
  );
}
