import type {
  InputBlock,
  MultiStaticSelect,
  PlainTextOption,
  RadioButtons,
  StaticSelect,
} from '@slack/types';
import { limits, plain } from './blocks.ts';

/** Something to choose: its id is the value. */
export interface Choice {
  id: string;
  title: string;
}

/** The value that stands for "nothing named"; no id of ours can be this. */
const OWN = '*';

const optionOf = ({ id, title }: Choice): PlainTextOption => ({
  text: plain(title, limits.optionText),
  value: id,
});

/** Groups where there are more than Slack takes in one list. An id that is too long to be a value cannot be offered. */
function offered(choices: readonly Choice[]): Pick<StaticSelect, 'options' | 'option_groups'> {
  const all = choices.filter(({ id }) => id.length <= limits.optionValue).map(optionOf);
  if (all.length <= limits.options) return { options: all };
  const groups = Array.from({ length: Math.ceil(all.length / limits.options) }, (_, index) => {
    const from = index * limits.options;
    const options = all.slice(from, from + limits.options);
    return { label: plain(`${from + 1} to ${from + options.length}`, limits.optionText), options };
  });
  return { option_groups: groups.slice(0, limits.optionGroups) };
}

interface SelectParts {
  id: string;
  label: string;
  hint?: string;
  choices: readonly Choice[];
  /** What choosing nothing means; where given it is the first choice. */
  none?: string;
}

/** A menu of which one thing is chosen. `action` set: choosing is told at once. */
export function selectInput({
  id,
  label,
  hint,
  choices,
  none,
  chosen,
  action,
}: SelectParts & { chosen?: string | undefined; action?: string }): InputBlock {
  const all = none === undefined ? choices : [{ id: OWN, title: none }, ...choices];
  const initial = all.find(({ id: one }) => one === chosen) ?? all.find(({ id: one }) => one === OWN);
  return {
    type: 'input',
    block_id: id,
    label: plain(label, limits.inputLabel),
    ...(hint === undefined ? {} : { hint: plain(hint, limits.inputLabel) }),
    ...(action === undefined ? {} : { dispatch_action: true }),
    element: {
      type: 'static_select',
      action_id: action ?? id,
      ...offered(all),
      ...(initial === undefined ? {} : { initial_option: optionOf(initial) }),
    },
  };
}

/** A few things side by side of which one is chosen with one click; at most ten. */
export function radioInput({
  id,
  label,
  hint,
  choices,
  chosen,
}: SelectParts & { chosen?: string | undefined }): InputBlock {
  const initial = choices.find((choice) => choice.id === chosen);
  const element: RadioButtons = {
    type: 'radio_buttons',
    action_id: id,
    options: choices.map(optionOf),
    ...(initial === undefined ? {} : { initial_option: optionOf(initial) }),
  };
  return {
    type: 'input',
    block_id: id,
    label: plain(label, limits.inputLabel),
    ...(hint === undefined ? {} : { hint: plain(hint, limits.inputLabel) }),
    element,
  };
}

/** A menu of which several things, or none, can be chosen. */
export function multiSelectInput({
  id,
  label,
  hint,
  choices,
  none,
  chosen,
}: SelectParts & { chosen: readonly string[] }): InputBlock {
  const initial = choices.filter((choice) => chosen.includes(choice.id)).slice(0, limits.options);
  const element: MultiStaticSelect = {
    type: 'multi_static_select',
    action_id: id,
    ...offered(choices),
    ...(none === undefined ? {} : { placeholder: plain(none, limits.placeholder) }),
    ...(initial.length === 0 ? {} : { initial_options: initial.map(optionOf) }),
  };
  return {
    type: 'input',
    block_id: id,
    optional: true,
    label: plain(label, limits.inputLabel),
    ...(hint === undefined ? {} : { hint: plain(hint, limits.inputLabel) }),
    element,
  };
}

/** The id that was chosen, or undefined where nothing was named. */
export const named = (value: string | undefined): string | undefined => (value === OWN ? undefined : value);
