import { wishesFor } from '../../../src/judges/rules/check-outcome.ts';
import { compileLexicon } from '../../../src/judges/rules/lexicon.ts';
import { ABOUT, createVocabulary } from '../../../src/judges/rules/match-phrases.ts';
import { readRequest } from '../../../src/judges/rules/read-request.ts';
import { numberWords } from '../../../src/judges/rules/tokens.ts';
import { lexicons } from './world.ts';

export const vocabulary = createVocabulary(
  ['cost', 'rating', 'cuisine', 'moment', 'travel', 'negation', 'filler', 'way'].flatMap((id) => {
    const lexicon = lexicons.get(id);
    return lexicon === undefined ? [] : [compileLexicon(lexicon)];
  }),
  {
    numeric: new Set(['rating']),
    beside: new Set(['way']),
    wishes: new Set(['cost', 'rating', 'cuisine']),
    numbers: numberWords(lexicons.get('numbers')),
  },
);

/** A request of one or several turns, read. */
export const requestOf = (turns: string | readonly string[]) =>
  readRequest(
    {
      conversation: (typeof turns === 'string' ? [turns] : turns).map((text) => ({ role: 'user', text })),
      response: '-',
    },
    vocabulary,
  );

/**
 * What is read as to one lexicon, in short: alternatives joined by `|`, wishes that must all hold by `+`, number phrases
 * as `at-least 4.5`; else `any`, `unclear`, `silent`, or `silent?` where words were left unread.
 */
export function reading(turns: string | readonly string[], lexicon: string): string {
  const request = requestOf(turns);
  const wishes = wishesFor(lexicon, request, ({ terms }) => !terms.includes(ABOUT));
  if (wishes.kind === 'silent') return request.unread.length > 0 ? 'silent?' : 'silent';
  if (wishes.kind !== 'asked') return wishes.kind;
  const words = wishes.wanted.map(({ terms, numbers }) =>
    [terms.join('/'), ...numbers.map((number) => String(number.value))].join(' '),
  );
  return wishes.isAnyOf ? [...new Set(words)].join('|') : words.join('+');
}

/** Each just within the 32,000 characters that a case may have. */
export const hostile: [string, number][] = [
  ['not ', 7900],
  ['pizza or ', 3500],
  ['4.5 or ', 4500],
  ['not pizza, ', 2900],
  ['no, pizza, ', 2900],
  ['rather than ', 2600],
  ['the hotel ', 3100],
  ['5 km no wait ', 2400],
];
