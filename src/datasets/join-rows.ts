import type { CaseFormat } from '../case/format/index.ts';
import type { EvalCase, Turn } from '../case/index.ts';
import { roleOf, wordOf } from '../case/paste/index.ts';
import columnNames from './column-names.json' with { type: 'json' };
import type { ColumnMapping } from './map-columns.ts';
import type { Table, TableRow } from './read-table.ts';

/** Names of columns that identify a row's conversation. */
const CONVERSATIONS: readonly string[] = columnNames.paths['tags.group'];
/** Names of columns with turn numbers. */
const PLACES: readonly string[] = columnNames.places;

/** The column that identifies conversations, if the table has one that isn't mapped to something else. */
export const conversationColumn = (
  columns: readonly string[],
  wanted: ReadonlyMap<string, string>,
  { words }: CaseFormat,
): string | undefined =>
  columns.find((column) => CONVERSATIONS.includes(wordOf(column, words)) && !wanted.has(column));

type Cells = ReadonlyMap<string, unknown>;
const textIn = (cells: Cells, column: string): string => String(cells.get(column) ?? '').trim();

/** A conversation's rows, sorted by turn number if all have one. */
function inOrder(rows: readonly Cells[], place: string | undefined): readonly Cells[] {
  const numberOf = (cells: Cells) =>
    place === undefined ? Number.NaN : Number(textIn(cells, place) || Number.NaN);
  return rows.some((cells) => Number.isNaN(numberOf(cells)))
    ? rows
    : [...rows].sort((a, b) => numberOf(a) - numberOf(b));
}

/**
 * Joins a table with one row per turn (columns for the conversation, speaker and text) into one row per conversation. The turns become a list
 * in the column `conversation`; other cells come from the last turn. Any other table is returned unchanged.
 * @param wanted requested paths by column
 * @returns the table, and what happened to the columns it no longer has
 */
export function joinTurns(
  table: Table,
  wanted: ReadonlyMap<string, string>,
  format: CaseFormat,
): { table: Table; mapping: ColumnMapping[] } {
  const { columns, rows } = table;
  const { keys } = format.words;
  const free = columns.filter((column) => !wanted.has(column));
  const among = (names: readonly string[]) =>
    free.find(
      (column) => names.includes(wordOf(column, format.words)) || names.includes(column.toLowerCase()),
    );
  const [id, speaker, text] = [
    conversationColumn(columns, wanted, format),
    among(keys.speaker),
    among(keys.text),
  ];
  const isTaken =
    columns.some((column) => column.toLowerCase() === 'conversation') ||
    [...wanted.values()].includes('conversation');
  if (id === undefined || speaker === undefined || text === undefined || speaker === text || isTaken)
    return { table, mapping: [] };
  const place = among(PLACES);
  const groups = new Map<string, { where: string; rows: Cells[] }>();
  const others: TableRow[] = [];
  for (const row of rows) {
    if ('problem' in row || textIn(row.cells, id) === '') others.push(row);
    else {
      const name = textIn(row.cells, id);
      const group = groups.get(name) ?? { where: row.where, rows: [] };
      group.rows.push(row.cells);
      groups.set(name, group);
    }
  }
  const inside = [speaker, text, ...(place === undefined ? [] : [place])];
  const joined = [...groups.values()].map(({ where, rows: groupRows }): TableRow => {
    const turns = inOrder(groupRows, place);
    const conversation = turns.map((cells) => ({ role: cells.get(speaker), text: textIn(cells, text) }));
    const last =
      turns.findLast((cells) => roleOf(cells.get(speaker), format)?.role === 'system') ?? turns.at(-1);
    const rest = [...(last ?? new Map<string, unknown>())].filter(([column]) => !inside.includes(column));
    return { where, cells: new Map([...rest, ['conversation', conversation]]) };
  });
  const why = `rows are turns, joined by ${id}`;
  return {
    table: {
      ...table,
      columns: [...columns.filter((column) => !inside.includes(column)), 'conversation'],
      rows: [...joined, ...others],
    },
    mapping: inside.map((column) => ({ column, path: 'conversation', why })),
  };
}

const isSame = (one: Turn | undefined, other: Turn | undefined): boolean =>
  one !== undefined && one.role === other?.role && one.text === other.text;

/** Prepends the earlier turns of a conversation to each exchange. A row that already contains them is left unchanged. */
export function createContinuation() {
  const turnsSoFar = new Map<string, Turn[]>();
  return (evalCase: EvalCase, conversation: string): { evalCase: EvalCase; isJoined: boolean } => {
    const before = turnsSoFar.get(conversation) ?? [];
    const isOwn = before.length > 0 && isSame(before[0], evalCase.conversation[0]);
    const turns = isOwn ? evalCase.conversation : [...before, ...evalCase.conversation];
    turnsSoFar.set(conversation, [...turns, { role: 'system', text: evalCase.response }]);
    return {
      evalCase: { ...evalCase, conversation: turns },
      isJoined: turns !== evalCase.conversation && before.length > 0,
    };
  };
}
