/**
 * Slack as a surface. What is not about Slack is in `chat`, `desks`, `forms` and `views`. Start reading: `connect.ts`.
 */
export { slack } from './surface.ts';
