import type { CaseFormat } from '../format/index.ts';
import { type Labeled, readLabel } from './line-labels.ts';
import { Tracked } from './tracked-text.ts';

/** A line of a paste. Its label is read once, on first access. */
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

  /** The text after the label; the whole line if it has no label. */
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

/** Makes a line from parts of the paste and added text, such as a label where the paste has only an icon. */
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
