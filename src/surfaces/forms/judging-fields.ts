import type { JudgeRequest } from '../../judging/ports.ts';
import { type Choice, type FilledIn, type FormField, type SelectField, severalIn, textIn } from '../form.ts';

/** What there is to choose from; a {@link Library} has these, and the models that can be asked. */
export interface JudgingChoices {
  rubrics: ReadonlyMap<string, Choice>;
  methods: ReadonlyMap<string, Choice>;
  personas: ReadonlyMap<string, Choice>;
  models: readonly string[];
}

/** Ids of the fields that say how to judge. */
export const judging = {
  rubric: 'wish_rubric',
  method: 'wish_method',
  models: 'wish_models',
  panel: 'wish_panel',
} as const;

const choicesOf = (items: ReadonlyMap<string, Choice>): Choice[] =>
  [...items.values()].map(({ id, title }) => ({ id, title: `${title} (${id})` }));

export const rubricField = (choices: JudgingChoices, rubric: string | undefined): SelectField => ({
  kind: 'select',
  id: judging.rubric,
  label: 'Rubric',
  none: 'Whichever fits the case',
  choices: choicesOf(choices.rubrics),
  initial: rubric,
});

/** Method, models and panel. */
export const judgingFields = (
  choices: JudgingChoices,
  { method, models, panel }: JudgeRequest,
): FormField[] => [
  {
    kind: 'select',
    id: judging.method,
    label: 'Method',
    none: "The rubric's own",
    choices: choicesOf(choices.methods),
    initial: method,
  },
  {
    kind: 'multi-select',
    id: judging.models,
    label: 'Models',
    none: 'The default model',
    choices: [...new Set([...choices.models, ...(models ?? [])])].map((id) => ({ id, title: id })),
    initial: models,
  },
  {
    kind: 'multi-select',
    id: judging.panel,
    label: 'Panel',
    none: "The rubric's own personas",
    choices: choicesOf(choices.personas),
    initial: panel,
  },
];

/** What was chosen in {@link rubricField} and {@link judgingFields}. */
export function readJudging(filledIn: FilledIn): JudgeRequest {
  const rubric = textIn(filledIn, judging.rubric);
  const method = textIn(filledIn, judging.method);
  const models = severalIn(filledIn, judging.models);
  const panel = severalIn(filledIn, judging.panel);
  return {
    ...(rubric === undefined ? {} : { rubric }),
    ...(method === undefined ? {} : { method }),
    ...(models.length === 0 ? {} : { models: [...models] }),
    ...(panel.length === 0 ? {} : { panel: [...panel] }),
  };
}
