import { randomUUID } from 'node:crypto';
import { basename, extname } from 'node:path';
import { readDataset } from '../../benchmark/datasets/read-cases.ts';
import { fixed, NONE, percent, rangeText } from '../../benchmark/reports/format.ts';
import { JuryError } from '../../common/errors.ts';
import { counted, jsonLine, plainText } from '../../common/text.ts';
import { entry, rubricFor } from '../../judging/library.ts';
import type { Rubric } from '../../judging/rubric.ts';
import { NAMED, personText } from '../../labels/person.ts';
import type { Measure } from '../../statistics/measure.ts';
import type { Store } from '../../stores/store.ts';
import { progressOfAll } from '../../studies/annotation.ts';
import { findStudy, inviteAnnotators, makeStudy } from '../../studies/manage-studies.ts';
import {
  byCategory,
  categoryOf,
  type Study,
  type StudyCase,
  type StudyItem,
  studyItems,
} from '../../studies/study.ts';
import {
  type LabelReport,
  type RatingReport,
  type StudyReport,
  studyReport,
} from '../../studies/study-report.ts';
import { readPerson } from '../addresses.ts';
import { caseOptions, type Parts } from '../parts.ts';
import type { CommandContext } from './command-context.ts';
import { type Column, titledTable } from './table.ts';
import type { Screen } from './terminal.ts';

/** A coefficient, or why there is none. */
const orWhy = (measure: Measure): string =>
  measure.defined ? `${fixed(measure, 2)} of ${counted(measure.n, 'case')}` : `not defined: ${measure.why}`;

const shareOf = (measure: Measure): string =>
  measure.defined ? `${percent(measure)} of ${measure.n}` : `not defined: ${measure.why}`;

/** Mean with one decimal and deviation with two, as the paper prints them. */
function ratingTable(screen: Screen, { user, system }: StudyReport): string[] {
  const rated: [string, RatingReport][] = [
    ...(user === null ? [] : [['user part', user] satisfies [string, RatingReport]]),
    ...(system === null ? [] : [['system part', system] satisfies [string, RatingReport]]),
  ];
  const columns: Column<[string, RatingReport]>[] = [
    ['rated', ([name]) => name],
    ['mean', ([, { mean }]) => fixed(mean, 1)],
    ['SD', ([, { deviation }]) => fixed(deviation, 2)],
    ['SD of cases', ([, { deviationOfCases }]) => fixed(deviationOfCases, 2)],
    ['ratings', ([, { mean }]) => String(mean.n)],
    ['1 2 3 4 5', ([, { counts }]) => counts.join(' ')],
    ['alpha, ordinal', ([, { alpha }]) => fixed(alpha, 2)],
  ];
  const undefined_ = rated.flatMap(([name, { alpha }]) =>
    alpha.defined ? [] : [`  Alpha of the ${name} is not defined: ${alpha.why}.`],
  );
  return [...titledTable(screen, 'Validity, 1 to 5', rated, columns), ...undefined_];
}

function labelLines({ right: pooled, annotators, majority }: LabelReport): string[] {
  const values = annotators.flatMap((one) => (one.right.defined ? [one.right.value] : []));
  const span =
    values.length < 2
      ? ''
      : `, by annotator ${(100 * Math.min(...values)).toFixed(1)} to ${(100 * Math.max(...values)).toFixed(1)} %`;
  const ties = majority.ties === 0 ? '' : `, ${counted(majority.ties, 'tie')}`;
  return [
    `  people agree with the label        ${shareOf(pooled)}${span}`,
    `  the majority agrees with the label ${shareOf(majority.right)}${majority.right.defined ? ` (95 % ${rangeText(majority.interval, 2)})` : ''}${ties}`,
  ];
}

function correctLines(screen: Screen, { correct, labelAlpha, labels }: StudyReport): string[] {
  if (correct === null) return [];
  return [
    '',
    screen.colors.bold('Correct or not'),
    `  said to be correct                 ${shareOf(correct.said)}`,
    `  alpha, nominal: correct or not     ${orWhy(correct.alpha)}`,
    ...(labelAlpha === null ? [] : [`  alpha, nominal: and which error    ${orWhy(labelAlpha)}`]),
    ...(labels === null ? ['  The cases have no labels to compare with.'] : labelLines(labels)),
  ];
}

