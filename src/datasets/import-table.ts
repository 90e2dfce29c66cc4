import type { CaseFormat } from '../case/format/index.ts';
import { type EvalCase, isRecord, Turn } from '../case/index.ts';
import { explainIssues } from '../case/paste/index.ts';
import { groupedBy, isBadInput, JuryError, nested } from '../common/index.ts';
import { type Rubric, rangeOf } from '../judging/standards/index.ts';
import {
  type Alpha,
  type Answer,
  alphaOf,
  type LabelBy,
  type LabelRule,
  labelsFrom,
  type PartAnswer,
  type Said,
  settleParts,
  UNSURE,
  usualRule,
} from '../labels/index.ts';
import { conversationColumn, createContinuation, joinTurns } from './join-rows.ts';
import {
  ANNOTATOR,
  type ColumnMapping,
  isAnswer,
  type Mapped,
  mapColumns,
  mayBeLabel,
  partOf,
  wordsMeant,
} from './map-columns.ts';
import { readCell, type Speakers } from './read-cell.ts';
import { type Table, type TableRow, withInner } from './read-table.ts';
import { answersIn, readValueMap, requirePolarity, type ValueMap } from './table-labels.ts';

/** How a table becomes cases. */
export interface ImportOptions {
  /** Paths by column, `-` to skip a column; other columns are mapped by name. */
  map: ReadonlyMap<string, string>;
  /** What label values mean, in the format of `readValueMap`. */
  values?: readonly string[];
  speakers?: Speakers;
  /** The rubric of cases that name none. */
  rubric?: string;
  /** Rubrics by id, whose scales say of which kind scores are. */
  rubrics?: ReadonlyMap<string, Pick<Rubric, 'criteria' | 'overall'>>;
  /** Longer cases are reported as problems, because they can't be judged. */
  maxCaseChars: number;
  /** The fields of a case. */
  format: CaseFormat;
  /** Cases that rows refer to by ID, if the rows don't contain them. */
  cases?: ReadonlyMap<string, EvalCase>;
  /** How answers from several people are combined into a label. */
  by?: LabelBy;
  rule?: LabelRule;
  /** Whether cases without a label are kept. */
  all?: boolean;
}

type Cells = ReadonlyMap<string, unknown>;

const isEmpty = (cell: unknown): boolean =>
  cell === undefined || cell === null || (typeof cell === 'string' && cell.trim() === '');

/** If there is no response column, uses the last system turn as the response. */
function withResponse(fields: Record<string, unknown>): Record<string, unknown> {
  const { conversation, response } = fields;
  if (response !== undefined || !Array.isArray(conversation)) return fields;
  const last = Turn.safeParse(conversation.at(-1)).data;
  return last?.role === 'system'
    ? { ...fields, conversation: conversation.slice(0, -1), response: last.text }
    : fields;
}

/** How to read the rows of a table. */
interface Reader {
  options: ImportOptions;
  mapping: readonly Mapped[];
  values: ValueMap;
}

const badInput = (why: string): JuryError => new JuryError('bad-input', why);

/**
 * The case in a row, with the label as given.
 * @throws JuryError `bad-input` if the row is not a case
 */
function caseOf(
  cells: Cells,
  { mapping, options }: Reader,
  labels: ReadonlyMap<string, Said>,
  note: (note: string) => void,
): EvalCase {
  const { format, speakers = new Map(), rubric } = options;
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
  if (problems.length > 0) throw badInput(problems.join('; '));
  for (const [path, answer] of labels) if (answer !== UNSURE) fields[path] = answer;
  const columnOf = (path: string) => mapping.find((one) => one.path === path)?.column;
  const names = [columnOf('response'), columnOf('alternative.response')];
  const made = {
    ...(rubric === undefined ? {} : { rubric }),
    ...nested(withResponse(fields)),
    ...('alternative.response' in fields ? { answerNames: names } : {}),
  };
  return checked(made, options);
}

/** Checks that a case can be judged and that its label is consistent. */
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

/** Agreement between annotators for each label, and how many cases are settled. */
export interface AnswersReport {
  annotators: number;
  labels: {
    path: string;
    answers: number;
    cases: number;
    counts: Record<string, number>;
    alpha: Alpha;
    settled: number;
    /** Settled cases whose label is not what more than half of all answers say, “unsure” counted; null unless it is settled that way. */
    lessThanHalf: number | null;
  }[];
  /** Number of cases without a label. */
  open: number;
}

const textIn = (cells: Cells, { mapping }: Reader, path: string): string => {
  const column = mapping.find((one) => one.path === path)?.column;
  return String((column === undefined ? null : cells.get(column)) ?? '').trim();
};

