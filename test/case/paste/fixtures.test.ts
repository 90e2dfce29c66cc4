import { readdirSync, readFileSync } from 'node:fs';
import { load } from 'js-yaml';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { parseInput } from '../../../src/case/paste/parse-input.ts';
import { loadCaseFormat } from '../../../src/prompting/case-fields.ts';
import { builtIn } from '../../support/built-in.ts';
import { LIMIT } from './parse.ts';

const FOLDER = new URL('../../fixtures/pastes/', import.meta.url);
const format = loadCaseFormat([builtIn]);

/** What must be understood of a paste: each case whole, and words that the assumptions, or the problem, must hold. */
const Expected = z.strictObject({
  cases: z.array(
    z.union([
      z.strictObject({
        case: z.record(z.string(), z.unknown()),
        assumed: z.array(z.string()).default([]),
        /** The lines that may belong to the answer. */
        unsure: z.string().optional(),
      }),
      z.strictObject({
        problem: z.string(),
        missing: z.array(z.string()),
        understood: z.record(z.string(), z.unknown()).optional(),
      }),
    ]),
  ),
});

const names = readdirSync(FOLDER)
  .filter((name) => name.endsWith('.txt'))
  .map((name) => name.slice(0, -'.txt'.length));

const textOf = (file: string) => readFileSync(new URL(file, FOLDER), 'utf8');

describe('a paste as engineers and QA people make it', () => {
  it.each(names)('%s', (name) => {
    const { cases } = Expected.parse(load(textOf(`${name}.yaml`)));
    const parsed = parseInput(textOf(`${name}.txt`), { maxCaseChars: LIMIT, format });
    const read = parsed.map((item) => ('case' in item ? { case: item.case } : { problem: item.problem }));
    expect(read).toEqual(
      cases.map((one) =>
        'case' in one ? { case: one.case } : { problem: expect.stringContaining(one.problem) },
      ),
    );
    for (const [index, one] of cases.entries()) {
      const item = parsed[index];
      if ('case' in one) {
        expect(item && 'case' in item ? item.unsure?.text : undefined).toBe(one.unsure);
        for (const words of one.assumed)
          expect(item).toHaveProperty('assumed', expect.arrayContaining([expect.stringContaining(words)]));
      } else {
        expect(item).toHaveProperty('missing', one.missing);
        if (one.understood) expect(item).toHaveProperty('understood', one.understood);
      }
    }
  });
});
