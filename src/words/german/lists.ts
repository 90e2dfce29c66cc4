import type { lists as english } from '../english/lists.ts';
import { counted, grouped } from './format.ts';

export const lists: typeof english = {
  needVotes: 'Urteile, die Stimmen brauchen',
  waiting: (count) =>
    count === 0
      ? 'Kein Urteil braucht deine Stimme.'
      : `${counted(count, 'Urteil braucht', 'Urteile brauchen')} deine Stimme.`,
  nothingWaiting: 'Gerade wartet nichts auf deine Stimme.',
  lookedAt: ({ most, isCut }) =>
    `${isCut ? `Urteile aus deinen Unterhaltungen unter den neuesten ${grouped(most)}` : `Die neuesten Urteile aus deinen Unterhaltungen, höchstens ${most}`}; was deine Stimme am meisten braucht, steht oben.`,
  moreBy: ({ count, command }) => `und ${count} weitere: ${command}`,
  moreByWriting: ({ count, command }) => `${count} weitere: Schreib „${command}“.`,
  moreAfter: (count) => `und danach ${count} weitere`,
  moreThatNeed: ({ count, command }) => `und ${count} weitere, die Stimmen brauchen: ${command}`,
  moreVerdicts: (count) => `und ${counted(count, 'weiteres Urteil', 'weitere Urteile')}`,
  recent: 'Neueste Urteile',
  noneYet: (command) =>
    `Noch keine. Erwähne mich mit einem Text, wähl „Ask the jury“ im Menü einer Nachricht, oder tipp ${command}.`,
  agreementTitle: 'Übereinstimmung bisher',
  settledFew: ({ count, from }) =>
    `Entschiedene Abstimmungen (ab drei Stimmen, mehr als die Hälfte auf einer Seite): ${count}. Ab ${from} steht hier, wie oft die Leute der Jury zustimmen.`,
  settledShare: (share) =>
    `Zustimmung zur Jury: ${share} der entschiedenen Abstimmungen (ab drei Stimmen, mehr als die Hälfte auf einer Seite).`,
  settings: 'Einstellungen',
  chooseConversation: 'Wähl eine Unterhaltung, um festzulegen, wie ihre Fälle beurteilt werden.',
  chooseOne: 'Unterhaltung wählen',
  askTheJury: 'Jury fragen',
  defaults: (text) => `Voreinstellungen: ${text}`,
  wish: {
    rubric: 'Bewertungsraster',
    method: 'Methode',
    model: 'Modell',
    panel: 'Juroren',
    models: 'zugelassene Modelle',
    eachCase: 'je nach Fall',
    fromRubric: 'nach Bewertungsraster',
    default: 'Standard',
  },
  ownKnown: ({ right, of }) =>
    `Bei einigen Fällen der Liste ist die Antwort bekannt. Bis gestern lagst du bei ${right} von ${of} richtig. Das siehst nur du.`,
  card: 'Karte',
  needsVote: (reason) => `Braucht deine Stimme: ${reason}`,
  needsVoteWithin: (reason) => `braucht deine Stimme: ${reason}`,
  answerFirst: 'erst antworten',
  answer: 'Antworten',
  openAndVote: 'Öffnen und abstimmen',
  page: ({ at, of }) => `Seite ${at} von ${of}`,
  more: 'Mehr',
  back: 'Zurück',
  next: 'Weiter',
  inBrowser: { queue: 'Im Browser abstimmen', details: 'Details im Browser' },
  moreLines: (count) =>
    count === 1
      ? 'Eine weitere Zeile hat hier keinen Platz mehr.'
      : `${count} weitere Zeilen haben hier keinen Platz mehr.`,
  moreParts: ({ count, opensDetails }) =>
    `${counted(count, 'weiterer Teil hat', 'weitere Teile haben')} hier keinen Platz mehr${opensDetails ? ', siehe „Details“' : ''}.`,
};
