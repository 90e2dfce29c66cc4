import type { reviews as english } from '../english/reviews.ts';
import { counted } from './format.ts';

export const reviews: typeof english = {
  toCheck: ({ count, minutes }) =>
    `${counted(count, 'Antwort', 'Antworten')} zu prüfen, etwa ${counted(minutes, 'Minute', 'Minuten')}`,
  about:
    'Sie wurden zufällig gezogen, um herauszufinden, wie weit man den Juroren trauen kann. Du siehst jede ohne das Urteil, und keine Liste zeigt, wer was gesagt hat.',
  start: 'Anfangen',
  notThisWeek: 'Diese Woche nicht',
  never: 'Nie',
  right: 'Antwort stimmt',
  wrong: 'Antwort stimmt nicht',
  notSure: 'Nicht sicher',
  title: ({ number, most }) => `Antwort ${number} von höchstens ${most} in dieser Woche`,
  wholeTitle: (number) => `Antwort ${number}`,
  isRight: 'Stimmt die Antwort?',
  whole: 'Ganzer Fall und Leitfaden',
  shortened: 'Das ist gekürzt: „Ganzer Fall und Leitfaden“ zeigt alles.',
  nothingYet:
    'Für dich gibt es gerade nichts zu prüfen. Wen ein Benchmark nennt, den frage ich in einer privaten Nachricht.',
  checked: ({ count, why }) =>
    `Du hast diese Woche ${counted(count, 'Antwort', 'Antworten')} geprüft. ${why}`,
  askWhenThere: 'Frag mich, wenn es etwas gibt',
  askAgain: 'Frag mich wieder',
  guide: 'Leitfaden: wonach zu urteilen ist',
  task: 'Aufgabe',
  none: {
    'not-volunteer': 'Du hast dich nicht zum Prüfen gemeldet.',
    never: 'Du wolltest nie Antworten zum Prüfen bekommen.',
    'not-this-week': 'Diese Woche setzt du aus. Ab Montag kann es wieder etwas geben.',
    enough: 'Danke, das war es für diese Woche.',
    'not-asked': 'Für diesen Lauf wurdest du nicht um Prüfung gebeten.',
    past: 'Die Antworten dieses Laufs wurden vor mehr als 30 Tagen gezogen und werden nicht mehr angeboten.',
    none: 'Es gibt nichts mehr zu prüfen. Danke.',
  },
  answered: {
    stood: 'Du hast schon geantwortet. Deine erste Antwort zählt, diese nicht.',
    late: 'Inzwischen wurde jemand anderes danach gefragt.',
    gone: 'Diese Antwort ist nicht mehr zu prüfen.',
  },
};
