import type { digests as english } from '../english/digests.ts';
import { counted, grouped } from './format.ts';

/** After "von": `von 3 Versuchen`. */
const ofTrials = (count: number): string => counted(count, 'Versuch', 'Versuchen');
const benchmarks = (count: number): string => counted(count, 'Benchmark', 'Benchmarks');
const settled = (count: number): string =>
  counted(count, 'Urteil mit entschiedener Abstimmung', 'Urteile mit entschiedener Abstimmung');
const ofSettled = (count: number): string =>
  counted(count, 'Urteil mit entschiedener Abstimmung', 'Urteilen mit entschiedener Abstimmung');

export const digests: typeof english = {
  locale: 'de-DE',
  hourOf: ({ day, hour }) => `${day}, ${hour} Uhr`,
  where: { here: 'in dieser Unterhaltung', everywhere: 'in allen Unterhaltungen' },
  settledBy: 'ab drei Stimmen, mehr als die Hälfte davon auf einer Seite',
  elsewhere: 'eine Anfrage aus einem anderen Kanal',
  reasonElsewhere: 'die Begründung steht nur dort',
  interval: ({ low, high }) => `95-%-Spanne ${low} bis ${high}`,
  noInterval: () => 'keine Spanne',
  trends: { worse: 'Schlechter', better: 'Besser', steady: 'Stabil', unknown: 'Noch nicht klar' },
  othersTurned: {
    worse: (count) =>
      count === 1 ? 'ein anderer ist schlechter geworden' : `${count} andere sind schlechter geworden`,
    better: (count) =>
      count === 1 ? 'ein anderer ist besser geworden' : `${count} andere sind besser geworden`,
    steady: (count) => (count === 1 ? 'ein anderer ist stabil' : `${count} andere sind stabil`),
  },
  judges: {
    of: (name) => `Die Juroren von ${name}`,
    headline: ({ name, trend, text }) =>
      `Die Juroren von ${name}${trend === 'unknown' ? '' : ` sind ${trend === 'better' ? 'besser' : 'schlechter'} geworden`}: ${text}`,
    moved: ({ trend, share, n, name, points, interval }) =>
      `${trend}: Bei ${share} von ${ofTrials(n)} aus ${name} stimmen die Juroren mit den Labels überein, ${points} Prozentpunkte seit dem letzten Bericht (${interval})`,
    first: ({ share, n, name, interval }) =>
      `Bei ${share} von ${ofTrials(n)} aus ${name} stimmen die Juroren mit den Labels überein (${interval}); der nächste Bericht vergleicht damit.`,
  },
  votes: {
    since: ({ share, n, where, points, interval }) =>
      `Seit dem letzten Bericht stimmen die Leute ${where} ${share} von ${ofSettled(n)} zu, ${points} Prozentpunkte gegenüber davor (${interval}); worüber sie abstimmen, suchen sie sich aus, deshalb ist das kein Trend.`,
    now: ({ share, n, where, interval }) =>
      `Die Leute stimmen ${where} ${share} von ${ofSettled(n)} zu (${interval}).`,
  },
  activity: ({ checks, where, settled: n, from }) =>
    `${checks === 0 ? 'Keine Einzelprüfungen' : counted(checks, 'Einzelprüfung', 'Einzelprüfungen')} ${where}; bisher ${settled(n)} (ab ${from} steht hier, wie oft die Leute der Jury zustimmen).`,
  notFinished: (names) => `; ${names.join(', ')} ${names.length === 1 ? 'wurde' : 'wurden'} nicht fertig.`,
  quiet: ({ day, where }) =>
    `Alles ruhig seit ${day}: Es wurde ${where === null ? '' : `${where} `}nichts beurteilt, abgestimmt oder gemessen.`,
  late: (due) => `Verspätet: Dieser Bericht war am ${due} fällig.`,
  notes: {
    votes: ({ where, rule }) =>
      `Stimmen und Einzelprüfungen sind die ${where}. Eine Abstimmung ist entschieden: ${rule}; alles andere zählt für keine Seite.`,
    trials: 'Versuche ohne Entscheidung zählen als nicht richtig.',
    rates:
      'Anteile lassen nicht entschiedene Antworten weg. Besser oder schlechter heißt es nur, wenn die Veränderung zu groß für einen Zufall ist.',
    allTime: 'Stimmen und Einzelprüfungen sind alle, seit es sie gibt.',
    since: ({ moment, timezone }) => `Seit: ${moment} (${timezone}).`,
    hidden: (count) =>
      `${counted(count, 'Urteil', 'Urteile')} der letzten sieben Tage ${count === 1 ? 'ist' : 'sind'} bis zur Abstimmung verborgen und ${count === 1 ? 'zählt' : 'zählen'} nur bei den Kosten.`,
  },
  benchmarks: {
    title: 'Benchmarks',
    columns: {
      name: 'Benchmark',
      right: 'Richtig',
      interval: '95-%-Spanne',
      trials: 'Von Versuchen',
      since: 'Seit dem letzten Bericht',
      best: 'Bisher am besten',
      cost: 'Kosten',
    },
    thisOne: 'dieser',
    notKnown: 'unbekannt',
    attention: 'Benchmarks, um die sich jemand kümmern muss',
    unanswered: ({ count, trials: of }) => `in ${count} von ${ofTrials(of)} haben Juroren nicht geantwortet`,
    incomplete: ({ run, trials: count, planned, why }) =>
      `Lauf ${run} fehlt hier, nach ${count} von ${ofTrials(planned)} abgebrochen: ${why}`,
    notRun: (why) => `konnte nicht laufen: ${why}`,
    others: 'Andere Benchmarks',
    leftOut: 'Weggelassen',
    count: benchmarks,
  },
  trend: {
    passing: 'Bestandene Antworten',
    right: 'Richtige Entscheidungen',
    byRun: ({ what, drawn, all }) =>
      `${what} nach Lauf, %${drawn < all ? `; die ersten ${drawn} von ${all}` : ''}`,
    votes: 'Urteile, denen die Leute zustimmen, nach Woche, %',
    agree: 'Zustimmung',
  },
  regressions: {
    byType: ({ count, first }) =>
      `${counted(count, 'Fall', 'Fälle')} jetzt falsch, nach Fehlerart${first === null ? '' : `, von den ersten ${first}`}`,
    otherKinds: (count) => counted(count, 'andere Art', 'andere Arten'),
    title: 'Vorher richtig, jetzt falsch',
    allCases: 'Alle veränderten Fälle mit dem, was die Juroren sagten',
    allAnswers: 'Alle veränderten Antworten mit dem, was die Juroren sagten',
    besides: (title) => `${title}; außer den Blockern`,
    line: ({ name, caseId, category, why }) =>
      `${name}, ${caseId} (${category})${why === null ? '' : `: ${why}`}`,
    slowest: 'Die langsamsten Antworten',
  },
  checks: {
    title: ({ where, isSince }) => `Einzelprüfungen und Stimmen ${where} ${isSince ? 'seither' : 'bisher'}`,
    spotChecks: 'Einzelprüfungen',
    none: 'keine',
    votes: 'Stimmen',
    takenBack: (count) => `${count} zurückgenommen`,
    settled: 'Alle entschiedenen Abstimmungen',
    agree: ({ n, share, interval }) => `${n}, und ${share} davon stimmen die Leute zu (${interval})`,
    ties: (count) => `${count} unentschieden`,
    unsure: (count) => counted(count, 'Stimme „nicht sicher“', 'Stimmen „nicht sicher“'),
    cost: 'Kosten der Einzelprüfungen',
    runsCost: 'Kosten der Benchmark-Läufe',
    atLeast: (cost) => `mindestens ${cost}`,
    decided: ({ count, decision }) => `${count} ${decision}`,
    preferred: ({ count, name }) => `${count} für ${name}`,
    tied: (count) => `${count} gleich gut`,
    ofTwo: (count) => `${count} mit zwei Antworten`,
  },
  byJudge: {
    title: (where) => `Wie oft die Leute jedem Juror zustimmen, ${where}`,
    columns: { judge: 'Juror', agree: 'Zustimmung', interval: '95-%-Spanne', verdicts: 'Urteile' },
  },
  disputed: {
    title: (read) => `Am meisten umstritten${read === null ? '' : ` unter den neuesten ${grouped(read)}`}`,
    line: ({ title, agree, disagree }) => `${title}: ${agree} dafür, ${disagree} dagegen`,
  },
  message: {
    details: 'Details',
    detailsOf: 'Details zum Bericht',
    createIssue: 'Ticket anlegen',
    open: 'öffnen',
    more: (count) => `${count} weitere`,
    moreRows: (count) => counted(count, 'weitere Zeile', 'weitere Zeilen'),
    fromTo: ({ name, first, last }) => `${name} von ${first} % auf ${last} %`,
    pause: 'Pausieren',
  },
  failed: {
    digest: ({ id, reason, next }) => `Der Bericht ${id} konnte nicht gepostet werden: ${reason}. ${next}`,
    thread: ({ id, reason, next }) =>
      `Der Thread unter dem Bericht ${id} konnte nicht gepostet werden: ${reason}. ${next}`,
    alert: ({ id, reason, next }) => `Der Alarm ${id} konnte nicht gepostet werden: ${reason}. ${next}`,
    alertThread: ({ id, reason, next }) =>
      `Der Thread unter dem Alarm ${id} konnte nicht gepostet werden: ${reason}. ${next}`,
    webhook: ({ id, reason, next }) =>
      `Der Webhook des Alarms ${id} konnte nicht aufgerufen werden: ${reason}. ${next}`,
    givesUp: {
      digest: 'Ich versuche es nicht mehr; der nächste Bericht kommt wie gewohnt.',
      alert: 'Ich versuche es nicht mehr; der nächste Alarm kommt wie gewohnt.',
    },
    tries: {
      digest: 'Ich versuche es bis zu drei Tage lang weiter; „jury digest list“ zeigt, was eingerichtet ist.',
      alert: 'Ich versuche es bis zu drei Tage lang weiter; „jury alert list“ zeigt, was eingerichtet ist.',
    },
  },
};
