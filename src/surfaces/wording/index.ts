/**
 * The words that all surfaces share, safe to show: titles, tallies, outcomes, first examples. It knows no platform's markup. Start
 * reading: `wording.ts`.
 */
export { firstPaste, pagePastes, suggestedPrompts } from './examples.ts';
export { noReadingText, readingLines, readingText, unreadProblem } from './model-reading.ts';
export { pagesOf, pieces, shortened, shortLine, showInvisible } from './safe-text.ts';
export {
  actionText,
  adminsText,
  allCases,
  ballotChoices,
  blindQuestion,
  limitsText,
  outcomeText,
  ownAnswerText,
  peopleSayText,
  preferringText,
  STORE_AWAY,
  type Standard,
  shownRuling,
  standardOf,
  tallyText,
  titleOf,
  toneMark,
  wordsOf,
} from './wording.ts';
