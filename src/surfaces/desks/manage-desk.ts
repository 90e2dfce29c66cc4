import { isStoreAway, JuryError } from '../../common/index.ts';
import { counted } from '../../common/text/index.ts';
import { readSet, setNames } from '../../datasets/index.ts';
import type { CardTexts } from '../../judging/card/index.ts';
import {
  type Action,
  type Actor,
  type Conversation,
  refusal,
  type Viewer,
} from '../../labels/access/index.ts';
import { readVoted } from '../../labels/index.ts';
import { readRight, type VerdictRecord } from '../../labels/record/index.ts';
import { addVerdictAsGold } from '../../labels/voting/index.ts';
import { makeStudy, rubricsOfCases, studyItems } from '../../studies/index.ts';
import { type ChatMessage, line, note } from '../chat/index.ts';
import {
  type FilledIn,
  type Form,
  type FormErrors,
  knownAnswerForm,
  RIGHT,
  readForm,
  readKnownAnswer,
  readRulingForm,
  rulingForm,
} from '../forms/index.ts';
import { noteChange, type SurfaceHost, whoIn } from '../index.ts';
import { issueFor } from '../views/index.ts';
import { readableVerdict, ruleOn } from './card-desk.ts';

type ManageDesk = Pick<
  SurfaceHost,
  'store' | 'library' | 'roles' | 'now' | 'announce' | 'pseudonym' | 'consoleUrl'
> & { texts: Pick<CardTexts, 'language'> };

/** What a person can do with a verdict under *Manage…*, in this order. Each opens a form. */
export const managing = {
  rule: 'Rule on this…',
  'known-answer': 'Known answer…',
  'add-to-set': 'Add to a set…',
  'start-study': 'Start a study from a set…',
} as const;
export type Managing = keyof typeof managing;

/** The forms of *Manage…*, other than that for sets, which readers may use too. */
export type ManageForm = Exclude<Managing, 'add-to-set'>;

/** Who may do it. */
const NEEDS = { rule: 'rule', 'known-answer': 'rule', 'start-study': 'study' } as const satisfies Record<
  ManageForm,
  Action
>;

/** Whether *Manage…* is offered: to those who may rule on a verdict. @throws JuryError `store-unavailable` */
export const mayManage = async (
  { roles }: Pick<ManageDesk, 'roles'>,
  actor: Actor,
  { source }: Pick<VerdictRecord, 'source'>,
): Promise<boolean> => (await refusal(roles, 'rule', actor, source)) === null;

/** What is left to the terminal, with its command. */
const inTerminal = ({
  id,
  source,
}: Pick<VerdictRecord, 'id' | 'source'>): [what: string, command: string][] => [
  ['Make it a worked example', `jury labels promote ${id}`],
  ['Known answers from a file', `jury gold ${source.channel} cases.jsonl`],
  ['Write a set to a file, for a benchmark', 'jury dataset export SET -o cases.jsonl'],
  ['What a study says', 'jury study report STUDY'],
];

/** What *Manage…* shows: the forms that this person may open, and what is left to the terminal. */
export interface ManageMenu {
  message: ChatMessage;
  record: VerdictRecord;
  offers: readonly Managing[];
  /** Opens a prefilled issue; null if the conversation has no address for them. */
  issue: string | null;
}

/** @returns the menu, or why this person may not open it @throws JuryError `store-unavailable` */
export async function manageMenu(
  desk: ManageDesk,
  viewer: Viewer,
  actor: Actor,
  id: string,
): Promise<ManageMenu | { why: string }> {
  const record = await readableVerdict(desk, viewer, id);
  if ('why' in record) return record;
  const { source } = record;
  const why = await refusal(desk.roles, 'rule', actor, source);
  if (why !== null) return { why };
  const allowed = async (form: ManageForm) =>
    (await refusal(desk.roles, NEEDS[form], actor, source)) === null ? [form] : [];
  const offers: Managing[] = [
    ...(await allowed('rule')),
    ...(await allowed('known-answer')),
    'add-to-set',
    ...(await allowed('start-study')),
  ];
  const { issueUrl } = await desk.store.channelSettings(source.channel);
  const commands = inTerminal(record).map(([what, command]) => [`${what}: `, { bold: command }]);
  return {
    record,
    offers,
    issue: issueUrl === undefined ? null : issueFor(record, issueUrl, desk.consoleUrl),
    message: {
      text: 'What to do with this verdict',
      parts: [
        line('Rulings, known answers, sets and studies are written to the audit log, with your name.'),
        note('In the terminal, on the server:'),
        { kind: 'list', items: commands, more: null },
      ],
      buttons: [],
    },
  };
}

