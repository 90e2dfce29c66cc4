/** From where to where, in UTF-16 units of the text as received. */
export type Range = readonly [from: number, to: number];

/** Where each unit of a text is from; -1 for what stood nowhere. */
interface Origins {
  from: Int32Array;
  to: Int32Array;
}

/**
 * A text that knows where in the text as received each of its characters stood. What reads a paste cuts it, joins it and replaces parts of it;
 * through all of that it can still be said which characters of the paste a turn or a value is.
 */
export class Tracked {
  readonly text: string;
  /** Where the first character is from, where all of them follow each other; -1 where the text stood nowhere. */
  readonly #start: number;
  readonly #origins: Origins | null;

  private constructor(text: string, start: number, origins: Origins | null) {
    this.text = text;
    this.#start = start;
    this.#origins = origins;
  }

  /** A text as received, or a part of it that begins at an offset. */
  static received = (text: string, start = 0): Tracked => new Tracked(text, start, null);

  /** A text that stands nowhere in what was received, such as a label that is put before a turn. */
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
   * The text with each match of a global pattern replaced.
   *
   * @param by what stands instead: a text, all of which stands for the whole match, or the part of the match that is kept
   */
  replace(pattern: RegExp, by: (match: RegExpExecArray) => string | Range): Tracked {
    const parts: Tracked[] = [];
    let at = 0;
    for (const match of this.text.matchAll(pattern)) {
      const end = match.index + match[0].length;
      const instead = by(match);
      parts.push(this.slice(at, match.index));
      if (typeof instead === 'string') parts.push(this.#standingFor(instead, match.index, end));
      else parts.push(this.slice(match.index + instead[0], match.index + instead[1]));
      at = end;
    }
    return at === 0 && parts.length === 0 ? this : Tracked.join([...parts, this.slice(at)]);
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

  /** Where in the text as received the characters before an offset end; 0 where none of them stood there. */
  end(at: number): number {
    if (this.#origins === null) return this.#start < 0 ? 0 : this.#start + at;
    let index = Math.min(at, this.text.length) - 1;
    while (index > 0 && this.#origins.to[index] === -1) index -= 1;
    return Math.max(0, this.#origins.to[index] ?? 0);
  }

  /** The lines, without their ends. */
  lines(): Tracked[] {
    const lines: Tracked[] = [];
    let at = 0;
    for (const line of this.text.split('\n')) {
      lines.push(this.slice(at, at + line.length));
      at += line.length + 1;
    }
    return lines;
  }

  /** Where the text stood, in its order; characters that follow each other are one range. */
  ranges(): Range[] {
    if (this.text === '') return [];
    if (this.#origins === null) return this.#start < 0 ? [] : [[this.#start, this.#start + this.text.length]];
    const { from, to } = this.#origins;
    const found: [number, number][] = [];
    for (let index = 0; index < from.length; index += 1) {
      const [first = -1, end = -1] = [from[index], to[index]];
      const last = found.at(-1);
      if (first < 0) continue;
      if (last && first >= last[0] && first <= last[1]) last[1] = Math.max(last[1], end);
      else found.push([first, end]);
    }
    return found;
  }
}
