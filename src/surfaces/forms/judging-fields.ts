import { andList } from '../../common/text/index.ts';
import { RULES } from '../../judges/rules/index.ts';
import type { JudgeRequest } from '../../judging/index.ts';
import { currentOf } from '../../judging/standards/index.ts';
import { type ChannelSettings, isAllowedModel, issueUrlProblem } from '../../labels/access/index.ts';
import type { Language } from '../../words/index.ts';
import { type WishTitles, wishWords } from '../views/index.ts';
import { shortLine } from '../wording/index.ts';
import {
  type Choice,
  type FilledIn,
  type Form,
  type FormErrors,
  type FormField,
  readForm,
  type SelectField,
  severalIn,
  textIn,
  type VanishedChoice,
  withoutVanished,
} from './form.ts';

/** The choices for judging: a library's rubrics, methods and personas, and the available models. */
export interface JudgingChoices {
  rubrics: ReadonlyMap<string, Choice>;
  methods: ReadonlyMap<string, Choice>;
  personas: ReadonlyMap<string, Choice>;
  models: readonly string[];
}

/** Ids of the fields that set how to judge. */
export const judging = {
  rubric: 'wish_rubric',
  method: 'wish_method',
  models: 'wish_models',
  panel: 'wish_panel',
} as const;

const choicesOf = (items: ReadonlyMap<string, Choice>, chosen?: readonly string[]): Choice[] =>
  currentOf(items, chosen).map(({ id, title }) => ({ id, title: `${title} (${id})` }));

export const rubricField = (choices: JudgingChoices, rubric: string | undefined): SelectField => ({
  kind: 'select',
  id: judging.rubric,
  label: 'Rubric',
  none: 'Whichever fits the case',
  choices: choicesOf(choices.rubrics, rubric === undefined ? [] : [rubric]),
  initial: rubric,
});

/** The fields for the models, and under *Advanced* the method and the panel, which few people change. */
export const judgingFields = (
  choices: JudgingChoices,
  { method, models, panel }: JudgeRequest,
): FormField[] => [
  {
    kind: 'multi-select',
    id: judging.models,
    label: 'Models',
    none: 'The default model',
    choices: [...new Set([...choices.models, ...(models ?? [])])].map((id) => ({ id, title: id })),
    initial: models,
  },
  {
    kind: 'select',
    id: judging.method,
    label: 'Method',
    advanced: true,
    none: "The rubric's own",
    choices: choicesOf(choices.methods),
    initial: method,
  },
  {
    kind: 'multi-select',
    id: judging.panel,
    advanced: true,
    label: 'Panel',
    none: "The rubric's own personas",
    choices: choicesOf(choices.personas, panel),
    initial: panel,
  },
];

/** Reads {@link rubricField} and {@link judgingFields}. */
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

const ids = {
  allowed: 'settings_allowed',
  shown: 'settings_shown',
  marks: 'settings_marks',
  gold: 'settings_gold',
  issues: 'settings_issues',
  members: 'settings_members',
} as const;

const BLIND = 'blind';
const MARKS = 'marks';
const MEMBERS = 'members';
/** Choices of how often the queue shows a case with a known answer: 1 in 20, 10 or 5. */
const GOLD = [20, 10, 5];

/** @param mayChange whether members currently may */
const membersField = (mayChange: boolean): SelectField => ({
  kind: 'select',
  id: ids.members,
  advanced: true,
  label: 'Who may change settings, known answers and digests of others, and rule',
  none: 'Admins of Jury alone',
  choices: [{ id: MEMBERS, title: 'Everyone in this conversation' }],
  initial: mayChange ? MEMBERS : undefined,
});

/** @param isOn whether messages are marked now */
const marksField = (isOn: boolean): SelectField => ({
  kind: 'select',
  id: ids.marks,
  advanced: true,
  label: 'Reaction on the message that asked',
  hint: '✅ pass, ❌ fail, ◻️ not decided, once the verdict stands. None where people vote first.',
  none: 'None',
  choices: [{ id: MARKS, title: 'The outcome' }],
  initial: isOn ? MARKS : undefined,
});

/**
 * The form for a conversation's settings: how its cases are judged and shown unless a request says otherwise.
 * @param canDelegate whether the person may let others change the settings
 * @param canMark whether the conversation's surface can mark messages that asked
 */
