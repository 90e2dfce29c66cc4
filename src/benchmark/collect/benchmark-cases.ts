import { type AnswerNames, type EvalCase, GROUP_TAG, type Label, pairOf } from '../../case/index.ts';
import { groupedBy, JuryError, type KeyValue } from '../../common/index.ts';
import { counted, naturalOrder, shortened } from '../../common/text/index.ts';
import {
  assumedRouterOf,
  generate,
  loadDomain,
  namedFiles,
  problemLines,
  readDataset,
  readSet,
} from '../../datasets/index.ts';
import { entry, type Rubric } from '../../judging/standards/index.ts';
import type { Library } from '../../prompting/index.ts';
import { createRandom, sum } from '../../statistics/index.ts';
import type { BenchmarkDefinition, Sample } from '../index.ts';
import { identified, requestFormat } from './collected-case.ts';

/** The part of a label that is about the criteria of one rubric; if there is one criterion, it decides. */
function labelUnder({ criteria: rubricCriteria }: Rubric, label: Label): Label | undefined {
  const ids = rubricCriteria.map(({ id }) => id);
  const { criteria, answers, decision, errorType, score } = label;
  const own = Object.entries(criteria ?? {}).filter(([id]) => ids.includes(id));
  const [only, ...others] = own.map(([, value]) => value);
  const single =
    others.length === 0 && ids.length === 1 && (only === 'pass' || only === 'fail') ? only : null;
  const decided = single ?? (criteria === undefined || ids.length > 1 ? decision : undefined);
  const about = (answers ?? []).filter(({ criterion }) => criterion === undefined || ids.includes(criterion));
  const under: Label = {
    ...(decided === undefined ? {} : { decision: decided }),
    ...(errorType === undefined || decided !== 'fail' ? {} : { errorType }),
    ...(score === undefined ? {} : { score }),
    ...(own.length === 0 ? {} : { criteria: Object.fromEntries(own) }),
    ...(about.length === 0 ? {} : { answers: about }),
  };
  return Object.keys(under).length === 0 ? undefined : under;
}

/**
 * A case once for each of several rubrics, each with the part of its label that is about that rubric. The copies belong together, so that
 * intervals do not count them as independent.
 * @param name the case's id, or where it comes from
 */
export function underRubrics(name: string, evalCase: EvalCase, rubrics: readonly Rubric[]): EvalCase[] {
  const { label, tags, ...rest } = evalCase;
  return rubrics.map((rubric) => {
    const own = label === undefined ? undefined : labelUnder(rubric, label);
    return {
      ...rest,
      id: `${name}, ${rubric.id}`,
      rubric: rubric.id,
      tags: { [GROUP_TAG]: name, ...tags },
      ...(own === undefined ? {} : { label: own }),
    };
  });
}

/** Maximum length of a build name within an answer's name. */
const LONGEST_BUILD = 34;

const asked = ({ conversation }: EvalCase): string =>
  JSON.stringify(conversation.filter(({ role }) => role === 'user').map(({ text }) => text));

/**
 * Pairs the answers of two builds to the same request: cases with the same id and different values of the tag `build`. A is the build that
 * comes first in the data. Pairs have no label, because a label is about one answer.
 * @throws JuryError `bad-input` that lists cases without exactly one answer from each of two builds
 */
export function pairBuilds(cases: readonly EvalCase[]): EvalCase[] {
  const builds = [...new Set(cases.map(({ tags }) => tags?.build))];
  const [first, second] = builds;
  if (first === undefined || second === undefined || builds.length > 2)
    throw new JuryError(
      'bad-input',
      `To compare builds, every case needs the tag "build", with two values in all; found ${counted(builds.length, 'value')}: ${builds.map((build) => build ?? 'none').join(', ')}. Nothing was judged.`,
    );
  const [a, b] = [`Build ${shortened(first, LONGEST_BUILD)}`, `Build ${shortened(second, LONGEST_BUILD)}`];
  const names: AnswerNames = a === b ? ['A', 'B'] : [a, b];
  const problems: string[] = [];
  const pairs = [...groupedBy(cases, ({ id }) => id ?? '')].flatMap(([id, sameId]): EvalCase[] => {
    const [firstCase, secondCase] = [first, second].map((build) =>
      sameId.find(({ tags }) => tags?.build === build),
    );
    if (id === '' || firstCase === undefined || secondCase === undefined || sameId.length > 2)
      problems.push(
        id === ''
          ? `${counted(sameId.length, 'case')} without an id`
          : `${id} has ${counted(sameId.length, 'answer')} (${sameId.map(({ tags }) => tags?.build).join(', ')})`,
      );
    else if (asked(firstCase) !== asked(secondCase)) problems.push(`the requests of ${id} differ`);
    else {
      const { label: _, tags, ...pair } = pairOf(firstCase, secondCase, names);
      const { build: _build, ...shared } = tags ?? {};
      return [Object.keys(shared).length === 0 ? pair : { ...pair, tags: shared }];
    }
    return [];
  });
  if (problems.length === 0) return pairs;
  const wanted = `To compare builds, each id needs one answer of ${first} and one of ${second}. Nothing was judged.`;
  throw new JuryError('bad-input', [wanted, ...problemLines(problems, '')].join('\n'));
}

