import type { alerts as english } from '../english/alerts.ts';
import { counted } from './format.ts';

/** After "von": `von 240 Fällen`. */
const dative = (cases: string): string => cases.replace(/Fälle$/, 'Fällen');
const SIDE = { below: 'unter', above: 'über' } as const;

export const alerts: typeof english = {
  points: (tenths) =>
    `${String(tenths).replace('.', ',')} ${tenths === 1 ? 'Prozentpunkt' : 'Prozentpunkte'}`,
  side: { below: 'darunter', above: 'darüber', worse: 'schlechter' },
  rule: {
    'pass-rate': ({ side, limit }) => `${SIDE[side]} ${limit}`,
    mean: ({ side, limit }) => `mittlere Wertung ${SIDE[side]} ${limit}`,
    change: ({ limit }) => `${limit} schlechter als die Baseline`,
    coverage: ({ side, limit }) => `Abdeckung ${SIDE[side]} ${limit}`,
    latency: ({ side, limit }) => `Antwortzeit ${SIDE[side]} ${limit}`,
    blocker: () => 'Blocker',
  },
  subject: {
    'pass-rate': (benchmark) => benchmark,
    mean: (benchmark) => `Die mittlere Wertung von ${benchmark}`,
    change: (benchmark) => benchmark,
    coverage: (benchmark) => `Die Abdeckung von ${benchmark}`,
    latency: (benchmark) => `Die Antwortzeit von ${benchmark}`,
    blocker: (benchmark) => benchmark,
  },
  noFigure: {
    'pass-rate': 'keine Antwort des neuesten Laufs ist entschieden',
    mean: 'der neueste Lauf hat keine Wertungen',
    change:
      'der neueste Lauf ist die Baseline oder mit keiner vergleichbar („jury bench baseline“ legt eine fest)',
    coverage: 'der neueste Lauf hat keine Antworten eines Assistenten',
    latency: 'der neueste Lauf hat zu wenige Antworten mit bekannter Dauer',
    blocker: 'jeder neue wird gepostet',
  },
  noBlocker: 'kein Kriterium des neuesten Laufs hat „severity: blocker“',
  noRun: 'noch ist kein Lauf fertig',
  changeFigure: ({ value, low, high }) =>
    `${value} ${/^[+−]1$/.test(value) ? 'Prozentpunkt' : 'Prozentpunkte'} (${low} bis ${high})`,
  limit: (limit) => `Grenze ${limit}`,
  fell: ({ what, side, limit }) =>
    `${what} ist ${side === 'below' ? 'unter' : 'über'} ${limit} ${side === 'below' ? 'gefallen' : 'gestiegen'}`,
  is: ({ what, side, limit }) => `${what} liegt ${SIDE[side]} ${limit}`,
  back: ({ what, side, limit }) => `${what} liegt wieder ${SIDE[side]} ${limit}`,
  worse: ({ what, limit }) => `${what} ist um mehr als ${limit} schlechter als die Baseline`,
  noLongerWorse: ({ what, limit }) =>
    `${what} ist nicht mehr um mehr als ${limit} schlechter als die Baseline`,
  slow: (share) => `${share} der Antworten dauerten länger`,
  justAt: (side) => `knapp ${side === 'below' ? 'darunter' : 'darüber'}`,
  judgedAgain: ({ figure, answers }) =>
    `: ${figure}. Das sind dieselben ${counted(answers, 'Antwort', 'Antworten')} wie zuvor, neu beurteilt.`,
  over: ({ mean, runs, isNewOnly, now }) => {
    const over =
      runs === null
        ? 'bei den neuen Antworten'
        : `über die letzten ${runs} Läufe${isNewOnly ? ', nur neue Antworten' : ''}`;
    return `: ${mean} ${over}; dieser Lauf ${now}.`;
  },
  fixedRequests: (requests) =>
    requests === 1
      ? ' Es geht um diese eine Anfrage, dieselbe in jedem Lauf.'
      : ` Es geht um diese ${counted(requests, 'Anfrage', 'Anfragen')}, dieselben in jedem Lauf.`,
  baselineOnly: ' Schlechter heißt: schlechter als die Antworten der Baseline.',
  newlyFailing: (most) => ` Neu durchgefallen: ${most}.`,
  about: ({ id, benchmark, rule }) => `Alarm ${id}: ${benchmark} ${rule}.`,
  atOnce: ' Blocker werden sofort gepostet, egal wo die Grenze liegt.',
  toPause: ({ command, id }) => ` Zum Pausieren: ${command} alert pause ${id}`,
  state: {
    already: ({ side, now }) => `schon ${side}: ${now}; gemeldet wird erst, wenn es wieder gut ist`,
    watching: (now) => `unter Beobachtung: ${now}`,
    notBackYet: (now) => `. Noch nicht wieder gut: ${now}`,
    watchingNow: (now) => `. Unter Beobachtung: ${now}`,
    sameAnswers: '; dieselben Antworten wie zuvor',
  },
  alsoTo: (webhook) => `, auch an ${webhook}`,
  paused: 'pausiert',
  known: {
    n: {
      'pass-rate': (cases) => `die entschiedenen von ${dative(cases)}`,
      mean: (cases) => `die mit Wertung von ${dative(cases)}`,
      change: (cases) => `die verglichenen von ${dative(cases)}`,
      coverage: (cases) => cases,
      latency: (cases) => `die mit bekannter Dauer von ${dative(cases)}`,
      blocker: (cases) => cases,
    },
    newOnes: (count) => `, ${count} davon neu`,
    newAnswersOnly: ', nur neue Antworten',
    runAlone: (run) => `Lauf ${run} allein`,
    runAndBaseline: (run) => `Lauf ${run} und die Baseline`,
    runAndBefore: (run) => `Lauf ${run} und der davor`,
    notCollected: 'gezählt: seit einem früheren Lauf wurde keine Antwort neu erhoben',
    tested: 'alle Läufe zusammen, so gerechnet, dass man jeden einzelnen ansehen darf',
    compared: 'dieser Lauf und der verglichene',
    newly: 'Neu durchgefallen',
    decided: ({ side, limit, mean }) => `${SIDE[side]} ${limit}: ${mean}`,
    holdsIf: {
      taken: 'die Entscheidungen der Juroren stimmen (und die Labels, wo Juroren gemessen werden)',
      timedAlike: 'die Dauer überall gleich gemessen wurde',
      alone: 'die Antworten nicht voneinander abhängen, außer innerhalb ihrer Gruppen',
      onceADay: 'es höchstens einen Lauf am Tag gibt',
    },
    note: {
      singleLook: 'die Spanne gilt für einen einzelnen Blick',
      shrinks: 'Fehler der Juroren lassen eine echte Veränderung kleiner aussehen',
      canErr: 'eine Entscheidung kann trotzdem falsch sein',
      falseAlert: 'genau an der Grenze gibt es höchstens in einem von 20 Jahren einen Fehlalarm',
      falseEnd: 'genau an der Grenze endet höchstens eine von 20 Phasen von vier Wochen durch Zufall',
      notOthers: 'über andere Antworten sagt das nichts',
      notOtherRequests: 'über andere Anfragen sagt das nichts',
      baselineTaken: 'die Antworten der Baseline gelten, wie sie sind',
      turnByChance: 'einige kippen in zwei Läufen immer durch Zufall',
      blocker: 'jeder ist ein beurteilter Fall, bei dem sich die Juroren irren können',
    },
  },
};
