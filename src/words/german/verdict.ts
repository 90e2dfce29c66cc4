import { percent } from '../../common/text/index.ts';
import type { verdict as english } from '../english/verdict.ts';
import { andList, counted, decimal, grouped } from './format.ts';

const judges = (count: number): string => counted(count, 'Juror', 'Juroren');
/** After "von": `von 3 Juroren`, `von 1 Juror`. */
const ofJudges = ({ count, panel }: { count: number; panel: number }): string =>
  `${count} von ${judges(panel)}`;

const votedOn = (verdicts: string, { share, count }: { share: number; count: number }): string =>
  `Von ${grouped(count)} ${verdicts}, über die abgestimmt wurde, fanden die Leute ${percent(share)} richtig; keine Zufallsstichprobe`;

export const verdict: typeof english = {
  label: {
    pass: 'BESTANDEN',
    fail: 'DURCHGEFALLEN',
    scored: 'WERTUNG',
    undecided: 'NICHT ENTSCHIEDEN',
  },
  decision: {
    pass: 'bestanden',
    fail: 'durchgefallen',
    scored: 'bewertet',
    undecided: 'nicht entschieden',
    unscored: 'nicht entschieden',
    'not-judged': 'nicht geprüft',
    'not-relevant': 'nicht relevant',
  },
  number: decimal,
  count: grouped,
  percent,
  list: andList,
  judges,
  scoreOf: ({ score, max }) => (max === null ? score : `${score} von ${max}`),
  scoreStance: (score) => `Wertung ${score}`,
  sure: ({ stance, confidence }) => `${stance}, zu ${percent(confidence)} sicher`,
  better: (name) => `${name} ist besser`,
  tie: 'Gleich gut',
  prefers: (name) => `für ${name}`,
  noDifference: 'kein Unterschied',
  changedWithOrder: 'wechselte mit der Reihenfolge',
  noAnswer: (why) => `keine Antwort (${why})`,
  notRelevant: 'nicht relevant',
  noReason: 'Nach einer Begründung wurde nicht gefragt.',
  silence: {
    malformed: 'Antwort nicht verwertbar',
    refused: 'Antwort verweigert',
    timeout: 'Zeit überschritten',
    'rate-limited': 'Anfragelimit des Modells erreicht',
    budget: 'Budget aufgebraucht',
    unsupported: 'konnte das nicht beurteilen',
    cancelled: 'gestoppt',
    error: 'nicht erreichbar',
    'not-relevant': 'nicht relevant',
  },
  allSilent: {
    malformed: 'die Antwort des Modells war nicht verwertbar',
    refused: 'das Modell hat die Antwort verweigert',
    timeout: 'das Modell hat nicht rechtzeitig geantwortet',
    'rate-limited': 'das Modell nimmt gerade keine Fragen mehr an',
    budget: 'ein Budget für Modellaufrufe ist aufgebraucht',
    unsupported: 'die Juroren konnten das nicht beurteilen',
    cancelled: 'noch kein Juror hatte geantwortet',
    error: 'das Modell war nicht erreichbar',
    'not-relevant': 'das Bewertungsraster passt nicht zu diesem Fall',
  },
  silences: (counts) => counts.map(({ count, why }) => `${count}-mal ${why}`).join(', '),
  fallback: {
    budget: 'nur exakt geprüft, das Budget für heute ist aufgebraucht',
    refused: 'nur exakt geprüft, der Endpunkt des Modells verweigert die Antwort',
    unreachable: 'nur exakt geprüft, kein Modell hat geantwortet',
  },
  exactOnly: 'nur exakte Prüfung',
  trouble: {
    unreachable: 'Das Modell ist nicht erreichbar. Bitte deinen Jury-Admin, die Adresse zu prüfen.',
    key: 'Das Modell lehnt den Schlüssel ab. Bitte deinen Jury-Admin, einen gültigen einzutragen.',
    model: 'Dieses Modell ist dort nicht bekannt. Wähl ein anderes oder frag deinen Jury-Admin.',
    credit: 'Das Guthaben für das Modell ist aufgebraucht. Bitte deinen Jury-Admin, es aufzufüllen.',
    overloaded: 'Das Modell nimmt gerade keine Fragen mehr an. Versuch es in einer Minute noch einmal.',
  },
  exact: 'exakte Prüfung',
  exactAlone: 'exakte Prüfung, ohne Modell',
  backing: {
    of: ({ weight, ...of }) => `${ofJudges(of)}${weight === null ? '' : `, ${percent(weight)} des Gewichts`}`,
    ofAsked: ({ count, asked }) =>
      count === asked
        ? `${count} von ${asked} gefragten sind sich einig`
        : `${count} von ${asked} gefragten Juroren`,
    answered: (of) => `${ofJudges(of)} ${of.count === 1 ? 'hat' : 'haben'} geantwortet`,
    same: (count) => `${judges(count)}, alle gleich`,
    range: ({ low, high, count }) => `${low}–${high} bei ${judges(count)}`,
    bothOrders: (of) => `${ofJudges(of)}, in beiden Reihenfolgen`,
    alone: ofJudges,
    changed: (of) => `${ofJudges(of)} ${of.count === 1 ? 'wechselte' : 'wechselten'} mit der Reihenfolge`,
    noDifference: (of) => `${ofJudges(of)} ${of.count === 1 ? 'sieht' : 'sehen'} keinen Unterschied`,
    prefer: ({ name, ...of }) => `${ofJudges(of)} für ${name}`,
    notNeeded: (count) => `${count} nicht mehr nötig`,
    silent: ({ judge, why }) => `${judge} ohne Antwort (${why})`,
  },
  split: ({ counts, sameWeight }) =>
    `die Juroren sind geteilter Meinung, ${counts.join(' : ')}${sameWeight ? ', mit gleichem Gewicht auf jeder Seite' : ''}`,
  splitWithSilent: ({ counts, sameWeight, silent, panel, why }) =>
    `${ofJudges({ count: silent, panel })} ${silent === 1 ? 'hat' : 'haben'} nicht geantwortet (${why}); die übrigen sind geteilter Meinung, ${counts.join(' : ')}${sameWeight ? ', mit gleichem Gewicht auf jeder Seite' : ''}`,
  partly: ({ holding, asked, open }) =>
    `${holding} von ${asked} Kriterien ${holding === 1 ? 'ist' : 'sind'} erfüllt, ${open} ${open === 1 ? 'war' : 'waren'} nicht zu prüfen`,
  nothingChecked: 'nichts davon war zu prüfen',
  pairNeedsModel: 'welche Antwort besser ist, kann nur ein Modell beurteilen',
  nobodyYet: 'noch kein Juror hatte geantwortet',
  noRatings: (why) => `kein Kriterium konnte bewertet werden, es gab also nichts zu besprechen (${why})`,
  nothingToJudgeBy: 'dem Text fehlt, was jedes Kriterium braucht',
  foundNotRelevant: (of) =>
    `${ofJudges(of)} ${of.count === 1 ? 'findet' : 'finden'} das Bewertungsraster für diesen Fall nicht relevant`,
  noneAnswered: ({ panel, why }) =>
    `${panel === 1 ? 'der Juror hat nicht geantwortet' : `keiner von ${judges(panel)} hat geantwortet`} (${why})`,
  fewAnswered: ({ why, ...of }) =>
    `nur ${ofJudges(of)} ${of.count === 1 ? 'hat' : 'haben'} geantwortet (${why})`,
  fewDecided: ({ why, ...of }) =>
    `${of.panel === 1 ? 'der Juror konnte sich nicht entscheiden' : `nur ${ofJudges(of)} ${of.count === 1 ? 'konnte' : 'konnten'} sich entscheiden`}${why === '' ? '' : ` (${why})`}`,
  allHold: ({ count, someNotJudged }) =>
    `${count === 2 ? 'beide' : `alle ${count}`} ${someNotJudged ? 'geprüften ' : ''}Kriterien sind erfüllt`,
  hold: (titles) => `${andList(titles)} ${titles.length === 1 ? 'ist' : 'sind'} erfüllt`,
  fail: (titles) => `${andList(titles)} ${titles.length === 1 ? 'ist' : 'sind'} nicht erfüllt`,
  manyFail: ({ count, of }) => `${count} von ${of} Kriterien sind nicht erfüllt`,
  cutShort: (round) => `Runde ${round + 2} wurde nicht fertig, nach Runde ${round + 1}`,
  disagree: ({ judges: names, reason }) =>
    `${andList(names)} ${names.length === 1 ? 'widerspricht' : 'widersprechen'}${reason === '' ? '' : `: „${reason}“`}`,
  voted: {
    such: (of) => votedOn('solchen Urteilen', of),
    here: (of) => votedOn('Urteilen dieser Unterhaltung', of),
    everywhere: (of) => votedOn('Urteilen aller Unterhaltungen', of),
  },
};
