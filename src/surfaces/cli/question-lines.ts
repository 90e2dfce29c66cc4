import { andList } from '../../common/text.ts';
import { UNSURE } from '../../labels/answers.ts';
import type { Choice, FormField } from '../form.ts';

/** Questions of a form as lines of a terminal: how they are asked, and what a line says to them. */

const ALSO: Readonly<Record<string, string>> = { j: 'yes', ja: 'yes', nein: 'no' };

type One = Extract<FormField, { kind: 'select' }>;

/** What is typed for each choice: its number, its first letter where that is enough, otherwise its place. */
function keysOf(choices: readonly Choice[]): string[] {
  const ids = choices.map(({ id }) => id);
  // "unsure" may stand beside the levels of a scale.
  if (ids.some((id) => /^-?\d+$/.test(id))) return ids.map((id) => (/^-?\d+$/.test(id) ? id : id.charAt(0)));
  const letters = choices.map(({ title }) => title.charAt(0).toLowerCase());
  const isPlain =
    new Set(letters).size === letters.length && !letters.some((letter) => 'bq'.includes(letter));
  return isPlain ? letters : choices.map((_, index) => String(index + 1));
}

function choiceOf({ choices }: Pick<One, 'choices'>, line: string): string | undefined {
  const word = line.toLowerCase();
  const keys = keysOf(choices);
  const wanted = choices.find(({ id, title }) => [id, title].some((one) => one.toLowerCase() === word));
  return (wanted ?? choices[keys.indexOf(word)] ?? choices.find(({ id }) => id === ALSO[word]))?.id;
}

const wantedKeys = ({ choices }: Pick<One, 'choices'>): string => `Type ${andList(keysOf(choices), 'or')}.`;

/** A question as a line asks it. */
export function promptOf(field: FormField): string {
  const hint = field.hint === undefined ? '' : ` (${field.hint})`;
  switch (field.kind) {
    case 'select': {
      const keys = keysOf(field.choices);
      const named = field.choices.map(({ title }, index) =>
        title.startsWith(`${keys[index]}: `) || title === keys[index]
          ? title.replace(': ', ' ')
          : `${keys[index]} ${title}`,
      );
      return `${field.label}${hint} ${named.join(', ')}`;
    }
    case 'multi-select':
      return `${field.label} ${field.choices.map(({ title }, index) => `${index + 1} ${title}`).join(', ')}`;
    case 'long-text':
      return `${field.label}? Enter for none`;
    default:
      return `${field.label}${hint}`;
  }
}

/** What a line says to a question, or what is wrong with it. */
export function valueIn(
  field: FormField,
  line: string,
): { value: string | readonly string[] } | { problem: string } {
  switch (field.kind) {
    case 'select': {
      const value = choiceOf(field, line);
      return value === undefined ? { problem: wantedKeys(field) } : { value };
    }
    case 'number': {
      const isUnsure = ['', 'u', UNSURE].includes(line.toLowerCase());
      if (isUnsure || Number.isFinite(Number(line))) return { value: isUnsure ? '' : line };
      return { problem: `Type a number from ${field.min} to ${field.max}, or "u" if you are unsure.` };
    }
    case 'multi-select': {
      const { choices } = field;
      const words = line
        .toLowerCase()
        .split(/[\s,;]+/)
        .filter((word) => word !== '');
      const ids = words.map((word) => {
        const known = choices.find(({ id }) => id === word);
        return known?.id ?? (/^\d{1,4}$/.test(word) ? choices[Number(word) - 1]?.id : undefined);
      });
      const found = ids.filter((id) => id !== undefined);
      return found.length === ids.length
        ? { value: found }
        : { problem: `Type numbers from 1 to ${choices.length}, with commas between them.` };
    }
    default:
      return { value: line };
  }
}

/** What was said before, as it would be typed. */
export function earlierText(field: FormField): string | null {
  const { initial } = field;
  if (initial === undefined || initial.length === 0) return null;
  if (field.kind !== 'select') return [initial].flat().join(', ');
  return keysOf(field.choices)[field.choices.findIndex(({ id }) => id === initial)] ?? null;
}
