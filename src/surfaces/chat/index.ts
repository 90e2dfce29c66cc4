/**
 * What both chats show and do alike: messages as parts, live progress, notices, digests, downloads. It names no platform; each
 * chat renders the parts. Start reading: `chat-presenter.ts`.
 */
export {
  blindLines,
  blindTexts,
  type ChatMessage,
  cardLines,
  cardText,
  line,
  type MessageButton,
  type MessageLine,
  type MessagePart,
  note,
  type Run,
  readTheseValue,
} from './chat-message.ts';
export {
  type CardInput,
  type Cards,
  type Chat,
  type ChatParts,
  cardKey,
  chatParts,
  createCards,
  createChatPresenter,
  type Looks,
  type Place,
} from './chat-presenter.ts';
export { type DeliveryError, deliveryError } from './delivery-errors.ts';
export {
  digestLine,
  digestMark,
  digestWords,
  type Room,
  roomed,
  type Trend,
  trendLines,
} from './digest-words.ts';
export { downloadSignal, readDownload, requireFileSize } from './download.ts';
export { createLanguages, type Languages, type Locales } from './languages.ts';
export {
  answerParts,
  budgetText,
  editedNotice,
  errorNotice,
  explainPaste,
  type NamedLines,
  noticeLooks,
  spentNotice,
  spentText,
  type UnsurePaste,
  unshowableNotice,
  unsureChoices,
  unsureLines,
  unsureQuestion,
  welcomeNotice,
} from './notices.ts';
export {
  hiddenTitle,
  judgedLine,
  progressStatus,
  progressTitle,
  ranked,
  receivedNotice,
  type SummaryLine,
  someCanTryAgain,
  summaryShown,
  summaryText,
} from './progress.ts';
