// Reads long pastes in a worker thread, one at a time, so that a read that takes too long can be terminated.
// `surfaces/service/paste-reader.ts` starts it from dist/.
import { parentPort, workerData } from 'node:worker_threads';
import * as z from 'zod';
import { parseInput } from './case/paste/index.ts';
import { loadCaseFormat } from './prompting/index.ts';

const Setup = z.object({ maxCaseChars: z.number(), promptFolders: z.tuple([z.string()], z.string()) });
const Task = z.object({ id: z.number(), text: z.string() });

const { maxCaseChars, promptFolders } = Setup.parse(workerData);
const options = { maxCaseChars, format: loadCaseFormat(promptFolders) };

parentPort?.on('message', (message: unknown) => {
  const { id, text } = Task.parse(message);
  parentPort?.postMessage({ id, items: parseInput(text, options) });
});
parentPort?.postMessage({ ready: true });
