/** The heavy parts of this room: modules that a command loads when it needs them. Importing this file loads none of them. */
export const loadOpenStore = () => import('./open-store.ts');
export const loadPseudonyms = () => import('./pseudonyms.ts');
export const loadTrialQueue = () => import('./redis/trial-queue.ts');
