import { createHash } from 'node:crypto';
import { type EvalCase, eitherAnswer, isPair } from '../case/index.ts';
import { groupedBy, isBadInput, JuryError } from '../common/index.ts';
import { andList, counted } from '../common/text/index.ts';
import { problemLines } from '../datasets/index.ts';
import { RULES } from '../judges/rules/index.ts';
import { caseIdOf, choosePanel, type Question } from '../judging/index.ts';
import {
  comparing,
  entry,
  examplesOf,
  fittedToAny,
  type Method,
  type Rubric,
  variantFor,
  variantNamed,
  withoutTitles,
} from '../judging/standards/index.ts';
import { criterionLabelProblems } from '../labels/exchange/index.ts';
import type { Library } from '../prompting/index.ts';
import {
  judgeOptionsOf,
  openingQuestions,
  planConfigured,
  requestsOf,
  type WordingOf,
} from './configured-case.ts';
import { voteMethod } from './equal-calls-vote.ts';
import { questionKeys, withSources } from './pooled-answers.ts';
import {
  type Configuration,
  configurationsOf,
  type RunManifest,
  type RunSettings,
  type Subject,
  subjectOf,
} from './run-manifest.ts';
import { nameOfSource, seriesOfName, unnamedRun } from './series.ts';

export interface RunRequest {
  name: string | null;
  /** Default: follows from the name, or from the source if there is none. */
  series?: string | undefined;
  settings: RunSettings;
  cases: readonly EvalCase[];
  /** Files that the cases came from. */
  source: string;
  /** Whether a system answered them for this run. Default: no. */
  collected?: boolean;
  /** Default: see `subjectOf`. */
  subject?: Subject | undefined;
  /** Milliseconds since the epoch. */
  now: number;
}

export interface PlanParts {
  library: Library;
  wordingOf: WordingOf;
}

type Sourced = Pick<Rubric, 'id' | 'source' | 'version'>;

const hashOf = (parts: Iterable<string>): string => {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part).update('\n');
  return hash.digest('hex');
};

/** Number of repeated IDs to name; the rest are counted. */
const NAMED_IDS = 3;

/** Reports IDs shared by several cases, as a single problem. */
function sameIdProblems(ids: readonly string[]): string[] {
  const places = groupedBy(ids.keys(), (index) => ids[index] ?? '');
  const same = [...places].filter(([, indexes]) => indexes.length > 1);
  if (same.length === 0) return [];
  const named = same
    .slice(0, NAMED_IDS)
    .map(
      ([id, indexes]) =>
        `cases ${andList(indexes.map((index) => String(index + 1)))} have the same id, ${id}`,
    );
  const more = same.length - NAMED_IDS;
  const rest = more > 0 ? `; so have those of ${counted(more, 'other id')}` : '';
  return [
    `${named.join('; ')}${rest}: give each case an id of its own, or compare two builds with --compare-builds`,
  ];
}

/**
 * Checks every case with every rubric and method, so that a run that starts can finish.
 * @returns the rubrics' IDs, sorted
 */
function checkCases(
  library: Library,
  { cases, settings }: RunRequest,
  [first, ...others]: readonly Configuration[],
): string[] {
  if (first === undefined || cases.length === 0)
    throw new JuryError('bad-input', 'The dataset has no cases. Nothing was judged.');
  const rubrics = new Map<string, EvalCase>();
  const ids = cases.map(caseIdOf);
  const problems = sameIdProblems(ids);
  for (const [index, evalCase] of cases.entries()) {
    try {
      const { rubric } = planConfigured(library, evalCase, first, settings, 1);
      if (!rubrics.has(rubric.id)) rubrics.set(rubric.id, evalCase);
      problems.push(
        ...criterionLabelProblems(evalCase, rubric).map((problem) => `case ${ids[index]}: ${problem}`),
      );
    } catch (thrown) {
      if (!isBadInput(thrown)) throw thrown;
      problems.push(thrown.message);
    }
  }
  if (problems.length > 0)
    throw new JuryError('bad-input', [...problemLines(problems, ''), 'Nothing was judged.'].join('\n'));
  for (const evalCase of rubrics.values())
    for (const other of others) planConfigured(library, evalCase, other, settings, 1);
  return [...rubrics.keys()].sort();
}

