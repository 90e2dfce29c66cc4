import type { announcements as english } from '../english/announcements.ts';
import { counted } from './format.ts';

export const announcements: typeof english = {
  who: {
    terminal: (name) => `${name} (im Terminal)`,
    console: 'Jemand in der Konsole',
  },
  ruled: ({ role, about, right }) =>
    ` hat als ${role} über ${about} entschieden${right === null ? '' : `: ${right}`}.`,
  importedRulings: (count) =>
    ` hat ${counted(count, 'Entscheidung', 'Entscheidungen')} über Urteile dieser Unterhaltung importiert.`,
  knownAnswer: ' hat eine bekannte Antwort in die Liste hier gelegt.',
  knownAnswers: ({ count, every }) =>
    ` hat ${counted(count, 'bekannte Antwort', 'bekannte Antworten')} in die Liste hier gelegt${every === null ? '' : `; etwa einer von ${every} Fällen darin hat eine`}.`,
  study: ({ id, cases, set, people }) =>
    ` hat die Studie ${id} angelegt: ${counted(cases, 'Fall', 'Fälle')} der Sammlung ${set} für ${counted(people, 'Person', 'Personen')}.`,
  scheduled: (what) => ` hat ${what} geplant.`,
  setAlert: ({ id, rule }) => ` hat einen Alarm eingerichtet: ${rule} (${id}).`,
  end: (text) => `${text}.`,
  removed: {
    paused: (what) =>
      `Jury wurde aus der Unterhaltung entfernt, und damit ist Folgendes pausiert: ${what}. Füg Jury dort wieder hinzu und schreib „digest list“, um es fortzusetzen.`,
    since: ({ what, resume }) =>
      `Pausiert, seit Jury entfernt wurde: ${what}. Mit „${resume}“ geht es weiter.`,
  },
};
