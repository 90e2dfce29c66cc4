/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
// Makes a report fit on paper, where nothing scrolls or opens: wide tables are split into blocks of columns, and what is folded is opened. The
// matrix prints itself (`printed-cases.tsx`).

/** Pixels of text on a landscape page of A4 or Letter, less some room for other fonts. */
const PAGE = 900;
/** How much smaller tables are on paper. */
const SCALE = 0.78;

/** The columns of a table in blocks that fit a page, each without the first column, which every block repeats. */
function blocksOf(widths: readonly number[]): number[][] {
  const [first = 0, ...others] = widths.map((width) => width * SCALE);
  const blocks: number[][] = [];
  let room = 0;
  for (const [at, width] of others.entries()) {
    const last = blocks.at(-1);
    if (last === undefined || width > room) {
      blocks.push([at + 1]);
      room = PAGE - first - width;
    } else {
      last.push(at + 1);
      room -= width;
    }
  }
  return blocks;
}

/** Puts the blocks of a wide table after it, for paper only. Returns them. */
function splitTable(table: HTMLTableElement): HTMLTableElement[] {
  const [head] = table.rows;
  const blocks = blocksOf([...(head?.cells ?? [])].map(({ offsetWidth }) => offsetWidth));
  if (blocks.length < 2) return [];
  const parts = blocks.map((block) => {
    const part = document.createElement('table');
    part.className = table.className;
    for (const section of [table.tHead, ...table.tBodies]) {
      if (section === null) continue;
      const rows = part.appendChild(document.createElement(section.tagName));
      for (const row of section.rows) {
        const copy = rows.appendChild(document.createElement('tr'));
        for (const at of [0, ...block]) {
          const cell = row.cells[at];
          if (cell !== undefined) copy.append(cell.cloneNode(true));
        }
      }
    }
    return part;
  });
  table.after(...parts);
  table.classList.add('screen');
  return parts;
}

/** Changes the page before it is printed, and back afterwards. */
export function preparePrinting(report: Element): void {
  let undo: (() => void)[] = [];
  addEventListener('beforeprint', () => {
    for (const folded of report.querySelectorAll<HTMLDetailsElement>('details:not([open])')) {
      folded.open = true;
      undo.push(() => {
        folded.open = false;
      });
    }
    for (const table of report.querySelectorAll<HTMLTableElement>('.scroll > table:not(.cases)')) {
      const parts = splitTable(table);
      undo.push(() => {
        for (const part of parts) part.remove();
        table.classList.remove('screen');
      });
    }
  });
  addEventListener('afterprint', () => {
    for (const back of undo) back();
    undo = [];
  });
}
