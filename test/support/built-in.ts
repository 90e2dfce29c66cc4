import { fileURLToPath } from 'node:url';

/** The prompts that come with the program. */
export const builtIn = fileURLToPath(new URL('../../prompts', import.meta.url));
