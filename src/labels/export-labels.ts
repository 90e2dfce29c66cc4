import type { CaseFormat } from '../case/case-format.ts';
import { jsonLine } from '../common/text.ts';
import { labeledCase, standingCases } from './label-cases.ts';
import { crowdHead, crowdRows, goldHead, goldRows, labelHead, labelRow } from './label-rows.ts';
import type { LabeledVerdict } from './labels.ts';

/** A part of an export: a line of it, a line of the file of rulings, or why a verdict is left out (“they …”). */
export type ExportItem = { kind: 'head' | 'line' | 'gold'; text: string } | { kind: 'left-out'; why: string };

/** Reads all labels, one at a time; each call begins anew. */
type Labels = () => AsyncIterable<LabeledVerdict>;

const leftOut = (why: string): ExportItem => ({ kind: 'left-out', why });
const OPEN = leftOut('have no label yet (--all writes them too)');

/** Labels as a dataset, one case a line. @param all with cases that have no label yet */
export async function* exportedCases(
  labels: Labels,
  { format, all }: { format: CaseFormat; all: boolean },
): AsyncGenerator<ExportItem> {
  const standing = await standingCases(labels());
  for await (const one of labels()) {
    const made = labeledCase(one, standing, { format, all });
    switch (made.kind) {
      case 'case':
        yield { kind: 'line', text: jsonLine(made.evalCase) };
        break;
      case 'open':
        yield OPEN;
        break;
      case 'again':
        yield leftOut('judge a case that another verdict stands for');
        break;
      case 'contradictory':
        yield leftOut(
          'judge a case whose labels contradict each other ("jury labels adjudicate" settles it)',
        );
        break;
      case 'unreadable':
        yield leftOut(`hold a case in a form that is no longer known (${made.why})`);
        break;
    }
  }
}

/** Labels as a table, one verdict a row. @param all with verdicts that have no label yet */
export async function* exportedTable(labels: Labels, all: boolean): AsyncGenerator<ExportItem> {
  yield { kind: 'head', text: labelHead };
  for await (const one of labels())
    yield all || one.label.label.settled ? { kind: 'line', text: labelRow(one) } : OPEN;
}

/** Votes as Crowd-Kit reads them, one a row, and rulings beside them. */
export async function* exportedVotes(labels: Labels): AsyncGenerator<ExportItem> {
  yield { kind: 'head', text: crowdHead };
  yield { kind: 'gold', text: goldHead };
  for await (const one of labels()) {
    const rows = crowdRows(one);
    for (const text of rows) yield { kind: 'line', text };
    for (const text of goldRows(one)) yield { kind: 'gold', text };
    if (rows.length > 0) continue;
    const isScored = one.label.judged.decision === 'scored';
    yield leftOut(isScored ? 'give a score, which is not a class' : 'have no vote that says what is right');
  }
}
