/**
 * Microsoft Teams as a surface, and its app package. What is not about Teams is in `chat`, `desks`, `forms` and `views`. Start
 * reading: `connect.ts`.
 */
export { teams } from './surface.ts';
