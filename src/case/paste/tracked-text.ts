/** Start (inclusive) and end (exclusive), in UTF-16 units of the text as received. */
export type Range = readonly [from: number, to: number];

/** The original range of each UTF-16 unit of a text; -1 if it was added. */
interface Origins {
  from: Int32Array;
  to: Int32Array;
}

/**
 * A text that knows the original position of each of its characters in the text as received. It can be cut, joined and
 * edited, and still tell which characters of the paste a turn or a value came from.
 */
export class Tracked {
  readonly text: string;
  /** The original position of the first character if `#origins` is null, which means an unbroken range; -1 if added. */
  readonly #start: number;
  readonly #origins: Origins | null;

  private constructor(text: string, start: number, origins: Origins | null) {
    this.text = text;
    this.#start = start;
    this.#origins = origins;
  }

  /** A text as received, or the part of it that begins at `start`. */
  static received = (text: string, start = 0): Tracked => new Tracked(text, start, null);

  /** A text that was not received, such as a label added before a turn. */
  static added = (text: string): Tracked => new Tracked(text, -1, null);

  static join(parts: readonly Tracked[], between = ''): Tracked {
    const [only, ...more] = parts;
    if (only && more.length === 0) return only;
    const text = parts.map((part) => part.text).join(between);
    const origins = { from: new Int32Array(text.length).fill(-1), to: new Int32Array(text.length).fill(-1) };
    let at = 0;
    for (const part of parts) {
      part.#copyTo(origins, at);
      at += part.text.length + between.length;
    }
    return new Tracked(text, -1, origins);
  }

  #copyTo({ from, to }: Origins, at: number): void {
    if (this.#origins) {
      from.set(this.#origins.from, at);
      to.set(this.#origins.to, at);
    } else if (this.#start >= 0)
      for (let index = 0; index < this.text.length; index += 1) {
        from[at + index] = this.#start + index;
        to[at + index] = this.#start + index + 1;
      }
  }

  slice(from: number, to = this.text.length): Tracked {
    if (from === 0 && to >= this.text.length) return this;
    const text = this.text.slice(from, to);
    const end = from + text.length;
    if (this.#origins === null) return new Tracked(text, this.#start < 0 ? -1 : this.#start + from, null);
    const origins = {
      from: this.#origins.from.subarray(from, end),
      to: this.#origins.to.subarray(from, end),
    };
    return new Tracked(text, -1, origins);
  }

  trim(): Tracked {
    const from = this.text.length - this.text.trimStart().length;
    return this.slice(from, Math.max(from, this.text.trimEnd().length));
  }

  trimEnd(): Tracked {
    return this.slice(0, this.text.trimEnd().length);
  }

  /**
   * Replaces each match of a global pattern.
   * @param by returns a text, each character of which then stands for the whole match, or the range of the match to keep
   */
  replace(pattern: RegExp, by: (match: RegExpExecArray) => string | Range): Tracked {
    const matches = [...this.text.matchAll(pattern)];
    return this.replaceAt(
      matches.map((match) => {
        const instead = by(match);
        const kept: string | Range =
          typeof instead === 'string' ? instead : [match.index + instead[0], match.index + instead[1]];
        return { from: match.index, to: match.index + match[0].length, by: kept };
      }),
    );
  }

  /**
   * Replaces parts of the text, given in order.
   * @param places `by`: a text, each character of which then stands for the whole part, or the range to keep
   */
  replaceAt(places: readonly { from: number; to: number; by: string | Range }[]): Tracked {
    if (places.length === 0) return this;
    const parts: Tracked[] = [];
    let at = 0;
    for (const { from, to, by } of places) {
      parts.push(this.slice(at, from));
      parts.push(typeof by === 'string' ? this.#standingFor(by, from, to) : this.slice(...by));
      at = to;
    }
    return Tracked.join([...parts, this.slice(at)]);
  }

  #standingFor(text: string, from: number, to: number): Tracked {
    const [[first] = [-1], last = [-1, -1]] = [
      this.slice(from, to).ranges()[0],
      this.slice(from, to).ranges().at(-1),
    ];
    const { length } = text;
    const origins = { from: new Int32Array(length).fill(first), to: new Int32Array(length).fill(last[1]) };
    return new Tracked(text, -1, origins);
  }

  /** The original end position of the text before `at`; 0 if all of it was added. */
  end(at: number): number {
    if (this.#origins === null) return this.#start < 0 ? 0 : this.#start + at;
    let index = Math.min(at, this.text.length) - 1;
    while (index > 0 && this.#origins.to[index] === -1) index -= 1;
    return Math.max(0, this.#origins.to[index] ?? 0);
  }

  /** The lines, without line breaks. */
  lines(): Tracked[] {
    const lines: Tracked[] = [];
    let at = 0;
    for (const line of this.text.split('\n')) {
      lines.push(this.slice(at, at + line.length));
      at += line.length + 1;
    }
    return lines;
  }

  /** The original ranges of the text, in its order; adjacent ones are merged. */
  ranges(): Range[] {
    if (this.text === '') return [];
    if (this.#origins === null) return this.#start < 0 ? [] : [[this.#start, this.#start + this.text.length]];
    const { from, to } = this.#origins;
    const ranges: [number, number][] = [];
    for (let index = 0; index < from.length; index += 1) {
      const [first = -1, end = -1] = [from[index], to[index]];
      const last = ranges.at(-1);
      if (first < 0) continue;
      if (last && first >= last[0] && first <= last[1]) last[1] = Math.max(last[1], end);
      else ranges.push([first, end]);
    }
    return ranges;
  }
}
