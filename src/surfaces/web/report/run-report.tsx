import type { ComponentChildren } from 'preact';
import { placesOf, rubricTexts } from '../../../benchmark/index.ts';
import { counted, grouped, minuteText } from '../../../common/text/index.ts';
import {
  type AssistantReport,
  type ChangedGroup,
  changeSections,
  groupRows,
} from '../../../reports/assistant/index.ts';
import type { Mistake } from '../../../reports/facts/index.ts';
import { type Report, type RunMatrix, reportSections } from '../../../reports/index.ts';
import { isLabeled, numberOf, type SetupReport } from '../../../reports/metrics/index.ts';
import { CriteriaChart, hasCharts, TradeOffCharts } from './charts.tsx';
import { joinedBy, Lead } from './headline.tsx';
import { type MatrixData, presetsOf } from './matrix-rows.ts';
import { LiveMatrix, matrixOf, setupName, TableView } from './table.tsx';

function Facts({ report: { run, setups, trials, planned, notes } }: { report: Report }) {
  const { dataset, createdAt, settings } = run;
  const facts = [
    `${counted(dataset.cases, 'case')} (${grouped(dataset.labeled)} labeled) of ${dataset.source}`,
    `rubric ${rubricTexts(run).join(', ')}`,
    counted(setups.length, 'configuration'),
    ...(settings.repeats > 1 ? [`each ${settings.repeats} times`] : []),
    `started ${minuteText(createdAt)}`,
  ];
  return (
    <>
      <p class="note">
        <bdi>{facts.join(' · ')}</bdi>
      </p>
      {notes.map((note) => (
        <p class="note" key={note}>
          {note}
        </p>
      ))}
      {trials < planned ? (
        <p class="warn">
          Not complete: {grouped(trials)} of {grouped(planned)} trials. Numbers may change.
        </p>
      ) : null}
    </>
  );
}

const ChangedAnswer = ({
  answer: { caseId, request, answer, reason },
}: {
  answer: ChangedGroup['answers'][number];
}) => (
  <details class="case">
    <summary>
      <bdi>{caseId}</bdi>
      <span class="why">
        <bdi>{reason}</bdi>
      </span>
    </summary>
    <p class="who">User</p>
    <blockquote class="pasted" dir="auto">
      {request}
    </blockquote>
    <p class="who">Response that is judged</p>
    <blockquote class="pasted" dir="auto">
      {answer}
    </blockquote>
  </details>
);

function Group({ group }: { group: ChangedGroup }) {
  const more = group.n - group.answers.length;
  return (
    <>
      {groupRows([group]).map(({ label, value }) => (
        <details class="setup" key={label}>
          <summary>
            <bdi>{label}</bdi>{' '}
            <span class="count">
              <bdi>{value}</bdi>
            </span>
          </summary>
          {group.answers.map((answer, at) => (
            <ChangedAnswer key={at} answer={answer} />
          ))}
          {more > 0 ? <p class="note">{more} more</p> : null}
        </details>
      ))}
    </>
  );
}

/** The answers whose outcome changed, grouped by what they have in common; null if there are none. */
export function changesOf(report: AssistantReport): ComponentChildren {
  const parts = changeSections(report).filter(({ turned }) => turned.length > 0);
  if (parts.length === 0) return null;
  return parts.map(({ headline, turned }) => (
    <>
      {parts.length > 1 ? <p>{headline}</p> : null}
      {turned.map(({ title, groups }) => (
        <>
          <h3>{title}</h3>
          {groups.map((group, at) => (
            <Group key={at} group={group} />
          ))}
        </>
      ))}
    </>
  ));
}

const MISTAKES: Record<Mistake['outcome'], string> = {
  pass: 'judged right, is wrong',
  fail: 'judged wrong, is right',
  undecided: 'undecided',
  'no-quorum': 'no quorum',
  unanswered: 'unanswered',
};

function SetupMistakes({ setup, report, matrix }: { setup: SetupReport; report: Report; matrix: RunMatrix }) {
  const { setups, mistakes, run } = report;
  const column = setups.indexOf(setup);
  const places = matrix.places.get(setup.run ?? run.name);
  const ofSetup = mistakes.shown.filter((one) => one.setup === setup.id);
  const count = mistakes.counts[setup.id] ?? 0;
  const { fp, fn } = setup.effectiveness.decided.counts;
  const parts = [
    ...(fp > 0 ? [`${grouped(fp)} wrongly passed`] : []),
    ...(fn > 0 ? [`${grouped(fn)} wrongly failed`] : []),
    ...(count > fp + fn ? [`${grouped(count - fp - fn)} without a decision`] : []),
  ];
  const more = count - ofSetup.length;
  return (
    <details class="setup" id={`mistakes-${numberOf(setups, setup.id)}`}>
      <summary>
        {setupName(setups, setup.id)} <span class="count">{count === 0 ? 'none' : parts.join(', ')}</span>
      </summary>
      <ul class="plain">
        {ofSetup.map(({ key, caseId, repeat, outcome, errorType, why }) => (
          <li class="case" key={key}>
            <button
              type="button"
              class="link"
              data-open={`${places?.[placesOf(key)?.index ?? -1]}.${column}`}
            >
              <bdi>{caseId}</bdi>
            </button>
            {setup.repeats > 1 ? ` #${repeat}` : ''} <span class="tag">{MISTAKES[outcome]}</span>
            {errorType === null ? null : (
              <span class="tag">
                error: <bdi>{errorType}</bdi>
              </span>
            )}
            <span class="why">
              <bdi>{why}</bdi>
            </span>
          </li>
        ))}
      </ul>
      {more > 0 ? (
        <p class="note">{counted(more, 'more mistake')} of this configuration: among the cases above.</p>
      ) : null}
    </details>
  );
}

