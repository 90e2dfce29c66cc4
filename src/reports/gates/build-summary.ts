import { counted, grouped } from '../../common/text/index.ts';
import { markdownText } from '../index.ts';
import { type Build, type BuildCase, type CaseTurn, turnsOf } from './build.ts';
import { caseWords, headlineOf } from './build-words.ts';
import type { Check } from './thresholds.ts';

/** Maximum number of rows of a table; the rest are counted. */
const MAX_ROWS = 50;

/** The address of a case on the run's page. */
const caseAddress = (page: string, { index }: BuildCase): string => {
  const address = new URL(page);
  address.searchParams.set('case', String(index + 1));
  return address.href.replaceAll(/[()]/g, (sign) => (sign === '(' ? '%28' : '%29'));
};

function rowOf(build: Build, one: BuildCase, isNamed: boolean): string {
  const place = build.placeOf(one);
  const id = markdownText(one.caseId);
  const where = place === null ? '' : `${place.file}${place.line === null ? '' : `:${place.line}`}`;
  const cells = [
    build.page === null ? id : `[${id}](${caseAddress(build.page, one)})`,
    ...(isNamed ? [markdownText(one.setup)] : []),
    markdownText(one.request),
    markdownText(caseWords(one)),
    markdownText(where),
  ];
  return `| ${cells.join(' | ')} |`;
}

function casesTable(build: Build, title: string, cases: readonly BuildCase[], isOpen: boolean): string[] {
  if (cases.length === 0) return [];
  const isNamed = new Set(build.cases.map(({ setup }) => setup)).size > 1;
  const columns = ['case', ...(isNamed ? ['configuration'] : []), 'request', 'why', 'dataset'];
  const more = cases.length - MAX_ROWS;
  const table = [
    `| ${columns.join(' | ')} |`,
    `|${'---|'.repeat(columns.length)}`,
    ...cases.slice(0, MAX_ROWS).map((one) => rowOf(build, one, isNamed)),
    '',
    ...(more > 0 ? [`and ${counted(more, 'other case')}`, ''] : []),
  ];
  const heading = `${title} (${grouped(cases.length)})`;
  return isOpen
    ? [`### ${heading}`, '', ...table]
    : [`<details><summary>${heading}</summary>`, '', ...table, '</details>', ''];
}

function checksTable(checks: readonly Check[]): string[] {
  const [first] = checks;
  if (first === undefined) return [];
  const isNamed = checks.some(({ setup }) => setup !== first.setup);
  return [
    `| ${['', 'threshold', ...(isNamed ? ['configuration'] : []), 'found'].join(' | ')} |`,
    `|${'---|'.repeat(isNamed ? 4 : 3)}`,
    ...checks.map(
      ({ met, name, setup, text }) =>
        `| ${[met ? '✅' : '❌', markdownText(name), ...(isNamed ? [markdownText(setup)] : []), markdownText(text)].join(' | ')} |`,
    ),
    '',
  ];
}

/** What the lists of cases are called, and whether they are open where the build failed because of them. */
const TITLES: readonly [CaseTurn, string][] = [
  ['now wrong', 'Now wrong'],
  ['now right', 'Now right'],
  ['unsteady', 'Same answer as before, judged otherwise'],
];

/** A build as Markdown, for the summary of a job or a comment on a change. Pasted text is escaped. */
export function summaryFile(build: Build): string {
  const { run, baseline, passes, checks, notes, page } = build;
  const turns = turnsOf(build);
  const named = page === null ? markdownText(run) : `[${markdownText(run)}](${page})`;
  const against = baseline === null ? '' : `, compared with ${markdownText(baseline.run)}`;
  const isBroken = !passes && turns['now wrong'].length === 0;
  return [
    `## ${passes ? '✅' : '❌'} ${markdownText(headlineOf(build))}`,
    '',
    `Run ${named}${against}`,
    '',
    ...notes.flatMap((note) => [markdownText(note), '']),
    ...checksTable(checks),
    ...TITLES.flatMap(([turn, title]) =>
      casesTable(build, title, turns[turn], turn !== 'unsteady' || isBroken),
    ),
    ...casesTable(build, baseline === null ? 'Wrong' : 'Wrong as before', turns.wrong, isBroken),
  ].join('\n');
}
