import type { fields as english } from '../english/fields.ts';

export const fields: typeof english = {
  contract: {
    conversation: {
      label: 'Gespräch',
      hint: 'Was vor der Antwort gesagt wurde. Bei mehreren Beiträgen beginnt jeder mit „User:“ oder „System:“.',
    },
    response: { label: 'Antwort', hint: 'Was dein System geantwortet hat. Das wird beurteilt.' },
    'alternative.response': { label: 'Zweite Antwort', hint: 'Die Juroren vergleichen sie mit der ersten.' },
    'context.date': { label: 'Datum der Anfrage', hint: 'Das Datum beim User.' },
    'context.time': { label: 'Uhrzeit der Anfrage', hint: 'Die Uhrzeit beim User.' },
    'context.location': {
      label: 'Standort des Users',
      hint: 'Ein Name, Koordinaten oder beides: Prenzlauer Berg, Berlin (52.53, 13.41)',
    },
    recommendation: {
      label: 'Empfehlung',
      hint: 'Je eine Zeile, zum Beispiel „Cuisine: French“, „Rating: 4.6“, „Monday: 12:00-20:00“, oder JSON.',
    },
    documents: {
      label: 'Dokumente',
      hint: 'Jedes beginnt mit „Document NAME:“; sonst ist alles ein Dokument.',
    },
    recommendations: {
      label: 'Listen von Empfehlungen',
      hint: 'Je Zeile eine Liste, die Einträge mit Semikolon getrennt, oder JSON.',
    },
    groundTruth: { label: 'Richtige Antwort', hint: null },
    history: { label: 'Früheres Gespräch', hint: 'Jeder Beitrag beginnt mit „User:“ oder „System:“.' },
    latencyMs: { label: 'Antwortzeit', hint: 'In Millisekunden.' },
    language: { label: 'Sprache', hint: 'Zum Beispiel: de' },
    context: { label: 'Situation', hint: null },
  },
  types: {
    text: null,
    number: 'Eine Zahl.',
    numberIn: (unit) => `Eine Zahl, in ${unit}, wenn keine andere Einheit dabeisteht.`,
    list: 'Mit Komma getrennt; „none“ für eine leere Liste.',
    boolean: 'yes oder no',
    place: 'Ein Name, Koordinaten oder beides: Prenzlauer Berg, Berlin (52.53, 13.41)',
    hours: 'Je eine Zeile, zum Beispiel „Monday: 12:00-20:00“, „Sunday: closed“.',
  },
  rubricLooksAt: (names) => ` Dieses Bewertungsraster achtet auf: ${names.join(', ')}.`,
  jsonWith: (path) => `ein Fall als JSON mit „${path}“`,
};
