import { type EvalCase, isFromChat } from '../../case/index.ts';
import { isStoreAway, JuryError } from '../../common/index.ts';
import { readSet, setNames } from '../../datasets/index.ts';
import type { CardTexts } from '../../judging/card/index.ts';
import {
  type Action,
  type Actor,
  type Conversation,
  refusal,
  refusalIn,
  type Viewer,
  visibleVerdict,
} from '../../labels/access/index.ts';
import { readVoted } from '../../labels/index.ts';
import { readRight, type VerdictRecord } from '../../labels/record/index.ts';
import { addVerdictAsGold } from '../../labels/voting/index.ts';
import { makeStudy, rubricsOfCases, studyItems } from '../../studies/index.ts';
import { type Language, messageIn, type Words, wordsIn } from '../../words/index.ts';
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
  'store' | 'library' | 'roles' | 'now' | 'announce' | 'refreshElsewhere' | 'pseudonym' | 'consoleUrl'
> & { texts: Pick<CardTexts, 'language'> };

/** What a person can do with a verdict under *Manage…*, in this order. Each opens a form. */
export type Managing = 'rule' | 'known-answer' | 'add-to-set' | 'start-study';

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
const inTerminal = (
  { id, source }: Pick<VerdictRecord, 'id' | 'source'>,
  { terminal }: Words['manage'],
): [what: string, command: string][] => [
  [terminal.example, `jury labels promote ${id}`],
  [terminal.knownAnswers, `jury gold ${source.channel} cases.jsonl`],
  [terminal.exportSet, 'jury dataset export SET -o cases.jsonl'],
  [terminal.studyReport, 'jury study report STUDY'],
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
  const why = await refusalIn(desk.texts.language, desk.roles, 'rule', actor, source);
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
  const words = wordsIn(desk.texts.language).manage;
  const commands = inTerminal(record, words).map(([what, command]) => [`${what}: `, { bold: command }]);
  return {
    record,
    offers,
    issue: issueUrl === undefined ? null : issueFor(record, issueUrl, desk.consoleUrl),
    message: {
      text: words.what,
      parts: [line(words.recorded), note(words.inTerminal), { kind: 'list', items: commands, more: null }],
      buttons: [],
    },
  };
}

const study = { set: 'study_set', people: 'study_people', count: 'study_count', name: 'study_name' } as const;

