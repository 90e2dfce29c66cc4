import { randomUUID } from 'node:crypto';
import { basename, extname } from 'node:path';
import { JuryError } from '../../common/index.ts';
import { counted, grouped, jsonLine, plainText } from '../../common/text/index.ts';
import { readDataset } from '../../datasets/index.ts';
import { NAMED, type Person, personText } from '../../labels/access/index.ts';
import type { Store } from '../../stores/index.ts';
import {
  addAnnotators,
  byCategory,
  casesEach,
  categoryOf,
  findStudy,
  inviteAnnotators,
  makeStudy,
  progressOfAll,
  rubricsOfCases,
  type ShareWishes,
  type Study,
  type StudyCase,
  standardsOf,
  studyItems,
  unaskedIn,
} from '../../studies/index.ts';
import { caseOptions, type Parts, readPerson } from '../index.ts';
import type { CommandContext, JsonFlag } from '../terminal/index.ts';

/** `jury study list`. */
export async function list({ err, out, store: open }: CommandContext, { json }: JsonFlag): Promise<void> {
  const store = await open();
  const all = await store.studies();
  for (const { id } of all) {
    const study = await store.study(id);
    if (study === null) continue;
    const annotations = await store.annotations(id);
    const { name, closed, cases, at } = study;
    const progress = progressOfAll(study, annotations);
    const people = progress
      .map(({ person, done, total }) => `${person} ${grouped(done)} of ${grouped(total)}`)
      .join(', ');
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
  async (context: CommandContext, id: string): Promise<void> => {
    const store = await context.store();
    await findStudy(store, id);
    await change(store, id);
    context.out(`${id} ${done}`);
  };

export const close = changing('closed', (store, id) => store.closeStudy(id, true));
export const reopen = changing('reopened', (store, id) => store.closeStudy(id, false));
export const remove = changing('removed', (store, id) => store.removeStudy(id));

interface CreateStudyOptions {
  annotators: readonly string[];
  /** Absent: all cases of the dataset. */
  cases?: number;
  /** Absent: all of the study's cases. */
  each?: number;
  /** A tag, as `tags.record`. */
  blocks?: string;
  /** Tags, as `tags.system`. */
  spread?: readonly string[];
  seed: number;
  name?: string;
  rubric?: string;
  /** Study items, ids of criteria, or `criteria`; all items by default. */
  ask?: readonly string[];
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

const rubricText = (study: Study): string => {
  const ids = standardsOf(study).map(({ rubric }) => rubric);
  return `${ids.length === 1 ? 'rubric' : 'rubrics'} ${ids.join(', ')}`;
};

/** Tells the operator how people who are not reached in a chat can take part. */
function tellOthers(
  { out, err }: CommandContext,
  { surfaces }: Parts,
  study: string,
  people: readonly Person[],
): void {
  for (const person of people)
    if (person.surface === NAMED)
      out(`${personText(person)}: jury study annotate ${study} --as ${person.user}`);
    else if (!surfaces.some(({ name: surfaceName }) => surfaceName === person.surface))
      err(`${personText(person)} cannot be reached from here: import their answers.`);
}

/** Invites people on the surfaces that are set up here; all others are invited where the service runs. */
async function invite({ out, err }: CommandContext, parts: Parts, study: Study): Promise<void> {
  const entry = { ...study, cases: casesEach(study) };
  for (const { name, title, posters } of parts.surfaces) {
    if (!study.annotators.some(({ person }) => person.surface === name)) continue;
    const opened = await posters(parts);
    if ('needs' in opened) {
      err(
        `${title} is not set up here (${opened.needs}): "jury serve" invites its annotators where it runs.`,
      );
      continue;
    }
    if (opened.studies === null) continue;
    const inviter = {
      store: await parts.store(),
      poster: opened.studies,
      holder: randomUUID(),
      now: parts.now,
    };
    for (const invited of await inviteAnnotators(inviter, entry))
      if (invited.outcome === 'failed')
        err(`${invited.person} could not be invited: ${invited.reason} "jury serve" tries again.`);
      else out(`${invited.person} is invited in ${title}.`);
  }
}

/** The name of a tag that is written as `tags.system`. */
function tagIn(option: string, text: string): string {
  const [, name] = /^tags\.(.+)$/.exec(text) ?? [];
  if (name !== undefined) return name;
  throw new JuryError('usage', `--${option} ${text}: Must be tags.NAME, such as tags.system.`);
}

/** @throws JuryError `usage` if there is nothing to share out */
function sharesOf({ each, blocks, spread }: CreateStudyOptions): ShareWishes | undefined {
  if (each === undefined && blocks === undefined && spread === undefined) return undefined;
  if (each === undefined)
    throw new JuryError(
      'usage',
      '--blocks and --spread say how cases are shared out: add --each N, how many cases each annotator is asked about.',
    );
  return {
    each,
    ...(blocks === undefined ? {} : { blocks: tagIn('blocks', blocks) }),
    ...(spread === undefined ? {} : { spread: spread.map((text) => tagIn('spread', text)) }),
  };
}

/** `, 16 cases each, 2 people a case`, or empty if everybody is asked about all cases. */
function sharesText({ cases, shares }: Study): string {
  if (shares === undefined) return '';
  const times = cases.map((_, place) => shares.filter((share) => share.includes(place)).length);
  const [least, most] = [Math.min(...times), Math.max(...times)];
  const range = least === most ? String(least) : `${least} to ${most}`;
  return `, ${counted(shares[0]?.length ?? 0, 'case')} each, every case to ${range} of them`;
}

/** Warns of cases that nobody is asked about. */
function warnOfUnasked(err: CommandContext['err'], study: Study, wishes: ShareWishes | undefined): void {
  const unasked = wishes === undefined ? null : unaskedIn(study, wishes);
  if (unasked === null) return;
  const { cases, people, each } = unasked;
  err(
    `Warning: ${cases} of ${counted(study.cases.length, 'case')} ${cases === 1 ? 'goes' : 'go'} to no one. To ask about all, name at least ${people} annotators or use --each ${each}; people who join later only take over shares.`,
  );
}

/** `jury study create`. */
export async function create(
  context: CommandContext,
  dataset: string,
  options: CreateStudyOptions,
): Promise<void> {
  const { annotators, cases: count, seed, name, rubric, ask = studyItems } = options;
  const { err, out } = context;
  const shares = sharesOf(options);
  const parts = await context.parts();
  const people = annotators.map((one) => readPerson(one, parts.surfaces));
  const read = await readStudyCases(context, parts, dataset);
  const { rubrics, cases } = rubricsOfCases(parts.library.rubrics, read, rubric);
  const wish = {
    name: name ?? (dataset === '-' ? 'Study' : basename(dataset, extname(dataset))),
    at: parts.now(),
    seed,
    cases,
    count,
    shares,
    ask,
    people,
    rubrics,
  };
  const study = await makeStudy(await parts.store(), wish, await parts.pseudonym());
  out(
    plainText(
      `${study.id}: ${study.name}, ${counted(study.cases.length, 'case')} (${kindsText(study)}) for ${counted(people.length, 'annotator')}${sharesText(study)}, ${rubricText(study)}, seed ${seed}`,
    ),
  );
  warnOfUnasked(err, study, shares);
  if (count !== undefined && study.cases.length < count)
    err(`The dataset has only ${counted(cases.length, 'case')}.`);
  tellOthers(context, parts, study.id, people);
  await invite(context, parts, study);
}

/** `jury study invite`: adds people to an open study. */
export async function join(context: CommandContext, id: string, people: readonly string[]): Promise<void> {
  const parts = await context.parts();
  const store = await parts.store();
  const study = await findStudy(store, id);
  const wanted = people.map((one) => readPerson(one, parts.surfaces));
  const added = await addAnnotators(store, study, wanted, await parts.pseudonym(), parts.now());
  const alreadyThere = people.length - added.length;
  context.out(
    `${counted(added.length, 'annotator')} added${alreadyThere > 0 ? `, ${alreadyThere} already there` : ''}.`,
  );
  tellOthers(
    context,
    parts,
    id,
    added.map(({ person }) => person),
  );
  await invite(context, parts, { ...study, annotators: added });
}
