import { fieldOf } from '../../case/case.ts';
import type { Check } from '../../judging/check.ts';
import type { CompiledLexicon } from './lexicon.ts';
import { decided, type Outcome, quoted, undecidable } from './outcome.ts';
import { termsIn, textsOf, titlesOf, unreadable } from './terms.ts';
import { addition, type Matter } from './wishes.ts';

type SaysSame = Extract<Check, { type: 'says-same' }>;

/** A response of more characters says more than words can settle. */
const MAX_RESPONSE = 1000;

/** What the response says in the lexicon's words is what the field holds. Where either says nothing or two things there is no decision. */
export function saysSame(check: SaysSame, lexicon: CompiledLexicon, matter: Matter): Outcome {
  const { evalCase, vocabulary } = matter;
  const limit = `the ${check.name} that the response claims must be the real one`;
  const value = textsOf(fieldOf(evalCase, check.field));
  if (value.length === 0)
    return undecidable(`the case does not give the ${check.name}`, addition(check.field, matter), { limit });
  const said = (texts: readonly string[]) => {
    if (unreadable(texts, lexicon, vocabulary) !== null) return null;
    const [only, ...others] = new Set(termsIn(texts, lexicon).map((names) => [...names].sort().join()));
    return only !== undefined && others.length === 0 ? only.split(',') : null;
  };
  const claimed = evalCase.response.length > MAX_RESPONSE ? null : said([evalCase.response]);
  const real = said(value);
  if (claimed === null)
    return undecidable(`the words of the response do not show what ${check.name} it claims`, 'ask a model', {
      limit,
    });
  if (real === null)
    return undecidable(
      `the ${check.name} ${quoted(value.join(', '))} is not known here`,
      `ask a model, or add the word to prompts/lexicons/${check.lexicon}.yaml`,
      { limit },
    );
  const [claim, fact] = [titlesOf(claimed, lexicon), titlesOf(real, lexicon)];
  const holds = real.every((term) => claimed.includes(term));
  return decided(holds, {
    asked: `the response claims: ${claim}`,
    found: `the ${check.name} is: ${fact}`,
    limit,
    calculation: `claimed: ${claim}, in fact: ${fact}`,
    meaning: holds ? 'which is true' : 'which is not true',
    gist: holds ? `${fact}, as claimed` : `${fact}, not ${claim}`,
  });
}
