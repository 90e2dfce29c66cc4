import { createServer, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';

/** One request as the double saw it. */
export interface SeenRequest {
  /** 1 for the first one. */
  n: number;
  method: string;
  url: string;
  headers: IncomingMessage['headers'];
  body: string;
}

/** What the double answers; `json` with status 200 unless said otherwise. */
export interface AssistantReply {
  status?: number;
  headers?: Record<string, string>;
  json?: unknown;
  text?: string;
  delayMs?: number;
  /** Never answers, until the client goes away. */
  hang?: boolean;
}

/** A local HTTP server in place of a system under test: any method, any path, scripted replies. */
export async function startAssistant(answer: (request: SeenRequest) => AssistantReply) {
  const requests: SeenRequest[] = [];
  let open = 0;
  let most = 0;
  const server = createServer(async (request, response) => {
    open += 1;
    most = Math.max(most, open);
    response.once('close', () => {
      open -= 1;
    });
    const { method = '', url = '', headers } = request;
    const seen = { n: requests.length + 1, method, url, headers, body: '' };
    requests.push(seen);
    seen.body = await text(request);
    const reply = answer(seen);
    if (reply.hang) return;
    if (reply.delayMs) await new Promise((done) => setTimeout(done, reply.delayMs));
    response.writeHead(reply.status ?? 200, { 'content-type': 'application/json', ...reply.headers });
    response.end(reply.text ?? JSON.stringify(reply.json ?? {}));
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the assistant double has no port');
  return {
    url: `http://127.0.0.1:${address.port}`,
    requests,
    /** Most requests at a time so far. */
    most: () => most,
    close: () =>
      new Promise<void>((done) => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  };
}
