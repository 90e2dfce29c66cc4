import { RULES } from '../../judges/rules/index.ts';
import type { JudgeRequest } from '../../judging/index.ts';
import { currentOf } from '../../judging/standards/index.ts';
import { type ChannelSettings, isAllowedModel, issueUrlProblem } from '../../labels/access/index.ts';
import { Language, type Words, wordsIn } from '../../words/index.ts';
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
  /** Of the person who fills in the form; default: English. */
  language?: Language | undefined;
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

/** The texts of a form. */
export const formWords = ({ language = 'en' }: Pick<JudgingChoices, 'language'>) => wordsIn(language).forms;

export function rubricField(choices: JudgingChoices, rubric: string | undefined): SelectField {
  const words = formWords(choices).judging;
  return {
    kind: 'select',
    id: judging.rubric,
    label: words.rubric,
    none: words.rubricNone,
    choices: choicesOf(choices.rubrics, rubric === undefined ? [] : [rubric]),
    initial: rubric,
  };
}

/** The fields for the models, and under *Advanced* the method and the panel, which few people change. */
export function judgingFields(choices: JudgingChoices, { method, models, panel }: JudgeRequest): FormField[] {
  const words = formWords(choices).judging;
  return [
    {
      kind: 'multi-select',
      id: judging.models,
      label: words.models,
      none: words.modelsNone,
      choices: [...new Set([...choices.models, ...(models ?? [])])].map((id) => ({ id, title: id })),
      initial: models,
    },
    {
      kind: 'select',
      id: judging.method,
      label: words.method,
      advanced: true,
      none: words.methodNone,
      choices: choicesOf(choices.methods),
      initial: method,
    },
    {
      kind: 'multi-select',
      id: judging.panel,
      advanced: true,
      label: words.panel,
      none: words.panelNone,
      choices: choicesOf(choices.personas, panel),
      initial: panel,
    },
  ];
}

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
  language: 'settings_language',
  gold: 'settings_gold',
  issues: 'settings_issues',
  members: 'settings_members',
} as const;

const LANGUAGES: Readonly<Record<Language, string>> = { en: 'English', de: 'Deutsch' };

const BLIND = 'blind';
const MARKS = 'marks';
const MEMBERS = 'members';
/** Choices of how often the queue shows a case with a known answer: 1 in 20, 10 or 5. */
const GOLD = [20, 10, 5];

type SettingsWords = Words['forms']['settings'];

/** @param mayChange whether members currently may */
const membersField = (mayChange: boolean, words: SettingsWords): SelectField => ({
  kind: 'select',
  id: ids.members,
  advanced: true,
  label: words.members,
  none: words.membersNone,
  choices: [{ id: MEMBERS, title: words.membersAll }],
  initial: mayChange ? MEMBERS : undefined,
});

