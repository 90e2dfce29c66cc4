import { inject } from 'vitest';

/** How often a test draws what it tries: so often in `npm run test:soak`, less often in `npm test`. */
export const repeated = (times: number): number => Math.ceil(times * inject('share'));
