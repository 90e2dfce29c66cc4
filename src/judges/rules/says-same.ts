import { fieldOf } from '../../case/case.ts';
import type { Check } from '../../judging/check.ts';
import { decided, type Outcome, quoted, undecidable } from './outcome.ts';
import { textsOf, titlesOf, venueTerms } from './terms.ts';
import type { Matter } from './wishes.ts';

type SaysSame = Extract<Check, { type: 'says-same' }>;

/** A response of more characters says more than words can settle. */
const MAX_RESPONSE = 1000;

/** What the response says in the lexicon's words is what the field holds. Where either says nothing or two things there is no decision. */
export function saysSame(check: SaysSame, { evalCase, vocabulary }: Matter): Outcome {
  const lexicon = vocabulary.lexicons.get(check.lexicon);
  if (lexicon === undefined)
    return undecidable(
      `the lexicon "${check.lexicon}" is not there`,
      `add prompts/lexicons/${check.lexicon}.yaml`,
    );
  const limit = `the ${check.name} that the response claims must be the real one`;
  const value = fieldOf(evalCase, check.field);
  if (value === undefined)
    return undecidable(`the case gives no ${check.name}`, `give ${check.field}`, { limit });
  const told = (texts: readonly string[]) => {
    const read = venueTerms(texts, lexicon, vocabulary);
    const terms = new Set(read.kind === 'named' ? read.terms.map((names) => [...names].sort().join()) : []);
    const [only] = terms;
    return terms.size === 1 && only !== undefined ? only.split(',') : null;
  };
  const [claimed, real] = [
    evalCase.response.length > MAX_RESPONSE ? null : told([evalCase.response]),
    told(textsOf(value)),
  ];
  if (claimed === null)
    return undecidable(`the words of the response do not show what ${check.name} it claims`, 'ask a model', {
      limit,
    });
  if (real === null)
    return undecidable(
      `the ${check.name} ${quoted(textsOf(value).join(', '))} is not known here`,
      `give ${check.field} plainly, or ask a model`,
      { limit },
    );
  const wording = { lexicon, noun: '' };
  const [said, is] = [titlesOf(claimed, wording), titlesOf(real, wording)];
  const holds = real.every((term) => claimed.includes(term));
  return decided(holds, {
    asked: `the response claims: ${said}`,
    found: `the ${check.name} is: ${is}`,
    limit,
    calculation: `claimed: ${said}, in fact: ${is}`,
    meaning: holds ? 'which is true' : 'which is not true',
    gist: holds ? `${is}, as claimed` : `${is}, not ${said}`,
  });
}
