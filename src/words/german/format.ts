/** `1.200`. */
export const grouped = (value: number): string =>
  String(Math.round(value)).replace(/\B(?=(?:\d{3})+$)/g, '.');

/** `1 Stimme`, `1.200 Stimmen`. */
export const counted = (count: number, one: string, many: string): string =>
  `${grouped(count)} ${count === 1 ? one : many}`;

/** At most two decimals: `2,5`. */
export const decimal = (value: number): string => String(Math.round(value * 100) / 100).replace('.', ',');

/** `Zeit, Ort und Kosten`. */
export const andList = (items: readonly string[]): string =>
  items.length < 2 ? items.join('') : `${items.slice(0, -1).join(', ')} und ${items.at(-1)}`;
