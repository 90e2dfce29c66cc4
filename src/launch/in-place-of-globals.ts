/** What stands in the program that is built in the place of the global of that name: `inject` in build.mjs. */
export { PlainHeaders as Headers } from '../judges/llm/plain-headers.ts';