/** A placeholder: prompts are hashed without the case. */
const anyCase: EvalCase = { conversation: [{ role: 'user', text: '…' }], response: '…' };
const anyPair: EvalCase = { ...anyCase, alternative: { response: '…' } };

/** Suffix for the uses of prompts that compare two answers. */
const COMPARED = ', two answers';

/** Before the fields of cases for which a rubric has criteria of their own, in the uses of their prompts. */
const WITH = ', with ';

/** The fields after {@link WITH} in a use; '' if there are none. */
const fieldsOfUse = (use: string): string => use.replace(COMPARED, '').split(WITH)[1] ?? '';

/** The use of a prompt: `navigation, mad, auditor`. */
function useOf(
  { id, decide }: Rubric,
  { judge: { persona, model }, method }: Question,
  fields: string,
): string {
  const kind = model === RULES ? RULES : method.id;
  const who = [id, kind, ...(persona === null || kind === RULES ? [] : [persona])].join(', ');
  const what = fields === '' ? who : `${who}${WITH}${fields}`;
  return decide === 'pair' ? `${what}${COMPARED}` : what;
}

/** What cases of a run have that their prompts depend on. */
interface Kinds {
  /** Whether there are cases with two answers. */
  compares: boolean;
  /** The variants of a rubric that there are, by name. */
  variants: (rubric: Rubric) => readonly string[];
}

const kindsOf = (cases: readonly EvalCase[]): Kinds => ({
  compares: cases.some(isPair),
  variants: (rubric) => [...new Set(cases.map((evalCase) => variantFor(rubric, eitherAnswer(evalCase))))],
});

type Asking = Pick<RunManifest, 'configurations' | 'rubrics' | 'settings'>;

/** What each configuration asks first, by rubric. It depends on the prompt files, and on what kinds of cases there are. */
function openingsOf(
  { configurations, rubrics, settings }: Asking,
  library: Library,
  { compares, variants }: Kinds,
) {
  const used = rubrics.flatMap((id) => {
    const whole = entry('rubric', library.rubrics, id);
    return [...new Set(['', ...variants(whole)])].flatMap((fields) => {
      const rubric = variantNamed(whole, fields);
      return [{ fields, rubric }, ...(compares ? [{ fields, rubric: comparing(rubric) }] : [])];
    });
  });
  return used.map(({ fields, rubric }) => ({
    fields,
    rubric,
    asked: configurations.map((configuration) => {
      const chosen = choosePanel(library, rubric, judgeOptionsOf(configuration, settings));
      const method =
        configuration.equalCallsOf === null
          ? chosen.method
          : voteMethod(chosen.method, configuration.temperature);
      const { criteria } = rubric;
      const evalCase = rubric.decide === 'pair' ? anyPair : anyCase;
      return openingQuestions({ ...chosen, method, rubric, criteria, evalCase });
    }),
  }));
}

/** Hashes of all prompts of a run, by use. */
function wordingsOf(openings: ReturnType<typeof openingsOf>, wordingOf: WordingOf): Record<string, string> {
  const wordings = new Map<string, Set<string>>();
  for (const { fields, rubric, asked } of openings)
    for (const { rating, panel } of asked)
      for (const question of [...rating, ...panel].flatMap(requestsOf)) {
        const use = useOf(rubric, question, fields);
        wordings.set(use, (wordings.get(use) ?? new Set()).add(wordingOf(question).hash));
      }
  return Object.fromEntries(
    [...wordings]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([use, hashes]) => [use, hashOf([...hashes].sort())]),
  );
}

/** Uses of prompts that have changed since a run was planned. */
export function changedWordings(manifest: RunManifest, parts: PlanParts): string[] {
  const uses = Object.keys(manifest.wordings);
  const kinds: Kinds = {
    compares: uses.some((use) => use.endsWith(COMPARED)),
    variants: ({ id }) => uses.filter((use) => use.startsWith(`${id}, `)).map(fieldsOfUse),
  };
  const current = wordingsOf(openingsOf(manifest, parts.library, kinds), parts.wordingOf);
  return Object.keys(manifest.wordings).filter((use) => current[use] !== manifest.wordings[use]);
}

/**
 * Plans a run.
 * @throws JuryError `usage` for unknown IDs and invalid combinations, `bad-input` for cases that can't be judged
 */
