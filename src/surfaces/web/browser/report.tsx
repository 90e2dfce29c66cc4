/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
// Makes a report's matrix interactive, and the report printable. The server (in the console) or the command line (in a file) has rendered it.
import { hydrate } from 'preact';
import type { CaseDetails } from '../../../reports/index.ts';
import { Matrix } from '../report/matrix.tsx';
import type { MatrixData } from '../report/matrix-rows.ts';
import type { CaseParts, Piece } from '../report/report-file.tsx';
import { preparePrinting } from './print.ts';

const textOf = (id: string): string | null => document.getElementById(id)?.textContent ?? null;

/** The pieces in one compressed part of a file. */
async function piecesIn(part: number): Promise<Piece[]> {
  const bytes = Uint8Array.from(atob(textOf(`part-${part}`) ?? ''), (letter) => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate-raw'));
  const text = await new Response(stream).text();
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line): Piece => JSON.parse(line));
}

/** Reads cases from the file itself. Parts, once unpacked, are kept in memory. */
function fromFile(): (row: number) => Promise<CaseDetails> {
  const parts: CaseParts['at'] = JSON.parse(textOf('case-parts') ?? '{}');
  const read = new Map<number, Promise<Piece[]>>();
  return async (row) => {
    const rowPieces = await Promise.all(
      (parts[row] ?? []).map((part) => {
        const pieces = read.get(part) ?? piecesIn(part);
        read.set(part, pieces);
        return pieces;
      }),
    );
    const details: CaseDetails = { conversation: [], response: '', given: null, trials: [] };
    for (const piece of rowPieces.flat()) {
      if (piece.row !== row) continue;
      if ('texts' in piece) Object.assign(details, piece.texts);
      else details.trials.push(piece.trial);
    }
    return details;
  };
}

const fromService =
  (url: string) =>
  async (row: number): Promise<CaseDetails> => {
    const response = await fetch(url.replace('{row}', String(row)));
    if (!response.ok) throw new Error(response.statusText);
    return response.json();
  };

const place = document.getElementById('matrix');
const json = textOf('matrix-data');
if (place !== null && json !== null) {
  const data: MatrixData = JSON.parse(json);
  hydrate(<Matrix data={data} load={data.url === null ? fromFile() : fromService(data.url)} />, place);
}

const report = document.querySelector('.report');
if (report !== null) preparePrinting(report);
