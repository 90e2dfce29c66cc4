import { createInterface } from 'node:readline';
import type { ShownPart } from '../../case/format/index.ts';
import type { EvalCase } from '../../case/index.ts';
import { onAbort } from '../../common/index.ts';
import { plainLine, plainText } from '../../common/text/index.ts';
import { shownCase } from '../../studies/index.ts';
import { hang, padded, type Terminal, widthOf } from '../terminal/index.ts';

/** Reads standard input line by line. The terminal's own line editing stays, and Ctrl-C stays a signal. */
export function openAnswerLines({ input }: Terminal, stop: AbortSignal) {
  const stdin = input();
  const reading = createInterface({ input: stdin, terminal: false, crlfDelay: Number.POSITIVE_INFINITY });
  const lines = reading[Symbol.asyncIterator]();
  const close = () => reading.close();
  const forget = onAbort(stop, close);
  return {
    /** Whether a person types the lines; otherwise they come through a pipe. */
    typed: stdin.isTTY === true,
    /** The next line without its line break; null at the end of the input, or once stopped. */
    next: async (): Promise<string | null> => {
      const { done, value } = await lines.next();
      return done === true || stop.aborted ? null : value;
    },
    close: () => {
      forget();
      close();
      stdin.destroy();
    },
  };
}

/** Wider names are put above their text. */
const WIDEST_TITLE = 20;

function partLines({ title, text }: ShownPart, titles: number, width: number): string[] {
  const name = plainLine(title);
  const isOwn = widthOf(name) > titles;
  const head = `  ${padded(isOwn ? '' : name, titles)}  `;
  const lines = hang(head, plainText(text), width, { hard: true, keepSpaces: true });
  return [...(isOwn ? [`  ${name}`] : []), ...lines.map((line) => line.trimEnd())];
}

/** A whole case, as people read it in a terminal before they say what is right. */
export function caseText(evalCase: EvalCase, width: number): string {
  const sections = shownCase(evalCase);
  const widths = sections.flatMap(({ parts }) => parts.map(({ title }) => widthOf(plainText(title))));
  const titles = Math.max(0, ...widths.filter((one) => one <= WIDEST_TITLE));
  return sections
    .map(({ title, parts }) =>
      [title.toUpperCase(), ...parts.flatMap((part) => partLines(part, titles, width))].join('\n'),
    )
    .join('\n\n');
}
