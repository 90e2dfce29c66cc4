import type { CaseFormat } from './case-format.ts';
import { type Field, pathOfField } from './field.ts';

/** Lines of a paste that give the contract's own fields, with made-up values. */
const LINES: Readonly<Record<string, string>> = {
  'context.date': 'Date: 2024-03-04',
  'context.time': 'Time: 20:35',
  'context.location': 'Location: 52.53, 13.41',
  'recommendation.name': 'Name: Chez Luc',
  'recommendation.location': 'Address: 52.54, 13.42',
  'recommendation.cuisine': 'Cuisine: French',
  'recommendation.menu': 'Menu: onion soup, ratatouille',
  'recommendation.cost': 'Cost: medium',
  'recommendation.rating': 'Rating: 4.6',
  'recommendation.openingHours': 'Opening hours: daily 12:00-22:00',
  'recommendation.distanceKm': 'Distance: 1.2 km',
  'recommendation.durationMin': 'Duration: 5 min',
  latencyMs: 'Latency: 1.8 s',
  language: 'Language: en',
  groundTruth: 'Ground truth: Alien',
};

const bare = (text: string): string => text.toLowerCase().replaceAll(/[ _-]/g, '');

/** How a line of a paste would name a declared field: by its title where that is one of its labels. */
export function labelOfField({ name, title, labels }: Field): string {
  const isLabel = [name, ...labels].some((label) => bare(label) === bare(title));
  const label = isLabel ? title : (labels[0] ?? name);
  return label.charAt(0).toUpperCase() + label.slice(1);
}

/** How to write the value of a declared field, as a hint (empty where there is nothing to say), and such a value. */
export function howToWrite({ type, units }: Pick<Field, 'type' | 'units'>): {
  hint: string;
  example: string;
} {
  const [unit] = Object.keys(units ?? {});
  switch (type) {
    case 'text':
      return { hint: '', example: '…' };
    case 'number':
      return !unit
        ? { hint: 'A number.', example: '5' }
        : { hint: `A number, in ${unit} unless another unit is given.`, example: `5 ${unit}` };
    case 'list':
      return { hint: 'Separated by commas; "none" for an empty list.', example: '…, …' };
    case 'boolean':
      return { hint: 'yes or no', example: 'yes' };
    case 'place':
      return {
        hint: 'A name, coordinates or both: Prenzlauer Berg, Berlin (52.53, 13.41)',
        example: '52.53, 13.41',
      };
    case 'hours':
      return {
        hint: 'A line each, such as "Monday: 12:00-20:00", "Sunday: closed".',
        example: 'daily 08:00-20:00',
      };
  }
}

/** A line of a paste that gives what stands at a path of a case, such as `Duration: 5 min`; null where no line does. */
export function lineFor(path: string, { groups }: Pick<CaseFormat, 'groups'>): string | null {
  const declared = [...groups.values()].flat().find((field) => pathOfField(field) === path);
  if (declared !== undefined) return `${labelOfField(declared)}: ${howToWrite(declared).example}`;
  return LINES[path] ?? null;
}

/** Which fields a case lacks, by what people call them, and how to give them: ``no time given: add `Time: 20:35` ``. */
export function explainMissing(paths: readonly string[], format: Pick<CaseFormat, 'groups'>): string {
  const lines = paths.map((path) => lineFor(path, format) ?? `${path}: …`);
  const names = lines.map((line) => (line.split(':')[0] ?? '').toLowerCase());
  return `no ${names.join(' and no ')} given: add ${lines.map((line) => `\`${line}\``).join(' and ')}`;
}