interface Part {
  id: string;
  title: string;
  body: ComponentChildren;
}

/** Sections with several tables of one kind, where each table gets a heading. */
const SEVERAL_TABLES = new Set(['reliability', 'group-criteria', 'correlation-matrices']);

function tableParts(report: Report, published: boolean): Part[] {
  const charts = new Map<string, ComponentChildren>([
    ['trade-off', isLabeled(report) ? <TradeOffCharts report={report} /> : null],
    ['criteria', <CriteriaChart key="criteria" report={report} />],
  ]);
  return reportSections(report, published).flatMap(({ id, title, tables }) => {
    const present = tables.filter((table) => table !== null);
    const chart = charts.get(id) ?? null;
    const hasHeads = SEVERAL_TABLES.has(id);
    const body = present.map((table, at) => (
      <>
        {hasHeads || at > 0 || chart !== null ? <h3>{table.title}</h3> : null}
        <TableView setups={report.setups} table={table} />
      </>
    ));
    return present.length === 0
      ? []
      : [
          {
            ...{ id, title },
            body: (
              <>
                {chart}
                {body}
              </>
            ),
          },
        ];
  });
}

/** How many cases every configuration gets wrong, as a button that shows them. */
function Hardest({ data }: { data: MatrixData }) {
  const hardest = presetsOf(data).find(({ id }) => id === 'bad-in-all');
  if (hardest === undefined) return null;
  const n = data.rows.filter(hardest.has).length;
  const what = `${counted(n, 'case')} ${n === 1 ? 'is' : 'are'} ${hardest.title}`;
  if (n === 0) return <p>No case is {hardest.title}.</p>;
  return (
    <p>
      <button type="button" data-show={hardest.id}>
        {what}
      </button>
    </p>
  );
}

export interface RunPageProps {
  report: Report;
  matrix: RunMatrix;
  /** The address of a case's details, with `{row}` for its row number; null if they are in the file itself. */
  url: string | null;
  /** Whether to show the papers' figures, too. */
  published: boolean;
  /** A note below the matrix, such as what the file leaves out. */
  note?: string | null;
  /** Shown below the result. */
  children?: ComponentChildren;
}

/** The report of a run, or of several side by side: the result in a sentence, the cases, then all tables and charts. */
export function RunReport({ report, matrix, url, published, note = null, children }: RunPageProps) {
  const { run, assistant } = report;
  const data = matrixOf(report, matrix, url);
  const changes = assistant === null ? null : changesOf(assistant);
  const parts: Part[] = [
    ...(changes === null ? [] : [{ id: 'changes', title: 'What changed', body: changes }]),
    {
      id: 'cases',
      title: 'Cases',
      body: (
        <>
          <Hardest data={data} />
          <LiveMatrix data={data} />
          {note === null ? null : <p class="note">{note}</p>}
        </>
      ),
    },
    ...tableParts(report, published),
    ...(isLabeled(report)
      ? [
          {
            id: 'mistakes',
            title: 'Mistakes, with the judges’ reasoning',
            body: report.setups.map((setup) => (
              <SetupMistakes key={setup.id} setup={setup} report={report} matrix={matrix} />
            )),
          },
        ]
      : []),
  ];
  return (
    <div class="report" data-charts={hasCharts(report) ? '' : undefined}>
      <h1>{run.name}</h1>
      <Lead report={report} />
      <Facts report={report} />
      {children}
      <nav aria-label="Sections" class="sections">
        {parts.map(({ id, title }) => (
          <a key={id} href={`#${id}`}>
            {title}
          </a>
        ))}
      </nav>
      {parts.map(({ id, title, body }) => (
        <section key={id} aria-labelledby={id}>
          <h2 id={id}>{title}</h2>
          {body}
        </section>
      ))}
      <footer class="note">
        Made by Jury. Dataset <code>{run.dataset.hash.slice(0, 16)}</code>; wording{' '}
        {joinedBy(
          Object.entries(run.wordings).map(([use, hash]) => (
            <>
              {use} <code>{hash.replace(/^sha256:/, '').slice(0, 8)}</code>
            </>
          )),
          '; ',
        )}
        .
      </footer>
    </div>
  );
}
