/**
 * The service: starts every surface that is set up, and what runs in the background. It names no platform. A command loads it when
 * it is needed (`lazy.ts`); no other room does. Start reading: `start-service.ts`.
 */
export { loadStartService } from './lazy.ts';
