import { JuryError } from '../../common/index.ts';
import { jsonLine } from '../../common/text/index.ts';
import { poolPanels, poolTable } from '../../reports/index.ts';
import type { CommandContext } from '../terminal/index.ts';
import { tableLines } from './bench-report.ts';
import { type GateFlags, readWishes } from './gate.ts';

interface PoolFlags extends Pick<GateFlags, 'clusterBy'> {
  /** `all`, or the judges of one panel. */
  panels?: readonly string[];
  upTo: number;
  json: boolean;
}

/** Rows that a terminal shows. */
const MOST_ROWS = 20;

/** `jury bench pool`: panels of the judges of a run, without a call. */
export async function pool(
  context: CommandContext,
  name: string,
  { panels = ['all'], upTo, json, ...flags }: PoolFlags,
): Promise<void> {
  if (panels.length === 1 && panels[0] !== 'all')
    throw new JuryError('usage', `--panels ${panels[0]}: write all, or two or more judges such as a,b,c.`);
  const wanted = panels.length === 1 ? null : panels;
  const pooled = await poolPanels(await context.runs(), name, { ...readWishes(flags), wanted, upTo });
  if (json) context.out(jsonLine(pooled));
  else
    for (const line of tableLines(context.screen, poolTable(pooled, MOST_ROWS)).slice(1)) context.out(line);
}
