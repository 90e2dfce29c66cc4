import type { Check } from '../../judging/check.ts';
import { hasTerms } from './has-all.ts';
import type { CompiledLexicon } from './lexicon.ts';
import { listed, nounOf, type Outcome, undecidable } from './outcome.ts';
import { type Matter, otherSubject, wishesFor } from './wishes.ts';

type SameTerm = Extract<Check, { type: 'same-term' }>;

/** Which values a field of levels may have: `low, medium or high: €, €€, €€€`; else nothing. */
function levelsOf({ single, terms }: CompiledLexicon): string {
  if (!single) return '';
  const levels = [...terms.values()].filter((term) => term.reading === 'exact' && term.title === undefined);
  const signs = levels.flatMap(({ words: [word] }) => word ?? []);
  return `${listed(
    levels.map(({ id }) => id),
    'or',
  )}: ${signs.join(', ')}`;
}

/** What the user named from the lexicon is what the field holds. A narrower value fits (asked Asian, venue Thai); a wider one leaves it open. */
export function sameTerm(
  { lexicon: id, field, evidence = [] }: SameTerm,
  lexicon: CompiledLexicon,
  matter: Matter,
): Outcome {
  const name = nounOf(field);
  const other = lexicon.namesSubject ? null : otherSubject(matter);
  if (other !== null && wishesFor(id, matter.request).kind === 'asked')
    return undecidable(other.problem, other.next);
  const noun = lexicon.single ? name : '';
  const demand = { field, name, required: [], evidence, narrower: 'enough', some: 'unsure' } as const;
  return hasTerms(
    { ...demand, lexicon: id, noun, given: `the venue's ${name}`, levels: levelsOf(lexicon) },
    lexicon,
    matter,
  );
}
