/** The rows of a CSV file by the names of its columns; a cell may be quoted. */
export function rowsOfCsv(text: string): Record<string, string>[] {
  const cellsOf = (line: string): string[] =>
    [...`,${line}`.matchAll(/,(?:"((?:[^"]|"")*)"|([^,"]*))/g)].map(
      ([, quoted, bare]) => quoted?.replaceAll('""', '"') ?? bare ?? '',
    );
  const [heads = '', ...lines] = text.trimEnd().split('\r\n');
  const names = cellsOf(heads);
  return lines.map((line) => {
    const cells = cellsOf(line);
    return Object.fromEntries(names.map((name, at) => [name, cells[at] ?? '']));
  });
}
