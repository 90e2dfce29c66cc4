import { usd } from '../../common/text/index.ts';
import type { chat as english } from '../english/chat.ts';
import { andList, counted } from './format.ts';

export const chat: typeof english = {
  user: 'User',
  system: 'System',
  answer: 'Antwort',
  soFar: (counts) => `bisher ${counts.join(', ')}`,
  silent: (count) => `${count} ohne Antwort`,
  judged: ({ count, outcome }) => `${count} ${outcome}`,
  thinking: (name) => `${name} denkt nach…`,
  thinkingMany: ({ first, others, second }) =>
    `${first} und ${others === 0 ? second : `${others + 1} andere`} denken nach…`,
  stopping: 'Wird gestoppt',
  stoppingOnly: 'Wird gestoppt…',
  rating: 'Zuerst werden die Kriterien bewertet',
  round: ({ round, of }) => `Runde ${round} von ${of}`,
  judging: 'Wird beurteilt…',
  answered: ({ count, of }) =>
    `${count} von ${counted(of, 'Juror', 'Juroren')} ${count === 1 ? 'hat' : 'haben'} geantwortet`,
  hidden: 'Hier antworten alle zuerst: Du siehst das Urteil, sobald du geantwortet hast.',
  stop: 'Stoppen',
  moreJudges: (count) => `und ${counted(count, 'weiterer Juror', 'weitere Juroren')}`,
  reading: 'Der Fall wird gelesen…',
  cases: ({ total, counts }) => `${counted(total, 'Fall', 'Fälle')}: ${counts.join(' · ')}`,
  outcomes: {
    pass: 'bestanden',
    fail: 'durchgefallen',
    scored: 'bewertet',
    undecided: 'nicht entschieden',
    'no-quorum': 'mit zu wenigen Antworten',
    unanswered: 'ohne Antwort',
    judged: 'beurteilt',
    problem: 'nicht beurteilt',
    pending: 'in Arbeit',
  },
  open: 'Öffnen',
  show: 'Zeigen',
  close: 'Schließen',
  casesTitle: 'Fälle',
  answerFirstLine: 'beurteilt, erst antworten',
  notJudged: (problem) => `nicht beurteilt: ${problem}`,
  moreNotPassing: (count) => `${count} weitere, die nicht bestehen`,
  passes: ({ count, isMore }) => `✅ ${count}${isMore ? ' weitere' : ''}`,
  noneKept: 'Diese Urteile sind nicht mehr gespeichert.',
  moreDoNotFit: (count) =>
    count === 1
      ? 'Ein weiterer hat hier keinen Platz mehr.'
      : `${count} weitere haben hier keinen Platz mehr.`,
  unclear: {
    title: 'Das kann ich noch nicht beurteilen.',
    text: (problem) => `Das konnte nicht beurteilt werden: ${problem}`,
    missing: 'Es fehlt',
    example: (line) => `, zum Beispiel: ${line}`,
    understood: 'Bisher verstanden',
    fillIn: 'Rest ergänzen',
  },
  unsure: {
    title: 'Welche Nachrichten gehören zusammen?',
    nothingYet: 'Noch ist nichts beurteilt.',
    leftOut: 'Weggelassen',
    judge: (count) => (count === 1 ? 'Diese Nachricht beurteilen' : `Diese ${count} Nachrichten beurteilen`),
    judgeNumbered: ({ number, count }) =>
      `${number}: ${count === 1 ? 'diese Nachricht' : `diese ${count} Nachrichten`} beurteilen`,
    edit: 'Bearbeiten…',
  },
  lines: {
    whole: { answer: 'zur Antwort', said: 'zum Gesagten' },
    question: ({ text, whole }) => `Gehört „${text}“ ${whole}?`,
    marked: (whole) => `Gehört die mit „?“ markierte Zeile ${whole}?`,
    why: 'Davon hängt das Ergebnis ab, deshalb ist noch nichts beurteilt.',
    without: 'Ohne sie beurteilen',
    answer: 'Sie gehört zur Antwort',
    said: 'Sie wurde gesagt',
    pasteAgain: 'Füg den Text noch einmal ein, ohne diese Zeile oder mit ihr in der Antwort.',
  },
  readByModel: {
    title: 'Stimmt das so?',
    why: (model) =>
      `Im Text steht nicht, wer spricht, deshalb hat ${model} ihn gelesen. Noch ist nichts beurteilt.`,
    judge: 'Beurteilen',
    earlier: (count) => `${counted(count, 'früherer Beitrag', 'frühere Beiträge')} hier nicht gezeigt`,
    offer: (model) => `Oder „Beurteilen“ drücken: ${model} liest den Text, und du sagst, ob das stimmt.`,
    none: {
      nothing: (model) => `${model} sollte den Text lesen und hat darin kein Gespräch gefunden.`,
      sentence: (model) =>
        `${model} sollte den Text lesen, aber was es für einen Beitrag hält, ist nur ein Teil eines Satzes: Schreib in eine eigene Zeile, was wer sagt.`,
      useless: (model) => `${model} sollte den Text lesen, aber die Antwort war nicht brauchbar.`,
      silent: (model) => `${model} sollte den Text lesen und hat nicht geantwortet.`,
      budget: (model) =>
        `${model} wurde nicht gefragt, wer spricht, denn das Budget für Modellaufrufe ist aufgebraucht.`,
      unreachable: (model) => `${model} sollte den Text lesen, war aber nicht erreichbar.`,
      key: (model) => `${model} sollte den Text lesen, lehnt aber den Schlüssel ab.`,
      model: (model) => `${model} sollte den Text lesen, ist dort aber nicht bekannt.`,
      credit: (model) => `${model} sollte den Text lesen, aber das Guthaben dafür ist aufgebraucht.`,
      overloaded: (model) => `${model} sollte den Text lesen, nimmt gerade aber keine Fragen mehr an.`,
    },
    pasteAgain: 'Füg den Text noch einmal ein, mit „User:“ und „System:“ vor dem, was sie jeweils sagen.',
  },
  budget: {
    shared: (limitUsd) =>
      `Das Tagesbudget für Modellaufrufe (${usd(limitUsd)}) ist aufgebraucht, deshalb wurde kein Juror gefragt. Um 00:00 UTC geht es weiter; dein Jury-Admin kann es erhöhen.`,
    other:
      'Ein Tagesbudget für Modellaufrufe ist aufgebraucht, deshalb wurde kein Juror gefragt. Um 00:00 UTC geht es weiter.',
    whose: {
      person: 'Dein eigenes Tageslimit',
      conversation: 'Das Tageslimit dieser Unterhaltung',
      token: 'Das Tageslimit dieses Tokens',
    },
    spent: ({ whose, limitUsd, resetsAt }) =>
      `${whose} von ${usd(limitUsd)} für Modellaufrufe ist aufgebraucht. Weiter geht es um ${resetsAt} UTC.`,
  },
  question: {
    answers: (name) => `${name} antwortet`,
    panel: 'Die Jury',
    notANewVerdict: (model) => `Eine Antwort, kein neues Urteil · ${model}`,
    noModel: 'Um Fragen zu beantworten, brauche ich ein Modell, und keines ist angebunden.',
    failed: {
      malformed: 'Die Antwort des Modells war nicht verwertbar.',
      refused: 'Das Modell hat die Antwort verweigert.',
      timeout: 'Das Modell hat nicht rechtzeitig geantwortet.',
      'rate-limited': 'Das Modell nimmt gerade keine Fragen mehr an. Frag in einer Minute noch einmal.',
      budget: 'Ein Budget für Modellaufrufe ist aufgebraucht, ich konnte das Modell nicht fragen.',
      unsupported: 'Das konnte das Modell nicht beantworten.',
      cancelled: 'Die Frage wurde gestoppt.',
      error: 'Das Modell war nicht erreichbar.',
      'not-relevant': 'Das konnte das Modell nicht beantworten.',
    },
    tooLong: (most) => `Die Frage ist zu lang: höchstens ${most} Zeichen.`,
    judgeSaid: ({ judge, stance, reason }) => `${judge}: ${stance}. ${reason}`,
    notSeated: ({ named, seated }) =>
      seated.length === 0
        ? `${named} hat diesen Fall nicht beurteilt: Er wurde exakt geprüft, ohne Juroren.`
        : `${named} hat diesen Fall nicht beurteilt. ${seated.length === 1 ? `Juror war ${seated[0]}` : `Die Juroren waren ${andList(seated)}`}.`,
    hidden:
      'Hier stimmen alle ab, bevor sie ein Urteil sehen, deshalb kann ich im Thread nicht antworten. Stimm zuerst ab und öffne dann das Urteil.',
    which: ({ count, example }) =>
      `In diesem Thread gibt es ${count} Urteile. Sag, welches du meinst, zum Beispiel „Fall ${example}“.`,
    case: ({ number, name }) => `Fall ${number}: ${name}`,
    gone: 'Das Urteil dieses Threads ist nicht mehr gespeichert. Füg den Fall noch einmal ein.',
  },
  unreadable: {
    long: 'Darin habe ich kein Gespräch gefunden. Schreib, was gefragt wurde und was dein System geantwortet hat, zum Beispiel so:',
    short: 'Füg ein, was gefragt wurde und was dein System geantwortet hat, dann beurteile ich es.',
  },
  welcome: {
    greeting: 'Hallo, ich bin Jury.',
    text: 'Füg ein, was gefragt wurde und was dein System geantwortet hat, und mehrere Juroren entscheiden, ob die Antwort taugt.',
    votes: 'Lag die Jury richtig? Stimm auf ihrer Karte mit 👍 oder 👎 ab, oder reagiere damit.',
    tryThis: 'Zum Ausprobieren',
    ways: 'So fragst du',
    votesTitle: 'Abstimmen',
    openForm: 'Formular öffnen',
    judgeExample: 'Dieses Beispiel beurteilen',
    byCommand: (command) => [
      'Erwähne mich in einem Kanal und füg den Text ein. In einem Thread genügt die Erwähnung, dann beurteile ich die Nachrichten darüber.',
      'Wähl „Ask the jury“ im Menü einer Nachricht.',
      `Mit ${command} öffnest du ein Formular.`,
      'Schreib mir eine Direktnachricht. Auch Dateien (.txt, .csv, .json, .jsonl) gehen.',
    ],
    queueByCommand: (command) =>
      `${command} queue zeigt die Urteile, die deine Stimme am meisten brauchen; ${command} review zeigt Antworten zum Prüfen, wenn du darum gebeten wurdest.`,
    byWriting: [
      'Erwähne mich und füg den Text ein, in einem Kanal, einer Antwort oder einem Gruppenchat.',
      'Wähl „Ask the jury“ im Menü einer Nachricht.',
      'Mit „ask“ öffnest du ein Formular; wo andere mitlesen, mit „@Jury ask“.',
      'Schreib mir in unserem eigenen Chat. Auch Dateien (.txt, .csv, .json, .jsonl) gehen.',
    ],
    queueByWriting:
      '„queue“ zeigt die Urteile, die deine Stimme am meisten brauchen; wo andere mitlesen, „@Jury queue“. In unserem eigenen Chat zeigt „review“ Antworten zum Prüfen, wenn du darum gebeten wurdest.',
  },
  replies: {
    ask: 'Trag eine Anfrage und ihre Antwort ein.',
    settings: 'Wie Fälle dieser Unterhaltung beurteilt werden.',
    openSettings: 'Einstellungen öffnen',
    asked: { title: 'Gefragt', text: 'Gefragt: Die Karte kommt in dieser Unterhaltung.' },
    notMyButton: 'Diese Schaltfläche ist nicht von mir.',
    foreign: 'Jury antwortet nur Leuten der Organisation, die es betreibt.',
  },
  privately: {
    aboutMessage: (words) => `Zu der Unterhaltung, in der du „${words}“ geschrieben hast.`,
    notHere:
      'Hier kann ich dir nicht antworten, ohne dass andere es lesen. Schreib mir in unserem eigenen Chat.',
  },
  judgedAgainBelow: 'Unten neu beurteilt',
  tryAgain: 'Noch einmal versuchen',
  notJudgedSince: (trouble) => `Das konnte nicht beurteilt werden. ${trouble}`,
  stopped: 'Gestoppt, bevor etwas beurteilt war.',
  unshowable: {
    answer: (why) =>
      `Ich kann die Antwort nicht anzeigen: ${why}. Frag noch einmal, oder füg den Fall hier ein.`,
    noPost: (why) =>
      `Ich kann in dieser Unterhaltung nicht schreiben: ${why}. Frag noch einmal, oder füg den Fall hier ein.`,
    verdict: ({ decision, why }) =>
      `Das Urteil lautet ${decision}, aber ich kann die Karte nicht anzeigen: ${why}.`,
    blind: (why) =>
      `Das Urteil ist da, aber ich kann es nicht zeigen: ${why}. Antworte zuerst, dann siehst du es.`,
  },
  edited: {
    judged: 'Du hast diese Nachricht nach dem Urteil geändert. Das Urteil gilt für den früheren Text.',
    read: 'Du hast diese Nachricht geändert, nachdem ich sie gelesen habe.',
    judgeAgain: 'Neu beurteilen',
    readAgain: 'Noch einmal lesen',
  },
};
