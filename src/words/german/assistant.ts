import { capital } from '../../common/text/index.ts';
import type { assistant as english } from '../english/assistant.ts';
import { andList, counted, grouped } from './format.ts';

const answers = (count: number): string => counted(count, 'Antwort', 'Antworten');
const requests = (count: number): string => counted(count, 'Anfrage', 'Anfragen');
/** After a preposition with the dative: `aus 2 anderen Läufen`. */
const otherRuns = (count: number): string => counted(count, 'anderen Lauf', 'anderen Läufen');
const blockers = (count: number): string => counted(count, 'Blocker', 'Blocker');
const DAYS: Readonly<Record<string, string>> = {
  monday: 'montags',
  tuesday: 'dienstags',
  wednesday: 'mittwochs',
  thursday: 'donnerstags',
  friday: 'freitags',
  saturday: 'samstags',
  sunday: 'sonntags',
};

export const assistant: typeof english = {
  rate: {
    nothing: 'noch ist nichts beurteilt; derselbe Befehl „jury bench run“ macht weiter',
    noneDecided: (count) => `keine von ${answers(count)} war zu entscheiden`,
    passes: ({ share, count, judged, limits }) =>
      `${share} % von ${judged ? counted(count, 'beurteilten Antwort', 'beurteilten Antworten') : answers(count)} bestehen (${limits})`,
    scores: ({ mean, count, limits }) =>
      `${answers(count)} ${count === 1 ? 'erreicht' : 'erreichen'} im Mittel ${mean} (${limits})`,
    noInterval: () => 'keine Spanne',
  },
  difference: {
    same: 'genau wie',
    points: ({ by, isOne, isLess }) =>
      `${by} ${isOne ? 'Prozentpunkt' : 'Prozentpunkte'} ${isLess ? 'weniger' : 'mehr'} als`,
    score: ({ by, isLess }) => `${by} ${isLess ? 'weniger' : 'mehr'} als`,
    perhapsChance: ', was Zufall sein kann',
  },
  against: {
    before: 'zuvor',
    runBefore: 'im Lauf davor',
    baseline: (name) => `in der Baseline ${name}`,
    earlierToday: 'im früheren Lauf von heute',
    lastWeekday: (day) => `letzten ${day}`,
    on: (was) => (/^\d/.test(was) ? `am ${was}` : was),
  },
  onBoth: (count) =>
    count === 1 ? 'bei der einen Anfrage in beiden Läufen' : `bei den ${requests(count)} in beiden Läufen`,
  comparedOn: ({ what, both }) => (both === null ? `${what},` : `${what}; ${both}`),
  kinds: {
    same: 'gleicher Art',
    sameMix: (tags) => `bei gleicher Verteilung von ${tags.join(' und ')}`,
    otherMix: (tags) => `bei anderer Verteilung von ${tags.join(' und ')}`,
    but: ', aber ',
  },
  others: ({ shared, kinds }) =>
    `, ${shared === 0 ? 'andere Anfragen' : `${requests(shared)} in beiden Läufen, die übrigen`} ${kinds}`,
  preference: {
    none: ({ names: [a, b], same }) =>
      `Zwischen ${a} und ${b} zeigt sich bei ${requests(same)} kein Unterschied`,
    neither: ([a, b]) => `Weder ${a} noch ${b} ist klar besser`,
    better: (name) => `${name} ist besser`,
    figures: ({ name, n, of, share, limits, p, same }) =>
      `${name === null ? '' : `${name} `}bei ${n} von ${requests(of)} vorgezogen, ${share} % (${limits}), ${p} im Vorzeichentest${same === 0 ? '' : `; ${same}-mal gleich gut`}`,
    orderUnknown:
      'Wie sicher ist das? Nicht bekannt: Die Beurteilungen stammen von anderswo, und die Reihenfolge der Antworten ist nicht festgehalten',
    orderSame: (of) =>
      `Wie sicher ist das? ${of === 1 ? 'Die eine Beurteilung ist' : `Alle ${grouped(of)} Beurteilungen sind`} in beiden Reihenfolgen gleich`,
    orderChanged: ({ n, of }) =>
      `Wie sicher ist das? ${n} von ${counted(of, 'Beurteilung', 'Beurteilungen')} wechselten mit der Reihenfolge der Antworten und zählen als gleich gut`,
  },
  headline: {
    who: (name) => (name === null ? 'Der Assistent' : `Der Assistent (${name})`),
    notComparable: ({ alone, was, why }) =>
      `${alone}. Ein Vergleich mit dem Lauf davor (${was}) ist nicht möglich: ${why}`,
    nothingDecidedTwice: 'keine Antwort wurde beide Male entschieden',
    sameAnswers: ({ who, rate, was }) => `${who} ist stabil: ${rate} dieselben Antworten wie ${was}`,
    trend: { better: 'ist besser geworden', worse: 'ist schlechter geworden', steady: 'ist stabil' },
    willCompare: (text) => `${text}; der nächste Bericht vergleicht damit`,
  },
  baseline: {
    notComparable: ({ name, why }) => `Mit der Baseline ${name} nicht vergleichbar: ${why}`,
    line: ({ by, name, where, interval, others }) => {
      return `${capital(by)} in der Baseline ${name}${where === null ? '' : `, ${where}`} (${interval})${others}`;
    },
    turned: ({ failing, passing }) =>
      `: ${grouped(failing)} fallen neu durch, ${grouped(passing)} bestehen neu`,
  },
  basis: {
    builds: ({ builds, against }) =>
      `${builds.length === 1 ? 'Build' : 'Builds'} ${builds.join(', ')}${against.length === 0 ? '' : ` gegen ${against.join(', ')}`}`,
    same: (count) => (count === 1 ? 'dieselbe Anfrage' : `dieselben ${requests(count)}`),
    others: ({ now, was }) => `${requests(now)} jetzt, ${grouped(was)} andere zuvor`,
    both: ({ shared, now, was }) =>
      `${requests(shared)} in beiden Läufen, ${grouped(now)} nur jetzt, ${grouped(was)} nur zuvor`,
    sameJudges: 'dieselben Juroren',
    leftOut: (count) => `${requests(count)} ohne Gegenstück gleicher Art weggelassen`,
    unchanged: (count) => `${answers(count)} unverändert`,
    takenOver: (count) => `${counted(count, 'Urteil', 'Urteile')} übernommen`,
    notDecided: ({ open, of }) => `${grouped(open)} von ${grouped(of)} nicht entschieden`,
  },
  groups: {
    other: 'Sonstige',
    otherInList: 'sonstige',
    noCriterion: 'kein Kriterium',
    otherRow: (count) => `Sonstige ${grouped(count)}`,
    labeled: ({ title, n }) => `${title} ${grouped(n)}`,
    suchAs: (reason) => `zum Beispiel „${reason}“`,
    share: ({ n, all }) => (n < all ? `${grouped(n)} davon` : n === 2 ? 'beide' : 'alle'),
    onWeekday: ({ who, day }) => `${who} ${DAYS[day.toLowerCase()] ?? `am ${day}`}`,
    inLanguage: ({ who, language }) => `${who} in der Sprache ${language}`,
    withTag: ({ who, tag, value }) => `${who} mit ${tag} ${value}`,
    example: ({ title, n, reason }) => `${title} (${n})${reason === null ? '' : `, zum Beispiel: ${reason}`}`,
  },
  turned: ({ n, to }) =>
    to === 'fail'
      ? `${answers(n)} ${n === 1 ? 'fällt' : 'fallen'} neu durch`
      : `${answers(n)} ${n === 1 ? 'besteht' : 'bestehen'} neu`,
  sure: {
    flips: ({ they, share }) =>
      `noch einmal gefragt, entscheiden ${they ? 'sie' : 'die Juroren'} ${share} anders`,
    unchanged: ({ they, flipped, n }) =>
      `von ${grouped(n)} unveränderten Antworten entscheiden ${they ? 'sie' : 'die Juroren'} ${grouped(flipped)} jetzt anders`,
    unseen: ({ size, decision, split }) =>
      `von den ${grouped(size)}, die die Juroren ${split === null ? '' : split ? 'uneinig ' : 'einstimmig '}${decision === 'pass' ? 'bestehen' : 'durchfallen'} ließen, ist keine geprüft`,
    drawn: ({ n, runs }) =>
      runs === null
        ? `${grouped(n)} zufällig gezogene dieser Antworten`
        : `${grouped(n)} zufällig gezogene Antworten aus ${otherRuns(runs)} mit denselben Juroren`,
    unchecked: ({ count, drawn }) => `${grouped(count)} der ${grouped(drawn)} gezogenen sind nicht geprüft`,
    notSure: (count) => `${grouped(count)} nicht sicher`,
    byLabels: ({ share, limits }) => `allein nach den Labels bestehen ${share} % (${limits})`,
    corrected: ({ share, limits }) => `um die Fehler der Juroren bereinigt, sind es ${share} % (${limits})`,
    notKnown: (why) => `Wie sicher ist das? Noch nicht bekannt: ${why}`,
    agreed: (share) => `mit den Labels stimmen die Juroren bei ${share} überein`,
    chosenUnknown: 'wie die gelabelten ausgewählt wurden, ist nicht bekannt',
    allLabeled: ({ count, isAll }) =>
      `Alle ${grouped(count)} ${isAll ? '' : 'entschiedenen '}Antworten haben ein Label`,
    checked: (what) => `Von Menschen geprüft: ${what}`,
    judgesPass: (share) => `Laut den Juroren bestehen ${share} %.`,
    agreedToo: (share) => `, und die Juroren stimmen bei ${share} damit überein`,
    nothingDecided: 'keine Antwort wurde entschieden',
    why: {
      scores: 'Menschen prüfen Entscheidungen, und das sind Wertungen',
      fewLabels: ({ needed, count }) => `nötig sind ${needed} Labels, bisher gibt es ${grouped(count)}`,
      oneGroup: 'nötig sind Antworten, die nicht alle zusammengehören',
      needsChecks: ({ needed, checked }) =>
        `lasst ${needed} zufällig gezogene Antworten von Menschen prüfen, oder labelt alle${checked === null ? '' : `; bisher ${checked === 1 ? 'ist' : 'sind'} ${grouped(checked)} geprüft`}`,
      severalRubrics: ({ rubrics, checked, runs }) =>
        `diese Antworten werden nach ${counted(rubrics, 'Bewertungsraster', 'Bewertungsrastern')} beurteilt, deshalb helfen die ${grouped(checked)} geprüften aus ${otherRuns(runs)} nicht`,
      noInterval: ({ checked, runs }) =>
        `die ${grouped(checked)} geprüften Antworten aus ${otherRuns(runs)} lassen keine Spanne zu`,
    },
  },
  obstacle: {
    noSameRequest: 'keine Anfrage ist dieselbe',
    rubricIs: ({ now, was }) => `das Bewertungsraster ist ${now.join(', ')} statt ${was.join(', ')}`,
    rubricChanged: (named) =>
      `das Bewertungsraster${named.length === 0 ? '' : ` ${named.join(', ')}`} wurde geändert`,
    methodChanged: (method) => `die Methode ${method} wurde geändert`,
    judges: ({ now, was }) =>
      `es sind andere Juroren: ${now.method} mit ${now.models.join(' + ')} statt ${was.method} mit ${was.models.join(' + ')}`,
    seats: 'es sind andere Juroren: andere Personas, Einstellungen oder Temperatur',
    prompts: 'die Prompts der Juroren wurden geändert',
    coverage: ({ now, was }) => `die Juroren haben ${now} der Antworten entschieden statt ${was}`,
    languages: ({ now, was }) =>
      `die meisten Anfragen sind in anderen Sprachen: ${now.join(', ') || 'ohne Angabe'} statt ${was.join(', ') || 'ohne Angabe'}`,
  },
  latency: {
    median: (duration) => `Die Hälfte der Antworten braucht höchstens ${duration}`,
    slowest: ({ median, most }) => `${median}, die langsamste ${most}`,
    allSlowest: ({ median, slowest }) => `${median}. Die langsamsten: ${slowest.join(', ')}`,
    request: (text) => `„${text}“`,
  },
  blockers: {
    count: blockers,
    what: ({ n, name }) => `${blockers(n)}${name === null ? '' : ` in ${name}`}`,
    check: (n) => (n === 1 ? 'Ein beurteilter Fall: Bitte prüfen.' : 'Beurteilte Fälle: Bitte prüfen.'),
    otherCriteria: (n) => `andere Kriterien (${grouped(n)})`,
    allOther: ({ was, before }) =>
      `; ${was} waren es ${before === 0 ? 'keine' : grouped(before)}, bei anderen Anfragen`,
    someOther: ({ was, now, before }) =>
      `; ${grouped(now)} davon bei anderen Anfragen, ${was} waren es dort ${before === 0 ? 'keine' : grouped(before)}`,
  },
  slices: {
    without: (tag) => `ohne ${tag}`,
    otherValues: (count) => counted(count, 'anderer Wert', 'andere Werte'),
    passes: ({ share, of }) => `${share} % von ${grouped(of)}`,
    scores: ({ mean, of }) => `im Mittel ${mean} bei ${grouped(of)}`,
    answers: (name) => `Antworten ${name}`,
    oneWorse: ({ what, where, rate }) =>
      `schlechter geworden${where === null ? '' : ` in ${where}`}: ${what}, ${rate}`,
    someWorse: ({ all, where }) =>
      `schlechter geworden${where === null ? '' : ` in ${where}`}: ${andList(all)}`,
    moreValues: (count) => counted(count, 'weiterer Wert', 'weitere Werte'),
    worse: ', schlechter',
    noTag: (tag) => `Keine Antwort hat das Merkmal „${tag}“.`,
    title: (tag) => `Nach ${tag}`,
    columns: {
      answers: 'Antworten',
      pass: 'Bestanden',
      mean: 'Mittlere Wertung',
      interval: '95-%-Spanne',
      pointsSince: () => 'Veränderung in Prozentpunkten',
      since: () => 'Veränderung',
    },
    worseNote: (tag) =>
      `„Schlechter“ berücksichtigt, dass hier alle Werte von ${tag} zugleich betrachtet werden: Hat sich nichts geändert, nennt höchstens eine von 20 solchen Tabellen einen davon schlechter.`,
    fewNote: (least) =>
      `Werte mit weniger als ${least} Antworten sind zusammengezählt und werden erst ab ${least} verglichen.`,
  },
  list: andList,
};
