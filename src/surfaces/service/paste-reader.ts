import { Worker } from 'node:worker_threads';
import * as z from 'zod';
import {
  type Parsed,
  type PasteOptions,
  parseInput,
  type ReadPaste,
  refused,
} from '../../case/paste/index.ts';
import type { Redactor } from '../../case/redact/index.ts';
import { createFairQueue } from '../../requests/index.ts';

/** Texts longer than this many characters are read in a thread; for shorter ones, a thread costs more than it saves. */
const LONG = 1_000;
/** How long one text may take. The slowest of 500 kinds of text with 32,000 characters takes a second of processor time. */
const DEADLINE_MS = 10_000;
/** The most long texts that one person may have waiting. */
const MOST_WAITING = 50;

const TOO_SLOW =
  'Reading this takes too long: shorten it to the turns that matter, or give a JSON case (docs/cases.md).';
const TOO_MUCH = `You have sent more than ${MOST_WAITING} long texts at once: wait for their answers, then send this one again.`;
const NOT_READ = 'This could not be read: shorten it, or give a JSON case (docs/cases.md).';

/** The worker's messages: it is ready, or it has read a text. Its items are not checked, since the same code makes them here. */
const Said = z.union([
  z.object({ ready: z.literal(true) }),
  z.object({ id: z.number(), items: z.custom<Parsed[]>(Array.isArray) }),
]);

/** A thread that reads one text at a time. */
interface Reader {
  /** Whether it can still read texts. */
  works: () => boolean;
  read: (text: string) => Promise<Parsed[]>;
  end: () => Promise<unknown>;
}

/** Starts a thread. If it fails or takes too long, it ends and its text is refused. */
function startReader(script: URL, setup: object, deadlineMs: number): Reader {
  const worker = new Worker(script, {
    workerData: setup,
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: 512 },
  });
  // It must not keep the process alive.
  worker.unref();
  let works = true;
  let count = 0;
  let answer: (items: Parsed[] | null) => void = () => {};
  const ready = new Promise<void>((resolve) => {
    const end = () => {
      works = false;
      resolve();
      answer(null);
    };
    worker.on('error', end);
    worker.on('exit', end);
    worker.on('message', (message: unknown) => {
      const reply = Said.parse(message);
      if ('ready' in reply) resolve();
      else if (reply.id === count) answer(reply.items);
    });
  });
  return {
    works: () => works,
    read: async (text) => {
      // The deadline does not include the thread's start.
      await ready;
      if (!works) return [refused(NOT_READ)];
      count += 1;
      let timer: NodeJS.Timeout | undefined;
      const items = await new Promise<Parsed[] | null | 'late'>((resolve) => {
        answer = resolve;
        timer = setTimeout(() => resolve('late'), deadlineMs);
        worker.postMessage({ id: count, text });
      });
      clearTimeout(timer);
      if (items !== 'late') return items ?? [refused(NOT_READ)];
      works = false;
      await worker.terminate();
      return [refused(TOO_SLOW)];
    },
    end: () => worker.terminate(),
  };
}

export interface PasteReaderOptions extends PasteOptions {
  /** The built `paste-worker.ts`. */
  script: URL;
  promptFolders: readonly string[];
  deadlineMs?: number;
  /** Redacts texts before they are stored. */
  redactor: Redactor;
}

/**
 * Reads pastes for a service: short ones at once, long ones in a separate thread, one at a time, in turn by sender. The thread
 * starts with the first long paste and stays.
 */
export function createPasteReader({
  script,
  promptFolders,
  deadlineMs = DEADLINE_MS,
  redactor,
  ...options
}: PasteReaderOptions) {
  const queue = createFairQueue(1);
  const waiting = new Map<string, number>();
  let reader: Reader | null = null;

  async function readLong(text: string): Promise<Parsed[]> {
    if (reader?.works() !== true)
      reader = startReader(script, { maxCaseChars: options.maxCaseChars, promptFolders }, deadlineMs);
    return reader.read(text);
  }

  const readAs: ReadPaste = async (text, who) => {
    if (text.length <= LONG) return parseInput(text, options);
    const waitingNow = (waiting.get(who) ?? 0) + 1;
    if (waitingNow > MOST_WAITING) return [refused(TOO_MUCH)];
    waiting.set(who, waitingNow);
    try {
      return await queue.run(who, () => readLong(text));
    } finally {
      const left = (waiting.get(who) ?? 1) - 1;
      if (left === 0) waiting.delete(who);
      else waiting.set(who, left);
    }
  };

  /** Reads a text. A single case comes with its redacted text, which is parsed again, because redaction moves its parts. */
  const read: ReadPaste = async (text, who) => {
    const items = await readAs(text, who);
    const [item, ...others] = items;
    if (item === undefined || others.length > 0 || 'problem' in item) return items;
    const kept = redactor.text(text);
    const [shown, ...more] = kept === text ? items : await readAs(kept, who);
    if (shown === undefined || more.length > 0 || 'problem' in shown) return items;
    // The redactor finds some things only in fields, such as exact positions; they would stay in the text.
    if (redactor.case(shown.case) !== shown.case) return items;
    return [{ ...item, received: { text: kept, spans: shown.spans } }];
  };

  return {
    read,
    /** Ends the thread, even while it reads. */
    close: async (): Promise<void> => {
      await reader?.end();
    },
  };
}
