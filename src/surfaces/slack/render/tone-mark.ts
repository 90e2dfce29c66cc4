import type { Tone } from '../../../judging/card.ts';

/** A sign for each tone, as a character: emoji codes are left to what people write themselves. */
export function toneMark(tone: Tone): string {
  switch (tone) {
    case 'pass':
      return '✅';
    case 'fail':
      return '❌';
    case 'scored':
      return '📊';
    case 'undecided':
      return '⚖️';
    case 'unscored':
      return '❔';
    case 'not-judged':
    case 'not-relevant':
      return '➖';
  }
}
