import type { EvalCase } from '../case/index.ts';
import { type Unsure, unsureNote } from '../case/paste/index.ts';
import { JuryError } from '../common/index.ts';
import { plainLine } from '../common/text/index.ts';
import type { UnsureChoice } from './ask.ts';
import { type CasePlan, type JudgeContext, judgeCase } from './judge-case.ts';
import type { CriterionVerdict, Reader, Verdict } from './verdict/index.ts';

/** A case as it was read. */
export interface ReadCase {
  case: EvalCase;
  assumed: readonly string[];
  unsure?: Unsure | undefined;
  /** The model that read the paste. */
  reader?: Reader | undefined;
}

/** The two readings of a case: its unsure lines are a remark or belong to the answer. */
export type Readings = Record<'remark' | 'answer', EvalCase>;

/** What the unsure lines may belong to: the answer, or what was said before it too. */
export const wholeOf = ({ remark, answer }: Readings): 'the answer' | 'what was said' => {
  const conversationText = ({ conversation }: EvalCase) => JSON.stringify(conversation);
  return conversationText(remark) === conversationText(answer) ? 'the answer' : 'what was said';
};

const LONGEST = 200;

/** The end of a text: readings differ there. */
function ending(text: string): string {
  const line = plainLine(text);
  return line.length > LONGEST ? `…${line.slice(-LONGEST).toWellFormed()}` : line;
}

/** A case can be read in two ways, the outcome may depend on it, and none was chosen. Nothing was judged. */
export class UnsureError extends JuryError {
  /** The lines that may or may not belong to the answer. */
  readonly text: string;
  /** The case without the lines (`remark`) and with them (`answer`). */
  readonly readings: Readings;

  /** @param how to choose, as a sentence; empty if there are buttons */
  constructor({ text, withIt }: Unsure, without: EvalCase, how: string) {
    const readings = { remark: without, answer: withIt };
    const lines = plainLine(text);
    const isSameAnswer = withIt.response === without.response;
    const readingText = ({ conversation, response }: EvalCase) =>
      isSameAnswer
        ? `what was said before the answer is "${ending(conversation.map((turn) => turn.text).join(' '))}"`
        : `the answer is "${ending(response)}"`;
    super(
      'bad-input',
      [
        `It is not clear whether "${lines.length > LONGEST ? `${lines.slice(0, LONGEST).toWellFormed()}…` : lines}" belongs to ${wholeOf(readings)}, and the outcome may depend on it.`,
        `  as a remark, ${readingText(without)}`,
        `  as part of it, ${readingText(withIt)}`,
        ...(how === '' ? [] : [how]),
      ].join('\n'),
    );
    this.name = 'UnsureError';
    this.text = text;
    this.readings = readings;
  }
}

const findingOf = ({ id, decision, score }: CriterionVerdict) => [id, decision, score];

/** The parts of a verdict that must be the same for both readings of a case. */
const outcomeOf = ({ rubric, decision, score, criteria, preference }: Verdict): string =>
  JSON.stringify([rubric, decision, score, preference?.better, criteria.map(findingOf)]);

const isExactPlan = ({ panel, raters }: CasePlan): boolean =>
  [...panel.seats, ...(raters?.seats ?? [])].every(({ judge }) => judge.model === 'rules');

/**
 * Plans a case with the reading to judge. If it has two readings and none was chosen, models judge it without the unsure lines.
 * Exact checks judge both: if the outcome is the same, the lines are left out, and the verdict says so.
 *
 * @param how how to choose, as a sentence, for the error
 * @param plan says how a reading is judged; its `unsure` lines are left out
 * @throws JuryError what `plan` throws, or an {@link UnsureError}: nothing is judged before a person or a program chooses
 */
export async function planReading(
  read: ReadCase,
  choice: UnsureChoice | undefined,
  how: string,
  plan: (read: ReadCase) => CasePlan,
  context: Omit<JudgeContext, 'onEvent'>,
): Promise<CasePlan> {
  const planned = await planOneReading(read, choice, how, plan, context);
  return read.reader === undefined ? planned : { ...planned, reader: read.reader };
}

async function planOneReading(
  read: ReadCase,
  choice: UnsureChoice | undefined,
  how: string,
  plan: (read: ReadCase) => CasePlan,
  context: Omit<JudgeContext, 'onEvent'>,
): Promise<CasePlan> {
  const { unsure } = read;
  if (unsure === undefined) return plan(read);
  const { text, withIt } = unsure;
  // The verdict already says what was left out.
  const without = { ...read, assumed: read.assumed.filter((note) => note !== unsureNote(unsure)) };
  if (choice === 'answer') {
    const assumption = `"${plainLine(text)}" was read as part of ${unsure.isOfTurns ? 'what was said' : 'the response'}`;
    return plan({ case: withIt, assumed: [...without.assumed, assumption] });
  }
  if (choice === 'refuse') throw new UnsureError(unsure, without.case, how);
  const planned = plan(without);
  if (choice === 'remark' || !isExactPlan(planned)) return planned;
  const both = [planned, plan({ case: withIt, assumed: without.assumed })];
  const [asRemark, asAnswer] = await Promise.all(both.map((each) => judgeCase(each, context)));
  if (asRemark !== undefined && asAnswer !== undefined && outcomeOf(asRemark) === outcomeOf(asAnswer))
    return planned;
  throw new UnsureError(unsure, without.case, how);
}
