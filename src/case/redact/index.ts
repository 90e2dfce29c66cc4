/**
 * Replaces personal data before anything is kept or sent. It changes texts and keeps none of what it replaced. Start reading:
 * `redactor.ts`.
 */
export { isRedactable, redactable } from './patterns.ts';
export { createRedactor, noRedaction, type Redactor, readTemplates } from './redactor.ts';
