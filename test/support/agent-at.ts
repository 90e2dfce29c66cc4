import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import * as z from 'zod';
import { closing } from './resources.ts';

const Told = z.looseObject({
  content: z.tuple([z.looseObject({ text: z.string() })]),
  structuredContent: z.record(z.string(), z.unknown()).optional(),
  isError: z.boolean().optional(),
});
export type Told = z.infer<typeof Told>;

export const textOf = ({ content }: Told): string => content[0].text;

/** An agent at a service, as the SDK's own client is one. */
export async function agentAt(port: number, token: string) {
  const client = new Client({ name: 'agent', version: '1.0.0' });
  const transport = new StreamableHTTPClientTransport(new URL(`http://127.0.0.1:${port}/mcp`), {
    requestInit: { headers: { authorization: `Bearer ${token}` } },
  });
  // The types of the SDK's transport do not fit its own interface under `exactOptionalPropertyTypes`.
  await client.connect(Object.assign(transport, {}));
  closing(() => client.close());
  const call = async (name: string, args: Record<string, unknown> = {}) =>
    Told.parse(await client.callTool({ name, arguments: args }));
  return { client, transport, call };
}
