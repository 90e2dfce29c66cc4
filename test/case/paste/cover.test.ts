import { readdirSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseInput } from '../../../src/case/paste/parse-input.ts';
import { loadCaseFormat } from '../../../src/prompting/case-fields.ts';
import { builtIn } from '../../support/built-in.ts';
import { madePaste } from '../../support/made-pastes.ts';
import { repeated } from '../../support/repeated.ts';
import { problemsInCase, problemsInCover } from './cover.ts';
import { LIMIT, parseAll } from './parse.ts';

const format = loadCaseFormat([builtIn]);

/** What is wrong with the parts of a paste, where all of it is cases. */
function problemsIn(text: string): string[] {
  const items = parseInput(text, { maxCaseChars: LIMIT, format });
  const cases = items.flatMap((item) => ('case' in item ? [item] : []));
  const cover = cases.length === items.length ? cases.flatMap(({ spans }) => spans) : null;
  return [
    ...(cover === null ? [] : problemsInCover(text, cover)),
    ...cases.flatMap((item) => problemsInCase(text, item)),
  ];
}

const FOLDERS = ['test/fixtures/pastes', 'prompts/samples', 'examples'];
const files = FOLDERS.flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(?:txt|csv|jsonl?)$/.test(name))
    .map((name) => `${folder}/${name}`),
);

describe('each character of a paste is in one part of it, and each value of the case in the part of its field', () => {
  it('in what people paste', () => {
    expect(files.length).toBeGreaterThan(200);
    const wrong = files.flatMap((file) => {
      const problems = problemsIn(readFileSync(file, 'utf8'));
      return problems.length > 0 ? [{ file, problems }] : [];
    });
    expect(wrong).toEqual([]);
  }, 60_000);

  it('in what is made of parts that are read in different ways', () => {
    fc.assert(
      fc.property(madePaste, (text) => {
        expect(problemsIn(text)).toEqual([]);
      }),
      { numRuns: repeated(10_000) },
    );
  }, 120_000);
});

/** What each part of a paste was read as. */
const partsOf = (text: string) =>
  parseAll(text).flatMap((item) =>
    'case' in item
      ? item.spans.map(({ from, to, is, path }) => [path ?? is, text.slice(from, to)])
      : [['problem', item.problem]],
  );

describe('the parts of a paste', () => {
  it('are offsets into the text as received', () => {
    expect(partsOf('\ufeff> User: a &amp; b\r\n> System: c\r\n> Rating: 4.6\r\nwdyt')).toEqual([
      ['label', '> User:'],
      ['user', 'a &amp; b'],
      ['label', '> System:'],
      ['system', 'c'],
      ['label', '> Rating:'],
      ['recommendation.rating', '4.6'],
      ['remark', 'wdyt'],
    ]);
  });

  it('say of JSON which of its values are what', () => {
    expect(partsOf('{"user": "a", "assistant": "b \\"c\\"", "build": 7}')).toEqual([
      ['label', '{"user": "'],
      ['user', 'a'],
      ['label', '", "assistant": "'],
      ['system', 'b \\"c\\"'],
      ['label', '", "build":'],
      ['left out', '7'],
      ['label', '}'],
    ]);
  });

  it('of several cases are each in the case that they are of', () => {
    const text = 'user,response\n"a, b",c\nd,"e ""f"""';
    const [first, second] = parseAll(text);
    const shown = (item: typeof first) =>
      item && 'case' in item
        ? item.spans.flatMap(({ is, from, to }) => (is === 'label' ? [] : [text.slice(from, to)]))
        : [];
    expect(shown(first)).toEqual(['a, b', 'c']);
    expect(shown(second)).toEqual(['d', 'e ""f""']);
  });
});
