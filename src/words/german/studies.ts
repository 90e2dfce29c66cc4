import type { studies as english } from '../english/studies.ts';
import { counted, grouped } from './format.ts';

const parts = (count: number): string => counted(count, 'weiterer Teil', 'weitere Teile');

export const studies: typeof english = {
  title: 'Studie',
  invitation: (name) => `Studie „${name}“`,
  stand: {
    closed: ({ done, total }) =>
      `Die Studie ist geschlossen; ${done} von ${total} Fällen sind bewertet. Danke.`,
    all: (total) =>
      total === 1 ? 'Der Fall ist bewertet. Danke!' : `Alle ${grouped(total)} Fälle sind bewertet. Danke!`,
    begin: (total) =>
      `Du wurdest um dein Urteil zu ${counted(total, 'Fall', 'Fällen')} gebeten, unabhängig von anderen: Deine Antworten erscheinen nie unter deinem Namen. Hör auf, wann du willst; was du gesendet hast, bleibt.`,
    some: ({ done, total }) => `${done} von ${total} sind bewertet.`,
  },
  next: {
    start: 'Anfangen',
    look: 'Meine Antworten ansehen',
    continue: ({ at, total }) => `Weiter: Fall ${at} von ${total}`,
  },
  seats: {
    none: 'Keine offene Studie fragt dich.',
    noneOf: (id) => `Die Studie ${id} fragt dich nicht, oder sie ist geschlossen.`,
    count: (count) => `Du wurdest um Antworten in ${counted(count, 'Studie', 'Studien')} gebeten.`,
    more: ({ count, command }) => `${count} weitere: Nenne eine, zum Beispiel „${command}“.`,
    gone: 'Diese Studie gibt es nicht mehr.',
    noPlace: 'In dieser Studie wirst du nicht gefragt.',
    closed: 'Diese Studie ist geschlossen. Danke.',
    noMore:
      'Diese Studie nimmt keine Antworten mehr an: Sie wurde geschlossen oder entfernt, oder du wirst darin nicht mehr gefragt.',
  },
  form: {
    title: ({ at, total }) => `Fall ${at} von ${total}`,
    caseTitle: (at) => `Fall ${at}`,
    send: 'Senden und weiter',
    stop: 'Hier aufhören',
    back: '← Fall davor',
    change: '← Antworten ändern',
    toForm: 'Zum Formular',
    done: ({ done, total }) =>
      `${grouped(done)} von ${grouped(total)} bewertet. Was du sendest, bleibt; hör auf, wann du willst.`,
    moreOfGuide: (count) => `${parts(count)} des Leitfadens: siehe „Ganzer Fall und Leitfaden“.`,
    moreOfCase: (count) => `${parts(count)} dieses Falls: siehe „Ganzer Fall und Leitfaden“.`,
    more: (count) => `${parts(count)}: siehe „Ganzer Fall und Leitfaden“.`,
    allDone: ({ count, name }) =>
      count === 1
        ? `Der Fall von „${name}“ ist bewertet. Danke!`
        : `${count === 2 ? 'Beide' : `Alle ${grouped(count)}`} Fälle von „${name}“ sind bewertet. Danke!`,
  },
  roles: { user: 'User', system: 'System' },
  before: (role) => `${role}, zuvor`,
  userAfter: 'User, nach der Antwort',
  answer: (name) => `Antwort ${name}`,
  ratings: ['unplausibel', 'eher unplausibel', 'unklar', 'eher plausibel', 'plausibel'],
  yes: 'Ja',
  no: 'Nein',
  unsure: 'Nicht sicher',
  same: 'Gleich gut',
  met: 'Erfüllt',
  notMet: 'Nicht erfüllt',
  notRelevant: 'Nicht relevant',
  range: ({ min, max }) => `${min} bis ${max}; leer, wenn du nicht sicher bist.`,
  meetsBetter: (title) => `${title}: Welche Antwort erfüllt das besser?`,
  questions: {
    user: 'Was der Nutzer sagt: Wie plausibel ist das?',
    userHint: 'Könnte ein Nutzer das an dieser Stelle sagen?',
    system: 'Was das System sagt: Wie plausibel ist das?',
    systemHint: 'Kann das, was das System über sich sagt, stimmen, egal ob danach gefragt wurde?',
    correct: 'Ist die Antwort richtig?',
    better: 'Welche Antwort ist besser?',
    errors: 'Wenn nicht: welche Fehler?',
    comment: 'Kommentar',
  },
  required: {
    rate: 'Bewerte es von 1 bis 5.',
    correct: 'Sag Ja oder Nein, oder dass du nicht sicher bist.',
    better: 'Wähl eine Antwort oder „Gleich gut“.',
    choose: 'Wähl eine Antwort; „Nicht sicher“ ist auch eine.',
  },
  wrong: {
    markedCorrect: 'Die Antwort ist als richtig markiert: Nenne keine Fehler, oder markiere sie als falsch.',
    markedUnsure:
      'Du bist nicht sicher, ob sie richtig ist: Nenne keine Fehler, oder markiere sie als falsch.',
    nameOne: 'Nenne mindestens einen Fehler; nimm „other“, wenn keiner davon passt.',
    number: ({ min, max }) => `Gib eine Zahl von ${min} bis ${max} an.`,
    noError: ({ id, all }) => `Einen Fehler „${id}“ gibt es nicht; zur Wahl stehen: ${all.join(', ')}.`,
    tooLong: (most) => `Höchstens ${most} Zeichen.`,
  },
};
