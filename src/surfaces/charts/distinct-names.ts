/**
 * Names of the lines of a chart, short enough for it; where two are the same once shortened they are numbered.
 *
 * @param shorten to so many characters at most
 */
export function distinctNames(
  names: readonly string[],
  most: number,
  shorten: (name: string, most: number) => string,
): string[] {
  const short = names.map((name) => shorten(name, most));
  return short.map((name, n) => {
    const isTwin = short.some((other, m) => m !== n && other === name);
    return isTwin ? `${shorten(names[n] ?? '', most - 3)} ${n + 1}` : name;
  });
}