export function planRun(parts: PlanParts, request: RunRequest): RunManifest {
  const { library } = parts;
  const { cases, settings, source } = request;
  const methods = settings.methods.map((id) => entry('method', library.methods, id));
  const stray = Object.keys(settings.modelsOf ?? {}).filter((id) => !settings.methods.includes(id));
  if (stray.length > 0)
    throw new JuryError('usage', `--models-of ${stray.join(', ')}: no such method is in --methods.`);
  const configurations = configurationsOf(settings, methods);
  if (settings.equalCalls && configurations.every(({ equalCallsOf }) => equalCallsOf === null))
    throw new JuryError(
      'usage',
      'Equal calls compare debates with plain votes, but no method named has more than one round: name one such as mad.',
    );
  if (settings.panels !== undefined && configurations.every(({ panel }) => panel === undefined))
    throw new JuryError(
      'usage',
      'Panels of models need a method that seats several models, and no method named does: name one such as roundtable.',
    );
  const ids = new Set(configurations.map(({ id }) => id));
  if (ids.size < configurations.length)
    throw new JuryError('usage', 'The same configuration is named twice: name each method and model once.');
  const rubrics = checkCases(library, request, configurations);
  const whole = rubrics.map((id) => entry('rubric', library.rubrics, id));
  const openings = openingsOf({ configurations, rubrics, settings }, library, kindsOf(cases));
  const wordings = wordingsOf(openings, parts.wordingOf);
  const keys = openings.map(({ asked }) => asked.map((one) => questionKeys(one, parts.wordingOf)));
  const hash = hashOf(cases.map((evalCase) => JSON.stringify(evalCase)));
  const identity = hashOf([hash, JSON.stringify(settings), JSON.stringify(wordings)]);
  // The source and version of a rubric or method don't affect how it judges.
  const hashed = (entries: readonly Sourced[]): Record<string, string> =>
    Object.fromEntries(
      entries.map(({ source: _, version: __, ...one }) => [one.id, hashOf([JSON.stringify(one)])]),
    );
  const standards = whole.map((rubric) => fittedToAny(rubric, cases.map(eitherAnswer)));
  const blockers = blockersIn(standards);
  const dataset = {
    source,
    cases: cases.length,
    labeled: cases.filter(({ label }) => label !== undefined).length,
    hash,
    ...(request.collected === true ? { collected: true as const } : {}),
  };
  const { name } = request;
  return {
    version: 1,
    name: name ?? unnamedRun(source, identity),
    series: request.series ?? (name === null ? nameOfSource(source) : seriesOfName(name)),
    createdAt: new Date(request.now).toISOString(),
    settings,
    configurations: withSources(configurations, keys),
    dataset,
    rubrics,
    wordings,
    sources: {
      rubrics: hashed(standards.map(asJudgesRead)),
      methods: hashed(methods.map(withoutTitles)),
    },
    ...(Object.keys(blockers).length === 0 ? {} : { blockers }),
    versions: Object.fromEntries(standards.map(({ id, version = 1 }) => [id, version])),
    shortOfExamples: shortOfExamples(library, methods, rubrics),
    subject: subjectOf({ subject: request.subject, configurations, dataset }),
  };
}

/** Like its source, the severity of a criterion and titles in other languages do not affect how a case is judged. */
const asJudgesRead = (rubric: Rubric) => ({
  ...withoutTitles(rubric),
  criteria: rubric.criteria.map(({ severity: _, ...criterion }) => withoutTitles(criterion)),
  errorTypes: rubric.errorTypes.map(withoutTitles),
  ...(rubric.overall === undefined ? {} : { overall: withoutTitles(rubric.overall) }),
});

const blockersIn = (rubrics: readonly Rubric[]): NonNullable<RunManifest['blockers']> =>
  Object.fromEntries(
    rubrics.flatMap(({ id, criteria }) => {
      const own = criteria.filter(({ severity }) => severity === 'blocker');
      return own.length === 0 ? [] : [[id, own.map((criterion) => criterion.id)]];
    }),
  );

const shortOfExamples = (
  library: Library,
  methods: readonly Method[],
  rubrics: readonly string[],
): NonNullable<RunManifest['shortOfExamples']> =>
  methods.flatMap((method) =>
    rubrics.flatMap((rubric) => {
      const [wanted, shown] = [examplesOf(method), library.exemplars(rubric).length];
      return shown < wanted ? [{ method: method.id, rubric, shown, wanted }] : [];
    }),
  );
