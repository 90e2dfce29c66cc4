import {
  type Contradiction,
  type PublishedTable,
  printed,
  publishedTables,
} from '../../benchmark/published/published-tables.ts';
import { counted, jsonLine } from '../../common/text.ts';
import { entry } from '../../judging/library.ts';
import type { CommandContext, JsonFlag, Terminal } from './command.ts';
import { hang, list, textTable, wrap } from './layout.ts';

function noteText({ columns }: PublishedTable, contradiction: Contradiction): string {
  const titles = columns.filter(({ id }) => contradiction.columns.includes(id)).map(({ title }) => title);
  return titles.length === 0 ? contradiction.text : `${titles.join(', ')}: ${contradiction.text}`;
}

/** What is said of a table, in the order of its numbers; the same words about several rows are one note. */
const notesOf = (table: PublishedTable): string[] => [
  ...new Set(table.contradictions.map((one) => noteText(table, one))),
];

function cellText(table: PublishedTable, row: number, column: number): string {
  const cell = table.rows[row]?.[column] ?? null;
  if (typeof cell === 'string') return cell;
  return cell === null ? '–' : printed(table, table.columns[column]?.id ?? '', cell);
}

function show({ screen, out }: Terminal, table: PublishedTable): void {
  const { bold, dim, yellow } = screen.colors;
  const { contradictions: found } = table;
  const notes = notesOf(table);
  const shown = table.columns.map(({ id, title, unit }, column) => ({
    title,
    align: unit === 'label' ? ('left' as const) : ('right' as const),
    cell: (row: number) => cellText(table, row, column),
    isDoubtful: (row: number) => found.some((one) => one.row === row && one.columns.includes(id)),
  }));
  const numbersOf = (row: number) =>
    new Set(found.filter((one) => one.row === row).map((one) => notes.indexOf(noteText(table, one)) + 1));
  // The notes go with the labels, so that they stand in every block of a wide table.
  const labels = table.columns.filter(({ unit }) => unit === 'label').length;
  const marks = {
    title: 'notes',
    align: 'left' as const,
    cell: (row: number) => [...numbersOf(row)].map((number) => `[${number}]`).join(' '),
    isDoubtful: () => false,
  };
  if (notes.length > 0) shown.splice(labels, 0, marks);
  const rows = table.rows.map((_, row) => shown.map(({ cell }) => cell(row)));
  out(bold(wrap(`${table.table}: ${table.title} (${table.id})`, screen.width)));
  out(dim(wrap(`from ${table.paper}, ${table.place}`, screen.width)));
  out('');
  const lines = textTable(screen, shown, rows, labels + (notes.length > 0 ? 1 : 0), (text, row, column) =>
    shown[column]?.isDoubtful(row) === true ? yellow(text) : text,
  );
  out(lines.join('\n'));
  out('');
  for (const { title, meaning, unit } of table.columns)
    out(
      dim(hang(`  ${title}: `, unit === 'label' ? meaning : `${meaning} (${unit})`, screen.width).join('\n')),
    );
  if (notes.length > 0) out(`\n${yellow('Where the paper contradicts itself:')}`);
  for (const [index, text] of notes.entries()) out(hang(`  [${index + 1}] `, text, screen.width).join('\n'));
}

function jsonLines(table: PublishedTable): string[] {
  return table.rows.map((cells, row) =>
    jsonLine({
      table: table.id,
      row: Object.fromEntries(table.columns.map(({ id }, column) => [id, cells[column] ?? null])),
      contradictions: table.contradictions
        .filter((one) => one.row === row)
        .map((one) => noteText(table, one)),
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
  { json }: JsonFlag,
): Promise<void> {
  const all = publishedTables;
  const known = new Map(all.map((table) => [table.id, table]));
  const chosen = id === undefined ? all : [entry('published table', known, id)];
  if (json) {
    for (const table of chosen) for (const line of jsonLines(table)) context.out(line);
  } else if (id === undefined) {
    list(
      context,
      all.map((table) => {
        const notes = notesOf(table).length;
        const marked = notes === 0 ? '' : `; ${counted(notes, 'contradiction')} marked`;
        return {
          id: table.id,
          lines: [`${table.table}: ${table.title}`, `${table.rows.length} rows${marked}`],
          source: `${table.paper}, ${table.place}`,
        };
      }),
    );
  } else {
    for (const table of chosen) show(context, table);
  }
}
