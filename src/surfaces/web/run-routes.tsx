import type { Request, Response, Router } from 'express';
import * as z from 'zod';
import { seriesOf } from '../../benchmark/index.ts';
import { groupedBy, JuryError } from '../../common/index.ts';
import { setupsOf } from '../../reports/facts/index.ts';
import { followedSetup, runsBefore } from '../../reports/history/index.ts';
import { readCaseDetails, readComparedCase, titled } from '../../reports/index.ts';
import { drawnText, reviewedAnswersOf } from '../../reviews/index.ts';
import type { Choice } from '../forms/index.ts';
import { readSide } from '../index.ts';
import { showInvisible } from '../wording/index.ts';
import { caseAddress, listedRunsFor, type PageContext, runFor, runsOf } from './context.ts';
import { Select } from './form.tsx';
import { fragmentHtml, refuse, saying, sendPage, sendPageWith } from './page.tsx';
import type { ListedRun } from './run-summaries.ts';
import { othersFor, RunsPage, SeriesPage, setupsIn } from './series-page.tsx';

/** How many runs of each series the list shows. */
const NEWEST = 5;

const sameTitle = (id: string) => ({ id, title: id });

/** A form to choose what a run is compared with. @param of the run's own configurations, if one has to be chosen; otherwise empty */
function CompareForm({
  name,
  label,
  against,
  chosen,
  of,
}: {
  name: string;
  label: string;
  against: readonly Choice[];
  chosen?: string | undefined;
  of: readonly string[];
}) {
  return (
    <form class="how" method="get" action={`/runs/${name}`} aria-label="Compare">
      <Select name="against" label={label} choices={against} chosen={chosen} />
      {of.length === 0 ? null : <Select name="of" label={name} choices={of.map(sameTitle)} />}
      <button type="submit">Show what changed</button>
    </form>
  );
}

/** What depends on the visitor on the page of a run: the other runs, and how many answers people have checked so far. */
const ForVisitor = ({
  name,
  others,
  before,
  drawn,
}: {
  name: string;
  others: readonly string[];
  before: string | undefined;
  drawn: string | null;
}) => (
  <>
    {drawn === null ? null : <p class="note">{drawn}</p>}
    {others.length === 0 ? null : (
      <CompareForm name={name} label="Compare with" against={others.map(sameTitle)} chosen={before} of={[]} />
    )}
  </>
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
/** `series`: the one to show; all by default. `follow`: the configuration that is followed in it. */
const ListQuery = z.object({ series: z.string().default(''), follow: z.string().default('') });
const Row = z.coerce.number().int().min(0);

/** Registers the routes of runs: the list, single runs and comparisons, and their cases. */
export function registerRuns(router: Router, context: PageContext): void {
  const { texts } = context;

  /** A comparison with another run; null if that run does not exist or the visitor may not see it. @throws JuryError `usage` */
  async function comparisonFor(request: Request, name: string, against: string, of: string) {
    const first = readSide(against);
    const second = { run: name, setup: of === '' ? null : of };
    const before = await runFor(context, request, first.run);
    if (before === null) return null;
    const query = new URLSearchParams({ against, of });
    const url = `/ui/runs/${name}/cases/{row}?${query}`;
    return { first: before.name, ...(await runsOf(context, request).compare(first, second, url)) };
  }

  /** Sends the form to choose configurations, if the runs cannot be compared without a choice. */
  async function choice(request: Request, response: Response, name: string, against: string, why: string) {
    const { run: before, setup } = readSide(against);
    const setupsIn = async (run: string) => {
      const manifest = await runFor(context, request, run);
      return manifest === null ? [] : setupsOf(manifest).map(({ id }) => id);
    };
    const [first, second] = [await setupsIn(before), await setupsIn(name)];
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
    const title = `${name} against ${against}`;
    const page = { title, at: '/runs', scripts: ['console', 'report'] } as const;
    await sendPageWith(request, response, page, '', Promise.resolve([compared.html]));
  }

  router.get(
    '/runs',
    saying(async (request, response) => {
      const { series, follow } = ListQuery.parse(request.query);
      const all = await listedRunsFor(context, request);
      const bySeries = groupedBy(all, ({ manifest }) => seriesOf(manifest));
      const shownOf = async (name: string, runs: readonly ListedRun[], most: number, chosen: string) => ({
        series: name,
        runs: await context.runs.counted(runs.slice(0, most), all),
        count: runs.length,
        follow: chosen === '' ? followedSetup(runs.map(({ manifest }) => manifest)) : chosen,
      });
      const own = bySeries.get(series);
      if (own !== undefined) {
        const shown = await shownOf(series, own, own.length, follow);
        const children = <SeriesPage shown={shown} setups={setupsIn(own)} />;
        return sendPage(request, response, { title: series, at: '/runs', children });
      }
      if (series !== '')
        return refuse(request, response, 404, 'There is no run of this series, or you may not see it.');
      const shown = await Promise.all([...bySeries].map(([name, runs]) => shownOf(name, runs, NEWEST, '')));
      sendPage(request, response, { title: 'Runs', at: '/runs', children: <RunsPage all={shown} /> });
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
      const { name } = manifest;
      const all = await listedRunsFor(context, request);
      const reviewed = await reviewedAnswersOf(context.store, manifest, context.now());
      const visitor = (
        <ForVisitor
          name={name}
          others={othersFor(manifest, all)}
          before={runsBefore(all.map((run) => run.manifest)).get(name)?.name}
          drawn={reviewed === null ? null : `${drawnText(reviewed.design)}.`}
        />
      );
      const content = async () => {
        const { begin, rest } = await runsOf(context, request).report(manifest, caseAddress(name));
        return [begin, fragmentHtml(visitor), rest];
      };
      const page = { title: name, at: '/runs', scripts: ['console', 'report'] } as const;
      await sendPageWith(request, response, page, `Reading ${name}…`, content());
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
      const before = compared?.before.get(place);
      if (against !== '' && before === undefined) return refuse(request, response, 404, GONE);
      const store = await runsOf(context, request).store();
      const details =
        compared === null || before === undefined
          ? await readCaseDetails(store, manifest.name, place)
          : await readComparedCase(
              store,
              { first: compared.first, second: manifest.name },
              { before, after: place },
            );
      const trials = details.trials.map((trial) => titled(trial, texts));
      response.type('json').send(showInvisible(JSON.stringify({ ...details, trials })));
    }),
  );
}
