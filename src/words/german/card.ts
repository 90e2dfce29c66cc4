import { usd } from '../../common/text/index.ts';
import type { card as english } from '../english/card.ts';
import { andList, counted } from './format.ts';

export const card: typeof english = {
  quoted: (text) => `„${text}“`,
  judgesSplit: ({ pass, fail }) => `die Juroren sind geteilter Meinung, ${pass} : ${fail}`,
  needsModel: ({ isConnected }) =>
    isConnected ? 'dafür braucht es ein Modell' : 'dafür braucht es ein Modell, und keines ist angebunden',
  askAdmin: 'Bitte deinen Jury-Admin, ein Modell anzubinden',
  connectModel:
    'Ein Modell wird mit JURY_MODEL, zum Beispiel openai/gpt-4o-mini, und dessen OPENAI_API_KEY angebunden',
  dataHint:
    'Die exakte Prüfung braucht Angaben im Text: was das Auto getan hat („Device: temperature“, „Operation: set“, „Value: 21 °C“) oder wie ein Ort ist („Rating: 4.3“, „Duration: 5 min“)',
  leftOut: (text) => `Weggelassen: „${text}“`,
  unread: ({ label, value }) => `Die Angabe ${value} zu „${label}“ war nicht lesbar`,
  notChecked: ({ titles, reason }) => `Nicht geprüft: ${titles.join(' · ')} – ${reason}`,
  missing: ({ lines }) =>
    `im Text ${lines.length === 1 ? 'fehlt eine Angabe' : 'fehlen Angaben'}; ergänze ${andList(lines.map((line) => `„${line}“`))}`,
  was: ({ outcome, as, by }) =>
    `Vorher: ${outcome}${as === null ? '' : `, als ${as}`}${by.length === 0 ? '' : `, durch ${andList(by)}`}`,
  overruled: ({ label, outcome }) => `${label}, entschieden: ${outcome}`,
  ruled: (outcome) => `Verbindlich entschieden: ${outcome}`,
  ruledBy: ({ role, comment }) => `, von ${role}${comment === null ? '' : `: „${comment}“`}`,
  notRelevant: (titles) => `Hier nicht relevant: ${titles.join(' · ')}`,
  ignored: (text) => `Nicht berücksichtigt: ${text}`,
  assumed: (text) => `Angenommen: ${text}`,
  turn: (number) => `Gesprächsschritt ${number} von ${number}`,
  askedBy: (name) => `angefragt von ${name}`,
  stoppedEarly: 'vorzeitig gestoppt',
  stoppedBy: (name) => `gestoppt von ${name}`,
  calls: ({ count, rounds, cached }) =>
    `${counted(count, 'Aufruf', 'Aufrufe')}${rounds > 1 ? ` in ${rounds} Runden` : ''}${cached > 0 ? `, ${cached} aus dem Cache` : ''}`,
  cost: usd,
  costUnknown: 'Kosten unbekannt',
  moreCriteria: (count) => `${counted(count, 'weiteres Kriterium', 'weitere Kriterien')} unter „Details“`,
  moreAnswers: (count) => `${counted(count, 'weitere Antwort', 'weitere Antworten')} unter „Details“`,
  moreInDetails: (count) => `${count} weitere unter „Details“`,
  andMore: (count) => `und ${count} weitere`,
};