/** Cases by their key in the table, with the annotators' answers. */
interface Gathered {
  cases: Map<string, EvalCase>;
  /** By path, case and person. If a person answers again, the later answer counts. */
  answers: Map<string, PartAnswer>;
  errors: Answer[];
}

/** Identifies the case of a row: its ID, or else its content. */
function keyOf(cells: Cells, reader: Reader): string {
  const id = textIn(cells, reader, 'id');
  if (id !== '') return id;
  const isOwn = ({ path }: Mapped) => path !== ANNOTATOR && !path.startsWith('label.');
  return JSON.stringify(reader.mapping.filter(isOwn).map(({ column }) => cells.get(column)));
}

/**
 * Adds a row's case and answers to `into`.
 * @throws JuryError `bad-input` if the row can't be read
 */
function gather(
  cells: Cells,
  reader: Reader,
  into: Gathered,
  place: number,
  note: (note: string) => void,
): void {
  const { options, mapping } = reader;
  const item = keyOf(cells, reader);
  const answers = answersIn(cells, reader);
  const bare = { ...reader, mapping: mapping.filter(({ path }) => path !== 'label.errorType') };
  const evalCase =
    into.cases.get(item) ??
    (options.cases === undefined ? caseOf(cells, bare, new Map(), note) : options.cases.get(item));
  if (evalCase === undefined) throw new JuryError('bad-input', 'names no case of --cases');
  into.cases.set(item, evalCase);
  const voter = textIn(cells, reader, ANNOTATOR) || null;
  for (const [path, answer] of answers)
    into.answers.set(JSON.stringify([path, item, voter ?? place]), {
      part: path.slice('label.'.length),
      item,
      voter,
      said: answer,
    });
  const error = readCell('label.errorType', textIn(cells, reader, 'label.errorType'), {
    format: options.format,
    speakers: new Map(),
    note,
  });
  if (
    'value' in error &&
    typeof error.value === 'string' &&
    error.value !== '' &&
    answers.get('label.decision') !== 'pass'
  )
    into.errors.push({ item, voter, said: error.value });
}

/** The bounds of the scale of a label's scores, if the rubrics of all cases agree on them; otherwise null. */
function rangeOfPart(
  part: string,
  cases: Iterable<EvalCase>,
  { rubrics, rubric: usual }: Pick<ImportOptions, 'rubric' | 'rubrics'>,
) {
  const ids = new Set([...cases].map(({ rubric }) => rubric ?? usual ?? ''));
  const scales = [...ids].flatMap((id) => {
    const { criteria = [], overall } = rubrics?.get(id) ?? {};
    const named = criteria.filter((one) => part === 'score' || part === `criteria.${one.id}`);
    return part === 'score' && overall !== undefined ? [overall.scale] : named.map(({ scale }) => scale);
  });
  const ranges = new Map(scales.map((scale) => [JSON.stringify(rangeOf(scale)), rangeOf(scale)]));
  const [only = null] = [...ranges.values()];
  return ranges.size === 1 ? only : null;
}

/** How many settled labels are not what more than half of all answers say. */
const lessThanHalf = (
  answers: readonly PartAnswer[],
  settled: ReadonlyMap<string, Said> = new Map(),
): number =>
  [...groupedBy(answers, ({ item }) => item)].filter(([item, own]) => {
    const label = settled.get(item);
    return label !== undefined && own.filter(({ said }) => said === label).length * 2 <= own.length;
  }).length;

/** Cases with their settled labels. */
function labeledCases({ cases, answers, errors }: Gathered, { options }: Reader) {
  const { by = 'majority', rule = { ...usualRule, minVotes: 1 }, all = false } = options;
  const settled = settleParts(answers.values(), by, rule);
  const labels = labelsFrom(settled, errors);
  const made = [...cases].flatMap(([item, { label: _label, ...evalCase }]): EvalCase[] => {
    const label = labels.get(item);
    if (label !== undefined) return [{ ...evalCase, label }];
    return all ? [evalCase] : [];
  });
  const reports = [...groupedBy(answers.values(), ({ part }) => part)].map(([part, same]) => {
    const units = [...groupedBy(same, ({ item }) => item).values()].map((own) => own.map(({ said }) => said));
    const counts = [...groupedBy(same, ({ said }) => String(said))];
    const isByCount = by === 'majority' && same.every(({ said }) => typeof said === 'string');
    return {
      path: `label.${part}`,
      answers: same.length,
      cases: units.length,
      counts: Object.fromEntries(counts.map(([answer, { length }]) => [answer, length])),
      alpha: alphaOf(units, rangeOfPart(part, cases.values(), options)),
      settled: settled.get(part)?.size ?? 0,
      lessThanHalf: isByCount ? lessThanHalf(same, settled.get(part)) : null,
    };
  });
  const voters = new Set([...answers.values()].flatMap(({ voter }) => voter ?? []));
  const open = [...cases.keys()].filter((item) => !labels.has(item)).length;
  return { made, report: { annotators: voters.size, labels: reports, open } };
}

