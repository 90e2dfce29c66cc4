import { fileURLToPath } from 'node:url';
import type { Env } from '../env.ts';

/** The prompts that come with the program. */
export const builtInPrompts = fileURLToPath(new URL('../../prompts', import.meta.url));

/** The folders that prompts are read from, the built-in one first. */
export const promptFolders = ({ settings }: Pick<Env, 'settings'>): string[] =>
  settings.JURY_PROMPTS_DIR === undefined ? [builtInPrompts] : [builtInPrompts, settings.JURY_PROMPTS_DIR];
