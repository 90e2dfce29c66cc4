import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { deflateRawSync } from 'node:zlib';
import type { ComponentChildren, VNode } from 'preact';
import { renderToString } from 'preact-render-to-string';
import { type CaseDetails, type TrialDetails, titled } from '../../../benchmark/case-details.ts';
import type { PersonaTexts } from '../../../judging/card.ts';
import { showInvisible } from '../../safe-text.ts';
import { PageData } from './live-matrix.tsx';

/** What makes a page in one file: built beside the program. */
interface Assets {
  style: string;
  report: string;
  charts: string;
}

/** @param folder the folder of what browsers load */
async function readAssets(folder: string): Promise<Assets> {
  const read = (name: string) => readFile(join(folder, name), 'utf8');
  const [style, report, charts] = await Promise.all(['console.css', 'report.js', 'charts.js'].map(read));
  return { style: style ?? '', report: report ?? '', charts: charts ?? '' };
}

/** Bytes of a part before it is compressed: a page reads one part to open a case. */
const PART = 256 * 1024;

/** Bytes of all parts, compressed and before: with the page itself they make a file of less than 10 MB, soon written. */
const MOST = { packed: 8 * 1024 * 1024, plain: 64 * 1024 * 1024 } as const;

/** A case in a file is in pieces: its texts, then a piece for each configuration; `row` is that of the matrix. */
export type Piece = { row: number } & ({ texts: Omit<CaseDetails, 'trials'> } | { trial: TrialDetails });

/** Cases with what their judges said, as a file holds them. */
export interface CaseParts {
  /** Base64 of deflated lines of JSON. */
  parts: string[];
  /** Numbers of the parts in which the pieces of a row are. */
  at: Record<number, number[]>;
  /** Trials that found no room. */
  left: number;
}

/** Gathers the details of cases in compressed parts of bounded size, as they come. */
export function createCaseParts(texts: PersonaTexts, most = MOST) {
  const parts: string[] = [];
  const at: CaseParts['at'] = {};
  /** Rows by configuration and repeat: fewer texts than one for each trial. */
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
    const own = at[piece.row] ?? [];
    if (own.at(-1) !== parts.length) at[piece.row] = [...own, parts.length];
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
    /** @param read called if there is room */
    addTrial: (row: number, read: () => TrialDetails): void => {
      if (packed > most.packed || plain > most.plain) left += 1;
      else keep(row, read());
    },
    /** Keeps what was left out for want of room, after all trials: what a page must have. */
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
 * A page in one file that needs no network: it loads nothing and runs nothing but its own scripts, which the file's policy names by their
 * hashes.
 *
 * @param folder the folder of what browsers load
 */
export async function filePage({
  folder,
  title,
  hasCharts,
  cases,
  children,
}: {
  folder: string;
  title: string;
  hasCharts: boolean;
  cases: CaseParts;
  children: ComponentChildren;
}): Promise<string> {
  const { style, report, charts } = await readAssets(folder);
  const scripts = [report, ...(hasCharts ? [charts] : [])].map((text) =>
    text.replaceAll('</script', '<\\/script'),
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
  return [
    `<!doctype html><html lang="en">${shown(head)}<body><style>${style}</style>${shown(body)}`,
    ...cases.parts.map((part, at) => `<script type="text/plain" id="part-${at}">${part}</script>`),
    ...scripts.map((text) => `<script>${text}</script>`),
    '</body></html>',
  ].join('\n');
}
