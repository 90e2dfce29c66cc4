import * as z from 'zod';
import type { CaseFormat } from '../case/format/index.ts';
import { fieldParts, type GivenPart, partNames } from '../case/paste/index.ts';
import { jsonSchemaOf, oncePer } from '../common/index.ts';
import { fenced, fenceKey, markersOf } from './fence.ts';
import { contentHash, type Library } from './library.ts';

/** More parts than a paste has lines are no reading. */
const MOST_PARTS = 1_000;

const replyFor = oncePer((format: CaseFormat) => {
  const Reply = z.strictObject({
    parts: z
      .array(
        z.strictObject({
          from: z.int(),
          to: z.int(),
          quote: z.string(),
          is: z.enum(partNames(format)),
        }),
      )
      .max(MOST_PARTS),
  });
  return { Reply, json: jsonSchemaOf(Reply) };
});

const REPLY_FORM = JSON.stringify(
  {
    parts: [
      { from: 1, to: 2, quote: '', is: 'user' },
      { from: 4, to: 4, quote: 'words of line 4', is: 'system' },
    ],
  },
  null,
  1,
);

/**
 * Renders the question which part of a paste is what. The paste goes between markers as data, with numbered lines.
 *
 * @param lines of the paste, as the model may see them
 * @param check accepts the parts, or says what is wrong with them
 */
export function renderPasteQuestion<T>(
  library: Pick<Library, 'template' | 'caseFormat'>,
  lines: readonly string[],
  check: (parts: readonly GivenPart[]) => { ok: true; value: T } | { ok: false; problem: string },
) {
  const { Reply, json } = replyFor(library.caseFormat);
  const paste = { name: 'paste', text: lines.map((line, index) => `${index + 1}| ${line}`).join('\n') };
  const key = fenceKey([paste]);
  const system = library.template('reading', {
    fields: fieldParts(library.caseFormat).map((id) => ({ id })),
    markers: markersOf('KEY', 'name'),
    replyForm: REPLY_FORM,
  });
  return {
    system,
    user: library.template('reading-paste', { key, paste: fenced([paste], key) }),
    json,
    repairText: (problem: string) => library.template('repair', { problem }),
    read: (value: unknown) => {
      const { data, error } = Reply.safeParse(value);
      if (data === undefined)
        return { ok: false as const, problem: error.issues[0]?.message ?? 'it has another form' };
      return check(data.parts);
    },
    promptHash: contentHash(
      system,
      library.template('reading-paste', { key: '', paste: '' }),
      JSON.stringify(json),
    ),
  };
}