function categoryTable(screen: Screen, { categories, labels }: StudyReport): string[] {
  if (labels === null) return [];
  return titledTable(screen, 'By label', categories, [
    ['label', ({ category }) => category],
    ['cases', ({ cases }) => String(cases)],
    ['annotations', ({ annotations }) => String(annotations)],
    ['said correct', ({ saidCorrect }) => percent(saidCorrect)],
    ['right', ({ right }) => percent(right)],
    ['error named', ({ namedIt }) => percent(namedIt)],
  ]);
}

/** A study's report as a terminal shows it. */
function studyReportText(screen: Screen, report: StudyReport): string {
  const { id, name, rubric, closed, cases, annotators, given, missing, progress } = report;
  const unfinished = progress.filter(({ done, total }) => done < total);
  return [
    screen.colors.bold(plainText(`${id}: ${name}`)),
    `  ${counted(cases, 'case')}, ${counted(annotators, 'annotator')}, rubric ${rubric}${closed ? ', closed' : ''}`,
    `  ${given} of ${counted(given + missing, 'annotation')}${missing === 0 ? '' : `, ${missing} missing`}`,
    ...unfinished.map(({ person, done, total }) => plainText(`    ${person} ${done} of ${total}`)),
    ...ratingTable(screen, report),
    ...correctLines(screen, report),
    ...categoryTable(screen, report),
    '',
    `${NONE} is not defined. Alpha is Krippendorff's; only cases with two annotations enter. SD of cases: of their means.`,
  ].join('\n');
}

/** `jury study list`. */
export async function list(
  { err, out, parts: open }: CommandContext,
  { json }: { json: boolean },
): Promise<void> {
  const store = await (await open()).store();
  const all = await store.studies();
  for (const { id } of all) {
    const study = await store.study(id);
    if (study === null) continue;
    const annotations = await store.annotations(id);
    const { name, closed, cases, at } = study;
    const progress = progressOfAll(study, annotations);
    const people = progress.map(({ person, done, total }) => `${person} ${done} of ${total}`).join(', ');
    out(
      json
        ? jsonLine({ id, name, at: new Date(at).toISOString(), closed, cases: cases.length, progress })
        : plainText(
            `${id}: ${name}, ${counted(cases.length, 'case')}${closed ? ', closed' : ''}; ${people === '' ? 'no annotators left' : people}`,
          ),
    );
  }
  if (all.length === 0) err('There are no studies. "jury study create --help" shows how to make one.');
}

/** `jury study close|reopen|remove`. */
const changing =
  (done: string, change: (store: Store, id: string) => Promise<unknown>) =>
  async ({ out, parts }: CommandContext, id: string): Promise<void> => {
    const store = await (await parts()).store();
    await findStudy(store, id);
    await change(store, id);
    out(`${id} ${done}`);
  };

export const close = changing('closed', (store, id) => store.closeStudy(id, true));
export const reopen = changing('reopened', (store, id) => store.closeStudy(id, false));
export const remove = changing('removed', (store, id) => store.removeStudy(id));

interface CreateStudyOptions {
  annotators: readonly string[];
  cases: number;
  seed: number;
  name?: string;
  rubric?: string;
  /** Names of study items; all by default. */
  ask?: readonly string[];
}

function itemOf(text: string): StudyItem {
  const known = studyItems.find((item) => item === text);
  if (known === undefined)
    throw new JuryError('usage', `--ask ${text}: Must be of ${studyItems.join(', ')}.`);
  return known;
}

