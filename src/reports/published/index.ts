/**
 * What papers print, and which configurations of a run may stand beside it. The numbers are data; a run is never adjusted to
 * them. Start reading: `published-results.ts`.
 */
export { publishedTable } from './published-results.ts';
export {
  type Contradiction,
  type PublishedTable,
  paperPrices,
  printed,
  publishedTables,
} from './published-tables.ts';
