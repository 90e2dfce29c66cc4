// The library's entry point; `public.ts` documents its exports.
import { lazily, once } from './common/index.ts';
import { loadLibrary as load, loadCaseFormat } from './prompting/index.ts';
import { judgeCall, parseOne, planCall } from './surfaces/index.ts';

export { JuryError } from './common/index.ts';
export { UnsureError } from './judging/index.ts';

import { environmentWith } from './env.ts';
import type * as Public from './public.ts';

export const createJury: typeof Public.createJury = ({ variables = {} } = {}) => {
  const env = environmentWith(variables);
  const parts = once(async () => {
    const { assemble } = await import('./compose.ts');
    return assemble(env, { cache: false, warn: (message) => process.emitWarning(message) });
  });
  const format = lazily(() => loadCaseFormat(env.promptFolders));
  return {
    judge: async (input, options = {}) => {
      const open = await parts.get();
      return judgeCall(open, await planCall(open, input, options), options);
    },
    parseCase: (input) =>
      parseOne(input, { maxCaseChars: env.settings.JURY_MAX_CASE_CHARS, format: format() }),
    loadLibrary: () => load(env.promptFolders),
    close: async () => (await parts.made())?.close(),
  };
};

const shared = lazily(() => createJury());

export const judge: typeof Public.judge = async (input, options) => shared().judge(input, options);
export const parseCase: typeof Public.parseCase = (input) => shared().parseCase(input);
export const loadLibrary: typeof Public.loadLibrary = async () => shared().loadLibrary();
