import type { KnownBlock } from '@slack/types';
import type { JudgeRequest } from '../../../judging/ports.ts';
import type { Filled } from './form-state.ts';
import { multiSelectInput, named, selectInput } from './options.ts';

interface Titled {
  id: string;
  title: string;
}

/** What there is to choose from; a {@link Library} has these. */
export interface Choices {
  rubrics: ReadonlyMap<string, Titled>;
  methods: ReadonlyMap<string, Titled>;
  personas: ReadonlyMap<string, Titled>;
  /** Model ids that can be asked. */
  models: readonly string[];
}

export const wishBlocks = {
  rubric: 'wish_rubric',
  method: 'wish_method',
  models: 'wish_models',
  panel: 'wish_panel',
} as const;

const listOf = (items: ReadonlyMap<string, Titled>) =>
  [...items.values()].map(({ id, title }) => ({ id, title: `${title} (${id})` }));

/** The menu of rubrics. `action` set: choosing is told at once, so that the fields can follow. */
export const rubricInput = (choices: Choices, rubric: string | undefined, action?: string): KnownBlock =>
  selectInput({
    id: wishBlocks.rubric,
    label: 'Rubric',
    none: 'Whichever fits the case',
    choices: listOf(choices.rubrics),
    chosen: rubric,
    ...(action === undefined ? {} : { action }),
  });

/** The menus for how to judge. */
export function wishInputs(choices: Choices, wish: JudgeRequest): KnownBlock[] {
  const models = [...new Set([...choices.models, ...(wish.models ?? [])])];
  return [
    selectInput({
      id: wishBlocks.method,
      label: 'Method',
      none: "The rubric's own",
      choices: listOf(choices.methods),
      chosen: wish.method,
    }),
    multiSelectInput({
      id: wishBlocks.models,
      label: 'Models',
      none: 'The default model',
      choices: models.map((id) => ({ id, title: id })),
      chosen: wish.models ?? [],
    }),
    multiSelectInput({
      id: wishBlocks.panel,
      label: 'Panel',
      none: "The rubric's own personas",
      choices: listOf(choices.personas),
      chosen: wish.panel ?? [],
    }),
  ];
}

/** What was chosen in {@link rubricInput} and {@link wishInputs}. */
export function readWish(filled: Filled): JudgeRequest {
  const rubric = named(filled.one(wishBlocks.rubric));
  const method = named(filled.one(wishBlocks.method));
  const models = filled.several(wishBlocks.models);
  const panel = filled.several(wishBlocks.panel);
  return {
    ...(rubric === undefined ? {} : { rubric }),
    ...(method === undefined ? {} : { method }),
    ...(models.length === 0 ? {} : { models }),
    ...(panel.length === 0 ? {} : { panel }),
  };
}
