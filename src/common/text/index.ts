/**
 * Text for people and files: plurals, money, percent, safe lines, CSV, JUnit. It knows nothing of the product, and of no
 * platform's markup. Start reading: `text.ts`.
 */
export { type CsvValue, csvText, delimiterOf, readCsv } from './csv.ts';
export { type JunitCase, junitText } from './junit.ts';
export {
  andList,
  capital,
  clipped,
  counted,
  dayOf,
  didYouMean,
  escapedJson,
  firstSentence,
  fold,
  grouped,
  isLoopback,
  jsonLine,
  listed,
  meantBy,
  minuteText,
  naturalOrder,
  nearestTo,
  noSuch,
  percent,
  plainKey,
  plainLine,
  plainText,
  readJson,
  safeText,
  shortened,
  singleSpaced,
  usd,
} from './text.ts';
