/**
 * Labels out and in: export, import, and worked examples made of corrected verdicts. It reads and writes rows, not files. Start
 * reading: `export-labels.ts`.
 */
export { correctedExemplar, readFindings } from './corrected-exemplar.ts';
export {
  type AgreementChange,
  type HeldOut,
  heldOutOf,
  labeledCases,
  leftOutText,
  measurePromotion,
  type Promotion,
  type PromotionOutcome,
  requireEnough,
  requireExamples,
  settledCases,
  withExample,
} from './example-from-correction.ts';
export {
  criterionLabelProblems,
  type ExportItem,
  exportedCases,
  exportedPreferences,
  exportedTable,
  exportedVotes,
  labeledCase,
  labelJson,
} from './export-labels.ts';
export { importLabels, importVotes, type LabelRow, type RowSubject, type VoteRow } from './import-labels.ts';
