import { fixed, percent, percentRange, rangeText } from '../../benchmark/reports/measures.ts';
import { NAMES_NOTE } from '../../benchmark/reports/tables.ts';
import { groupedBy } from '../../common/collections.ts';
import { counted, grouped, minuteText } from '../../common/text.ts';
import { type Choice, Select } from './form.tsx';
import type { RunScore, RunSummary } from './run-shelf.ts';

/** `F1 0.83 (0.69–0.92)`: a result that says by itself what it is of. */
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

/** Runs of one benchmark, or of the same cases, the newest first. */
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

/** All runs, by benchmark; those of none by their cases. */
export function RunsPage({ runs }: { runs: readonly RunSummary[] }) {
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
      {[...histories].map(([title, own]) => (
        <History key={title} title={title} runs={own} />
      ))}
    </>
  );
}

const sameTitle = (id: string) => ({ id, title: id });

/** Chooses what a run is compared with. @param of its own configurations, where one has to be chosen */
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

/** Chooses another run to compare one with. */
export const CompareRun = ({ name, others }: { name: string; others: readonly string[] }) =>
  others.length === 0 ? null : (
    <CompareForm name={name} label="Compare with" against={others.map(sameTitle)} of={[]} />
  );

/** A run with the ids of its configurations. */
interface Side {
  name: string;
  setups: readonly string[];
}

/** Chooses one configuration of each run. @param why nothing was compared without */
export const CompareSetups = ({ why, before, after }: { why: string; before: Side; after: Side }) => (
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
