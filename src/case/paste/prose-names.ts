import { anyCase, before, COSTS, CUISINES, ENDING, NEGATED, NOUNS } from './prose-words.ts';

const RECOMMENDS = anyCase(
  "recommend|recommending|suggest|suggesting|how about|what about|found|called|named|namens|empfehle|wie wäre es mit|wie wär's mit|gefunden",
);
const FILLER =
  '(?:you |ihnen |dir |that |trying |visiting |going to |go to |to |a |an |the |das |die |den |dem |ein |eine |[Rr]estaurants? |called |named |namens )';
const WORD = String.raw`\p{Lu}[\p{L}\p{N}'’&.-]{0,30}`;
const LINK = String.raw`(?:de|la|le|les|du|des|di|da|del|della|el|and|und|&|of|the|am|an|im|in der|zum|zur|zu|von|by|et|y|e|\d{1,4})`;
const NAME = new RegExp(
  String.raw`(?<![\p{L}])(${RECOMMENDS}),?:? ${FILLER}{0,4}(?:(?:${anyCase(CUISINES)})${ENDING} (?=(?:${NOUNS}) ))?${FILLER}{0,3}(?:["“„*]{1,3}([^"”“*]{2,60})["”“*]{1,3}|(${WORD}(?: (?:${LINK} ){0,2}${WORD}){0,5}))`,
  'gu',
);
const ONLY_KIND = new RegExp(`^(?:(?:${CUISINES}|${COSTS})${ENDING} ?){1,3}$`, 'iu');
const NO_NAME = new RegExp(
  `^(?:${[
    'i|you|we|it|there|this|that|these|here|the|a|an|your|our|my|he|she|they|what|which|how|no|not|yes|ok|okay|sure|great|sorry',
    'unfortunately|alright|well|certainly|perfect|monday|tuesday|wednesday|thursday|friday|saturday|sunday|today|tomorrow|tonight',
    'google|note|traffic|weather|route|destination|distance|parking|navigation|bluetooth|battery|arrival|dinner|lunch|breakfast',
    'ich|du|sie|wir|es|das|die|der|dies|hier|dort|ihr|ihre|dein|deine|mein|ja|nein|gerne|klar|leider|heute|morgen|hinweis|verkehr',
    'wetter|parken|ziel|ankunft',
  ].join('|')})$`,
  'i',
);
const IS = String.raw`(?: (?:is|are|has|offers|serves|liegt|ist|hat|bietet|befindet)(?!\p{L})| ?\(|,? ?[,–—-] ?(?:an? |ein )?(?:\d{1,2}[.,]\d|\d{1,4} ?(?:km|min|m|mi)(?!\p{L})|[€$]|(?:${anyCase(COSTS)}|${anyCase(CUISINES)})(?!\p{L}{3})))`;
/** A name before what is said of it: `El Camino (Mexican, $$) is …` at the start of a sentence, `*Pizza Nostra* is …` anywhere. */
const SUBJECT = new RegExp(
  `(?:["“„*]{1,3}([^"”“*]{2,60})["”“*]{1,3}|(?<=^|[.!?:] )(${WORD}(?: (?:${LINK} ){0,2}${WORD}){0,5}))(?=${IS})`,
  'gu',
);

const isName = (name: string): boolean =>
  /^[\p{Lu}\d]/u.test(name) && !NO_NAME.test(name) && !ONLY_KIND.test(name);

const tidy = (name: string): string => name.replace(/[.,:;!?'’-]{1,5}$/, '').trim();

/** The names that a text recommends; where it recommends none, those that it says something of. */
export function namesIn(text: string): string[] {
  const recommended = [...text.matchAll(NAME)].flatMap((match) => {
    const name = tidy(match[2] ?? match[3] ?? '');
    return isName(name) && !NEGATED.test(before(text, match.index)) ? [name] : [];
  });
  if (recommended.length > 0) return recommended;
  return [...text.matchAll(SUBJECT)].flatMap((match) => {
    const name = tidy(match[1] ?? match[2] ?? '');
    return isName(name) ? [name] : [];
  });
}
