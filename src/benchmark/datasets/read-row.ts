import { type EvalCase, isRecord, Turn } from '../../case/case.ts';
import type { CaseFormat } from '../../case/case-format.ts';
import { explainIssues } from '../../case/paste/problems.ts';
import { nested } from '../../common/collections.ts';
import { JuryError } from '../../common/errors.ts';
import { type LabelBy, type LabelRule, type Said, UNSURE } from '../../labels/answers.ts';
import { labelValue, type ValueMap } from './label-values.ts';
import { readCell, type Speakers } from './read-cell.ts';

/** How a table becomes cases. */
export interface ImportOptions {
  /** Paths by column, `-` for none; other columns are mapped by name. */
  map: ReadonlyMap<string, string>;
  /** What values of labels mean, as `readValueMap` reads it. */
  values?: readonly string[];
  speakers?: Speakers;
  /** The rubric of cases that name none. */
  rubric?: string;
  /** Longer cases are problems, because they could not be judged. */
  maxCaseChars: number;
  /** The fields of a case. */
  format: CaseFormat;
  /** The cases that rows name by id, where rows do not hold them. */
  cases?: ReadonlyMap<string, EvalCase>;
  /** How answers of several people become a label. */
  by?: LabelBy;
  rule?: LabelRule;
  /** Whether cases without a label are kept. */
  all?: boolean;
}

export type Cells = ReadonlyMap<string, unknown>;

const isEmpty = (cell: unknown): boolean =>
  cell === undefined || cell === null || (typeof cell === 'string' && cell.trim() === '');

/** Without a response column, the last system turn is the response. */
function withResponse(fields: Record<string, unknown>): Record<string, unknown> {
  const { conversation, response } = fields;
  if (response !== undefined || !Array.isArray(conversation)) return fields;
  const last = Turn.safeParse(conversation.at(-1)).data;
  return last?.role === 'system'
    ? { ...fields, conversation: conversation.slice(0, -1), response: last.text }
    : fields;
}

/** Where one value can go that is mapped to a whole object; undefined if the path takes one value. */
const partOf = ({ column, path }: Mapped, { paths }: CaseFormat): string | undefined =>
  path === 'tags' ? `tags.${column}` : paths.find((one) => one.startsWith(`${path}.`));

const isCriterion = (path: string): boolean => path.startsWith('label.criteria.');

/** Labels that hold one answer each. */
export const isAnswer = (path: string | null): path is string =>
  path !== null && (path === 'label.decision' || path === 'label.score' || isCriterion(path));

/** A column that goes somewhere. */
export interface Mapped {
  column: string;
  path: string;
}

export const isScored = ({ path }: Mapped): boolean => path === 'label.score' || isCriterion(path);

/** The path of the column that says who answered. */
export const ANNOTATOR = 'annotator';

/** How the rows of a table are read. */
export interface Reader {
  options: ImportOptions;
  mapping: readonly Mapped[];
  values: ValueMap;
}

const badInput = (why: string): JuryError => new JuryError('bad-input', why);

function throwProblems(problems: readonly string[]): void {
  if (problems.length > 0) throw badInput(problems.join('; '));
}

/** The answers in a row by path. @throws JuryError `bad-input` if one cannot be read */
export function answersIn(cells: Cells, { mapping, values }: Reader): Map<string, Said> {
  const said = new Map<string, Said>();
  const problems: string[] = [];
  for (const one of mapping.filter(({ path }) => isAnswer(path))) {
    const cell = cells.get(one.column);
    const read = labelValue(values, one.column, cell, isScored(one));
    const isNumber = one.path === 'label.decision' && /^\d+(\.\d+)?$/.test(String(cell).trim());
    const ifScore = isNumber ? `, or --map ${one.column}=label.score if it is a score` : '';
    if ('problem' in read) problems.push(`column "${one.column}" ${read.problem}${ifScore}`);
    else if (one.path === 'label.score' && typeof read.value === 'string' && read.value !== UNSURE)
      problems.push(`column "${one.column}" must be a number, found "${read.value}"`);
    else if (one.path === 'label.decision' && typeof read.value === 'number')
      problems.push(`column "${one.column}" must be pass or fail, found ${read.value}`);
    else if (read.value !== null) said.set(one.path, read.value);
  }
  throwProblems(problems);
  return said;
}

/** The case in a row, with the label as it is given. @throws JuryError `bad-input` if a row makes no case */
export function caseOf(
  cells: Cells,
  { mapping, options }: Reader,
  labels: ReadonlyMap<string, Said>,
  note: (note: string) => void,
): EvalCase {
  const { format, speakers = new Map() } = options;
  const fields: Record<string, unknown> = {};
  const problems: string[] = [];
  for (const mapped of mapping) {
    const { column, path } = mapped;
    const cell = cells.get(column);
    const part = partOf(mapped, format);
    if (isAnswer(path) || path === ANNOTATOR || isEmpty(cell)) continue;
    const read = readCell(path, cell, {
      format,
      speakers,
      note: (assumption) => note(`${column}: ${assumption}`),
    });
    if ('problem' in read) problems.push(`column "${column}" ${read.problem}`);
    else if (typeof read.value === 'object') fields[path] = read.value;
    else if (part !== undefined)
      problems.push(
        `column "${column}" holds one value, and "${path}" has parts: add --map ${column}=${part}`,
      );
    else if (read.value !== undefined) fields[path] = read.value;
  }
  throwProblems(problems);
  for (const [path, said] of labels) if (said !== UNSURE) fields[path] = said;
  const rubric = options.rubric === undefined ? {} : { rubric: options.rubric };
  const columnOf = (path: string) => mapping.find((one) => one.path === path)?.column;
  const names = [columnOf('response'), columnOf('alternative.response')];
  const answerNames = 'alternative.response' in fields ? { answerNames: names } : {};
  return checked({ ...rubric, ...nested(withResponse(fields)), ...answerNames }, options);
}

/** A case that can be judged, and whose label does not contradict itself. */
function checked(value: unknown, { format, maxCaseChars: limit }: ImportOptions): EvalCase {
  const { data, error } = format.schema.safeParse(value);
  if (data === undefined) {
    const explained = explainIssues(error?.issues ?? [], isRecord(value) ? value : {}, 'no case', format);
    throw badInput('problem' in explained ? explained.problem.replace(/ Add ".*$/, '') : 'no case');
  }
  const { decision, errorType } = data.label ?? {};
  if (decision === 'pass' && errorType !== undefined)
    throw badInput(`the label contradicts itself: "pass", but with the error "${errorType}"`);
  const { length } = JSON.stringify(data);
  if (length <= limit) return data;
  throw badInput(`has ${length} characters, the limit for one case is ${limit} (JURY_MAX_CASE_CHARS)`);
}
