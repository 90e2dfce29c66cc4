/** The outcome of a case in a configuration; see `MatrixRow`. */
export type MatrixCell = string | number | null;

/** One case across all configurations. */
export interface MatrixRow {
  id: string;
  /** The first run that contains the case, and the case's place in it. */
  run: string;
  place: number;
  /** The beginning of what the user asked last. */
  request: string;
  truth: 'pass' | 'fail' | null;
  errorType: string | null;
  labelScore: number | null;
  /**
   * One per configuration: null if there is no trial; the mean score; or letters. The first letter is the most frequent outcome (undecided on
   * a tie); with repeats, one letter follows for each: `p` pass, `f` fail, `u` undecided, `n` no quorum, `a` unanswered.
   */
  cells: MatrixCell[];
}

/** The letter of the most frequent outcome; empty for a score, and where there is no trial. */
export const letterOf = (cell: MatrixCell | undefined): string =>
  typeof cell === 'string' ? cell.charAt(0) : '';

/** Whether a cell differs from the label; without a label, whether it fails. */
export function isBad({ truth }: Pick<MatrixRow, 'truth'>, cell: MatrixCell | undefined): boolean {
  const letter = letterOf(cell);
  if (letter === '') return false;
  return truth === null ? letter === 'f' : letter !== truth.charAt(0);
}
