import type { manage as english } from '../english/manage.ts';
import { counted } from './format.ts';

export const manage: typeof english = {
  title: 'Verwalten',
  items: {
    rule: 'Verbindlich entscheiden…',
    'known-answer': 'Bekannte Antwort…',
    'add-to-set': 'In eine Sammlung…',
    'start-study': 'Studie aus einer Sammlung…',
  },
  createIssue: 'Ticket anlegen',
  what: 'Was mit diesem Urteil geschehen soll',
  recorded:
    'Entscheidungen, bekannte Antworten, Sammlungen und Studien stehen mit deinem Namen im Änderungsprotokoll.',
  inTerminal: 'Im Terminal, auf dem Server:',
  terminal: {
    example: 'Zum Musterbeispiel machen',
    knownAnswers: 'Bekannte Antworten aus einer Datei',
    exportSet: 'Eine Sammlung in eine Datei schreiben, für einen Benchmark',
    studyReport: 'Was eine Studie ergeben hat',
  },
  ruling: {
    title: 'Verbindlich entscheiden',
    change: 'Entscheidung ändern',
    send: 'Entscheiden',
    note: 'Die Entscheidung zählt anstelle des Urteils und aller Stimmen. Eine Zeile in der Unterhaltung sagt, wer entschieden hat, und so steht es auch im Änderungsprotokoll.',
    as: 'Du entscheidest als',
    asHint: 'Eine Rolle, zum Beispiel Sicherheitsbeauftragte. Sie steht auf der Karte.',
    asRequired: 'Nenne deine Rolle.',
    rightRequired: 'Sag, was richtig ist.',
    comment: 'Notiz',
    done: 'Die Entscheidung gilt.',
    unchanged: 'Diese Entscheidung gilt schon.',
  },
  knownAnswer: {
    title: 'Bekannte Antwort',
    note: 'Der Fall kommt noch einmal in die Liste dieser Unterhaltung, ohne sein Urteil, als wäre er neu. So zeigt sich, wie verlässlich Stimmen sind. Wer sich an diese Karte erinnert, verrät wenig darüber.',
    overruled: 'Über diesen Fall in der Liste wurde anders entschieden, und das gilt.',
    known: 'Das ist schon eine bekannte Antwort.',
    done: 'Der Fall ist als bekannte Antwort in der Liste.',
    missing: (steps) => `Noch wird er nicht gezeigt: ${steps.join(', und ')}.`,
    sayHowOften: 'leg in den Einstellungen dieser Unterhaltung fest, wie oft solche Fälle kommen',
    voteFirst: 'lass dort alle abstimmen, bevor sie Urteile sehen',
  },
  study: {
    title: 'Studie anlegen',
    send: 'Anfangen',
    note: 'Jede Person bewertet die Fälle einer Sammlung für sich, ohne ein Urteil zu sehen. Die Einladungen kommen innerhalb einer Minute.',
    set: 'Sammlung',
    setRequired: 'Wähl eine Sammlung.',
    people: 'Personen',
    peopleRequired: 'Nenne die Personen, die bewerten.',
    cases: 'Fälle',
    casesHint: 'Höchstens so viele, gleichmäßig aus richtigen Antworten und jeder Fehlerart gezogen.',
    casesRequired: 'Gib an, wie viele Fälle.',
    name: 'Name der Studie',
    nameHint: 'Ohne Angabe: der Name der Sammlung.',
    starting: 'Diese Studie wird gerade gestartet.',
    noSet: 'Es gibt noch keine Sammlung: Leg diesen Fall zuerst in eine.',
    noneForYou: 'Ihre Fälle stammen aus Unterhaltungen, in denen du nicht bist.',
    leftOut: (count) =>
      `Ausgelassen: ${counted(count, 'Fall', 'Fälle')} aus Unterhaltungen, in denen du nicht bist.`,
    started: ({ id, cases, set, people }) =>
      `Studie ${id}: ${counted(cases, 'Fall', 'Fälle')} der Sammlung ${set} für ${counted(people, 'Person', 'Personen')}. Die Einladungen kommen innerhalb einer Minute; im Terminal zeigt „jury study report ${id}“ das Ergebnis.`,
  },
};
