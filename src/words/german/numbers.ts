import { percent } from '../../common/text/index.ts';
import type { numbers as english } from '../english/numbers.ts';
import { andList, counted, grouped } from './format.ts';

export const numbers: typeof english = {
  grouped,
  written: (number) => number.replaceAll('.', ','),
  percent: (share) => percent(share).replace('.', ','),
  list: andList,
  duration: (ms) =>
    ms < 1000 ? `${Math.round(ms)} ms` : `${String(Math.round(ms / 100) / 10).replace('.', ',')} s`,
  to: ' bis ',
  answers: (count) => counted(count, 'Antwort', 'Antworten'),
  requests: (count) => counted(count, 'Anfrage', 'Anfragen'),
  cases: (count) => counted(count, 'Fall', 'Fälle'),
  verdicts: (count) => counted(count, 'Urteil', 'Urteile'),
  trials: (count) => counted(count, 'Versuch', 'Versuche'),
  people: (count) => counted(count, 'Person', 'Personen'),
  runs: (count) => counted(count, 'Lauf', 'Läufe'),
};
