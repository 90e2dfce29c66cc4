import type { Report } from './report.ts';

/** Whether decisions are what a run is about: where verdicts are scores, or labels speak of criteria alone, F1 says nothing. */
export const hasDecisions = ({ setups }: Pick<Report, 'setups'>): boolean =>
  setups.some(({ effectiveness }) => effectiveness.n > 0) ||
  setups.every(({ scores, criteria }) => scores === null && criteria.length === 0);
