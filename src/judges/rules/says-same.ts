import { fieldOf } from '../../case/case.ts';
import type { Check } from '../../judging/check.ts';
import { MAX_ANSWER } from './answer.ts';
import type { CompiledLexicon } from './lexicon.ts';
import { ASK, decided, type Outcome, quoted, undecidable } from './outcome.ts';
import { termsIn, textsOf, titlesOf, unreadable } from './terms.ts';
import { addition, type Matter } from './wishes.ts';

type SaysSame = Extract<Check, { type: 'says-same' }>;

/** What the response says in the lexicon's words is what the field holds. Where either says nothing or two things there is no decision. */
export function saysSame(check: SaysSame, lexicon: CompiledLexicon, matter: Matter): Outcome {
  const { evalCase, vocabulary } = matter;
  const value = textsOf(fieldOf(evalCase, check.field));
  if (value.length === 0)
    return undecidable(`the case does not give the ${check.name}`, addition(check.field, matter));
  const said = (texts: readonly string[]) => {
    if (unreadable(texts, lexicon, vocabulary) !== null) return null;
    const [only, ...others] = new Set(termsIn(texts, lexicon).map((names) => [...names].sort().join()));
    return only !== undefined && others.length === 0 ? only.split(',') : null;
  };
  const claimed = evalCase.response.length > MAX_ANSWER ? null : said([evalCase.response]);
  const real = said(value);
  if (claimed === null)
    return undecidable(`the words of the response do not show what ${check.name} it claims`, ASK);
  if (real === null)
    return undecidable(
      `the ${check.name} ${quoted(value.join(', '))} is not known here`,
      `ask a model, or add the word to prompts/lexicons/${check.lexicon}.yaml`,
    );
  const [claim, fact] = [titlesOf(claimed, lexicon), titlesOf(real, lexicon)];
  const holds = real.every((term) => claimed.includes(term));
  return decided(
    holds,
    holds
      ? `the response claims what happened: ${fact}`
      : `the response claims "${claim}", but the ${check.name} is "${fact}"`,
  );
}
