/**
 * Data sets: read, imported from tables, generated, checked, and the sets that people keep. It runs nothing. Start reading:
 * `read-cases.ts`.
 */
export {
  type CaseCheck,
  checkCase,
  type DatasetStats,
  type Deviation,
  datasetStats,
  type Spread,
} from './dataset-quality.ts';
export { assumedRouterOf, type Router, routeService } from './driving-routes.ts';
export { loadInstructions, loadManualPlan, type UserCases } from './generate.ts';
export { type AnswersReport, importTable } from './import-table.ts';
export {
  drawPassages,
  estimateManual,
  type ManualEnd,
  makeOfManual,
  otherOrigin,
  planFor,
} from './manual-cases.ts';
export { manualFormat, readPassages } from './manual-passages.ts';
export type { ColumnMapping } from './map-columns.ts';
export { addVerdictToSet, readSet, removeFromSet, requireSetName, setNames } from './named-case-sets.ts';
export { openGenerator } from './open-generator.ts';
export { paraphrase } from './paraphrase.ts';
export {
  type CaseOptions,
  inputName,
  type LabeledCase,
  makeOfEach,
  namedByFile,
  namedFiles,
  problemLines,
  type ReadItem,
  readCases,
  readDataset,
  readTableFile,
  readText,
  refusalLines,
  tableIn,
} from './read-cases.ts';
export { readSpeakers } from './read-cell.ts';
export { isAnnotatorColumn, type Table, type TableFormat, withInner } from './read-table.ts';
export { mappedValue, type ReadLabel, readLabelRows, readValueMap, type ValueMap } from './table-labels.ts';
