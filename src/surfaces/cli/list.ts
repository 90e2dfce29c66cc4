import wrapAnsi from 'wrap-ansi';
import type { Terminal } from './console.ts';
import { plainText } from './plain-text.ts';
import type { Screen } from './render-card.ts';

/** One thing of a list: its name, what it is, and where it comes from. */
export interface Listed {
  id: string;
  lines: string[];
  source: string;
}

/** Prints a list: names in one column, what each is wrapped beside it. */
export function list({ screen, out }: Terminal, items: readonly Listed[]): void {
  // Names of files and prompts of one's own come from outside.
  const plain = items.map(({ id, lines, source }) => ({
    id: oneLine(id),
    lines: lines.map(oneLine),
    source: oneLine(source),
  }));
  const indent = 2 + Math.max(...plain.map(({ id }) => id.length)) + 2;
  for (const { id, lines, source } of plain) {
    const texts = [...lines, ...(source === '' ? [] : [screen.colors.dim(`from ${source}`)])].flatMap(
      (text) => wrapped(screen, indent, text),
    );
    out(`  ${screen.colors.bold(id.padEnd(indent - 4))}  ${texts.join(`\n${' '.repeat(indent)}`)}`);
  }
}

const oneLine = (text: string): string => plainText(text).replaceAll('\n', ' ');

const wrapped = ({ width }: Screen, indent: number, text: string): string[] =>
  wrapAnsi(text, Math.max(30, width - indent)).split('\n');