/** @param sets the names of all sets */
export function studyFromSetForm(sets: readonly string[], language: Language): Form {
  const { forms, manage } = wordsIn(language);
  const words = manage.study;
  return {
    title: words.title,
    send: words.send,
    cancel: forms.cancel,
    parts: [
      {
        kind: 'note',
        text: words.note,
      },
      {
        kind: 'select',
        id: study.set,
        label: words.set,
        choices: sets.map((id) => ({ id, title: id })),
        initial: sets.at(-1),
        required: words.setRequired,
      },
      {
        kind: 'multi-select',
        id: study.people,
        label: words.people,
        people: true,
        choices: [],
        required: words.peopleRequired,
      },
      {
        kind: 'number',
        id: study.count,
        label: words.cases,
        hint: words.casesHint,
        initial: '20',
        min: 1,
        max: 500,
        required: words.casesRequired,
      },
      { kind: 'text', id: study.name, label: words.name, hint: words.nameHint, maxLength: 100 },
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
  const { store, library, roles, now, texts } = desk;
  const why = await refusalIn(texts.language, roles, NEEDS[item], actor, record.source);
  if (why !== null) return { why };
  const { verdict } = record;
  const rubric = library.rubrics.get(verdict.rubric) ?? null;
  switch (item) {
    case 'rule':
      return { form: rulingForm(verdict, rubric, (await readVoted(store, id)).adjudication, texts.language) };
    case 'known-answer':
      return { form: knownAnswerForm(verdict, (await readVoted(store, id)).adjudication, texts.language) };
    case 'start-study': {
      const sets = await setNames(store, now());
      return sets.length === 0
        ? { why: wordsIn(texts.language).manage.study.noSet }
        : { form: studyFromSetForm(sets, texts.language) };
    }
  }
}

type Outcome = { text: string } | { why: string } | { errors: FormErrors };

async function keepKnownAnswer(
  { store, now, announce, texts }: ManageDesk,
  actor: Actor,
  record: VerdictRecord,
  form: Form,
  filledIn: FilledIn,
): Promise<Outcome> {
  const words = wordsIn(texts.language).manage.knownAnswer;
  const read = readKnownAnswer(form, filledIn);
  if ('errors' in read) return read;
  const right = readRight(read.right, record.verdict);
  if ('problem' in right) return { errors: { [RIGHT]: right.problem } };
  const { source } = record;
  const settings = await store.channelSettings(source.channel);
  const { goldEvery, blind = false } = settings;
  const outcome = await addVerdictAsGold(store, record, right.right, now(), (comes) =>
    noteChange({ store, now }, actor, source, {
      ...{ what: 'known answers', about: record.id, before: { goldEvery } },
      after: { goldEvery, added: comes === 'added' ? 1 : 0, corrected: comes === 'corrected' ? 1 : 0 },
    }),
  );
  if (typeof outcome !== 'string') return { errors: { [RIGHT]: outcome.problem } };
  if (outcome === 'overruled') return { errors: { [RIGHT]: words.overruled } };
  // Without the case: who reads which one it is would know the answer.
  if (outcome !== 'known')
    await announce(source, (language) => [
      whoIn(actor, source.surface, language),
      wordsIn(language).announcements.knownAnswer,
    ]);
  const missing = [
    ...(goldEvery === undefined ? [words.sayHowOften] : []),
    ...(blind ? [] : [words.voteFirst]),
  ];
  const done = outcome === 'known' ? words.known : words.done;
  return { text: missing.length === 0 ? done : `${done} ${words.missing(missing)}` };
}

/** Whether a person may show a case of a set to others: one from a chat only if they may read the verdict that it was copied from. */
async function maySeeCase(
  { store, now }: Pick<ManageDesk, 'store' | 'now'>,
  viewer: Viewer,
  evalCase: EvalCase,
): Promise<boolean> {
  return !isFromChat(evalCase) || (await visibleVerdict(store, evalCase.id ?? '', viewer, now())) !== null;
}

/** How long a form may be sent once more, and how long starting a study takes at most. */
const SENT_MS = 3_600_000;
const STARTING_MS = 60_000;
const STARTING = 'starting';

/**
 * Starts a study once for each opened form: who sees no answer within a platform's limit sends the form again, and a study invites
 * people.
 */
async function beginStudyOnce(
  desk: ManageDesk,
  key: string,
  begin: () => Promise<Outcome>,
): Promise<Outcome> {
  const { store, now, texts } = desk;
  const sent = `study-form:${key}`;
  const claim = await store.setIfAbsent(sent, STARTING, now(), STARTING_MS);
  if (!claim.set)
    return { text: claim.value === STARTING ? wordsIn(texts.language).manage.study.starting : claim.value };
  const outcome = await begin().catch(async (thrown) => {
    await store.delete(sent);
    throw thrown;
  });
  if ('text' in outcome) await store.compareAndSet(sent, STARTING, outcome.text, now(), SENT_MS);
  else await store.delete(sent);
  return outcome;
}

async function beginStudy(
  { store, library, now, pseudonym, announce, texts }: ManageDesk,
  viewer: Viewer,
  actor: Actor,
  conversation: Conversation & { team: string },
  form: Form,
  filledIn: FilledIn,
): Promise<Outcome> {
  const read = readForm(form, filledIn);
  if ('errors' in read) return read;
  const { text, number, several } = read.values;
  const set = text(study.set) ?? '';
  const words = wordsIn(texts.language).manage.study;
  try {
    const kept = await readSet(store, set, now());
    // A set holds cases of any conversation.
    const shown: EvalCase[] = [];
    for (const evalCase of kept) if (await maySeeCase({ store, now }, viewer, evalCase)) shown.push(evalCase);
    if (shown.length === 0) return { errors: { [study.set]: words.noneForYou } };
    const cases = shown.map((evalCase, index) => ({
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
    const about = { id: made.id, cases: made.cases.length, set, people: people.length };
    // The form is answered first: a platform gives up on it within seconds.
    void announce(conversation, (language) => [
      whoIn(actor, surface, language),
      wordsIn(language).announcements.study(about),
    ]);
    const started = words.started(about);
    const leftOut = kept.length - shown.length;
    return { text: leftOut === 0 ? started : `${started} ${words.leftOut(leftOut)}` };
  } catch (thrown) {
    if (!(thrown instanceof JuryError) || isStoreAway(thrown)) throw thrown;
    return { errors: { [study.set]: messageIn(texts.language, thrown) } };
  }
}

/**
 * Does what a form of *Manage…* asks for, and records it in the audit log.
 *
 * @param team of the people whom the form names; empty where an id is the same in every team
 * @param form identifies the opened form: sent twice, it starts one study
 * @returns what was done, why this person may not, or errors by field
 * @throws JuryError `store-unavailable`: nothing was done
 */
export async function sendManageForm(
  desk: ManageDesk,
  viewer: Viewer,
  actor: Actor,
  { id, item, team, form: key }: { id: string; item: ManageForm; team: string; form: string },
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
      const words = wordsIn(desk.texts.language).manage.ruling;
      return { text: ruled.ruled === 'unchanged' ? words.unchanged : words.done };
    }
    case 'known-answer':
      return keepKnownAnswer(desk, actor, record, form, filledIn);
    case 'start-study':
      return beginStudyOnce(desk, key, () =>
        beginStudy(desk, viewer, actor, { ...record.source, team }, form, filledIn),
      );
  }
}
