import { JuryError } from '../../common/errors.ts';
import type { Random } from '../../statistics/random.ts';
import type { Grammar, Slots } from './phrase.ts';

const HOLE = /\{([A-Za-z0-9.-]+)\}/g;

const holesOf = (text: string): string[] => [...text.matchAll(HOLE)].map(([, name = '']) => name);

/** Which texts of a grammar can be filled with these slots: those whose holes all lead to a slot. */
function fillable(grammar: Grammar, slots: Slots): (name: string, from?: readonly string[]) => string[] {
  const known = new Map<string, string[]>();
  return function textsOf(name, from = []): string[] {
    const found = known.get(name);
    if (found !== undefined) return found;
    if (from.includes(name))
      throw new JuryError('bad-file', `The grammar goes round in circles: ${[...from, name].join(' → ')}.`);
    const texts = (grammar[name] ?? []).filter((text) =>
      holesOf(text).every((hole) => Object.hasOwn(slots, hole) || textsOf(hole, [...from, name]).length > 0),
    );
    known.set(name, texts);
    return texts;
  };
}

/** `a(n)` by the letter that follows; spaces before punctuation and twice go; sentences begin with a capital. */
const tidied = (text: string): string =>
  text
    .replaceAll(/\b([Aa])\(n\) (?=(\S))/g, (_all, article: string, next: string) =>
      /[aeiou]/i.test(next) ? `${article}n ` : `${article} `,
    )
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/ (?=[,.?!])/g, '')
    .trim()
    .replaceAll(
      /(^|[.?!] )(\p{Ll})/gu,
      (_all, before: string, letter: string) => before + letter.toUpperCase(),
    );

/**
 * A text of a grammar: starts at `name`, picks among the texts there that the slots can fill, and fills their holes.
 * The same stream over the same slot names gives the same sentence, whatever the slots hold.
 *
 * @throws JuryError `bad-file` where no text can be filled
 */
export function expand(grammar: Grammar, name: string, slots: Slots, random: Random): string {
  const textsOf = fillable(grammar, slots);
  const fill = (text: string): string =>
    text.replaceAll(HOLE, (_all, hole: string) => slots[hole] ?? fill(one(hole)));
  const one = (hole: string): string => {
    const texts = textsOf(hole);
    if (texts.length === 0)
      throw new JuryError(
        'bad-file',
        `No text under "${hole}" of the grammar can be filled with ${Object.keys(slots).join(', ')}.`,
      );
    return random.pick(texts.map((text) => ({ text }))).text;
  };
  return tidied(fill(one(name)));
}
