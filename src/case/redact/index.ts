/**
 * Replaces personal data in texts before anything is stored or sent, and keeps none of it. Start reading: `redactor.ts`.
 */
export { isRedactable, redactable } from './patterns.ts';
export { createRedactor, noRedaction, type Redactor, readTemplates } from './redactor.ts';
