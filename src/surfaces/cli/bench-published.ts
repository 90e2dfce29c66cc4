import wrapAnsi from 'wrap-ansi';
import { type Contradiction, contradictionsOf } from '../../benchmark/published/contradictions.ts';
import { type PublishedTable, printed, publishedTables } from '../../benchmark/published/published-tables.ts';
import { counted, jsonLine } from '../../common/text.ts';
import { entry } from '../../judging/library.ts';
import type { CommandContext } from './command-context.ts';
import { left, list, right, textTable } from './table.ts';
import type { Screen, Terminal } from './terminal.ts';

/** A contradiction with the number it is shown under; the same words about several rows are one note. */
interface Note {
  number: number;
  text: string;
}

function noteText({ columns }: PublishedTable, contradiction: Contradiction): string {
  const titles = columns.filter(({ id }) => contradiction.columns.includes(id)).map(({ title }) => title);
  return titles.length === 0 ? contradiction.text : `${titles.join(', ')}: ${contradiction.text}`;
}

function notesOf(table: PublishedTable, found: readonly Contradiction[]): Map<string, Note> {
  const notes = new Map<string, Note>();
  for (const contradiction of found) {
    const text = noteText(table, contradiction);
    if (!notes.has(text)) notes.set(text, { number: notes.size + 1, text });
  }
  return notes;
}

const hung = ({ width }: Screen, head: string, text: string): string =>
  head +
  wrapAnsi(text, Math.max(30, width - head.length))
    .split('\n')
    .join(`\n${' '.repeat(head.length)}`);

function cellText(table: PublishedTable, row: number, column: number): string {
  const cell = table.rows[row]?.[column] ?? null;
  if (typeof cell === 'string') return cell;
  return cell === null ? '–' : printed(table, table.columns[column]?.id ?? '', cell);
}

/** The cells of each row, those that contradict something colored, and the numbers of the notes on the row. */
function shownRows(
  { colors }: Screen,
  table: PublishedTable,
  found: readonly Contradiction[],
  notes: ReadonlyMap<string, Note>,
): { cells: string[]; marks: string }[] {
  return table.rows.map((_, row) => {
    const own = found.filter((contradiction) => contradiction.row === row);
    const doubtful = new Set(own.flatMap(({ columns }) => columns));
    const cells = table.columns.map(({ id }, column) => {
      const text = cellText(table, row, column);
      return doubtful.has(id) ? colors.yellow(text) : text;
    });
    const numbers = new Set(own.map((contradiction) => notes.get(noteText(table, contradiction))?.number));
    return { cells, marks: [...numbers].map((number) => `[${number}]`).join(' ') };
  });
}

function show({ screen, out }: Terminal, table: PublishedTable, all: readonly PublishedTable[]): void {
  const { bold, dim, yellow } = screen.colors;
  const found = contradictionsOf(table, all);
  const notes = notesOf(table, found);
  out(wrapAnsi(`${bold(`${table.table}: ${table.title}`)} (${table.id})`, screen.width));
  out(dim(wrapAnsi(`from ${table.paper}, ${table.place}`, screen.width)));
  out('');
  const titles = table.columns.map(({ title, unit }) => (unit === 'label' ? left(title) : right(title)));
  const labels = table.columns.filter(({ unit }) => unit === 'label').length;
  // The notes go with the labels, so that they stand in every block of a wide table.
  const columns =
    notes.size === 0 ? titles : [...titles.slice(0, labels), left('notes'), ...titles.slice(labels)];
  const rows = shownRows(screen, table, found, notes).map(({ cells, marks }) =>
    notes.size === 0 ? cells : [...cells.slice(0, labels), marks, ...cells.slice(labels)],
  );
  for (const line of textTable(screen, columns, rows, columns.length - titles.length + labels)) out(line);
  out('');
  for (const { title, meaning, unit } of table.columns)
    out(dim(hung(screen, `  ${title}: `, unit === 'label' ? meaning : `${meaning} (${unit})`)));
  if (notes.size === 0) return;
  out(`\n${yellow('Where the paper contradicts itself:')}`);
  for (const { number, text } of notes.values()) out(hung(screen, `  [${number}] `, text));
}

function jsonLines(table: PublishedTable, all: readonly PublishedTable[]): string[] {
  const found = contradictionsOf(table, all);
  return table.rows.map((cells, row) =>
    jsonLine({
      table: table.id,
      row: Object.fromEntries(table.columns.map(({ id }, column) => [id, cells[column] ?? null])),
      contradictions: found.filter((one) => one.row === row).map((one) => noteText(table, one)),
    }),
  );
}

/**
 * `jury bench published [TABLE]`: the results that the papers print. Without a table, a list of what there is; with one,
 * the table, its source and where the paper contradicts itself; as JSON, one row a line, of one table or of all.
 *
 * @throws JuryError `usage` where there is no such table
 */
export async function published(
  context: CommandContext,
  id: string | undefined,
  { json }: { json: boolean },
): Promise<void> {
  const all = publishedTables();
  const known = new Map(all.map((table) => [table.id, table]));
  const chosen = id === undefined ? all : [entry('published table', known, id)];
  if (json) {
    for (const table of chosen) for (const line of jsonLines(table, all)) context.out(line);
  } else if (id === undefined) {
    list(
      context,
      all.map((table) => {
        const notes = notesOf(table, contradictionsOf(table, all)).size;
        const marked = notes === 0 ? '' : `; ${counted(notes, 'contradiction')} marked`;
        return {
          id: table.id,
          lines: [`${table.table}: ${table.title}`, `${table.rows.length} rows${marked}`],
          source: `${table.paper}, ${table.place}`,
        };
      }),
    );
  } else {
    for (const table of chosen) show(context, table, all);
  }
}