/** The day of a logged case. Cases without a date count as one day. */
const dayOf = ({ tags, context }: EvalCase): string => (tags?.date ?? context?.date ?? '').slice(0, 10);

/** Whether a logged case has a date. */
export const hasDay = (one: EvalCase): boolean => dayOf(one) !== '';

/** How many to take from each group to get `count` in all: proportional, with the largest remainders rounded up. */
function shares(sizes: readonly number[], count: number): number[] {
  const all = sum(sizes);
  if (count >= all) return [...sizes];
  const exact = sizes.map((size) => (size * count) / all);
  const taken = exact.map(Math.floor);
  const order = [...exact.keys()].sort((a, b) => ((exact[b] ?? 0) % 1) - ((exact[a] ?? 0) % 1) || a - b);
  const missing = count - sum(taken);
  for (const at of order.slice(0, missing)) taken[at] = (taken[at] ?? 0) + 1;
  return taken;
}

/**
 * A sample of each day's cases, in their original order. Which cases are picked depends only on the seed and the cases of that day, not on
 * their order.
 */
export function sampled(cases: readonly EvalCase[], { perDay, seed, by }: Sample): EvalCase[] {
  const rank = (one: EvalCase) => createRandom(seed, one.id ?? JSON.stringify(one)).uint32();
  const taken = new Set<EvalCase>();
  for (const ofDay of groupedBy(cases, dayOf).values()) {
    const strata = [...groupedBy(ofDay, ({ tags }) => (by === undefined ? '' : (tags?.[by] ?? '')))]
      .sort(([a], [b]) => naturalOrder(a, b))
      .map(([, stratum]) => stratum);
    const counts = shares(
      strata.map(({ length }) => length),
      perDay,
    );
    for (const [at, stratum] of strata.entries()) {
      const ranked = stratum.map((one) => ({ one, rank: rank(one) })).sort((a, b) => a.rank - b.rank);
      for (const { one } of ranked.slice(0, counts[at])) taken.add(one);
    }
  }
  return cases.filter((one) => taken.has(one));
}

export interface BenchmarkCaseSource {
  library: Library;
  /** The built-in folder comes first. */
  promptFolders: readonly [builtIn: string, ...own: string[]];
  maxCaseChars: number;
  store: () => Promise<Pick<KeyValue, 'get'>>;
  /** Milliseconds since the epoch. */
  now: () => number;
}

/**
 * Loads the cases of a defined benchmark; if a system is to answer them, each gets an id. Generated cases are always the same: drive times are
 * assumed, even if a route service is configured.
 * @throws JuryError that describes the problem with the dataset
 */
export async function benchmarkCases(
  source: BenchmarkCaseSource,
  definition: BenchmarkDefinition,
  stop: AbortSignal,
): Promise<EvalCase[]> {
  const { dataset, id, subject, system, compareBuilds } = definition;
  if ('generate' in dataset) return generatedCases(source, dataset);
  const cases =
    'set' in dataset
      ? await readSet(await source.store(), dataset.set, source.now())
      : await casesInFiles(source, dataset, system !== undefined, stop);
  if (cases.length === 0)
    throw new JuryError('bad-input', `The dataset of the benchmark "${id}" has no cases.`);
  if (subject === 'judges' && system === undefined && cases.every(({ label }) => label === undefined))
    throw new JuryError(
      'bad-input',
      `No case of the benchmark "${id}" has a label, so nothing would be right or wrong.`,
    );
  return compareBuilds ? pairBuilds(cases) : cases;
}

type DatasetOf<K extends string> = Extract<BenchmarkDefinition['dataset'], Record<K, unknown>>;

async function casesInFiles(
  { library, maxCaseChars }: BenchmarkCaseSource,
  { files, newest, sample }: DatasetOf<'files'>,
  isAsked: boolean,
  stop: AbortSignal,
): Promise<EvalCase[]> {
  const format = isAsked ? requestFormat(library.caseFormat) : library.caseFormat;
  const options = { maxCaseChars, format, isLog: sample !== undefined };
  const read = await readDataset(null, await namedFiles(files, newest), options, stop);
  const cases = isAsked ? identified(read) : read.map(({ evalCase }) => evalCase);
  return sample === undefined ? cases : sampled(cases, sample);
}

async function generatedCases(
  { library, promptFolders }: BenchmarkCaseSource,
  { generate: id, seed, users }: DatasetOf<'generate'>,
): Promise<EvalCase[]> {
  const { domain, areas } = loadDomain(promptFolders, id);
  const rubric = entry('rubric', library.rubrics, domain.rubric);
  const router = assumedRouterOf(rubric);
  const sources = { domain, areas, rubric, router, schema: library.caseFormat.schema };
  return (await generate(sources, seed, users)).flat();
}
