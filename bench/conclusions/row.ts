/** How often made data led to a sentence, and how often it may. Shares, 0 to 1. */
export interface ConclusionRow {
  what: string;
  value: number;
  from: number;
  to: number;
}
