import stringWidth from 'string-width';
import wrapAnsi from 'wrap-ansi';
import type { EvalCase } from '../../case/case.ts';
import { type ShownPart, shownCase } from '../../studies/annotation.ts';
import { plainText } from './plain-text.ts';

/** Names wider than this stand above their text. */
const WIDEST_TITLE = 20;

function partLines({ title, text }: ShownPart, titles: number, width: number): string[] {
  const name = plainText(title).replaceAll('\n', ' ');
  const room = Math.max(20, width - titles - 4);
  const lines = wrapAnsi(plainText(text), room, { hard: true, trim: false }).split('\n');
  const isOwn = stringWidth(name) > titles;
  const first = isOwn ? [`  ${name}`] : [];
  return [
    ...first,
    ...lines.map((line, index) => {
      const label =
        index === 0 && !isOwn ? name + ' '.repeat(titles - stringWidth(name)) : ' '.repeat(titles);
      return `  ${label}  ${line}`.trimEnd();
    }),
  ];
}

/** A case as an annotator reads it in a terminal, whole. */
export function caseText(evalCase: EvalCase, width: number): string {
  const { user, system } = shownCase(evalCase);
  const widths = [...user, ...system].map(({ title }) => stringWidth(plainText(title)));
  const titles = Math.max(0, ...widths.filter((one) => one <= WIDEST_TITLE));
  const lines = (parts: readonly ShownPart[]) => parts.flatMap((part) => partLines(part, titles, width));
  return ['USER', ...lines(user), '', 'SYSTEM', ...lines(system)].join('\n');
}