export function settingsForm(
  settings: ChannelSettings,
  choices: JudgingChoices,
  { canDelegate = false, canMark = false } = {},
): Form {
  const { wish, blind, marks, goldEvery, issueUrl, allowedModels = [], membersMayChange } = settings;
  const every = [...new Set([...GOLD, ...(goldEvery === undefined ? [] : [goldEvery])])];
  return {
    title: 'Settings',
    send: 'Save',
    cancel: 'Cancel',
    parts: [
      { kind: 'note', text: 'How cases of this conversation are judged unless a request says otherwise.' },
      rubricField(choices, wish.rubric),
      ...judgingFields(choices, wish),
      {
        kind: 'select',
        id: ids.shown,
        label: 'Verdicts and votes are shown',
        hint: 'Applies to verdicts asked for from now on. Earlier ones stay as they are.',
        none: 'To everyone, at once',
        choices: [{ id: BLIND, title: 'To each person, after their own vote' }],
        initial: blind === true ? BLIND : undefined,
      },
      ...(canMark ? [marksField(marks === true)] : []),
      {
        kind: 'multi-select',
        id: ids.allowed,
        advanced: true,
        label: 'Models that may judge here',
        hint: 'Requests for any other are refused. Exact checks are always allowed.',
        none: 'All models',
        choices: [...new Set([...choices.models, ...allowedModels])]
          .filter((id) => id !== RULES)
          .map((id) => ({ id, title: id })),
        initial: allowedModels,
      },
      {
        kind: 'select',
        id: ids.gold,
        advanced: true,
        label: 'Cases with a known answer, in the queue',
        hint: 'They look like all the others and show how reliable votes are.',
        none: 'None',
        choices: every
          .sort((a, b) => b - a)
          .map((count) => ({ id: String(count), title: `About 1 in ${count}` })),
        initial: goldEvery === undefined ? undefined : String(goldEvery),
      },
      {
        kind: 'text',
        id: ids.issues,
        advanced: true,
        label: 'Address for new issues',
        hint: 'Where answers fail, a link opens it filled in: https://github.com/org/repo/issues/new?title={title}&body={body}',
        initial: issueUrl,
        maxLength: 500,
      },
      ...(canDelegate ? [membersField(membersMayChange === true)] : []),
    ],
  };
}

/**
 * Reads {@link settingsForm}. Choices that no longer exist are dropped and returned as `vanished`.
 *
 * @param form the form as it would be shown now
 * @param before the previous settings, for those that the form does not show
 */
export function readSettingsForm(
  form: Form,
  shown: FilledIn,
  before: ChannelSettings,
): { settings: ChannelSettings; vanished: VanishedChoice[] } | { errors: FormErrors } {
  const { filledIn, vanished } = withoutVanished(form, shown);
  const read = readForm(form, filledIn);
  if ('errors' in read) return read;
  const goldEvery = read.values.number(ids.gold);
  const issueUrl = read.values.text(ids.issues);
  const asksWho = form.parts.some((part) => 'id' in part && part.id === ids.members);
  const membersMayChange = asksWho ? read.values.text(ids.members) === MEMBERS : before.membersMayChange;
  const asksMarks = form.parts.some((part) => 'id' in part && part.id === ids.marks);
  const marks = asksMarks ? read.values.text(ids.marks) === MARKS : before.marks;
  const problem = issueUrl === undefined ? null : issueUrlProblem(issueUrl);
  if (problem !== null) return { errors: { [ids.issues]: problem } };
  const allowed = severalIn(filledIn, ids.allowed);
  // An empty list allows all models, which is not what was chosen.
  if (allowed.length === 0 && severalIn(shown, ids.allowed).length > 0)
    return { errors: { [ids.allowed]: 'None of these models is there any more: choose again.' } };
  const limit = allowed.length === 0 ? {} : { allowedModels: [...allowed] };
  const wish = readJudging(filledIn);
  const refused = wish.models?.filter((model) => !isAllowedModel(limit, model)) ?? [];
  if (refused.length > 0)
    return { errors: { [judging.models]: `${andList(refused)} may not judge here: allow it below.` } };
  return {
    vanished,
    settings: {
      wish,
      ...limit,
      ...(read.values.text(ids.shown) === BLIND ? { blind: true } : {}),
      ...(marks === true ? { marks } : {}),
      ...(goldEvery === undefined ? {} : { goldEvery }),
      ...(issueUrl === undefined ? {} : { issueUrl }),
      ...(membersMayChange === true ? { membersMayChange } : {}),
    },
  };
}

/** Tells the person which choices were dropped from the settings. */
export const vanishedText = (vanished: readonly VanishedChoice[]): string =>
  `Saved, except what is not there any more: ${vanished.map(({ label, id }) => `${label} “${shortLine(id, 100)}”`).join(', ')}. The default takes its place.`;

/** The changes between two settings, such as `method: the rubric's → mad`; null if there are none. */
export function settingsChange(
  before: ChannelSettings,
  after: ChannelSettings,
  titles: WishTitles,
  language: Language,
): string | null {
  const settingTexts = ({
    wish,
    blind,
    marks,
    goldEvery,
    issueUrl,
    allowedModels,
    membersMayChange,
  }: ChannelSettings) => [
    ...wishWords(wish, titles, language),
    ['models that may judge', allowedModels?.join(', ') ?? 'all'],
    ['verdicts are shown', blind === true ? 'to each person after their own vote' : 'at once'],
    ['reaction on the message that asked', marks === true ? 'the outcome' : 'none'],
    ['known answers in the queue', goldEvery === undefined ? 'none' : `1 in ${goldEvery}`],
    ['address for new issues', issueUrl === undefined ? 'none' : shortLine(issueUrl, 100)],
    ['who may change this', membersMayChange === true ? 'everyone here' : 'admins'],
  ];
  const now = settingTexts(after);
  const changes = settingTexts(before).flatMap(([name, old], index) => {
    const value = now[index]?.[1];
    return value === old ? [] : [`${name}: ${old} → ${value}`];
  });
  return changes.length === 0 ? null : changes.join('; ');
}
