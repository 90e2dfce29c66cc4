// Whether the work for a paste grows with its length and its cases alone: the slowest of 1,000 texts of 30,000 characters, made of every form
// that the reader knows, against plain prose of that length in as many pastes as the text has cases: a table of 2,500 rows is 2,500 cases, and
// is held against 2,500 short pastes. All are timed in one run, each several times, and the fastest counts: what else the machine does is no
// part of it. Ends with 1 where a text takes more than ten times as long.
//
//     npm run bench:reading
import fc from 'fast-check';
import { parseInput } from '../src/case/paste/parse-input.ts';
import { counted } from '../src/common/text/text.ts';
import { loadCaseFormat } from '../src/prompting/case-fields.ts';
import { builtIn } from '../test/support/built-in.ts';
import { longPastes } from '../test/support/long-pastes.ts';
import { madePaste } from '../test/support/made-pastes.ts';

const TEXTS = 1_000;
const LENGTH = 30_000;
/** How many of the slowest at first sight are timed again, and how often. */
const SLOWEST = 20;
const TIMES = 20;
const MOST = 10;

const options = { maxCaseChars: 32_000, format: loadCaseFormat([builtIn]) };

/** How long reading takes, in ms: the fastest of several. */
function msOf(text: string, times: number): number {
  let fastest = Number.POSITIVE_INFINITY;
  for (let at = 0; at < times; at += 1) {
    const from = performance.now();
    parseInput(text, options);
    fastest = Math.min(fastest, performance.now() - from);
  }
  return fastest;
}

const sentence = 'The restaurant by the river is open until ten, and its kitchen is known for fish.';
/** In lines as an e-mail has them. */
const prose = (length: number): string =>
  `User: Where can I eat?\nSystem: ${`${sentence}\n`.repeat(Math.ceil(length / sentence.length))}`.slice(
    0,
    Math.max(length, 32),
  );

const baselines = new Map<number, number>();
/** How long plain prose takes to read that is as long as a text, in as many pastes as that has cases, in ms: the fastest so far. */
function plainMs(cases: number, times: number): number {
  const before = baselines.get(cases) ?? Number.POSITIVE_INFINITY;
  const ms = Math.min(before, cases * msOf(prose(Math.ceil(LENGTH / cases)), times));
  baselines.set(cases, ms);
  return ms;
}

/** How long a text takes, in ms, and how many times that is what plain prose takes. */
function measured(text: string, times: number): { text: string; ms: number; cases: number; ratio: number } {
  const cases = parseInput(text, options).length;
  const ms = msOf(text, times);
  return { text, ms, cases, ratio: ms / plainMs(cases, times) };
}

/** The texts that repeat one kind of line, and texts of several exchanges, each over and over. */
function made(): string[] {
  const repeated = longPastes(700, LENGTH);
  const mixed = fc
    .sample(madePaste, { numRuns: TEXTS - repeated.length, seed: 1 })
    .map((text) => `${text}\n`.repeat(Math.ceil(LENGTH / text.length)).slice(0, LENGTH));
  return [...repeated, ...mixed];
}

plainMs(1, 50);
const texts = made();
const bySlowest = (one: { ratio: number }, other: { ratio: number }) => other.ratio - one.ratio;
const ranked = texts
  .map((text) => measured(text, 1))
  .sort(bySlowest)
  .slice(0, SLOWEST)
  .map(({ text }) => measured(text, TIMES))
  .sort(bySlowest);
console.log(
  `${texts.length} texts of ${LENGTH} characters; plain prose in one paste: ${plainMs(1, 50).toFixed(1)} ms`,
);
for (const { text, ms, cases, ratio } of ranked.slice(0, 5))
  console.log(
    `${ratio.toFixed(1)} × as many pastes of plain prose (${ms.toFixed(1)} ms, ${counted(cases, 'case')}): ${JSON.stringify(text.slice(0, 60))}`,
  );
const worst = ranked[0]?.ratio ?? 0;
console.log(
  `The slowest takes ${worst.toFixed(1)} times as long as plain prose; at most ${MOST} are allowed.`,
);
process.exitCode = worst > MOST ? 1 : 0;
