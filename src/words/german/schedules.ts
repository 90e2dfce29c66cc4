import type { schedules as english } from '../english/schedules.ts';
import { andList, counted } from './format.ts';

const DAYS: Readonly<Record<string, string>> = {
  Montag: 'montags',
  Dienstag: 'dienstags',
  Mittwoch: 'mittwochs',
  Donnerstag: 'donnerstags',
  Freitag: 'freitags',
  Samstag: 'samstags',
  Sonntag: 'sonntags',
};

const NO_SUCH = {
  alert: (id: string) => `Einen Alarm „${id}“ gibt es nicht.`,
  schedule: (id: string) => `Einen Bericht „${id}“ gibt es nicht.`,
  webhook: (id: string) => `Einen Webhook „${id}“ gibt es nicht.`,
} as const;

export const schedules: typeof english = {
  digestHelp: (command) =>
    `Berichte dieses Kanals
${command} digest schedule – ein Formular; oder sag es: ${command} digest jeden Montag um 9 Europe/Berlin [Benchmark …] [by Merkmal]
… am Ende bittet checked by <Personen> diese, zufällig gezogene Antworten der Läufe zu prüfen
… am Ende zählt votes of everybody die Stimmen und Einzelprüfungen aller Unterhaltungen statt nur dieser
${command} digest list – was hier geplant ist, von wem, und wann es das nächste Mal kommt
${command} digest preview [id] – zeigt, was jetzt darin stünde
${command} digest send now [id] – postet ihn jetzt hier, zusätzlich zum Plan
${command} digest pause, resume oder remove <id>
${command} digest benchmarks – was davor laufen kann`.split('\n'),
  alertHelp: (command) =>
    `Alarme dieses Kanals: Einer kommt, wenn ein Lauf eines Benchmarks sicher über eine Grenze geht, und einer, wenn es wieder gut ist
${command} alert nightly below 90% – der Anteil entschiedener Antworten, die bestehen
${command} alert nightly mean below 3.5 – die mittlere Wertung
${command} alert nightly worse than baseline by 3 points – der Abstand zur Baseline
${command} alert nightly coverage below 95% – der Anteil der Antworten mit einer Entscheidung
${command} alert nightly latency above 2 s – der Median der Antwortzeit
${command} alert nightly blockers – nur Antworten, die neu an einem Kriterium mit severity blocker scheitern; jeder Alarm meldet sie
… am Ende ruft webhook <Name> zusätzlich einen Webhook auf
${command} alert list – was hier eingerichtet ist, von wem, und wie es steht
${command} alert pause, resume oder remove <id>`.split('\n'),
  when: {
    groups: { all: 'täglich', weekdays: 'montags bis freitags', weekends: 'am Wochenende' },
    onDay: (day) => DAYS[day] ?? day,
    hourly: ({ past, days }) =>
      `stündlich ${past === ':00' ? 'zur vollen Stunde' : `${counted(Number(past.slice(1)), 'Minute', 'Minuten')} nach der vollen Stunde`}${days === null ? '' : `, ${days}`}`,
    at: ({ days, times }) => `${days} um ${times}`,
  },
  text: {
    by: (tag) => ` nach ${tag}`,
    with: (benchmarks) => `, mit ${benchmarks.join(', ')}`,
    checkedBy: ({ size, people }) =>
      `, ${counted(size, 'Antwort', 'Antworten')} je Lauf zu prüfen von ${counted(people, 'Person', 'Personen')}`,
    everywhere: ', Stimmen aller Unterhaltungen',
    paused: 'pausiert',
    next: (moment) => `nächster ${moment}`,
    failed: ({ count, retry }) => `${count}-mal fehlgeschlagen, nächster Versuch ${retry}`,
    sending: 'wird gerade gesendet',
    last: (moment) => `letzter ${moment}`,
  },
  benchmark: ({ id, title, models, methods, budget }) =>
    `${id}: ${title}; beurteilt von ${models.length === 0 ? 'dem Standardmodell' : models.join(', ')}${methods.length === 0 ? '' : ` mit ${methods.join(', ')}`}; ${budget === null ? 'ohne Budget' : `höchstens ${budget} je Lauf`}`,
  name: {
    alert: ({ id, rule }) => `Alarm ${id} (${rule})`,
    digest: ({ id, when }) => `Bericht ${id} (${when})`,
  },
  did: {
    pause: (what) => ` hat ${what} pausiert`,
    resume: (what) => ` hat ${what} fortgesetzt`,
    remove: (what) => ` hat ${what} entfernt`,
    send: (what) => ` hat ${what} abgeschickt`,
  },
  whose: {
    alert: { before: ', eingerichtet von ', after: '.' },
    digest: { before: ', geplant von ', after: '.' },
  },
  is: {
    pause: (id) => `${id} ist pausiert.`,
    resume: (id) => `${id} läuft wieder.`,
    remove: (id) => `${id} ist entfernt.`,
  },
  scheduled: 'Geplant. ',
  scheduledShort: 'Geplant.',
  ifNotPosted: 'Wenn ich zur gegebenen Zeit hier nicht posten kann, schreibe ich dir.',
  scheduledBy: '; geplant von ',
  setBy: '; eingerichtet von ',
  noneScheduled: 'Hier sind keine Berichte geplant.',
  noneSet: 'Hier sind keine Alarme eingerichtet.',
  alertSet: ({ id, what, state }) => `${id} ist eingerichtet: ${what}; ${state}.`,
  alertSetBy: ({ id, what, state }) => ` hat einen Alarm eingerichtet (${id}): ${what}; ${state}.`,
  promise: ' Ich melde mich hier, sobald sich das eindeutig geändert hat.',
  onItsWay: (id) => `${id} ist unterwegs; laufen vorher Benchmarks, dauert es eine Weile.`,
  onItsWayToo: ' Er ist unterwegs; laufen vorher Benchmarks, dauert es eine Weile.',
  unreadTime: (text) =>
    `In „${text}“ habe ich keine Zeitangabe gefunden. Sag zum Beispiel „jeden Montag um 9“, „werktags um 8:30“ oder in Cron-Feldern „0 9 * * 1“.`,
  whenHere: 'Wann soll ein Bericht hierher kommen?',
  done: 'Erledigt.',
  form: {
    title: 'Bericht planen',
    send: 'Planen',
    days: 'Tage',
    daysRequired: 'Wähl mindestens einen Tag.',
    time: 'Uhrzeit',
    timeRequired: 'Gib eine Uhrzeit an.',
    timezone: 'Zeitzone',
    benchmarks: 'Benchmarks, die davor laufen',
    benchmarksHint: 'Jeder Lauf kann etwas kosten, höchstens sein Budget.',
    votes: 'Stimmen und Einzelprüfungen',
    votesHere: 'Aus dieser Unterhaltung',
    votesEverywhere: 'Aus allen Unterhaltungen',
    by: 'Jeden Wert eines Merkmals betrachten',
    byHint: 'Zum Beispiel language: Der Bericht sagt, wenn einer der Werte schlechter geworden ist.',
    reviewers: 'Wer Antworten prüft',
    reviewersHint:
      'User-IDs, mit Komma getrennt: Sie werden nach etwa 40 zufällig gezogenen Antworten jedes Laufs gefragt.',
  },
  wrong: {
    elsewhere: {
      alert: (id) => `Der Alarm ${id} gehört zu einem anderen Kanal: Ändere ihn dort.`,
      digest: (id) => `Der Bericht ${id} gehört zu einem anderen Kanal: Ändere ihn dort.`,
    },
    nothingHere: (command) => `Hier sind keine Berichte geplant: ${command} digest schedule plant einen.`,
    whichOne: ({ command, ids }) => `Welchen? Sag ${command} digest send now ${ids.join(' oder ')}.`,
    ownChannel:
      'Ein Kanal plant seine eigenen Berichte: Gib denselben Befehl dort ein, ohne den Namen des Kanals.',
    benchmarkFirst: 'Nenne zuerst den Benchmark, zum Beispiel „nightly below 90 %“.',
    noLimit: ({ number, unit }) =>
      `„${number}${unit === '' ? '' : ` ${unit}`}“ ist hier keine Grenze. Schreib ${RULES}.`,
    noRule: ({ words, near }) =>
      `„${words}“ ist keine Regel für einen Alarm.${near === null ? '' : ` Meintest du „${near}“?`} Schreib ${RULES}.`,
    alertTwin: ({ id, isPaused, isOtherWebhook }) =>
      `${id} tut das schon${isPaused ? '. Er ist pausiert: Setz ihn fort' : isOtherWebhook ? ', mit einem anderen Webhook oder ohne: Entferne ihn zuerst' : ''}. Es wurde nichts angelegt.`,
    twin: ({ id, when, timezone, isPaused, isOtherReview }) =>
      `${id} tut das schon: ${when} (${timezone})${isPaused ? `. Er ist pausiert: Setz ${id} fort` : isOtherReview ? ', mit anderen Prüfenden oder ohne: Entferne ihn zuerst' : ''}. Es wurde nichts angelegt.`,
    noTimezone: ({ name, meant }) =>
      `„${name}“ ist keine Zeitzone: ${meant === null ? 'Gib einen IANA-Namen wie Europe/Berlin oder UTC an' : `Meintest du ${meant}?`}`,
    never: (cron) => `„${cron}“ kommt nie vor: Gib ein Datum an, das es gibt.`,
    tooOften: (cron) =>
      `„${cron}“ würde öfter als einmal in der Stunde posten; das ist für einen Kanal zu oft.`,
    badCron: ({ cron }) =>
      `„${cron}“ ist keine Zeitangabe. Gib fünf Cron-Felder an, zum Beispiel „0 9 * * 1“.`,
    sending: (id) => `Der Bericht ${id} wird schon gesendet.`,
    noSuch: ({ what, id, near, all, none }) =>
      `${NO_SUCH[what](id)}${near === null ? '' : ` Meintest du ${near}?`} ${all.length === 0 ? none : `Es gibt: ${andList(all)}.`}`,
    none: {
      alert: 'Es gibt noch keine Alarme.',
      schedule: 'Es gibt noch keine Berichte.',
      webhook: 'Setz JURY_WEBHOOKS auf dem Server, zum Beispiel pager=https://….',
    },
    noBenchmark: ({ name, near, all }) =>
      `Einen Benchmark oder eine Reihe von Läufen „${name}“ gibt es nicht.${near === null ? '' : ` Meintest du ${near}?`} Benchmarks: ${all.join(', ')}. Dein Jury-Admin kann auf dem Server weitere anlegen.`,
  },
};

const RULES =
  '„below 90 %“, „mean below 3.5“, „worse than baseline by 3 points“, „coverage below 95 %“, „latency above 2 s“ oder „blockers“';