/** @throws JuryError `usage` where the cases are of several rubrics, or `bad-input` where one is of none */
function rubricOf(
  { rubrics }: Parts['library'],
  cases: readonly StudyCase[],
  wish: string | undefined,
): Rubric {
  if (wish !== undefined) return entry('rubric', rubrics, wish);
  const found = new Map(
    cases.map(({ evalCase }) => {
      const rubric = rubricFor(rubrics, evalCase);
      return [rubric.id, rubric];
    }),
  );
  const [first, ...others] = found.values();
  if (first === undefined || others.length > 0)
    throw new JuryError(
      'usage',
      `The cases are of several rubrics (${[...found.keys()].join(', ')}): name the standard to annotate by with --rubric, or make a study of each.`,
    );
  return first;
}

async function readStudyCases(context: CommandContext, parts: Parts, file: string): Promise<StudyCase[]> {
  const cases = await readDataset(context, [file], caseOptions(parts), context.stop);
  const ids = cases.map(({ name }) => name);
  const twice = ids.find((id, index) => ids.indexOf(id) !== index);
  if (twice !== undefined)
    throw new JuryError(
      'bad-input',
      `The id "${twice}" is used twice, and annotations refer to it: give each case its own. "jury dataset stats" lists all duplicates.`,
    );
  return cases.map(({ name, evalCase }) => ({ id: name, evalCase }));
}

const kindsText = ({ cases }: Study): string =>
  byCategory(cases, ({ evalCase }) => categoryOf(evalCase))
    .map((group) => `${group.length} ${categoryOf(group[0]?.evalCase ?? {})}`)
    .join(', ');

/** Invites people of the surfaces that are set up here now; all others are invited where the service runs. */
async function invite({ out, err }: CommandContext, parts: Parts, study: Study): Promise<void> {
  const entry = { ...study, cases: study.cases.length };
  for (const { name, title, posters } of parts.surfaces) {
    if (!study.annotators.some(({ person }) => person.surface === name)) continue;
    const found = await posters(parts);
    if ('needs' in found) {
      err(`${title} is not set up here (${found.needs}): "jury serve" invites its annotators where it runs.`);
      continue;
    }
    if (found.studies === null) continue;
    const inviter = {
      store: await parts.store(),
      poster: found.studies,
      holder: randomUUID(),
      now: parts.now,
    };
    for (const invited of await inviteAnnotators(inviter, entry))
      if (invited.outcome === 'failed')
        err(`${invited.person} could not be invited: ${invited.reason} "jury serve" tries again.`);
      else out(`${invited.person} is invited in ${title}.`);
  }
}

/** `jury study create`. */
export async function create(
  context: CommandContext,
  dataset: string,
  { annotators, cases: count, seed, name, rubric, ask = studyItems }: CreateStudyOptions,
): Promise<void> {
  const { err, out } = context;
  const items = ask.map(itemOf);
  const parts = await context.parts();
  const people = annotators.map((one) => readPerson(one, parts.surfaces));
  const cases = await readStudyCases(context, parts, dataset);
  const wish = {
    name: name ?? (dataset === '-' ? 'Study' : basename(dataset, extname(dataset))),
    at: parts.now(),
    seed,
    cases,
    count,
    items,
    people,
    rubric: rubricOf(parts.library, cases, rubric),
  };
  const study = await makeStudy(await parts.store(), wish, await parts.pseudonym());
  out(
    plainText(
      `${study.id}: ${study.name}, ${counted(study.cases.length, 'case')} (${kindsText(study)}) for ${counted(people.length, 'annotator')}, rubric ${study.standard.rubric}, seed ${seed}`,
    ),
  );
  if (study.cases.length < count) err(`The dataset has only ${counted(cases.length, 'case')}.`);
  for (const person of people)
    if (person.surface === NAMED)
      out(`${personText(person)}: jury study annotate ${study.id} --as ${person.user}`);
    else if (!parts.surfaces.some(({ name: known }) => known === person.surface))
      err(`${personText(person)} cannot be reached from here: import their answers.`);
  await invite(context, parts, study);
}

/** `jury study report`. */
export async function report(
  { out, parts, screen }: CommandContext,
  id: string,
  { json }: { json: boolean },
): Promise<void> {
  const store = await (await parts()).store();
  const study = await findStudy(store, id);
  const report = studyReport(study, await store.annotations(id));
  out(json ? jsonLine(report) : studyReportText(screen, report));
}
