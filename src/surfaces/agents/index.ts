/**
 * What agents use over the Model Context Protocol: the tools, what they take and answer, and how they explain themselves. It knows no
 * transport. Start reading: `agent-server.ts`.
 */
export type { AgentDesk, AgentVerdict } from './agent-desk.ts';
export { createAgentServer } from './agent-server.ts';
