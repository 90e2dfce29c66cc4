import type { InputBlock, KnownBlock, ModalView } from '@slack/types';
import * as z from 'zod';
import { type CaseFormat, knownPart } from '../../../case/case-format.ts';
import type { Understood } from '../../../case/paste/draft.ts';
import type { JudgeRequest } from '../../../judging/ports.ts';
import type { Rubric } from '../../../judging/rubric.ts';
import { oneLine, safeText, shortened } from '../../safe-text.ts';
import { actions, callbacks } from '../ids.ts';
import { type AskedInput, inputsFor, shownInputs } from './asked-inputs.ts';
import { bold, context, limits, paragraph, plain, words } from './blocks.ts';
import { type CaseInput, inputId } from './case-inputs.ts';
import { inputText } from './input-text.ts';
import { type Choices, rubricInput, wishInputs } from './wish-inputs.ts';

export interface JudgeFormInput {
  /** The draft that the form was opened with, kept in the store. */
  draftId: string;
  understood: Understood;
  /** How to judge: what was asked for, else the channel's defaults. */
  wish: JudgeRequest;
  rubrics: ReadonlyMap<string, Rubric>;
  choices: Choices;
  /** What a case may look like. */
  format: CaseFormat;
  /** What is to be said first, such as why a paste could not be judged. */
  problem?: string;
}

export const JudgeFormMetadata = z.strictObject({ draft: z.string() });

/** What an input shows at first. Invisible characters are left out of it, not out of the case: see {@link readJudgeForm}. */
export const shownText = (understood: Understood, input: CaseInput): string | undefined => {
  const text = inputText(understood, input);
  return text === undefined ? undefined : safeText(text).trim();
};

/** Whether a text is too long for an input; then it is kept as it was pasted. */
export const isKept = (text: string | undefined): boolean =>
  text !== undefined && text.length > limits.inputText;

const EXCERPT = 300;
const LONGEST_NAME = 100;

const keptBlock = (input: AskedInput, text: string): KnownBlock =>
  paragraph(
    bold(shortened(oneLine(input.label), LONGEST_NAME)),
    words(
      `: kept as it was pasted, ${text.length.toLocaleString('en-US')} characters, more than a form can hold.\n${shortened(oneLine(text), EXCERPT)}`,
    ),
  );

function elementOf(input: AskedInput, text: string | undefined): InputBlock['element'] {
  const action_id = inputId(input.path);
  switch (input.kind) {
    case 'date':
      return { type: 'datepicker', action_id, ...(text === undefined ? {} : { initial_date: text }) };
    case 'time':
      return { type: 'timepicker', action_id, ...(text === undefined ? {} : { initial_time: text }) };
    case 'number':
      return {
        type: 'number_input',
        action_id,
        is_decimal_allowed: true,
        min_value: '0',
        ...(text === undefined ? {} : { initial_value: text }),
      };
    case 'line':
    case 'lines':
      return {
        type: 'plain_text_input',
        action_id,
        multiline: input.kind === 'lines' || (text ?? '').includes('\n'),
        max_length: limits.inputText,
        ...(text === undefined || text === '' ? {} : { initial_value: text }),
      };
  }
}

function inputBlock(input: AskedInput, understood: Understood): KnownBlock {
  const text = shownText(understood, input);
  if (text !== undefined && isKept(text)) return keptBlock(input, text);
  const loses =
    input.required || input.neededFor.length === 0
      ? ''
      : `Without it there is no verdict on: ${input.neededFor.join(', ')}.`;
  const hint = [input.hint ?? '', loses].filter((part) => part !== '').join(' ');
  return {
    type: 'input',
    block_id: inputId(input.path),
    optional: !input.required,
    label: plain(input.label, limits.inputLabel),
    ...(hint === '' ? {} : { hint: plain(hint, limits.inputLabel) }),
    element: elementOf(input, text),
  };
}

const MOST_NAMED = 10;

/** What the form cannot show, said before it is sent. */
function leftOut(unknown: readonly string[], left: number): KnownBlock[] {
  const named = unknown.slice(0, MOST_NAMED).map((path) => shortened(oneLine(path), LONGEST_NAME));
  const more = unknown.length > MOST_NAMED ? ` and ${unknown.length - MOST_NAMED} more` : '';
  return [
    ...(unknown.length === 0
      ? []
      : [context(`Left out, because no field is declared like this any more: ${named.join(', ')}${more}.`)]),
    ...(left === 0
      ? []
      : [context(`${left} more fields have no room here: what was pasted of them is kept.`)]),
  ];
}

/**
 * The form for one case. Choosing another rubric is told at once ({@link actions.formRubric}): the form rendered anew then
 * asks for what that rubric needs, and what was typed stays, because the same inputs have the same ids.
 */
export function judgeForm({
  draftId,
  understood,
  wish,
  rubrics,
  choices,
  format,
  problem,
}: JudgeFormInput): ModalView {
  const rubric = rubrics.get(wish.rubric ?? understood.rubric ?? '') ?? null;
  const { known, unknown } = knownPart(understood, format);
  const { shown, left } = shownInputs(inputsFor(rubric, known, format));
  return {
    type: 'modal',
    callback_id: callbacks.judgeForm,
    title: plain('Ask the jury', limits.viewTitle),
    submit: plain('Judge', limits.viewButton),
    close: plain('Cancel', limits.viewButton),
    private_metadata: JSON.stringify({ draft: draftId } satisfies z.infer<typeof JudgeFormMetadata>),
    blocks: [
      ...(problem === undefined ? [] : [paragraph(words(`🤔 ${shortened(oneLine(problem), 1_000)}`))]),
      rubricInput(choices, rubric?.id, actions.formRubric),
      ...(rubric === null ? [context('Choose a rubric to see what it looks at.')] : []),
      ...shown.map((input) => inputBlock(input, known)),
      ...leftOut(unknown, left),
      ...wishInputs(choices, wish),
    ],
  };
}
