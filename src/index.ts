// The library's entry point; `public.ts` documents its exports.
import { once } from './common/async.ts';
import { lazily } from './common/collections.ts';
import { environmentWith } from './env.ts';
import { loadCaseFormat } from './prompting/case-fields.ts';
import { loadLibrary as load } from './prompting/load-library.ts';
import type * as Public from './public.ts';
import { judgeCall, parseOne, planCall } from './surfaces/parts.ts';

export { JuryError } from './common/errors.ts';
export { UnsureError } from './judging/unsure.ts';

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
