/**
 * Verdicts as people look at them: details, matrix, lists. Data that a surface renders. It knows no platform's markup and stores
 * nothing. Start reading: `verdict-details.ts`.
 */
export { issueFor } from './issue.ts';
export {
  agreementOf,
  agreementText,
  defaultsText,
  type Home,
  type ListedVerdict,
  listedFor,
  ownText,
  QUEUE_SHOWN,
  type Queue,
  queuePage,
  readQueueCommand,
  type WishTitles,
  wishWords,
} from './lists.ts';
export {
  caseSection,
  type DetailsSection,
  detailsOf,
  fieldsOf,
  PART_WORDS,
  settingsOf,
  suchVerdicts,
  turnsOf,
} from './verdict-details.ts';
export {
  type JudgeRow,
  judgeRows,
  type MatrixCell,
  matricesOf,
  type RoundCell,
  type TitledMatrix,
} from './verdict-matrix.ts';