export interface Imported {
  cases: EvalCase[];
  /** Where each column, and anything else in the file, went. */
  mapping: ColumnMapping[];
  /** Whether any case was joined from several rows. */
  isJoined: boolean;
  /** Rows that could not be turned into a case, with the reason. */
  problems: { where: string; reason: string }[];
  /** Assumptions made while reading cells, with the number of rows affected. */
  assumed: { note: string; rows: number }[];
  /** How annotators answered; null unless rows are answers of single people. */
  answers: AnswersReport | null;
}

/** @param holdsAnswers whether a column's cells may be answers rather than texts */
const noAnswers = (
  mapping: readonly ColumnMapping[],
  holdsAnswers: (column: string) => boolean,
): JuryError => {
  const free = mapping.filter(({ path }) => path === null).map(({ column }) => column);
  return new JuryError(
    'usage',
    `Each row is one person's answer, and no column is known to hold answers: add --map ${free.find(holdsAnswers) ?? 'COLUMN'}=label.decision, or =label.score or =label.criteria.ID. Columns without a place: ${free.join(', ') || 'none'}.`,
  );
};

/**
 * Turns rows into cases, with columns mapped as requested or by name. A row that is not a valid case is reported as a problem. If rows are
 * answers of single people, the label is what they agree on.
 * @throws JuryError `usage` if the mapping has unknown columns or paths, or a label doesn't say which of its values means right
 */
export function importTable(given: Table, options: ImportOptions): Imported {
  const { table, mapping: ofTurns } = joinTurns(
    withInner(given, [...options.map.keys()]),
    options.map,
    options.format,
  );
  const meant = wordsMeant(options.values ?? []);
  const holdsLabels = (column: string) =>
    table.rows.some((row) => 'cells' in row && mayBeLabel(row.cells.get(column), meant));
  const mapping = mapColumns(table.columns, options.map, options.format, holdsLabels);
  const conversation = conversationColumn(table.columns, options.map, options.format);
  const continued = createContinuation();
  const used = mapping.flatMap(({ column, path }) => (path === null ? [] : [{ column, path }]));
  const labels = used.filter(({ path }) => isAnswer(path));
  const values = readValueMap(options.values ?? [], table.columns, {
    columns: labels.map(({ column }) => column),
    path: 'label.decision',
  });
  const reader: Reader = { options, mapping: used, values };
  requirePolarity(table, labels, values);
  const annotated = table.annotated || used.some(({ path }) => path === ANNOTATOR);
  if (annotated && labels.length === 0) throw noAnswers(mapping, holdsLabels);
  const problems: Imported['problems'] = [];
  const assumed = new Map<string, number>();
  const cases: EvalCase[] = [];
  const gathered: Gathered = { cases: new Map(), answers: new Map(), errors: [] };
  function take(row: TableRow, place: number, note: (text: string) => void): void {
    if ('problem' in row) throw new JuryError('bad-input', row.problem);
    if (annotated) {
      gather(row.cells, reader, gathered, place, note);
      return;
    }
    const rowCase = caseOf(row.cells, reader, answersIn(row.cells, reader), note);
    const id = conversation === undefined ? '' : String(row.cells.get(conversation) ?? '').trim();
    if (id === '') {
      cases.push(rowCase);
      return;
    }
    const { evalCase, isJoined } = continued(rowCase, id);
    if (isJoined) note(`${conversation}: what was said in the rows before stands before the request`);
    cases.push(checked(evalCase, options));
  }
  for (const [place, row] of table.rows.entries()) {
    const notes = new Set<string>();
    try {
      take(row, place, (text) => notes.add(text));
    } catch (thrown) {
      if (!isBadInput(thrown)) throw thrown;
      problems.push({ where: row.where, reason: thrown.message });
    }
    for (const text of notes) assumed.set(text, (assumed.get(text) ?? 0) + 1);
  }
  const settled = annotated ? labeledCases(gathered, reader) : null;
  return {
    cases: settled?.made ?? cases,
    mapping: [
      ...ofTurns,
      ...mapping.filter(({ column }) => ofTurns.length === 0 || column !== 'conversation'),
      ...given.unread.map(({ name, why }) => ({ column: name, path: null, why })),
    ],
    isJoined: ofTurns.length > 0,
    problems,
    assumed: [...assumed].map(([note, count]) => ({ note, rows: count })),
    answers: settled?.report ?? null,
  };
}
