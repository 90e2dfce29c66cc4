// What an agent does: starts Jury as a tool server, lists its tools, and has an answer judged.
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';

const agent = new Client({ name: 'example-agent', version: '1.0.0' });
await agent.connect(new StdioClientTransport({ command: 'npx', args: ['jury', 'mcp'], env: process.env }));

const { tools } = await agent.listTools();
console.log(`Tools: ${tools.map(({ name }) => name).join(', ')}`);

const { content, structuredContent } = await agent.callTool({
  name: 'judge',
  arguments: {
    case: {
      conversation: [{ role: 'user', text: 'Find a place that is open' }],
      response: 'Da Mario is open.',
      context: { date: '2026-03-02', time: '20:35' },
      recommendation: { name: 'Da Mario', openingHours: { monday: '10:00-20:00' } },
    },
    models: ['rules'],
  },
});
console.log(content[0].text);
console.log(`Decision: ${structuredContent.decision}`);
await agent.close();
