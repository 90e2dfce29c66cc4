import type { Settled, VerdictLabel } from './label.ts';
import { rightText } from './right.ts';

/** `pass`, `fail`, `3`, or why there is no label. */
export const settledText = (settled: Settled): string =>
  settled.settled ? rightText(settled.right) : `open: ${settled.why}`;

/** What stands, and by what: `fail, ruled by safety lead`; `pass by majority of 4 votes`; `open: too few votes (2)`. */
export function labelText({ label, adjudication, said, errorType }: VerdictLabel): string {
  const votes = `${said.length} vote${said.length === 1 ? '' : 's'}`;
  if (!label.settled) return `open: ${label.why} (${votes})`;
  const what = `${rightText(label.right)}${errorType === null ? '' : ` (${errorType})`}`;
  switch (label.basis) {
    case 'adjudication':
      return `${what}, ruled by ${adjudication?.role ?? 'somebody'}`;
    case 'majority':
      return `${what} by majority of ${votes}`;
    case 'dawid-skene':
      return `${what} by the model of voters from ${votes}`;
  }
}
