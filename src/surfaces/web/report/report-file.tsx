import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { deflateRawSync } from 'node:zlib';
import type { ComponentChildren, VNode } from 'preact';
import { renderToString } from 'preact-render-to-string';
import { placesOf, type SpokenTrial, type TrialStore } from '../../../benchmark/index.ts';
import { counted } from '../../../common/text/index.ts';
import type { PersonaTexts } from '../../../judging/card/index.ts';
import type { Comparison } from '../../../reports/comparison/index.ts';
import { readSpoken, repeatsOf, requireRun, type TrialFacts, textsOf } from '../../../reports/facts/index.ts';
import {
  type CaseDetails,
  type ComparedCases,
  createMatrix,
  type Report,
  readComparedCases,
  sideId,
  type TrialDetails,
  titled,
  trialDetails,
} from '../../../reports/index.ts';
import { showInvisible } from '../../wording/index.ts';
import { hasCharts } from './charts.tsx';
import { ComparisonReport, comparedMatrix } from './comparison-report.tsx';
import { type MatrixData, presetsOf } from './matrix-rows.ts';
import { RunReport } from './run-report.tsx';
import { matrixOf, matrixPieces, PageData } from './table.tsx';

/** Characters in a part before compression. Small, because a page unpacks whole parts to open a case. */
const PART = 256 * 1024;

/** Characters in all parts, compressed and not. With the page itself, the file stays below 10 MB and is written quickly. */
const MOST = { packed: 8 * 1024 * 1024, plain: 64 * 1024 * 1024 } as const;

/** A piece of a case in a file: its texts, or one of its trials. `row` is the case's row in the matrix. */
export type Piece = { row: number } & ({ texts: Omit<CaseDetails, 'trials'> } | { trial: TrialDetails });

/** Cases and what their judges said, as stored in a file. */
export interface CaseParts {
  /** Each part holds pieces as lines of JSON, deflated, in base64. */
  parts: string[];
  /** The numbers of the parts that have pieces of a row, by row. */
  at: Record<number, number[]>;
  /** How many trials did not fit. */
  left: number;
}

/** Collects the details of cases in compressed parts of bounded size, in the order they are added. */
export function createCaseParts(texts: PersonaTexts, most = MOST) {
  const parts: string[] = [];
  const at: CaseParts['at'] = {};
  /** The rows kept so far, by configuration and repeat. This needs far fewer keys than one per trial. */
  const kept = new Map<string, Set<number>>();
  let lines: string[] = [];
  let [size, packed, plain, left] = [0, 0, 0, 0];

  function pack(): void {
    if (lines.length === 0) return;
    const part = deflateRawSync(lines.join('\n')).toString('base64');
    parts.push(part);
    packed += part.length;
    lines = [];
    size = 0;
  }

  function put(piece: Piece): void {
    const line = showInvisible(JSON.stringify(piece));
    lines.push(line);
    size += line.length;
    plain += line.length;
    const numbers = at[piece.row];
    // Most rows are in one part; a spread would make room for more.
    if (numbers === undefined) at[piece.row] = [parts.length];
    else if (numbers.at(-1) !== parts.length) numbers.push(parts.length);
    if (size > PART) pack();
  }

  const rowsWith = ({ setup, repeat }: TrialDetails): Set<number> => {
    const name = `${setup} ${repeat}`;
    const rows = kept.get(name) ?? new Set<number>();
    kept.set(name, rows);
    return rows;
  };
  const keep = (row: number, trial: TrialDetails): void => {
    rowsWith(trial).add(row);
    put({ row, trial: titled(trial, texts) });
  };

  return {
    addCase: (row: number, texts: Omit<CaseDetails, 'trials'>): void => put({ row, texts }),
    /** Adds a trial if there is room. @param read called only then */
    addTrial: (row: number, read: () => TrialDetails): void => {
      if (packed > most.packed || plain > most.plain) left += 1;
      else keep(row, read());
    },
    /** Adds a trial that the page needs, even if there was no room for it. To be called after all `addTrial`. */
    addLeft: (row: number, trial: TrialDetails): void => {
      if (rowsWith(trial).has(row)) return;
      left -= 1;
      keep(row, trial);
    },
    result: (): CaseParts => {
      pack();
      return { parts, at, left };
    },
  };
}

