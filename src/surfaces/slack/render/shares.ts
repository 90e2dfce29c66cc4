/**
 * Divides room among texts: short ones get all that they need, the long ones share the rest evenly.
 *
 * @param lengths characters that each text has
 * @param room characters for all together
 * @returns characters that each may have, in the same order; their sum is at most `room`
 */
export function shares(lengths: readonly number[], room: number): number[] {
  const order = lengths.map((length, index) => ({ length, index })).sort((a, b) => a.length - b.length);
  const given = lengths.map(() => 0);
  let left = room;
  order.forEach(({ length, index }, done) => {
    const share = Math.min(length, Math.floor(left / (order.length - done)));
    given[index] = share;
    left -= share;
  });
  return given;
}
