import type { CaseFormat } from '../format/index.ts';
import { type Labeled, readLabel } from './line-starts.ts';
import { Tracked } from './tracked.ts';

/** A line of a paste. The label that it begins with is read once, when it is first asked for. */
export class Line {
  readonly from: Tracked;
  readonly #format: CaseFormat;
  #label: Labeled | null | undefined;

  constructor(from: Tracked, format: CaseFormat) {
    this.from = from;
    this.#format = format;
  }

  get text(): string {
    return this.from.text;
  }

  get label(): Labeled | null {
    if (this.#label === undefined) this.#label = readLabel(this.text, this.#format);
    return this.#label;
  }

  /** What stands behind the label; the whole line where it has none. */
  get value(): Tracked {
    const { label } = this;
    return label === null ? this.from : this.from.slice(label.at, label.at + label.value.length);
  }

  /** A part of the line, as a line. */
  slice(from: number, to?: number): Line {
    return from === 0 && (to ?? this.text.length) >= this.text.length
      ? this
      : new Line(this.from.slice(from, to), this.#format);
  }
}

export const linesOf = (text: Tracked, format: CaseFormat): Line[] =>
  text.lines().map((line) => new Line(line, format));

/** A line that is no part of the paste, such as a label before what only a picture marks. */
export const lineOf = (format: CaseFormat, ...parts: readonly (Tracked | string)[]): Line =>
  new Line(
    Tracked.join(parts.map((part) => (typeof part === 'string' ? Tracked.added(part) : part))),
    format,
  );

export const joined = (lines: readonly Line[]): Tracked =>
  Tracked.join(
    lines.map(({ from }) => from),
    '\n',
  );
