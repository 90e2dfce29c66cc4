// Whether the work for a paste grows with its length alone: the slowest of 1,000 texts of 30,000 characters, made of every form that the
// reader knows, against plain prose of that length. Both are timed in one run, each several times, and the fastest counts: what else the
// machine does is no part of it. Ends with 1 where the slowest takes more than ten times as long.
//
//     npm run bench:reading
import fc from 'fast-check';
import { parseInput } from '../src/case/paste/parse-input.ts';
import { loadCaseFormat } from '../src/prompting/case-fields.ts';
import { builtIn } from '../test/support/built-in.ts';
import { longPastes } from '../test/support/long-pastes.ts';
import { madePaste } from '../test/support/made-pastes.ts';

const TEXTS = 1_000;
const LENGTH = 30_000;
/** How many of the slowest at first sight are timed again, and how often. */
const SLOWEST = 20;
const TIMES = 5;
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
const prose = `User: Where can I eat?\nSystem: ${`${sentence}\n`.repeat(LENGTH)}`.slice(0, LENGTH);

/** The texts that repeat one kind of line, and texts of several exchanges, each over and over. */
function made(): string[] {
  const repeated = longPastes(700, LENGTH);
  const mixed = fc
    .sample(madePaste, { numRuns: TEXTS - repeated.length, seed: 1 })
    .map((text) => `${text}\n`.repeat(Math.ceil(LENGTH / text.length)).slice(0, LENGTH));
  return [...repeated, ...mixed];
}

msOf(prose, 50);
const texts = made();
const ranked = texts
  .map((text) => ({ text, ms: msOf(text, 1) }))
  .sort((one, other) => other.ms - one.ms)
  .slice(0, SLOWEST)
  .map(({ text }) => ({ text, ms: msOf(text, TIMES) }))
  .sort((one, other) => other.ms - one.ms);
const plain = msOf(prose, 50);
const [worst = { text: '', ms: 0 }] = ranked;
const ratio = worst.ms / plain;
console.log(`${texts.length} texts of ${LENGTH} characters; plain prose: ${plain.toFixed(1)} ms`);
for (const { text, ms } of ranked.slice(0, 5))
  console.log(`${(ms / plain).toFixed(1)} × (${ms.toFixed(1)} ms): ${JSON.stringify(text.slice(0, 60))}`);
console.log(
  `The slowest takes ${ratio.toFixed(1)} times as long as plain prose; at most ${MOST} are allowed.`,
);
process.exitCode = ratio > MOST ? 1 : 0;
