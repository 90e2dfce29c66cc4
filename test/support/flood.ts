import { spawn } from 'node:child_process';
import { once } from 'node:events';
import * as z from 'zod';

/** Some have sent nothing, some a part of their headers, some a part of their body. */
const FLOODING = `
const [port, count] = process.argv.slice(1).map(Number);
const beginnings = [
  '',
  'POST /slack/events HTTP/1.1\\r\\nhost: x\\r\\nx-slow: 1\\r\\n',
  'POST /slack/events HTTP/1.1\\r\\nhost: x\\r\\ncontent-type: application/json\\r\\ncontent-length: 100000\\r\\n\\r\\n{"a":"',
  'POST /api/messages HTTP/1.1\\r\\nhost: x\\r\\ntransfer-encoding: chunked\\r\\n\\r\\n5\\r\\nab',
];
const seen = { opened: 0, open: 0 };
for (let n = 0; n < count; n++) {
  const socket = require('node:net').connect(port, '127.0.0.1', () => {
    seen.opened++;
    seen.open++;
    socket.write(beginnings[n % beginnings.length]);
  });
  socket.on('error', () => {}).resume().on('close', () => seen.open--);
}
setInterval(() => console.log(JSON.stringify(seen)), 100);
`;

const Seen = z.strictObject({
  /** Connections that there have been, and that there are. */
  opened: z.int(),
  open: z.int(),
});
export type Seen = z.infer<typeof Seen>;

/** Opens connections from a process of its own that never send a whole request. */
export function startFlood(port: number, count: number): { seen: () => Seen; stop: () => Promise<void> } {
  const child = spawn(process.execPath, ['-e', FLOODING, String(port), String(count)]);
  let seen: Seen = { opened: 0, open: 0 };
  let text = '';
  child.stdout.on('data', (chunk) => {
    text += String(chunk);
    const lines = text.split('\n');
    text = lines.pop() ?? '';
    const last = lines.at(-1);
    if (last !== undefined) seen = Seen.parse(JSON.parse(last));
  });
  return {
    seen: () => seen,
    stop: async () => {
      const gone = once(child, 'exit');
      child.kill('SIGKILL');
      await gone;
    },
  };
}
