import { isSameRequest } from './compare-exchanges.ts';
import { type Exchange, isWhole } from './exchanges.ts';
import type { TraceRecord } from './find-records.ts';
import type { RecordTree } from './record-tree.ts';

/** The exchanges of one trace, and which of them are the outermost. */
export interface Nesting {
  tree: RecordTree;
  exchanges: ReadonlyMap<TraceRecord, Exchange>;
  /** The outermost exchanges that say both what was asked and what was answered. */
  tops: readonly Exchange[];
}

/** The outermost record around one whose exchange says both what was asked and what was answered. */
const wholeAround = (
  record: TraceRecord,
  { tree, exchanges }: Omit<Nesting, 'tops'>,
): TraceRecord | undefined =>
  tree.around(record).findLast((above) => {
    const exchange = exchanges.get(above);
    return exchange !== undefined && isWhole(exchange);
  });

/** Finds the outermost of the exchanges of a trace. */
export function nestingOf(all: readonly Exchange[], tree: RecordTree): Nesting {
  const exchanges = new Map(all.map((exchange) => [exchange.record, exchange]));
  const tops = all.filter(
    (exchange) => isWhole(exchange) && wholeAround(exchange.record, { tree, exchanges }) === undefined,
  );
  return { tree, exchanges, tops };
}

export const isTop = (record: TraceRecord, { tops }: Nesting): boolean =>
  tops.some((top) => top.record === record);

export const isAroundTop = (record: TraceRecord, { tops, tree }: Nesting): boolean =>
  tops.some((top) => tree.around(top.record).includes(record));

export const isWithinWhole = (record: TraceRecord, nesting: Nesting): boolean =>
  wholeAround(record, nesting) !== undefined;

/** The outermost exchange that a record is inside of. */
export function topAround(record: TraceRecord, nesting: Nesting): Exchange | undefined {
  const around = wholeAround(record, nesting);
  return nesting.tops.find((top) => top.record === around);
}

/** The outermost exchange that an inner one is part of: the one around it, else one about the same request. */
export const topOfExchange = (exchange: Exchange, nesting: Nesting): Exchange | undefined =>
  topAround(exchange.record, nesting) ?? nesting.tops.find((top) => isSameRequest(top, exchange));

/** The outermost exchange that a call of a tool is part of: the one around it, else the one of its time. */
export const topOfTool = (tool: TraceRecord, nesting: Nesting): Exchange | undefined =>
  topAround(tool, nesting) ?? topAtTime(tool.time, nesting.tops) ?? nesting.tops.at(-1);

/** The first exchange that began before a time and ended after it, else the first one that began after it. */
function topAtTime(time: number | undefined, tops: readonly Exchange[]): Exchange | undefined {
  if (time === undefined) return undefined;
  return (
    tops.find(({ record }) => (record.time ?? Infinity) <= time && (record.end ?? -Infinity) >= time) ??
    tops.find(({ record }) => (record.time ?? -Infinity) >= time)
  );
}
