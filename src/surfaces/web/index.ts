/**
 * The console, its pages, the HTTP API and the host that both chats share for HTTP. Decisions are made at the desks; pages render.
 * Start reading: `connect-page.ts`.
 */
export { serveAboutPages } from './about-pages.tsx';
export { createConsoleKey, linkWith } from './console-key.ts';
export { consoleAccess, consoleOrigin, consoleUrl, ownOrigin, PAGE } from './ids.ts';
export { requireKey, requireScraper } from './key-routes.tsx';
export { forgetViews } from './live-views.ts';
export { page } from './page-surface.ts';
export { type StatusItem, servePublicPages } from './public-pages.tsx';
export { createReportPage, type ReportPage } from './report/report-file.tsx';
export { endSessions } from './sessions.ts';
export { createMetrics, createWebHost, type Metrics, type Readiness } from './web-host.ts';
