import { inflateRawSync } from 'node:zlib';
import { h } from 'preact';
import { renderToString } from 'preact-render-to-string';
import type { TrialStore } from '../../src/benchmark/trial-store.ts';
import { shippedFolder } from '../../src/env.ts';
import type { CaseDetails } from '../../src/reports/case-results.ts';
import { makeReport } from '../../src/reports/make-report.ts';
import type { Report } from '../../src/reports/report.ts';
import { createReportPage } from '../../src/surfaces/web/report/report-file.tsx';
import { RunReport } from '../../src/surfaces/web/report/run-report.tsx';
import { plainTexts } from './builders.ts';

/** The page of a report, without its cases. */
export const reportHtml = (report: Report, published = false): string =>
  renderToString(
    h(RunReport, { report, matrix: { setups: [], rows: [], places: new Map() }, url: null, published }),
  );

/** The page of a run as `bench report --out` writes it. */
export async function reportFile(store: TrialStore, run: string, published = false): Promise<string> {
  const page = await createReportPage(store, [run], shippedFolder('dist/browser'), plainTexts);
  const report = await makeReport(store, run, {
    each: (trial, setup, facts) => {
      page.add(trial, setup, facts);
      return null;
    },
  });
  return [...(await page.html(report, published, 'elsewhere'))].join('');
}

type Piece = { row: number; texts?: Omit<CaseDetails, 'trials'>; trial?: CaseDetails['trials'][number] };

/** What the compressed parts of a file hold. */
export const piecesIn = (file: string): Piece[] =>
  [...file.matchAll(/<script type="text\/plain" id="part-\d+">([^<]*)<\/script>/g)].flatMap(([, part = '']) =>
    inflateRawSync(Buffer.from(part, 'base64'))
      .toString()
      .split('\n')
      .map((line) => JSON.parse(line)),
  );
