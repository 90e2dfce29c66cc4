import * as z from 'zod';
import {
  caseAt,
  casesEach,
  progressOf,
  type Seat,
  type Study,
  type StudyCase,
  type StudyPoster,
  takeSeat,
} from '../../studies/index.ts';
import { type Language, languageOf, wordsIn } from '../../words/index.ts';
import {
  caseSections,
  guideSection,
  isFirstLook,
  openSeats,
  readStudyCommand,
  studyForm,
  studyInvitation,
  studyRef,
  takeAnswers,
} from '../desks/index.ts';
import { type FilledIn, type FormErrors, refilled } from '../forms/index.ts';
import type { ButtonData, Origin } from './activities.ts';
import { type Dialog, personOf, type Sent, type TeamsContext } from './context.ts';
import type { PosterParts } from './digests.ts';
import { actions, TEAMS } from './ids.ts';
import { inviteOnce, type TeamsMessage } from './messages.ts';
import { paged, sectionElements } from './render/details.ts';
import {
  buttonRow,
  bytesOf,
  CARD_BYTES,
  type Element,
  fitting,
  lines,
  message,
  note,
  run,
  submits,
} from './render/elements.ts';
import { formDialog, readFormData } from './render/form.ts';
import { noticeButton, noticeElements, noticeMessage } from './render/notices.ts';

function readRef(text: string): Pick<Study, 'id' | 'at'> | null {
  const { id, at } = /^(?<id>\S{1,40}) (?<at>\d{1,16}(?:\.\d{1,9})?)$/.exec(text)?.groups ?? {};
  return id === undefined ? null : { id, at: Number(at) };
}

/** The private message from which an annotator starts. */
export const studyMessage = (...about: Parameters<typeof studyInvitation>): TeamsMessage =>
  noticeMessage(studyInvitation(...about));

/** The position of a form's case and when it was opened; it contains no case or label ids. */
const At = z.object({ place: z.coerce.number().int().min(0), opened: z.coerce.number() });

const toolData = (study: Study, place: number, next: string) => ({
  do: actions.study,
  id: studyRef(study),
  place: String(place),
  next,
});

/**
 * The form of a case, or a closing text once all are done.
 * @param refused the submitted values and what is wrong with them
 */
async function caseDialog(
  context: TeamsContext,
  seat: Seat,
  place: number | null,
  refused?: { filledIn: FilledIn; errors: FormErrors },
): Promise<Dialog> {
  const { language } = context.texts;
  const { studies, reviews } = wordsIn(language);
  const words = studies.form;
  const { study } = seat;
  const { place: at, current, opened, done } = caseAt(seat, place, context.now());
  if (current === null)
    return {
      text: words.allDone({ count: casesEach(study), name: study.name }),
    };
  const blank = studyForm(
    study,
    current.index,
    { place: at, opened },
    current.before?.answers ?? {},
    language,
  );
  const form = refused === undefined ? blank : refilled(blank, refused.filledIn, refused.errors);
  const guide = (await isFirstLook(context, seat, current.shown))
    ? [guideSection(study, current.shown, language)]
    : [];
  const sections = sectionElements([...caseSections(current.shown, language), ...guide]);
  const data = { do: actions.study, id: studyRef(study), place: String(at), opened: String(opened) };
  const { card, title } = formDialog(form, { ...data, next: 'send' }, [
    ...(at === 0 ? [] : [{ title: words.back, data: toolData(study, at, 'back') }]),
    { title: reviews.whole, data: toolData(study, at, 'whole') },
  ]);
  const { shown, left } = fitting(sections, CARD_BYTES - bytesOf(card) - 500);
  return {
    title,
    card: {
      ...card,
      body: [
        note(words.done({ done, total: casesEach(study) })),
        ...shown,
        ...(left.length === 0 ? [] : [note(words.more(left.length))]),
        ...(card.body ?? []),
      ],
    },
  };
}

