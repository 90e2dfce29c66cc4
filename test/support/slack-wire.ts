import { createServer, type IncomingMessage } from 'node:http';

/** A call of the Web API as the double saw it. */
export interface SlackCall {
  method: string;
  /** Arguments; what Slack takes as JSON is parsed. */
  args: Record<string, unknown>;
  token: string;
  at: number;
  /** Whether it was answered with an error, so that nothing came of it. */
  refused: boolean;
  /** Whether it was answered without one. */
  taken: boolean;
}

/** A file that a person attaches, as it stands in an event. */
export interface SharedFile {
  id: string;
  name: string;
  size: number;
  url_private_download: string;
}

const JSON_ARGS = new Set(['blocks', 'metadata', 'view', 'chunks', 'attachments']);

export async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks).toString('utf8');
}

/** The arguments of a call of the Web API; what Slack takes as JSON is parsed. */
export const argsOf = (body: string): Record<string, unknown> =>
  Object.fromEntries(
    [...new URLSearchParams(body)].map(([key, value]) => [
      key,
      JSON_ARGS.has(key) ? JSON.parse(value) : value,
    ]),
  );

export async function freePort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>((done) => probe.listen(0, '127.0.0.1', done));
  const address = probe.address();
  await new Promise((done) => probe.close(done));
  return typeof address === 'object' && address !== null ? address.port : 0;
}
