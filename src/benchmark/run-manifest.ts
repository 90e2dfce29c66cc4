import * as z from 'zod';
import { groupedBy } from '../common/index.ts';
import { andList, counted } from '../common/text/index.ts';
import type { Method } from '../judging/standards/index.ts';

/** The method of judgements that were made elsewhere. It is not in the library. */
export const IMPORTED = 'imported';

/** One of the ways of judging that a run compares. */
export const Configuration = z.strictObject({
  /** Readable and unique within its run: `mad openai/gpt-4o-mini t0 #1`. */
  id: z.string(),
  method: z.string(),
  /** One model, or all models of a panel. */
  models: z.array(z.string()).min(1),
  /** Name of the panel, if the run has several. */
  panel: z.string().optional(),
  /** Null: the method's own. */
  temperature: z.number().nullable(),
  /** Starts at 1. */
  repeat: z.int().min(1),
  /** For a plain vote: ID of the debate whose number of calls it matches, case by case. Null for other configurations. */
  equalCallsOf: z.string().nullable(),
  /**
   * IDs of the earlier configurations that ask some of the same questions: their answers are used instead of asking again. Absent if there
   * are none, and in older runs.
   */
  pooledFrom: z.array(z.string()).min(1).optional(),
});
export type Configuration = z.infer<typeof Configuration>;

/** What a run compares. Everything else (budget, concurrency, rates) may differ when it is resumed. */
export const RunSettings = z.strictObject({
  methods: z.array(z.string()).min(1),
  models: z.array(z.string()).min(1),
  /** Models of single methods, by the method's ID; the others use `models`. Absent: none. */
  modelsOf: z.record(z.string(), z.array(z.string()).min(1)).optional(),
  /** Panels, for methods that seat several models. Absent: all models are one panel. */
  panels: z
    .array(z.strictObject({ name: z.string(), models: z.array(z.string()).min(1) }))
    .min(1)
    .optional(),
  /** Null: each method's own. */
  temperatures: z.array(z.number()).min(1).nullable(),
  repeats: z.int().min(1),
  /** Null: chosen for each case. */
  rubric: z.string().nullable(),
  /** Persona IDs that replace the rubric's; null: the rubric's. */
  panel: z.array(z.string()).nullable(),
  seed: z.int().nullable(),
  /** Values of persona settings, by name. */
  values: z.record(z.string(), z.string()),
  equalCalls: z.boolean(),
  /** False: all samples are asked, even after the majority is decided. Absent: as the methods say. */
  earlyStop: z.literal(false).optional(),
  /** `decided`: no more judges are asked once their majority cannot change. Absent: as the methods say. */
  stop: z.literal('decided').optional(),
  /** Whether to use cached answers. */
  cache: z.boolean(),
});
export type RunSettings = z.infer<typeof RunSettings>;

/** What a run measures: how good the assistant's answers are, or how well judges agree with labels. */
export const Subject = z.enum(['assistant', 'judges']);
export type Subject = z.infer<typeof Subject>;

/** The plan of a run. Never changes once it is saved. */
export const RunManifest = z.strictObject({
  version: z.literal(1),
  name: z.string(),
  /** What the run belongs to over time. Absent in older runs: see `seriesOf`. */
  series: z.string().optional(),
  createdAt: z.iso.datetime(),
  settings: RunSettings,
  configurations: z.array(Configuration).min(1),
  dataset: z.strictObject({
    /** Files that the cases came from. */
    source: z.string(),
    cases: z.int(),
    labeled: z.int(),
    /** Content hash of all cases in order. */
    hash: z.string(),
    /** Set if a system answered the requests for this run. Absent in older runs. */
    collected: z.literal(true).optional(),
  }),
  rubrics: z.array(z.string()),
  /** Content hashes of all prompts, by use: `navigation, mad, auditor`. */
  wordings: z.record(z.string(), z.string()),
  /** Content hashes of rubrics and methods, by ID: they affect more than the prompts. Absent in older runs. */
  sources: z
    .strictObject({
      rubrics: z.record(z.string(), z.string()),
      methods: z.record(z.string(), z.string()),
    })
    .optional(),
  /** Criteria of severity `blocker`, by rubric. Absent if there are none, and in older runs. */
  blockers: z.record(z.string(), z.array(z.string())).optional(),
  /** Versions of the rubrics, by ID. Absent in older runs. */
  versions: z.record(z.string(), z.int()).optional(),
  /** Absent in older runs: see `subjectOf`. */
  subject: Subject.optional(),
  /** Set if the judgements were made elsewhere, and nothing was asked. */
  imported: z
    .strictObject({
      /** The file with the judgements, and the one with people's answers if there was one. */
      judgements: z.string(),
      labels: z.string().optional(),
      /** Number of judgements: not every judge need have judged every case. */
      trials: z.int(),
      /** Content hash of the judgements. */
      hash: z.string(),
    })
    .optional(),
  /** Methods that show fewer worked examples than wanted, because the rubric has no more. Absent in older runs. */
  shortOfExamples: z
    .array(z.strictObject({ method: z.string(), rubric: z.string(), shown: z.int(), wanted: z.int() }))
    .optional(),
});
export type RunManifest = z.infer<typeof RunManifest>;

