import type { ModalView } from '@slack/types';

type Answer = string | number | string[] | null;

interface State {
  values: Record<string, Record<string, Record<string, unknown>>>;
}

const option = (value: string) => ({ text: { type: 'plain_text', text: value, emoji: false }, value });

/**
 * The state that Slack sends when a form is submitted: what each input began with, or what was answered by block id (null:
 * emptied).
 *
 * @throws where an answer belongs to no input, as no one could give it
 */
export function filledForm(view: ModalView, answers: Record<string, Answer> = {}): State {
  const state: State = { values: {} };
  const left = new Set(Object.keys(answers));
  for (const block of view.blocks) {
    if (block.type !== 'input' || !('element' in block) || block.block_id === undefined) continue;
    const { element, block_id } = block;
    left.delete(block_id);
    const answer = answers[block_id];
    const picked = answer === undefined ? initialOf(element) : pickedIn(element, answer);
    state.values[block_id] = { [element.action_id ?? '']: { type: element.type, ...picked } };
  }
  if (left.size > 0) throw new Error(`the form has no input ${[...left].join(', ')}`);
  return state;
}

type Element = Extract<ModalView['blocks'][number], { element: unknown }>['element'];

type Picked = Record<string, unknown>;

/** What an input holds before anybody touches it. */
function initialOf(element: Element): Picked {
  switch (element.type) {
    case 'plain_text_input':
    case 'number_input':
      return { value: element.initial_value ?? null };
    case 'datepicker':
      return { selected_date: element.initial_date ?? null };
    case 'timepicker':
      return { selected_time: element.initial_time ?? null };
    case 'static_select':
    case 'external_select':
    case 'radio_buttons':
      return { selected_option: element.initial_option ?? null };
    case 'multi_static_select':
      return { selected_options: element.initial_options ?? [] };
    default:
      throw new Error(`no test fills in a ${element.type} yet`);
  }
}

/** What an input holds after an answer. */
function pickedIn(element: Element, answer: Answer): Picked {
  const [key = 'value'] = Object.keys(initialOf(element));
  if (Array.isArray(answer)) return { [key]: answer.map(option) };
  if (answer === null) return { [key]: key === 'selected_options' ? [] : null };
  return { [key]: key === 'selected_option' ? option(String(answer)) : String(answer) };
}

/** The block ids of a form's inputs, in their order. */
export const inputsOf = (view: ModalView): string[] =>
  view.blocks.flatMap((block) =>
    block.type === 'input' && block.block_id !== undefined ? [block.block_id] : [],
  );
