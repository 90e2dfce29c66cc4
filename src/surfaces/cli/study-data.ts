import { isBadInput, JuryError } from '../../common/index.ts';
import { counted, csvText, grouped, jsonLine, noSuch } from '../../common/text/index.ts';
import {
  isAnnotatorColumn,
  mappedValue,
  readTableFile,
  readValueMap,
  refusalLines,
  type Table,
  type TableFormat,
  type ValueMap,
  withInner,
} from '../../datasets/index.ts';
import type { Person } from '../../labels/access/index.ts';
import { type LabelBy, usualRule } from '../../labels/index.ts';
import {
  type Annotation,
  addAnnotators,
  annotationCells,
  annotationColumns,
  annotationOf,
  annotationReader,
  annotationRow,
  findStudy,
  labeledStudyCases,
  type Study,
} from '../../studies/index.ts';
import { importedPerson, type Parts } from '../index.ts';
import { type CommandContext, type ExitCode, exitCode, writeCases } from '../terminal/index.ts';

interface ExportOptions {
  format: TableFormat | 'cases';
  by: LabelBy;
  minVotes: number;
  all: boolean;
  out?: string;
}

/** `jury study export`: one annotation per row, or the cases, labeled with what the annotators agree on. */
export async function exportAnnotations(
  context: CommandContext,
  id: string,
  { format, by, minVotes, all, out: file }: ExportOptions,
): Promise<void> {
  const { out, err } = context;
  const parts = await context.parts();
  const store = await parts.store();
  const study = await findStudy(store, id);
  const annotations = await store.annotations(id);
  if (format === 'cases') {
    const { cases, open } = labeledStudyCases(study, annotations, {
      by,
      rule: { ...usualRule, minVotes },
      all,
    });
    await writeCases(context, cases, file);
    err(`${counted(cases.length, 'case')}${open > 0 ? `; ${counted(open, 'case')} not settled` : ''}.`);
    return;
  }
  if (file !== undefined)
    throw new JuryError('usage', '--out goes with --format cases; annotations go to standard output.');
  const rows = annotations.map((annotation) => annotationRow(study, annotation));
  if (format === 'jsonl') for (const row of rows) out(jsonLine(row));
  else out(csvText([annotationColumns(study), ...rows.map(annotationCells)]).trimEnd());
}

interface ImportOptions {
  format?: TableFormat;
  /** `column=field`: which field of the study a column of the file holds. */
  map?: readonly (readonly [column: string, field: string])[];
  mapValue?: readonly string[];
  /** Whether people named in the file join the study. */
  addAnnotators: boolean;
}

type Cells = ReadonlyMap<string, unknown>;

/** Annotations per store call: they share one wait for the disk. */
const AT_ONCE = 1_000;

/** The table with the study's column names, and with values replaced as they are mapped. */
function renamed(table: Table, study: Study, { map = [], mapValue = [] }: ImportOptions): Table {
  const wanted = new Map(map);
  const { columns, rows, annotated, unread, notes } = withInner(table, [...wanted.keys()]);
  const fields = annotationColumns(study);
  for (const [column, field] of wanted) {
    if (!columns.includes(column)) throw noSuch('column', column, columns);
    if (field !== '-' && !fields.includes(field)) throw noSuch('field of this study', field, fields);
  }
  const isAnswer = (field: string) =>
    !['study', 'annotator', 'case', 'label', 'at', 'comment'].includes(field);
  const usual = (column: string): string => {
    if (!columns.includes('annotator') && isAnnotatorColumn(column)) return 'annotator';
    const isCase = annotated ? column === 'id' : column.toLowerCase() === 'task';
    return isCase && !columns.includes('case') ? 'case' : column;
  };
  const nameOf = (column: string) => wanted.get(column) ?? usual(column);
  const values = readValueMap(mapValue, columns, {
    columns: columns.filter((column) => fields.includes(nameOf(column)) && isAnswer(nameOf(column))),
    path: 'correct',
  });
  for (const field of ['annotator', 'case'])
    if (columns.length > 0 && !columns.some((column) => nameOf(column) === field))
      throw new JuryError(
        'usage',
        `No column holds the ${field}: add --map COLUMN=${field}. Columns: ${columns.join(', ')}.`,
      );
  const valueAt = (column: string, cell: unknown, field: string, map: ValueMap) => {
    const meant = isAnswer(field) ? mappedValue(map, column, cell) : undefined;
    return meant === undefined ? cell : meant;
  };
  return {
    annotated,
    unread,
    notes,
    columns: columns.map(nameOf),
    rows: rows.map((row) =>
      'problem' in row
        ? row
        : {
            ...row,
            cells: new Map(
              [...row.cells].map(([column, cell]) => {
                const field = nameOf(column);
                return [field, valueAt(column, cell, field, values)];
              }),
            ),
          },
    ),
  };
}

