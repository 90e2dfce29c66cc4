import type { Field } from '../../../case/field.ts';

export const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

const plain = (text: string): string => text.toLowerCase().replaceAll(/[ _-]/g, '');

/** How a line of a paste would name a declared field: by its title where that is one of its labels. */
export function labelOf({ name, title, labels }: Field): string {
  const isLabel = [name, ...labels].some((label) => plain(label) === plain(title));
  return capitalized(isLabel ? title : (labels[0] ?? name));
}

/** How to write the value of a declared field, as a hint; empty where there is nothing to say. */
export function howToWrite({ type, units }: Field): string {
  const [unit] = Object.keys(units ?? {});
  switch (type) {
    case 'text':
      return '';
    case 'number':
      return unit === undefined ? 'A number.' : `A number, in ${unit} where nothing else is said.`;
    case 'list':
      return 'Separated by commas; "none" where there is nothing.';
    case 'boolean':
      return 'yes or no';
    case 'place':
      return 'A name, coordinates or both: Prenzlauer Berg, Berlin (52.53, 13.41)';
    case 'hours':
      return 'A line each, such as "Monday: 12:00-20:00", "Sunday: closed".';
  }
}

/** A value that a declared field could hold, as somebody would paste it. */
export function exampleOf({ type, units }: Field): string {
  const [unit] = Object.keys(units ?? {});
  switch (type) {
    case 'text':
      return '…';
    case 'number':
      return unit === undefined ? '5' : `5 ${unit}`;
    case 'list':
      return '…, …';
    case 'boolean':
      return 'yes';
    case 'place':
      return '52.53, 13.41';
    case 'hours':
      return 'daily 08:00-20:00';
  }
}