const study = { set: 'study_set', people: 'study_people', count: 'study_count', name: 'study_name' } as const;

/** @param sets the names of all sets */
export function studyFromSetForm(sets: readonly string[]): Form {
  return {
    title: 'Start a study',
    send: 'Start',
    cancel: 'Cancel',
    parts: [
      {
        kind: 'note',
        text: 'Each person rates the cases of a set alone, in private, without seeing a verdict. They are invited within a minute.',
      },
      {
        kind: 'select',
        id: study.set,
        label: 'Set',
        choices: sets.map((id) => ({ id, title: id })),
        initial: sets.at(-1),
        required: 'Choose a set.',
      },
      {
        kind: 'multi-select',
        id: study.people,
        label: 'People',
        people: true,
        choices: [],
        required: 'Name the people who rate.',
      },
      {
        kind: 'number',
        id: study.count,
        label: 'Cases',
        hint: 'At most so many, drawn evenly from right answers and each kind of error.',
        initial: '20',
        min: 1,
        max: 500,
        required: 'Say how many cases.',
      },
      { kind: 'text', id: study.name, label: 'Name', hint: 'Default: the name of the set.', maxLength: 100 },
    ],
  };
}

/** The form of an item, or why it is not there for this person. @throws JuryError `store-unavailable` */
export async function manageForm(
  desk: ManageDesk,
  viewer: Viewer,
  actor: Actor,
  id: string,
  item: ManageForm,
): Promise<{ form: Form } | { why: string }> {
  const record = await readableVerdict(desk, viewer, id);
  if ('why' in record) return record;
  const { store, library, roles, now } = desk;
  const why = await refusal(roles, NEEDS[item], actor, record.source);
  if (why !== null) return { why };
  const { verdict } = record;
  const rubric = library.rubrics.get(verdict.rubric) ?? null;
  switch (item) {
    case 'rule':
      return { form: rulingForm(verdict, rubric, (await readVoted(store, id)).adjudication) };
    case 'known-answer':
      return { form: knownAnswerForm(verdict, (await readVoted(store, id)).adjudication) };
    case 'start-study': {
      const sets = await setNames(store, now());
      return sets.length === 0
        ? { why: 'There is no set yet: add this case to one first.' }
        : { form: studyFromSetForm(sets) };
    }
  }
}

type Outcome = { text: string } | { why: string } | { errors: FormErrors };

async function keepKnownAnswer(
  { store, now, announce }: ManageDesk,
  actor: Actor,
  record: VerdictRecord,
  form: Form,
  filledIn: FilledIn,
): Promise<Outcome> {
  const read = readKnownAnswer(form, filledIn);
  if ('errors' in read) return read;
  const right = readRight(read.right, record.verdict);
  if ('problem' in right) return { errors: { [RIGHT]: right.problem } };
  const { source } = record;
  const settings = await store.channelSettings(source.channel);
  const { goldEvery, blind = false } = settings;
  const change = { what: 'known answers', about: record.id } as const;
  await noteChange({ store, now }, actor, source, {
    ...change,
    before: { goldEvery },
    after: { goldEvery, added: 1 },
  });
  const outcome = await addVerdictAsGold(store, record, right.right, now());
  if (typeof outcome !== 'string') return { errors: { [RIGHT]: outcome.problem } };
  if (outcome === 'overruled')
    return { errors: { [RIGHT]: 'Someone has ruled otherwise on this case in the queue, which stands.' } };
  // Without the case: who reads which one it is would know the answer.
  if (outcome !== 'known')
    await announce(source, [whoIn(actor, source.surface), ' added a known answer to the queue here.']);
  const missing = [
    ...(goldEvery === undefined ? ['say how often they come, in the settings of this conversation'] : []),
    ...(blind ? [] : ['let people vote before they see verdicts, in the same place']),
  ];
  const done =
    outcome === 'known' ? 'It is a known answer already.' : 'The case is in the queue as a known answer.';
  return { text: missing.length === 0 ? done : `${done} It is not shown yet: ${missing.join(', and ')}.` };
}