/** Pseudonyms of annotators by the names in a file; null for people outside the study, unless they join it. */
async function annotatorsOf(
  parts: Parts,
  study: Study,
  rows: readonly Cells[],
  joins: boolean,
): Promise<{ idOf: (text: string) => string | null; added: number }> {
  const pseudonym = await parts.pseudonym();
  const ids = new Map(study.annotators.map(({ id }) => [id, id]));
  const asked = new Set(ids.keys());
  const strangers = new Map<string, Person>();
  for (const cells of rows) {
    // Exports put an apostrophe before a pseudonym that looks like a formula.
    const text = String(cells.get('annotator') ?? '')
      .replace(/^'(?=[-=+@])/, '')
      .trim();
    if (text === '' || ids.has(text) || strangers.has(text)) continue;
    const person = importedPerson(text, parts.surfaces);
    const id = pseudonym(person);
    if (asked.has(id)) ids.set(text, id);
    else strangers.set(text, person);
  }
  if (!joins || strangers.size === 0) return { idOf: (text) => ids.get(text) ?? null, added: 0 };
  const people = new Map([...strangers.values()].map((person) => [pseudonym(person), person]));
  const added = await addAnnotators(await parts.store(), study, [...people.values()], pseudonym, parts.now());
  for (const [text, person] of strangers) ids.set(text, pseudonym(person));
  return { idOf: (text) => ids.get(text) ?? null, added: added.length };
}

type Problem = { where: string; reason: string };

/** Reads rows as annotations, and says what is wrong with the others. */
function readRows(rows: Table['rows'], read: ReturnType<typeof annotationReader>, study: Study) {
  const annotations: Annotation[] = [];
  const problems: Problem[] = [];
  for (const row of rows)
    try {
      if ('problem' in row) throw new JuryError('bad-input', row.problem);
      const made = annotationOf({ study, ...read(row.cells) });
      if (made.ok) annotations.push(made.annotation);
      else {
        const reason = made.problems.map(({ item, problem }) => `${item}: ${problem}`).join(' ');
        problems.push({ where: row.where, reason });
      }
    } catch (thrown) {
      if (!isBadInput(thrown)) throw thrown;
      problems.push({ where: row.where, reason: thrown.message });
    }
  return { annotations, problems };
}

/** `jury study import`: imports annotations; rows that are not annotations are counted by reason and left out. */
export async function importAnnotations(
  context: CommandContext,
  id: string,
  file: string,
  options: ImportOptions,
): Promise<ExitCode> {
  const { err, stop } = context;
  const parts = await context.parts();
  const store = await parts.store();
  const study = await findStudy(store, id);
  if (study.closed)
    throw new JuryError('usage', `Study ${id} is closed: "jury study reopen ${id}" reopens it.`);
  const { columns, rows } = renamed(await readTableFile(context, file, options.format, stop), study, options);
  const fields = annotationColumns(study);
  const others = columns.filter((column) => !fields.includes(column));
  if (others.length > 0) err(`Ignored columns: ${others.join(', ')}. Known columns: ${fields.join(', ')}.`);
  const cells = rows.flatMap((row) => ('cells' in row ? [row.cells] : []));
  const { idOf, added } = await annotatorsOf(parts, study, cells, options.addAnnotators);
  if (added > 0) err(`${counted(added, 'annotator')} added.`);
  const read = annotationReader(study, idOf, parts.now());
  const { annotations, problems } = readRows(rows, read, study);
  for (const line of refusalLines(problems)) err(line);
  const counts = { kept: 0, unchanged: 0, outdated: 0 };
  for (let from = 0; from < annotations.length; from += AT_ONCE) {
    if (stop.aborted) return exitCode.interrupted;
    for (const outcome of await store.annotate(annotations.slice(from, from + AT_ONCE))) {
      if (outcome === 'closed' || outcome === 'not-asked' || outcome === 'unknown-study')
        throw new JuryError('usage', `Study ${id} no longer takes annotations (${outcome}).`);
      counts[outcome] += 1;
    }
  }
  err(
    `${grouped(counts.kept)} of ${counted(rows.length, 'row')} kept, ${grouped(counts.unchanged)} already there, ${grouped(counts.outdated)} older than what is kept, ${grouped(problems.length)} left out.`,
  );
  if (annotations.length === 0)
    throw new JuryError(
      'bad-input',
      'No row is an annotation of this study. Nothing was kept. Say with --map which column holds what, such as --map label=correct.',
    );
  return problems.length > 0 ? exitCode.failed : exitCode.ok;
}
