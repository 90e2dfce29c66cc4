import * as z from 'zod';
import { capital } from '../../common/text/index.ts';
import { decisionText } from '../../judging/card/index.ts';
import { Decision, reasonOf } from '../../judging/verdict/index.ts';
import type { VisibleVerdict } from '../../labels/access/index.ts';
import { wordsIn } from '../../labels/record/index.ts';
import type { Choice } from '../forms/index.ts';
import { toneMark, wordsOf } from '../wording/index.ts';
import type { FoundVerdicts, PageContext, Search } from './context.ts';
import { Select } from './form.tsx';
import { PAGE } from './ids.ts';

const minute = (at: number): string => new Date(at).toISOString().slice(0, 16).replace('T', ' ');

const optional = z.string().max(1_000).default('').catch('');

/** The search in the page's address. Anything invalid counts as empty. */
export const Filter = z.object({
  q: optional,
  rubric: optional,
  decision: optional,
  surface: optional,
  /** `split`: the judges disagree. `doubted`: more people find it wrong than right. */
  about: optional,
  since: optional,
  after: optional,
});
export type Filter = z.infer<typeof Filter>;

export function searchOf({ q, rubric, decision, surface, about, since, after }: Filter): Search {
  const decisionAsked = Decision.safeParse(decision);
  const at = Date.parse(since);
  return {
    ...(q === '' ? {} : { words: wordsIn(q) }),
    ...(rubric === '' ? {} : { rubric }),
    ...(decisionAsked.success ? { decision: decisionAsked.data } : {}),
    ...(surface === '' ? {} : { surface }),
    ...(Number.isNaN(at) ? {} : { since: at }),
    ...(after === '' ? {} : { after }),
    isSplit: about === 'split',
    isDoubted: about === 'doubted',
  };
}

const DECISIONS: readonly Choice[] = [
  { id: 'pass', title: 'pass' },
  { id: 'fail', title: 'fail' },
  { id: 'scored', title: 'scored' },
  { id: 'undecided', title: 'not decided' },
];
const ABOUT: readonly Choice[] = [
  { id: 'split', title: 'where judges disagree' },
  { id: 'doubted', title: 'where people find it wrong' },
];
const SURFACES: readonly Choice[] = [
  { id: PAGE, title: 'Console and API' },
  { id: 'terminal', title: 'Terminal' },
];

function FilterForm({
  filter,
  context,
}: {
  filter: Filter;
  context: Pick<PageContext, 'library' | 'surfaces'>;
}) {
  const surfaces = [
    ...SURFACES,
    ...context.surfaces.flatMap(({ name, title }) => (name === PAGE ? [] : [{ id: name, title }])),
  ];
  return (
    <form class="how" method="get" action="/verdicts" aria-label="Find verdicts">
      <label>
        Words <input type="search" name="q" value={filter.q} />
      </label>
      <Select name="decision" label="Decision" none="any" choices={DECISIONS} chosen={filter.decision} />
      <Select
        name="rubric"
        label="Rubric"
        none="any"
        choices={[...context.library.rubrics.values()]}
        chosen={filter.rubric}
      />
      <Select name="about" label="Show" none="all" choices={ABOUT} chosen={filter.about} />
      <Select name="surface" label="From" none="anywhere" choices={surfaces} chosen={filter.surface} />
      <label>
        Since <input type="date" name="since" value={filter.since} />
      </label>
      <button type="submit" class="main">
        Find
      </button>
    </form>
  );
}

const addressOf = (filter: Filter): string =>
  `/verdicts?${new URLSearchParams(Object.entries(filter).filter(([, value]) => value !== ''))}`;

const Row = ({
  visible: { kind, record },
  library,
}: { visible: VisibleVerdict } & Pick<PageContext, 'library'>) => {
  const { id, verdict, evalCase, at } = record;
  const isOpen = kind !== 'hidden';
  return (
    <tr>
      <td class="nowrap">
        {isOpen ? `${toneMark(verdict.decision)} ${decisionText(verdict, 'en')}` : '🗳️ answer first'}
      </td>
      <td>
        <a href={`/verdicts/${id}`}>{wordsOf(evalCase)}</a>
      </td>
      <td>{isOpen ? capital(reasonOf(verdict, 'en')) : ''}</td>
      <td class="word">{library.rubrics.get(verdict.rubric)?.title ?? verdict.rubric}</td>
      <td class="nowrap">{minute(at)}</td>
    </tr>
  );
};

/** The list of verdicts that match a search, newest first. Those that people answer first show no outcome. */
export function VerdictsPage({
  filter,
  page: { found, next, lookedAt },
  context,
}: {
  filter: Filter;
  page: FoundVerdicts;
  context: Pick<PageContext, 'library' | 'surfaces'>;
}) {
  const isFiltered = addressOf({ ...filter, after: '' }) !== '/verdicts?';
  return (
    <>
      <h1>Verdicts</h1>
      <FilterForm filter={filter} context={context} />
      {lookedAt === undefined ? null : (
        <p>
          None found among the newest {lookedAt} that could match. Choose a surface, a rubric or a decision to
          look further back.
        </p>
      )}
      {lookedAt !== undefined ? null : found.length === 0 ? (
        <p>
          {isFiltered
            ? 'None found. The search looks for whole words, in the case and in what the panel said. '
            : 'There are none yet. '}
          <a href={isFiltered ? '/verdicts' : '/'}>{isFiltered ? 'Show all' : 'Ask for the first one'}</a>.
        </p>
      ) : (
        <table>
          <thead>
            <tr>
              <th scope="col">Verdict</th>
              <th scope="col">Request</th>
              <th scope="col">Reason</th>
              <th scope="col">Rubric</th>
              <th scope="col">When (UTC)</th>
            </tr>
          </thead>
          <tbody>
            {found.map((visible) => (
              <Row key={visible.record.id} visible={visible} library={context.library} />
            ))}
          </tbody>
        </table>
      )}
      {next === null ? null : (
        <p>
          <a href={addressOf({ ...filter, after: next })}>Older</a>
        </p>
      )}
    </>
  );
}
