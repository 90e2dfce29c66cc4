const LONGEST_REASON = 200;

/** The first sentence, cut at a word with an ellipsis where it is long; the whole stands in the judgement. */
export function firstSentence(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  const sentence = /^.*?[.!?](?=\s+\p{Lu}|\s*$)/u.exec(line)?.[0].replace(/\.$/, '') ?? line;
  if (sentence.length <= LONGEST_REASON) return sentence;
  const cut = sentence.slice(0, LONGEST_REASON);
  return `${cut.slice(0, cut.lastIndexOf(' ') > 0 ? cut.lastIndexOf(' ') : LONGEST_REASON).toWellFormed()} …`;
}
