/**
 * The verdict card as neutral parts, ready for each surface to render. It knows no platform's markup. Start reading:
 * `make-card.ts`.
 */
export {
  type Card,
  type CardAction,
  type CardPart,
  type CardSetting,
  type CardTexts,
  type CriterionRow,
  cardTexts,
  costText,
  decisionText,
  inQuotes,
  judgeName,
  judgesOf,
  type MenuAction,
  menuActions,
  type Opinion,
  opinionsOf,
  type PersonaTexts,
  type Preferring,
  preferring,
  type ShownRuling,
  stanceOf,
  type Tone,
  toneOf,
  verdictIn,
} from './card.ts';
export { cardOf, timeText } from './make-card.ts';