/** The subject of a run. If none is set, a run with several configurations on fully labeled cases is about the judges. */
export function subjectOf({
  subject,
  configurations,
  dataset,
}: Pick<RunManifest, 'subject' | 'configurations' | 'dataset'>): Subject {
  const several = configurations.filter(({ repeat }) => repeat === 1).length > 1;
  return subject ?? (several && dataset.labeled === dataset.cases ? 'judges' : 'assistant');
}

/** Run names, safe to use as folder names and keys. */
export const RunName = z
  .string()
  .regex(
    /^[A-Za-z0-9][A-Za-z0-9._-]{0,79}$/,
    'must begin with a letter or digit and contain only letters, digits, ".", "_" and "-", at most 80',
  );

/** Whether a method seats several models and therefore uses the run's panels. */
const seatsSeveralModels = ({ seats }: Pick<Method, 'seats'>): boolean =>
  seats === 'models' ||
  seats === 'pairs' ||
  seats === 'personas-and-models' ||
  (typeof seats === 'object' && 'agents' in seats);

const range = (count: number): number[] => Array.from({ length: count }, (_, index) => index);

/**
 * The product of methods, models (or panels, for methods that seat several), temperatures and repeats. If the settings ask for it, each debate
 * is followed by a plain vote with as many calls.
 */
export function configurationsOf(settings: RunSettings, methods: readonly Method[]): Configuration[] {
  const { models, modelsOf = {}, panels, temperatures, repeats, equalCalls } = settings;
  const seatingsOf = (method: Method): readonly { name?: string; models: string[] }[] => {
    const own = modelsOf[method.id];
    if (seatsSeveralModels(method)) return own === undefined ? (panels ?? [{ models }]) : [{ models: own }];
    return (own ?? models).map((model) => ({ models: [model] }));
  };
  return range(repeats).flatMap((index) =>
    methods.flatMap((method) =>
      seatingsOf(method).flatMap((seated) =>
        (temperatures ?? [null]).flatMap((temperature): Configuration[] => {
          const repeat = index + 1;
          const { name, models: sitting } = seated;
          const who = name ?? sitting.join('+');
          const id = `${method.id} ${who} t${temperature ?? method.temperature} #${repeat}`;
          const configured = {
            ...{ id, method: method.id, models: [...sitting], temperature, repeat, equalCallsOf: null },
            ...(name === undefined ? {} : { panel: name }),
          };
          const votes = equalCalls && method.rounds > 1;
          return votes ? [configured, { ...configured, id: `${id} vote`, equalCallsOf: id }] : [configured];
        }),
      ),
    ),
  );
}

/** Identifies a trial within its run by the indexes of its configuration and case. */
export const trialKey = (configuration: number, index: number): string => `${configuration}-${index}`;

/** @returns null if the text is not a key */
export function placesOf(key: string): { configuration: number; index: number } | null {
  const { configuration, index } = /^(?<configuration>\d+)-(?<index>\d+)$/.exec(key)?.groups ?? {};
  return configuration === undefined || index === undefined
    ? null
    : { configuration: Number(configuration), index: Number(index) };
}

export const plannedTrials = ({ configurations, dataset, imported }: RunManifest): number =>
  imported?.trials ?? configurations.length * dataset.cases;

/** IDs of the configurations that a trial must follow on the same case: a vote's debate, and those whose answers it uses. */
const followedBy = ({ equalCallsOf, pooledFrom = [] }: Configuration): string[] => [
  ...(equalCallsOf === null ? [] : [equalCallsOf]),
  ...pooledFrom,
];

/** The configurations of a run by place, grouped so that none follows one of another group. Both are in the run's order. */
function chainsIn(configurations: readonly Configuration[]): number[][] {
  const chainOfId = new Map<string, number[]>();
  for (const [place, configuration] of configurations.entries()) {
    const before = followedBy(configuration).flatMap((id) => chainOfId.get(id) ?? []);
    const chain = [...new Set([...before, place])].sort((a, b) => a - b);
    for (const member of chain) {
      const { id } = configurations[member] ?? configuration;
      chainOfId.set(id, chain);
    }
  }
  return [...new Set(chainOfId.values())].sort(([a = 0], [b = 0]) => a - b);
}

/** The trials on a case that follow from one another, in order, by the first: a debate, then the vote with as many calls; models, then their vote. */
export function chainOf({ configurations }: RunManifest, key: string): string[] {
  const places = placesOf(key);
  const chain = chainsIn(configurations).find(([first]) => first === places?.configuration);
  return places === null || chain === undefined ? [] : chain.map((place) => trialKey(place, places.index));
}

/**
 * The first trials of the chains with trials left to judge, case by case, so that a run stopped early has judged the same cases in all
 * configurations. See `chainOf`.
 * @param kept keys of all saved trials
 */
