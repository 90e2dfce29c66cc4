import type { comparison as english } from '../english/comparison.ts';
import { counted } from './format.ts';

const cases = (count: number): string => counted(count, 'Fall', 'Fällen');
const configurations = (count: number): string => counted(count, 'Konfiguration', 'Konfigurationen');

export const comparison: typeof english = {
  measures: { mean: 'Die mittlere Wertung', f1: 'F1', passRate: 'Der Anteil bestandener Antworten' },
  notComparable: ({ measure, cases: count }) =>
    `${measure} lässt sich bei ${cases(count)} nicht vergleichen.`,
  same: (measure) => `${measure} ist gleich geblieben`,
  moved: ({ measure, isHigher, by }) => `${measure} ist um ${by} ${isHigher ? 'höher' : 'niedriger'}`,
  figures: ({ range, before, after, cases: count, canBeChance }) =>
    ` (${range ?? 'keine Spanne'}): vorher ${before}, jetzt ${after}, bei ${cases(count)}${canBeChance ? ', was Zufall sein kann' : ''}.`,
  noneTested: (count) => `Bei ${configurations(count)} ließ sich keine Veränderung prüfen`,
  among: ({ tested, all }) =>
    tested === all
      ? `der ${configurations(all)}`
      : `der ${tested} von ${configurations(all)}, die sich prüfen ließen,`,
  noneBeyondChance: (among) =>
    `Bei keiner ${among} ist die Veränderung größer, als sich durch Zufall erklären lässt`,
  only: ({ among, name }) =>
    ` Nur bei einer ${among} ist die Veränderung größer, als sich durch Zufall erklären lässt: ${name}.`,
  largest: ({ count, among, name }) =>
    ` Bei ${count} ${among} ist die Veränderung größer, als sich durch Zufall erklären lässt; diese ist die größte: ${name}.`,
};