/** @param isOn whether messages are marked now */
const marksField = (isOn: boolean, words: SettingsWords, none: string): SelectField => ({
  kind: 'select',
  id: ids.marks,
  advanced: true,
  label: words.marks,
  hint: words.marksHint,
  none,
  choices: [{ id: MARKS, title: words.marksOutcome }],
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
  const { settings: words, ...forms } = formWords(choices);
  const every = [...new Set([...GOLD, ...(goldEvery === undefined ? [] : [goldEvery])])];
  return {
    title: words.title,
    send: forms.save,
    cancel: forms.cancel,
    parts: [
      { kind: 'note', text: words.note },
      rubricField(choices, wish.rubric),
      ...judgingFields(choices, wish),
      {
        kind: 'select',
        id: ids.shown,
        label: words.shown,
        hint: words.shownHint,
        none: words.shownNone,
        choices: [{ id: BLIND, title: words.shownBlind }],
        initial: blind === true ? BLIND : undefined,
      },
      ...(canMark ? [marksField(marks === true, words, forms.none)] : []),
      {
        kind: 'select',
        id: ids.language,
        advanced: true,
        label: words.language,
        hint: words.languageHint,
        none: words.languageNone,
        // Each in its own language, so that people find theirs.
        choices: Language.options.map((id) => ({ id, title: LANGUAGES[id] })),
        initial: settings.language,
      },
      {
        kind: 'multi-select',
        id: ids.allowed,
        advanced: true,
        label: words.allowed,
        hint: words.allowedHint,
        none: words.allowedNone,
        choices: [...new Set([...choices.models, ...allowedModels])]
          .filter((id) => id !== RULES)
          .map((id) => ({ id, title: id })),
        initial: allowedModels,
      },
      {
        kind: 'select',
        id: ids.gold,
        advanced: true,
        label: words.gold,
        hint: words.goldHint,
        none: forms.none,
        choices: every
          .sort((a, b) => b - a)
          .map((count) => ({ id: String(count), title: words.goldEvery(count) })),
        initial: goldEvery === undefined ? undefined : String(goldEvery),
      },
      {
        kind: 'text',
        id: ids.issues,
        advanced: true,
        label: words.issues,
        hint: words.issuesHint,
        initial: issueUrl,
        maxLength: 500,
      },
      ...(canDelegate ? [membersField(membersMayChange === true, words)] : []),
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
  language: Language = 'en',
): { settings: ChannelSettings; vanished: VanishedChoice[] } | { errors: FormErrors } {
  const words = wordsIn(language).forms.settings;
  const { filledIn, vanished } = withoutVanished(form, shown);
  const read = readForm(form, filledIn);
  if ('errors' in read) return read;
  const goldEvery = read.values.number(ids.gold);
  const issueUrl = read.values.text(ids.issues);
  const asksWho = form.parts.some((part) => 'id' in part && part.id === ids.members);
  const membersMayChange = asksWho ? read.values.text(ids.members) === MEMBERS : before.membersMayChange;
  const asksMarks = form.parts.some((part) => 'id' in part && part.id === ids.marks);
  const marks = asksMarks ? read.values.text(ids.marks) === MARKS : before.marks;
  const asksLanguage = form.parts.some((part) => 'id' in part && part.id === ids.language);
  const spoken = asksLanguage ? Language.safeParse(read.values.text(ids.language)).data : before.language;
  const problem = issueUrl === undefined ? null : issueUrlProblem(issueUrl);
  if (problem !== null) return { errors: { [ids.issues]: problem } };
  const allowed = severalIn(filledIn, ids.allowed);
  // An empty list allows all models, which is not what was chosen.
  if (allowed.length === 0 && severalIn(shown, ids.allowed).length > 0)
    return { errors: { [ids.allowed]: words.goneModels } };
  const limit = allowed.length === 0 ? {} : { allowedModels: [...allowed] };
  const wish = readJudging(filledIn);
  const refused = wish.models?.filter((model) => !isAllowedModel(limit, model)) ?? [];
  if (refused.length > 0)
    return { errors: { [judging.models]: words.mayNotJudge(wordsIn(language).verdict.list(refused)) } };
  return {
    vanished,
    settings: {
      wish,
      ...limit,
      ...(read.values.text(ids.shown) === BLIND ? { blind: true } : {}),
      ...(marks === true ? { marks } : {}),
      ...(goldEvery === undefined ? {} : { goldEvery }),
      ...(issueUrl === undefined ? {} : { issueUrl }),
      ...(spoken === undefined ? {} : { language: spoken }),
      ...(membersMayChange === true ? { membersMayChange } : {}),
    },
  };
}

/** Tells the person which choices were dropped from the settings. */
export function vanishedText(vanished: readonly VanishedChoice[], language: Language): string {
  const { card, forms } = wordsIn(language);
  return forms.settings.savedExcept(
    vanished.map(({ label, id }) => `${label} ${card.quoted(shortLine(id, 100))}`).join(', '),
  );
}

/** The changes between two settings, such as `method: the rubric's → mad`; null if there are none. */
export function settingsChange(
  before: ChannelSettings,
  after: ChannelSettings,
  titles: WishTitles,
  language: Language,
): string | null {
  const words = wordsIn(language).forms.settings.change;
  const settingTexts = ({
    wish,
    blind,
    marks,
    goldEvery,
    issueUrl,
    allowedModels,
    language: spoken,
    membersMayChange,
  }: ChannelSettings) => [
    ...wishWords(wish, titles, language),
    [words.models, allowedModels?.join(', ') ?? words.all],
    [words.shown, blind === true ? words.afterVote : words.atOnce],
    [words.marks, marks === true ? words.outcome : words.none],
    [words.gold, goldEvery === undefined ? words.none : words.goldEvery(goldEvery)],
    [words.issues, issueUrl === undefined ? words.none : shortLine(issueUrl, 100)],
    [words.language, spoken === undefined ? words.workspace : LANGUAGES[spoken]],
    [words.who, membersMayChange === true ? words.everyone : words.admins],
  ];
  const now = settingTexts(after);
  const changes = settingTexts(before).flatMap(([name, old], index) => {
    const value = now[index]?.[1];
    return value === old ? [] : [`${name}: ${old} → ${value}`];
  });
  return changes.length === 0 ? null : changes.join('; ');
}