export function* openKeys(
  { configurations, dataset }: RunManifest,
  kept: ReadonlySet<string>,
): Generator<string> {
  const chains = chainsIn(configurations);
  for (let index = 0; index < dataset.cases; index += 1)
    for (const chain of chains)
      if (chain.some((place) => !kept.has(trialKey(place, index)))) yield trialKey(chain[0] ?? 0, index);
}

/** A run's rubrics in words: `navigation (version 2)`. */
export const rubricTexts = ({
  rubrics,
  versions = {},
}: Pick<RunManifest, 'rubrics' | 'versions'>): string[] =>
  rubrics.map((id) =>
    versions[id] === undefined ? id : `${id.replace(/@\d+$/, '')} (version ${versions[id]})`,
  );

/**
 * Caveats about a run's methods: that they are not known, which ran short of worked examples, and which ask the same questions and so differ only in the number of
 * judges, or not at all.
 */
export function methodNotes({ wordings, shortOfExamples = [], imported }: RunManifest): string[] {
  const asked = new Map<string, Map<string, string[]>>();
  for (const [use, hash] of Object.entries(wordings)) {
    const [rubric = '', method = '', ...rest] = use.split(', ');
    const methods = asked.get(rubric) ?? new Map<string, string[]>();
    methods.set(method, [...(methods.get(method) ?? []), [...rest, hash].join()]);
    asked.set(rubric, methods);
  }
  const same = [...asked].flatMap(([rubric, methods]) =>
    [...groupedBy(methods, ([, prompts]) => prompts.join(' ')).values()]
      .filter((group) => group.length > 1)
      .map((group) => ({ rubric, names: andList(group.map(([method]) => method)) })),
  );
  return [
    ...(imported === undefined
      ? []
      : [
          `Imported from ${imported.judgements}: these judgements were made elsewhere, by prompts that are not known here.`,
        ]),
    ...shortOfExamples.map(
      ({ method, rubric, shown, wanted }) =>
        `${method} shows ${shown === 0 ? 'no worked example' : counted(shown, 'worked example')} instead of ${wanted}: rubric ${rubric} has ${shown === 0 ? 'none' : 'no more'}.`,
    ),
    ...[...groupedBy(same, ({ names }) => names)].map(
      ([names, all]) =>
        `${names} send the same prompt (rubric ${all.map(({ rubric }) => rubric).join(', ')}).`,
    ),
  ];
}

function valueText(value: unknown): string {
  if (Array.isArray(value)) return value.length === 0 ? 'none' : value.map(valueText).join(', ');
  return typeof value === 'boolean' ? (value ? 'yes' : 'no') : String(value ?? 'none');
}

/** The settings of a run in words, by readable name. */
function settingTexts({ settings }: RunManifest): Map<string, string> {
  const { panels = [], modelsOf = {}, values, earlyStop = true, stop = "the methods' own" } = settings;
  const shown = {
    ...settings,
    modelsOf: Object.entries(modelsOf).map(([method, models]) => `${method} (${models.join(', ')})`),
    panels: panels.map(({ name, models }) => `${name} (${models.join(', ')})`),
    values: Object.entries(values).map(([name, value]) => `${name}=${value}`),
    earlyStop,
    stop,
  };
  return new Map(
    Object.entries(shown).map(([name, value]) => [
      name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`),
      valueText(value),
    ]),
  );
}

function datasetChange(before: RunManifest['dataset'], after: RunManifest['dataset']): string {
  const isSameFile = before.source === after.source;
  if (before.cases !== after.cases) {
    const size = ({ source, cases }: RunManifest['dataset']) =>
      isSameFile ? counted(cases, 'case') : `${source} (${counted(cases, 'case')})`;
    return `${size(before)} → ${size(after)}`;
  }
  return isSameFile
    ? `the content or order of ${after.source} has changed`
    : `${before.source} → ${after.source}`;
}

/** How two runs differ in what judgements depend on; empty if they do not. Their series is no part of it. */
export function runDifferences(kept: RunManifest, asked: RunManifest): string[] {
  const differences: string[] = [];
  const [then, now] = [settingTexts(kept), settingTexts(asked)];
  for (const [name, setting] of now) {
    const kept = then.get(name);
    if (kept !== setting) differences.push(`${name}: ${kept} → ${setting}`);
  }
  if (kept.dataset.hash !== asked.dataset.hash)
    differences.push(`dataset: ${datasetChange(kept.dataset, asked.dataset)}`);
  const uses = new Set([...Object.keys(kept.wordings), ...Object.keys(asked.wordings)]);
  const changed = [...uses].filter((use) => kept.wordings[use] !== asked.wordings[use]);
  // Other settings imply other prompts, so report only prompts that changed on their own.
  const both = changed.filter((use) => use in kept.wordings && use in asked.wordings);
  if (both.length > 0) differences.push(`wording of ${both.join('; ')}`);
  else if (changed.length > 0 && differences.length === 0)
    differences.push(`what is asked: ${changed.join('; ')}`);
  return differences;
}