const hashOf = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/**
 * A page in one file that needs no network. Its content security policy lets it load nothing, and run only its own scripts, by their hashes.
 * @param folder the folder with the scripts and styles for browsers
 * @returns its HTML in pieces
 */
async function filePage({
  folder,
  title,
  hasCharts,
  cases,
  matrix,
  children,
}: {
  folder: string;
  title: string;
  hasCharts: boolean;
  cases: CaseParts;
  matrix: MatrixData;
  children: ComponentChildren;
}): Promise<Iterable<string>> {
  const read = (name: string) => readFile(join(folder, name), 'utf8');
  const style = await read('console.css');
  const scripts = (await Promise.all(['report.js', ...(hasCharts ? ['charts.js'] : [])].map(read))).map(
    (text) => text.replaceAll('</script', '<\\/script'),
  );
  const policy = [
    "default-src 'none'",
    `script-src ${scripts.map(hashOf).join(' ')}`,
    `style-src ${hashOf(style)}`,
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
  const head = (
    <head>
      <meta charset="utf-8" />
      <meta http-equiv="Content-Security-Policy" content={policy} />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <meta name="referrer" content="no-referrer" />
      <title>{title}</title>
    </head>
  );
  const body = (
    <main>
      {children}
      <PageData id="case-parts" data={cases.at} />
    </main>
  );
  const shown = (part: VNode): string => showInvisible(renderToString(part));
  function* pieces(): Generator<string> {
    yield `<!doctype html><html lang="en">${shown(head)}<body><style>${style}</style>${shown(body)}\n`;
    for (const piece of matrixPieces(matrix)) yield showInvisible(piece);
    for (const [at, part] of cases.parts.entries())
      yield `\n<script type="text/plain" id="part-${at}">${part}</script>`;
    for (const text of scripts) yield `\n<script>${text}</script>`;
    yield '\n</body></html>';
  }
  return pieces();
}

export type ReportPage = Awaited<ReturnType<typeof createReportPage>>;

/**
 * A report as one file. It collects the cases while their trials are read.
 * @param folder the folder with the scripts and styles for browsers
 */
export async function createReportPage(
  store: TrialStore,
  runs: readonly string[],
  folder: string,
  texts: PersonaTexts,
) {
  const parts = createCaseParts(texts);
  const matrix = await createMatrix(store, runs, (row, evalCase) => parts.addCase(row, textsOf(evalCase)));
  return {
    /** Adds a trial. @param trial in a report of several runs, its key begins with its run */
    add: (trial: SpokenTrial, setup: string, facts: TrialFacts): void => {
      matrix.add(trial, setup, facts);
      const row = matrix.rowOf(trial);
      if (row !== undefined) parts.addTrial(row, () => trialDetails(trial, setup, facts.repeat));
    },
    /** The file's HTML in pieces, after all trials are added. @param elsewhere says where to find what did not fit in the file */
    html: async (report: Report, published: boolean, elsewhere: string): Promise<Iterable<string>> => {
      const { run, setups, mistakes } = report;
      const matrixData = matrix.result(setups.map(({ id }) => id));
      for (const { key, setup, repeat, outcome, why, words } of mistakes.shown) {
        const runName = setups.find(({ id }) => id === setup)?.run ?? run.name;
        const row = matrixData.places.get(runName)?.[placesOf(key)?.index ?? -1];
        if (row !== undefined && words !== null)
          parts.addLeft(row, {
            ...{ setup, repeat, outcome, why },
            score: null,
            failed: [],
            judgements: words.judgements,
          });
      }
      const cases = parts.result();
      const note =
        cases.left === 0
          ? null
          : `What the judges said in ${counted(cases.left, 'trial')} found no room in this file: ${elsewhere}.`;
      return filePage({
        folder,
        title: `${run.name}: benchmark report`,
        hasCharts: hasCharts(report),
        cases,
        matrix: matrixOf(report, matrixData, null),
        children: (
          <RunReport report={report} matrix={matrixData} url={null} published={published} note={note} />
        ),
      });
    },
  };
}

type Parts = ReturnType<typeof createCaseParts>;

/** The two runs of a comparison. `rowAt` gives the matrix row of the case at a place in the run; undefined if it is not compared. */
function sidesOf({ first, second }: Comparison, { before }: ComparedCases) {
  const rows = new Map([...before].map(([now, then]) => [then, now]));
  return [
    { side: 'before', run: first, rowAt: (place: number) => rows.get(place) },
    { side: 'after', run: second, rowAt: (place: number) => (before.has(place) ? place : undefined) },
  ] as const;
}
type Sides = ReturnType<typeof sidesOf>;

async function addTexts(store: TrialStore, sides: Sides, parts: Parts): Promise<void> {
  const responses = new Map<number, string>();
  for (const { side, run, rowAt } of sides) {
    let place = 0;
    for await (const evalCase of store.readCases(run)) {
      const row = rowAt(place);
      place += 1;
      if (row === undefined) continue;
      const texts = textsOf(evalCase);
      const then = responses.get(row);
      if (side === 'before') responses.set(row, texts.response);
      else if (then !== undefined)
        parts.addCase(row, then === texts.response ? texts : { ...texts, responseBefore: then });
    }
  }
}

/** @param isWanted whether to add the trials of a row */
async function addTrials(
  store: TrialStore,
  sides: Sides,
  compared: ReadonlySet<string>,
  isWanted: (row: number) => boolean,
  parts: Parts,
): Promise<void> {
  for (const { side, run, rowAt } of sides) {
    const manifest = await requireRun(store, run);
    const repeats = repeatsOf(manifest);
    // No labels: what the page shows of a trial does not depend on them.
    for await (const trial of readSpoken(store, manifest, () => undefined)) {
      const row = rowAt(placesOf(trial.key)?.index ?? -1);
      const { setup = '', repeat = 1 } = repeats.get(trial.configuration) ?? {};
      const id = sideId(side, setup);
      if (row !== undefined && compared.has(id) && isWanted(row))
        parts.addTrial(row, () => trialDetails(trial, id, repeat));
    }
  }
}

/**
 * A comparison as one file that needs no network. Changed cases are added first, in case not everything fits.
 * @param folder the folder with the scripts and styles for browsers
 */
export async function comparisonFile(
  store: TrialStore,
  comparison: Comparison,
  folder: string,
  texts: PersonaTexts,
): Promise<Iterable<string>> {
  const cases = await readComparedCases(store, comparison);
  const data = comparedMatrix(comparison, cases, null);
  const changed = presetsOf(data).find(({ id }) => id === 'changed');
  const hasChanged = data.rows.map((row) => changed?.has(row) === true);
  const parts = createCaseParts(texts);
  const sides = sidesOf(comparison, cases);
  const compared = new Set(cases.matrix.setups);
  await addTexts(store, sides, parts);
  await addTrials(store, sides, compared, (row) => hasChanged[row] === true, parts);
  await addTrials(store, sides, compared, (row) => hasChanged[row] === false, parts);
  const packed = parts.result();
  const note =
    packed.left === 0
      ? null
      : `What the judges said in ${counted(packed.left, 'trial')} found no room in this file; the console and "jury bench report" have it.`;
  return filePage({
    folder,
    title: `${comparison.second} against ${comparison.first}`,
    hasCharts: false,
    cases: packed,
    matrix: data,
    children: <ComparisonReport comparison={comparison} cases={cases} url={null} note={note} />,
  });
}