/** The whole case and its guide, in pages. */
const wholeDialog = (
  { study }: Seat,
  shown: StudyCase,
  { place, page }: { place: number; page: number },
  language: Language,
): Dialog => ({
  title: wordsIn(language).studies.form.caseTitle(place + 1),
  card: paged(
    toolData(study, place, 'whole'),
    { buttons: [submits(wordsIn(language).studies.form.toForm, toolData(study, place, 'form'))] },
    [...caseSections(shown, language), guideSection(study, shown, language)],
    page,
    language,
  ),
});

/**
 * Handles a study's form: opening it, sending it, going back, and showing the whole case.
 * @throws JuryError `store-unavailable`
 */
export async function studyDialog(
  context: TeamsContext,
  origin: Origin,
  sent: Sent | ButtonData,
): Promise<Dialog> {
  const { store, now } = context;
  const { language } = context.texts;
  const { seats } = wordsIn(language).studies;
  const ref = readRef(sent.id);
  const annotatorId = context.pseudonym(personOf(origin));
  if (ref === null) return { text: seats.gone };
  const at = At.safeParse(sent).data;
  if (sent.next === 'send' && at !== undefined) {
    const filledIn = readFormData(sent);
    const taken = await takeAnswers(context, annotatorId, ref, at, filledIn, language);
    if ('why' in taken) return { text: seats[taken.why] };
    if ('seat' in taken) return caseDialog(context, taken.seat, null);
    const seat = await takeSeat(store, ref, annotatorId);
    return 'why' in seat
      ? { text: seats[seat.why] }
      : caseDialog(context, seat, at.place, { filledIn, errors: taken.errors });
  }
  const seat = await takeSeat(store, ref, annotatorId);
  if ('why' in seat) return { text: seats[seat.why] };
  const place = z.coerce.number().int().min(0).safeParse(sent.place).data ?? null;
  if (sent.next === 'whole' && place !== null) {
    const { current } = caseAt(seat, place, now());
    if (current !== null) return wholeDialog(seat, current.shown, { place, page: sent.page ?? 0 }, language);
  }
  return caseDialog(context, seat, sent.next === 'back' && place !== null ? Math.max(0, place - 1) : place);
}

/** `study`: the requester's open studies, each with a button; null if the text is not this command. */
export function studyCommand(
  context: TeamsContext,
  origin: Origin,
  text: string,
): (() => Promise<TeamsMessage>) | null {
  const id = readStudyCommand(text);
  return id === undefined ? null : () => studiesOf(context, origin, id);
}

async function studiesOf(context: TeamsContext, origin: Origin, id: string | null): Promise<TeamsMessage> {
  const opened = await openSeats(
    context,
    context.pseudonym(personOf(origin)),
    id,
    'study',
    context.texts.language,
  );
  if (opened.seats.length === 0) return message(opened.text, { body: [lines(run(opened.text))] });
  const body = opened.seats.flatMap(({ study, annotator, annotations }): Element[] => {
    const { parts, buttons } = studyInvitation(
      study,
      progressOf(study, annotator, annotations),
      context.texts.language,
    );
    return [...parts.flatMap(noticeElements), ...buttons.map((one) => buttonRow(noticeButton(one)))];
  });
  return message(opened.text, { body: [...body, ...(opened.more === null ? [] : [note(opened.more)])] });
}

const INVITED_MS = 400 * 86_400_000;

/** Invites annotators in their personal chats with Jury. */
export const createTeamsStudyPoster = (parts: PosterParts): StudyPoster => ({
  surface: TEAMS,
  invite: async (person, study, key) => {
    const profile = await parts.places.profile(person.team, person.user);
    const language = languageOf(profile?.language) ?? 'en';
    const invitation = studyMessage(study, { done: 0, total: study.cases }, language);
    await inviteOnce(parts, person, invitation, { keyIn: () => key, keptMs: INVITED_MS });
  },
});
