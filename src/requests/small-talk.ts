/** What people write to an app besides pastes, as far as a few words tell; everything else is read as a paste or a question. */

const words = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}']+/gu) ?? [];

const THANKS = new Set('thanks thank thx ty cheers danke dankeschön dank merci gracias grazie'.split(' '));
const WITH_THANKS = new Set(
  'you u a lot so much very many again jury all for the help that this your great perfect nice good job dir euch ihnen sehr vielen schön besten für die hilfe das super prima'.split(
    ' ',
  ),
);

/** "thanks", "danke dir!", "thank you so much 🙏". */
export function isThanks(text: string): boolean {
  const said = words(text);
  return (
    said.some((word) => THANKS.has(word)) && said.every((word) => THANKS.has(word) || WITH_THANKS.has(word))
  );
}

const HELLO =
  /^(?:help|hilfe|hi|hello|hey|hallo|moin|servus|good morning|guten tag|test|start|\?+|what can you (?:do|judge))\b/i;

/** An occasion to say what the app does. */
export const isGreeting = (text: string): boolean =>
  words(text).length <= 6 && (text.trim() === '' || HELLO.test(text.trim()));

const JUDGE =
  /^(?:(?:please|pls|can you|could you|bitte|kannst du)\s+)*(?:re-?)?(?:judge|check|evaluate|assess|review|again|bewerte|beurteile?|prüfe?|nochmal)\b/i;

const ASKS = /\b(?:why|how|what|which|who|warum|wieso|weshalb|wie|was|wer|welche[rs]?)\b/i;

/** "judge this", "please check again": what stands above is to be judged, also where it was before. */
export const asksToJudge = (text: string): boolean =>
  text.trim() === '' || (words(text).length <= 8 && JUDGE.test(text.trim()) && !ASKS.test(text));

/** Whether it asks something other than what the app is for. */
export const isQuestion = (text: string): boolean =>
  !isGreeting(text) && (/[?？]/.test(text) || ASKS.test(text));
