import { alerts as englishAlerts } from './english/alerts.ts';
import { announcements as englishAnnouncements } from './english/announcements.ts';
import { assistant as englishAssistant } from './english/assistant.ts';
import { card as englishCard } from './english/card.ts';
import { chat as englishChat } from './english/chat.ts';
import { commands as englishCommands } from './english/commands.ts';
import { comparison as englishComparison } from './english/comparison.ts';
import { details as englishDetails } from './english/details.ts';
import { digests as englishDigests } from './english/digests.ts';
import { errors as englishErrors } from './english/errors.ts';
import { fields as englishFields } from './english/fields.ts';
import { forms as englishForms } from './english/forms.ts';
import { known as englishKnown } from './english/known.ts';
import { lists as englishLists } from './english/lists.ts';
import { manage as englishManage } from './english/manage.ts';
import { numbers as englishNumbers } from './english/numbers.ts';
import { requests as englishRequests } from './english/requests.ts';
import { reviews as englishReviews } from './english/reviews.ts';
import { schedules as englishSchedules } from './english/schedules.ts';
import { studies as englishStudies } from './english/studies.ts';
import { verdict as englishVerdict } from './english/verdict.ts';
import { votes as englishVotes } from './english/votes.ts';
import { alerts as germanAlerts } from './german/alerts.ts';
import { announcements as germanAnnouncements } from './german/announcements.ts';
import { assistant as germanAssistant } from './german/assistant.ts';
import { card as germanCard } from './german/card.ts';
import { chat as germanChat } from './german/chat.ts';
import { commands as germanCommands } from './german/commands.ts';
import { comparison as germanComparison } from './german/comparison.ts';
import { details as germanDetails } from './german/details.ts';
import { digests as germanDigests } from './german/digests.ts';
import { errors as germanErrors } from './german/errors.ts';
import { fields as germanFields } from './german/fields.ts';
import { forms as germanForms } from './german/forms.ts';
import { known as germanKnown } from './german/known.ts';
import { lists as germanLists } from './german/lists.ts';
import { manage as germanManage } from './german/manage.ts';
import { numbers as germanNumbers } from './german/numbers.ts';
import { requests as germanRequests } from './german/requests.ts';
import { reviews as germanReviews } from './german/reviews.ts';
import { schedules as germanSchedules } from './german/schedules.ts';
import { studies as germanStudies } from './german/studies.ts';
import { verdict as germanVerdict } from './german/verdict.ts';
import { votes as germanVotes } from './german/votes.ts';
import type { Language } from './language.ts';

const english = {
  fields: englishFields,
  studies: englishStudies,
  errors: englishErrors,
  announcements: englishAnnouncements,
  schedules: englishSchedules,
  alerts: englishAlerts,
  comparison: englishComparison,
  digests: englishDigests,
  known: englishKnown,
  assistant: englishAssistant,
  numbers: englishNumbers,
  card: englishCard,
  chat: englishChat,
  commands: englishCommands,
  details: englishDetails,
  forms: englishForms,
  lists: englishLists,
  manage: englishManage,
  requests: englishRequests,
  reviews: englishReviews,
  verdict: englishVerdict,
  votes: englishVotes,
};

/** All texts of a language, by what they are about. German has to have each one that English has. */
export type Words = typeof english;

const german: Words = {
  fields: germanFields,
  studies: germanStudies,
  errors: germanErrors,
  announcements: germanAnnouncements,
  schedules: germanSchedules,
  alerts: germanAlerts,
  comparison: germanComparison,
  digests: germanDigests,
  known: germanKnown,
  assistant: germanAssistant,
  numbers: germanNumbers,
  card: germanCard,
  chat: germanChat,
  commands: germanCommands,
  details: germanDetails,
  forms: germanForms,
  lists: germanLists,
  manage: germanManage,
  requests: germanRequests,
  reviews: germanReviews,
  verdict: germanVerdict,
  votes: germanVotes,
};

const CATALOGS: Readonly<Record<Language, Words>> = { en: english, de: german };

/** The texts in a language: functions of named values, or plain strings. */
export const wordsIn = (language: Language): Words => CATALOGS[language];