async function beginStudy(
  { store, library, now, pseudonym, announce }: ManageDesk,
  actor: Actor,
  conversation: Conversation & { team: string },
  form: Form,
  filledIn: FilledIn,
): Promise<Outcome> {
  const read = readForm(form, filledIn);
  if ('errors' in read) return read;
  const { text, number, several } = read.values;
  const set = text(study.set) ?? '';
  try {
    const cases = (await readSet(store, set, now())).map((evalCase, index) => ({
      // The number keeps ids apart: two cases of a set may share one.
      id: evalCase.id === undefined ? `case ${index + 1}` : `${index + 1} ${evalCase.id}`,
      evalCase,
    }));
    const { surface, team } = conversation;
    const people = several(study.people).map((user) => ({ surface, team, user }));
    const made = await makeStudy(
      store,
      {
        name: text(study.name) ?? set,
        at: now(),
        seed: Math.floor(now() / 1_000) % 2_147_483_647,
        count: number(study.count) ?? cases.length,
        ask: studyItems,
        people,
        ...rubricsOfCases(library.rubrics, cases),
      },
      pseudonym,
    );
    const after = { set, cases: made.cases.length, people: people.length };
    await noteChange({ store, now }, actor, conversation, {
      what: 'study',
      about: made.id,
      before: null,
      after,
    });
    const what = `${counted(made.cases.length, 'case')} of the set ${set} for ${counted(people.length, 'person', 'people')}`;
    await announce(conversation, [whoIn(actor, surface), ` started the study ${made.id}: ${what}.`]);
    return {
      text: `Study ${made.id}: ${what}. They are invited within a minute; in the terminal, “jury study report ${made.id}” shows what they say.`,
    };
  } catch (thrown) {
    if (!(thrown instanceof JuryError) || isStoreAway(thrown)) throw thrown;
    return { errors: { [study.set]: thrown.message } };
  }
}

/**
 * Does what a form of *Manage…* asks for, and records it in the audit log.
 *
 * @param team of the people whom the form names; empty where an id is the same in every team
 * @returns what was done, why this person may not, or errors by field
 * @throws JuryError `store-unavailable`: nothing was done
 */
export async function sendManageForm(
  desk: ManageDesk,
  viewer: Viewer,
  actor: Actor,
  { id, item, team }: { id: string; item: ManageForm; team: string },
  filledIn: FilledIn,
): Promise<Outcome> {
  const opened = await manageForm(desk, viewer, actor, id, item);
  if ('why' in opened) return opened;
  const record = await readableVerdict(desk, viewer, id);
  if ('why' in record) return record;
  const { form } = opened;
  switch (item) {
    case 'rule': {
      const read = readRulingForm(form, filledIn);
      if ('errors' in read) return read;
      const ruled = await ruleOn(desk, viewer, actor, id, read.ruling);
      if ('why' in ruled) return { errors: { [RIGHT]: ruled.why } };
      return { text: ruled.ruled === 'unchanged' ? 'This ruling stands already.' : 'The ruling stands.' };
    }
    case 'known-answer':
      return keepKnownAnswer(desk, actor, record, form, filledIn);
    case 'start-study':
      return beginStudy(desk, actor, { ...record.source, team }, form, filledIn);
  }
}
