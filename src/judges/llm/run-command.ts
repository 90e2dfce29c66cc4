import { spawn } from 'node:child_process';
import { messageOf } from '../../common/errors.ts';
import { startCallTimer } from './call-timer.ts';
import { redact } from './chat-failure.ts';
import { maxReplyBytes } from './http.ts';
import { stopped, type Unanswered } from './send-with-retry.ts';

/** Characters of standard error that are kept for a message. */
const MAX_COMPLAINT = 10_000;

/**
 * Runs a command to its end and reads what it prints. Ctrl-C does not reach it; at its time limit it is killed with all that it started.
 *
 * @param run a line for the shell, or a program and its arguments
 * @param input what it reads on standard input
 */
export async function runCommand(
  run: string | readonly string[],
  input: string,
  { limitMs, signal }: { limitMs: number; signal: AbortSignal },
): Promise<{ text: string; latencyMs: number } | Unanswered> {
  const [program = '', ...words] = typeof run === 'string' ? [run] : run;
  const timer = startCallTimer(signal, limitMs);
  timer.start();
  const error = (message: string): Unanswered => ({ reason: 'error', message });
  const child = spawn(program, words, { shell: typeof run === 'string', detached: true });
  const ended = new Promise<string | null>((resolve) => {
    child.on('error', (thrown) => resolve(`cannot be started: ${messageOf(thrown)}`));
    child.on('close', (code, by) =>
      resolve(code === 0 ? null : by === null ? `ended with exit code ${code}` : `was ended by ${by}`),
    );
  });
  const { pid } = child;
  if (pid === undefined) {
    // It has no streams where files cannot be opened.
    timer.close();
    return error(`the command ${await ended}`);
  }
  const kill = () => {
    // A process that left the group may hold them open.
    child.stdout.destroy();
    child.stderr.destroy();
    try {
      process.kill(-pid, 'SIGKILL');
    } catch {
      // It has just ended.
    }
  };
  timer.signal.addEventListener('abort', kill, { once: true });
  const printed: Buffer[] = [];
  let size = 0;
  let complaint = '';
  child.stdout.on('data', (chunk: Buffer) => {
    size += chunk.length;
    if (size > maxReplyBytes) kill();
    else printed.push(chunk);
  });
  child.stderr.on('data', (chunk: Buffer) => {
    if (complaint.length < MAX_COMPLAINT) complaint += chunk.toString();
  });
  // It may end without having read its input.
  child.stdin.on('error', () => {});
  child.stdin.end(input);
  const end = await ended;
  const latencyMs = timer.elapsedMs();
  timer.close();
  if (timer.signal.aborted) return stopped('the command', { timer, limitMs });
  if (size > maxReplyBytes) return error(`the command printed more than ${maxReplyBytes / 1024 / 1024} MB`);
  if (end === null) return { text: Buffer.concat(printed).toString().trimEnd(), latencyMs };
  const why = redact(complaint, null);
  return error(`the command ${end}${why === '' ? '' : `: ${why}`}`);
}
