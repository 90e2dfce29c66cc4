import { randomUUID } from 'node:crypto';
import { basename, extname } from 'node:path';
import { InvalidArgumentError } from 'commander';
import { readDataset } from '../../benchmark/datasets/read-cases.ts';
import { JuryError } from '../../common/errors.ts';
import { counted, jsonLine, plainText } from '../../common/text.ts';
import { entry } from '../../judging/library.ts';
import type { Rubric } from '../../judging/rubric.ts';
import { rubricFor } from '../../judging/select-rubric.ts';
import { NAMED, personText } from '../../labels/person.ts';
import { progressOfAll } from '../../studies/annotation.ts';
import { findStudy, inviteAnnotators, makeStudy } from '../../studies/manage-studies.ts';
import { byCategory } from '../../studies/new-study.ts';
import {
  categoryOf,
  MAX_CASES,
  type Study,
  type StudyCase,
  type StudyItem,
  studyItems,
} from '../../studies/study.ts';
import { studyReport } from '../../studies/study-report.ts';
import { readPerson } from '../addresses.ts';
import { caseOptions, type Parts } from '../parts.ts';
import { addCommands, type Register } from './command-context.ts';
import { ids, STUDY_ID, wholeNumber } from './options.ts';
import { addStudyData } from './study-data.ts';
import { studyReportText } from './study-report-text.ts';
import type { Terminal } from './terminal.ts';

/** `jury study list`. */
async function listStudies(parts: Parts, { out, err }: Terminal, json: boolean): Promise<void> {
  const store = await parts.store();
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
async function changeStudy(
  parts: Parts,
  { out }: Terminal,
  change: 'close' | 'reopen' | 'remove',
  id: string,
): Promise<void> {
  const store = await parts.store();
  await findStudy(store, id);
  if (change === 'remove') await store.removeStudy(id);
  else await store.closeStudy(id, change === 'close');
  out(`${id} ${{ close: 'closed', reopen: 'reopened', remove: 'removed' }[change]}`);
}

interface CreateStudyOptions {
  dataset: string;
  annotators: readonly string[];
  cases: number;
  seed: number;
  name?: string;
  rubric?: string;
  ask: readonly StudyItem[];
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

async function readStudyCases(
  parts: Parts,
  terminal: Terminal,
  file: string,
  stop: AbortSignal,
): Promise<StudyCase[]> {
  const cases = await readDataset(terminal, [file], caseOptions(parts), stop);
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
async function invite(parts: Parts, { out, err }: Terminal, study: Study): Promise<void> {
  const entry = { ...study, cases: study.cases.length };
  for (const { name, title, posters } of parts.surfaces) {
    if (!study.annotators.some(({ person }) => person.surface === name)) continue;
    const found = await posters(parts.env);
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
async function createStudy(
  parts: Parts,
  terminal: Terminal,
  { dataset, annotators, cases: count, seed, name, rubric, ask }: CreateStudyOptions,
  stop: AbortSignal,
): Promise<void> {
  const people = annotators.map((one) => readPerson(one, parts.surfaces));
  const cases = await readStudyCases(parts, terminal, dataset, stop);
  const wish = {
    name: name ?? (dataset === '-' ? 'Study' : basename(dataset, extname(dataset))),
    at: parts.now(),
    seed,
    cases,
    count,
    items: ask,
    people,
    rubric: rubricOf(parts.library, cases, rubric),
  };
  const study = await makeStudy(await parts.store(), wish, await parts.pseudonym());
  const { out, err } = terminal;
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
  await invite(parts, terminal, study);
}

/** `jury study report`. */
async function report(parts: Parts, { out, screen }: Terminal, id: string, json: boolean): Promise<void> {
  const store = await parts.store();
  const study = await findStudy(store, id);
  const report = studyReport(study, await store.annotations(id));
  out(json ? jsonLine(report) : studyReportText(screen, report));
}

const CHANGES = {
  close: 'accept no more annotations; nothing is lost',
  reopen: 'accept annotations again',
  remove: 'delete a study with its cases and annotations',
} as const;

const items = (value: string): StudyItem[] =>
  value.split(',').map((item) => {
    const known = studyItems.find((one) => one === item.trim());
    if (known === undefined) throw new InvalidArgumentError(`Must be of ${studyItems.join(', ')}.`);
    return known;
  });

/** `jury study …`: people rate cases independently, and how far they agree is reported. */
export const register: Register = async (study, context) => {
  const { stop, terminal, withParts } = context;
  const using = (use: Parameters<typeof withParts>[1]) => withParts({ cache: false }, use);
  study
    .command('create')
    .summary('ask people about a sample of cases')
    .description(
      'Makes a study of a sample of labeled or unlabeled cases, as many of each error type as of correct ones. Each annotator sees the cases in their own order, without labels, ids or verdicts: people in a chat in private messages, people with names in the terminal with "jury study annotate".',
    )
    .argument('<dataset>', 'cases: a paste, JSON or JSONL; - for standard input')
    .requiredOption(
      '--annotators <people>',
      'separated by commas: user ids such as U0123ABCD, names such as name:ann',
      ids,
    )
    .option('--cases <n>', 'how many cases', wholeNumber(1, MAX_CASES), 20)
    .option('--seed <n>', 'which cases, and in which order', wholeNumber(0, 2 ** 31 - 1), 1)
    .option('--name <text>', "the name that annotators see (default: the dataset's name)")
    .option('--rubric <id>', "the standard to annotate by (default: the cases' own)")
    .option('--ask <items>', `what is asked: any of ${studyItems.join(', ')}`, items, [...studyItems])
    .action((dataset: string, options: Omit<CreateStudyOptions, 'dataset'>) =>
      using((parts) => createStudy(parts, terminal, { dataset, ...options }, stop)),
    );
  study
    .command('list')
    .description('list the studies and how far each annotator is')
    .option('--json', 'one study a line as JSON', false)
    .action(({ json }: { json: boolean }) => using((parts) => listStudies(parts, terminal, json)));
  await addCommands(study, context, {
    annotate: ['rate the cases of a study, one after the other', () => import('./study-annotate.ts')],
  });
  addStudyData(study, context);
  study
    .command('report')
    .description('means, deviations and agreement of the ratings, and how far people agree with the labels')
    .argument('<study>', STUDY_ID)
    .option('--json', 'as JSON', false)
    .action((id: string, { json }: { json: boolean }) => using((parts) => report(parts, terminal, id, json)));
  for (const change of ['close', 'reopen', 'remove'] as const)
    study
      .command(change)
      .description(CHANGES[change])
      .argument('<study>', STUDY_ID)
      .action((id: string) => using((parts) => changeStudy(parts, terminal, change, id)));
};
