import { isAllowedModel } from '../labels/access/index.ts';
import type { ModelReading, NoReading } from '../reading/index.ts';
import type { CheckRun, SpotCheckParts } from './check-run.ts';
import { payersFor, type Requester } from './payers.ts';
import type { Reading } from './presenter.ts';

/** What asking the reader needs. */
type ReaderDesk = Pick<SpotCheckParts, 'store' | 'reader' | 'requireModel' | 'pseudonym' | 'timeoutMs'>;

/** Whether the reader may be asked in a conversation. */
async function mayRead(
  { store, requireModel }: ReaderDesk,
  channel: string,
  model: string,
): Promise<boolean> {
  if (!isAllowedModel(await store.channelSettings(channel), model)) return false;
  try {
    requireModel(model);
    return true;
  } catch {
    return false;
  }
}

/**
 * Has a model read a paste that plain reading refused, if one may read in the conversation.
 *
 * @param fresh bypasses the cache, which would keep what a chat erases
 * @throws JuryError `store-unavailable`
 */
export async function askReader(
  desk: ReaderDesk,
  requester: Requester & { isProgram: boolean },
  { text, signal, fresh }: { text: string; signal: AbortSignal; fresh: boolean },
): Promise<ModelReading | NoReading | null> {
  const { reader, timeoutMs } = desk;
  if (reader === null || !(await mayRead(desk, requester.channel, reader.model)) || signal.aborted)
    return null;
  const payers = payersFor(desk, requester, requester.isProgram);
  return reader.read({ text, payers, signal, deadlineAt: performance.now() + timeoutMs, fresh });
}

/** The reading as it was, with why a model could not read it either. */
function unreadBy(none: NoReading, reading: Reading): Reading {
  if (reading.kind === 'unreadable') return { ...reading, none };
  if (reading.kind !== 'items') return reading;
  return { ...reading, items: reading.items.map((item) => ('problem' in item ? { ...item, none } : item)) };
}

/** The text of a reading that plain reading refused, if it is all there is. */
function unreadIn(reading: Reading): string | undefined {
  if (reading.kind === 'unreadable') return reading.unread;
  if (reading.kind !== 'items') return undefined;
  const [item, ...more] = reading.items;
  return item !== undefined && more.length === 0 && 'problem' in item ? item.unread : undefined;
}

/**
 * Has a model read the paste of a check. What it read is to be stored with the request, so that it is asked once.
 *
 * @returns what it read as a single case, or the reading as it was, with why the model has none
 * @throws JuryError `store-unavailable`
 */
export async function readByModel(parts: SpotCheckParts, run: CheckRun, reading: Reading): Promise<Reading> {
  const { check, signal, surface } = run;
  const text = unreadIn(reading);
  if (parts.reader === null || text === undefined || check.input.kind !== 'message') return reading;
  const isProgram = surface.isProgram?.(check.requestedBy) === true;
  const read = await parts.queue.run(check.id, () =>
    askReader(parts, { ...check, isProgram }, { text, signal, fresh: true }),
  );
  if (read === null) return reading;
  if ('noReading' in read) return unreadBy(read, reading);
  return { ...(reading.kind === 'items' ? reading : { kind: 'items' as const }), items: [read] };
}
