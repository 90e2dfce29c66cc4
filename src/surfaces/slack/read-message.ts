import { basename, extname } from 'node:path';
import type { CaseFormat } from '../../case/case-format.ts';
import { decodeInput, type Parsed, parseInput } from '../../case/paste/parse-input.ts';
import { JuryError } from '../../common/errors.ts';
import type { Reading } from '../../requests/presenter.ts';
import type { SpotCheck, SpotCheckInput } from '../../requests/spot-check.ts';
import type { SlackClients } from './clients.ts';
import { type Download, downloadFile } from './download-file.ts';
import { inputOf } from './message-payload.ts';
import { messagesAbove } from './read-thread.ts';

type MessageInput = Extract<SpotCheckInput, { kind: 'message' }>;

export interface ReaderParts {
  clients: SlackClients;
  download: Download;
  maxCaseChars: number;
  /** What a case may look like. */
  format: CaseFormat;
  /** The app's own user id. */
  self: string;
}

const READABLE = /\.(?:txt|json|jsonl|ndjson|md|log|yaml|yml)$/i;
const MAX_FILES = 10;

/** Whether a text means to be a case, be it an incomplete one, and not only a request to judge what stands above. */
const looksLikePaste = (text: string): boolean =>
  /^[[{]/.test(text) ||
  text.includes('```') ||
  /^[>\s*_]{0,5}(?:user|system|assistant|bot|agent|customer|human|ai|response|answer|driver|car)\b[^\n:]{0,20}:/im.test(
    text,
  );

const isShort = (text: string): boolean => text.length <= 80 && !text.includes('\n');

const hasCase = (items: readonly Parsed[]): boolean => items.some((item) => 'case' in item);

function named(parsed: Parsed, file: string, index: number, count: number): Parsed {
  if ('problem' in parsed) return { ...parsed, problem: `${file}: ${parsed.problem}` };
  if (parsed.case.id !== undefined) return parsed;
  const name = basename(file, extname(file)).slice(0, 150);
  return { ...parsed, case: { id: count === 1 ? name : `${name}-${index + 1}`, ...parsed.case } };
}

async function readFile(
  file: MessageInput['files'][number],
  { clients, download, maxCaseChars, format }: ReaderParts,
  signal: AbortSignal,
): Promise<Parsed[]> {
  const unread = (why: string): Parsed[] => [
    { problem: `${file.name} was not read: ${why}.`, missing: [], understood: {} },
  ];
  if (!READABLE.test(file.name)) return unread('it is no .txt, .json or .jsonl file');
  try {
    const decoded = decodeInput(await downloadFile(file, clients.now, download, signal));
    if ('problem' in decoded) return unread(decoded.problem.replace(/\.$/, ''));
    const items = parseInput(decoded.text, { maxCaseChars, format });
    return items.map((item, index) => named(item, file.name, index, items.length));
  } catch (thrown) {
    if (thrown instanceof JuryError && thrown.code === 'bad-input') return unread(thrown.message);
    throw thrown;
  }
}

/** The cases of one message: of its files, and of its text where that holds any. */
async function readOne(input: MessageInput, parts: ReaderParts, signal: AbortSignal): Promise<Parsed[]> {
  const own = input.text === '' ? [] : parseInput(input.text, parts);
  if (input.files.length === 0) return own;
  if (input.files.length > MAX_FILES)
    return [
      {
        problem: `There are ${input.files.length} files; one request takes ${MAX_FILES}. Nothing was judged.`,
        missing: [],
        understood: {},
      },
    ];
  const items: Parsed[] = hasCase(own) ? own : [];
  for (const file of input.files) items.push(...(await readFile(file, parts, signal)));
  return items;
}

/** The thread's first message, else the nearest one above that holds a case; else what was wrong with the first. */
async function readAbove(
  check: SpotCheck,
  input: MessageInput,
  thread: string,
  parts: ReaderParts,
  signal: AbortSignal,
): Promise<Parsed[]> {
  const above = await messagesAbove(parts.clients.now, check.channel, thread, input.message, parts.self);
  const [first, ...later] = above;
  if (first === undefined) return [];
  const root = await readOne(inputOf(first, parts.self), parts, signal);
  if (hasCase(root)) return root;
  for (const message of later.reverse()) {
    const items = await readOne(inputOf(message, parts.self), parts, signal);
    if (hasCase(items)) return items;
  }
  return root;
}

/** Reads what somebody asked to judge. A message without a paste in a thread means what stands above it. */
export async function readMessage(
  check: SpotCheck,
  parts: ReaderParts,
  signal: AbortSignal,
): Promise<Reading> {
  const { input } = check;
  if (input.kind === 'cases') return { kind: 'nothing' };
  const own = await readOne(input, parts, signal);
  const isPaste = hasCase(own) || input.files.length > 0 || looksLikePaste(input.text);
  // In a direct message people also just talk; only a mention elsewhere means what stands above it.
  const isTalk = check.channel.startsWith('D');
  if (!isPaste && !isTalk && check.thread !== null && check.thread !== input.message) {
    const above = await readAbove(check, input, check.thread, parts, signal);
    if (above.length > 0) return { kind: 'items', items: above };
  }
  if (!isPaste && isShort(input.text)) return { kind: 'nothing' };
  return { kind: 'items', items: own };
}
