/** Words of cuisine, cost and kind of place without their German endings, as alternatives of a pattern. */
export const CUISINES =
  `african|american|arabic|argentinian|asian|austrian|bavarian|belgian|brazilian|british|burger|cajun|caribbean|chinese|cuban|
ethiopian|european|french|fusion|georgian|german|greek|hawaiian|hungarian|indian|indonesian|iranian|irish|israeli|italian|
jamaican|japanese|korean|lebanese|malaysian|mediterranean|mexican|moroccan|nepalese|oriental|pakistani|persian|peruvian|
pizza|polish|portuguese|ramen|russian|scandinavian|seafood|spanish|steak|sushi|swiss|syrian|taiwanese|tapas|tex-mex|thai|tibetan|
turkish|ukrainian|vegan|vegetarian|vietnamese|amerikanisch|arabisch|asiatisch|bayerisch|bayrisch|brasilianisch|chinesisch|
deutsch|französisch|griechisch|indisch|italienisch|japanisch|koreanisch|libanesisch|mexikanisch|mediterran|österreichisch|
persisch|polnisch|portugiesisch|russisch|spanisch|syrisch|thailändisch|türkisch|ukrainisch|vegetarisch|vietnamesisch`.replaceAll(
    '\n',
    '',
  );
export const COSTS =
  `high-end|upscale|upmarket|luxurious|luxury|fancy|exclusive|expensive|pricey|premium|fine-dining|fine dining|cheap|inexpensive|
low-cost|low-budget|budget|budget-friendly|affordable|mid-range|mid-priced|moderately priced|reasonably priced|gehoben|teuer|teur|luxuriös|
günstig|preiswert|billig|preisgünstig|edel|edl|exklusiv`.replaceAll('\n', '');
export const NOUNS =
  `restaurants?|place|spot|bistro|eatery|diner|trattoria|pizzeria|steakhouse|café|cafe|bar|brasserie|venue|cuisine|food|option|
Restaurants?|Lokal|Küche`.replaceAll('\n', '');

/** The words with a small or a capital first letter: the case of the rest tells a name from other words. */
export const anyCase = (words: string): string =>
  words.replace(/(?<=^|\|)\p{Ll}/gu, (letter) => `[${letter}${letter.toUpperCase()}]`);

export const ENDING = '(?:es|er|en|em|e)?';
/** Ends with a word that negates what follows. */
export const NEGATED =
  /(?:\bnot|n['’]t|\bnever|\bno|\bnicht|\bkeine?n?|\bcannot|\bunable to|\brather than|\binstead of)(?: \p{L}{1,12}){0,2} ?$/iu;

/** The words just before a position, which may negate what stands there. */
export const before = (text: string, at: number): string => text.slice(Math.max(0, at - 40), at);
