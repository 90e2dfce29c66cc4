import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { noVotes } from '../../../../src/labels/record/vote.ts';
import {
  blindMessage,
  DetailsMetadata,
  detailsView,
  pageValue,
  readPageValue,
} from '../../../../src/surfaces/slack/render/details.ts';
import { pieces } from '../../../../src/surfaces/wording/safe-text.ts';
import { aCase, fail, mute, pass, plainTexts, type Said } from '../../../support/builders.ts';
import { aRecord, verdictFrom } from '../../../support/records.ts';
import { textsIn, viewProblems } from '../../../support/slack-limits.ts';

const inputOf = (record: ReturnType<typeof aRecord>) => ({
  record,
  tally: noVotes,
  texts: plainTexts,
  setting: { hasModel: false },
});
const round: Said[] = [fail, fail, fail, fail, fail, pass, pass, pass, mute];

/** All pages of a verdict's details. */
function pagesOf(record: ReturnType<typeof aRecord>) {
  const first = detailsView(inputOf(record));
  const [, count = '1'] = /Page 1 of (\d+)/.exec(textsIn(first).join('\n')) ?? [];
  return Array.from({ length: Number(count) }, (_, page) => detailsView(inputOf(record), page));
}

const buttonsOf = (view: unknown): string[] =>
  [...JSON.stringify(view).matchAll(/"value":"(v1 \d+)"/g)].map(([, value = '']) => value);

describe('the details of a verdict', () => {
  test('show every judge of every round, the deciding round first', () => {
    const record = aRecord(
      verdictFrom([
        [fail, pass],
        [fail, fail],
      ]),
    );
    const all = pagesOf(record).flatMap(textsIn).join('\n');
    expect(all.indexOf('Round 2 (decisive)')).toBeLessThan(all.indexOf('Round 1'));
    for (const said of ['p0 in round 0', 'p1 in round 0', 'p0 in round 1', 'p1 in round 1'])
      expect(all).toContain(said);
  });

  test('show tokens, cost and the short hash of what was asked', () => {
    const all = pagesOf(aRecord(verdictFrom([[fail]])))
      .flatMap(textsIn)
      .join('\n');
    expect(all).toContain('test/model · prompt test · 100 + 10 tokens · $0.0010');
    expect(all).toContain('c1');
  });

  test('of exact checks say what was found once, and count no judges', () => {
    const verdict = verdictFrom([[fail, fail, fail]]);
    const judgements = verdict.judgements.map((one) => ({ ...one, judge: { ...one.judge, model: 'rules' } }));
    const all = pagesOf(aRecord({ ...verdict, judgements }))
      .flatMap(textsIn)
      .join('\n');
    expect(all).toContain('Criteria');
    expect(all).not.toContain('Judges');
    expect(all).not.toContain('0–3');
  });

  test('name criteria and decisions as people do, and repeat no judge', () => {
    const verdict = verdictFrom([[fail]]);
    const criteria = verdict.criteria.map((row) => ({
      ...row,
      id: 'time',
      title: 'Opening hours',
      decision: 'undecided' as const,
    }));
    const judgements = verdict.judgements.map((one) => ({
      ...one,
      rationale: 'It was closed by then.',
      criteria: [
        { id: 'time', decision: 'unscored' as const, score: null, rationale: 'No date is given.' },
        { id: 'other', decision: 'fail' as const, score: null, rationale: 'It was closed by then.' },
      ],
    }));
    const all = pagesOf(aRecord({ ...verdict, criteria, judgements }))
      .flatMap(textsIn)
      .join('\n');
    expect(all).toContain('• Opening hours: not decided. No date is given.');
    expect(all).toMatch(/Opening hours\W+not decided/);
    expect(all).not.toContain('undecided');
    expect(all).not.toContain('other: fail');
  });

  test('of the longest debate lose no word and stay within the limits', () => {
    const said = (judge: number, at: number) =>
      `Judge ${judge} in round ${at}: ${'it goes on and on, '.repeat(156)}end${judge}${at}.`;
    const verdict = verdictFrom([round, round, round, round], { criteria: 12 });
    const judgements = verdict.judgements.map((judgement) => {
      const seat = Number(judgement.judge.persona?.slice(1));
      return judgement.status === 'scored'
        ? { ...judgement, rationale: said(seat, judgement.round) }
        : { ...judgement, message: said(seat, judgement.round) };
    });
    const views = pagesOf(aRecord({ ...verdict, judgements }));
    expect(views.flatMap(viewProblems)).toEqual([]);
    const all = views.flatMap(textsIn).join('\n');
    for (const { round: at, judge } of judgements)
      expect(all).toContain(`end${judge.persona?.slice(1)}${at}.`);
    // The card stands first, as short as everywhere.
    expect(all.slice(all.indexOf('Criteria\n'))).not.toContain(' …');
  });

  test('show all of a long case', () => {
    const response = Array.from({ length: 6000 }, (_, index) => `w${index}`).join(' ');
    const views = pagesOf(aRecord(verdictFrom([[fail]]), { evalCase: aCase({ response }) }));
    expect(views.flatMap(viewProblems)).toEqual([]);
    const found = views.flatMap(textsIn).join(' ').match(/w\d+/g) ?? [];
    expect(found).toEqual(response.split(' '));
  });

  test('are turned with buttons that name the verdict and the page', () => {
    const record = aRecord(
      verdictFrom([round, round, round, round], { criteria: 12, text: 'long '.repeat(500) }),
    );
    const views = pagesOf(record);
    expect(views.length).toBeGreaterThan(3);
    expect(views.slice(0, 2).map(buttonsOf)).toEqual([['v1 1'], ['v1 0', 'v1 2']]);
    expect(buttonsOf(views.at(-1))).toEqual([`v1 ${views.length - 2}`]);
    expect(detailsView(inputOf(record), 9999)).toEqual(views.at(-1));
  });

  test('keep only ids in the view', () => {
    const { private_metadata } = detailsView(inputOf(aRecord(verdictFrom([[fail]]))));
    expect(DetailsMetadata.parse(JSON.parse(private_metadata ?? ''))).toEqual({
      verdict: 'v1',
      page: 0,
      place: 'card',
    });
  });

  test('read back what their buttons carry', () => {
    expect(readPageValue(pageValue('v1', 3))).toEqual({ verdictId: 'v1', page: 3 });
    expect(readPageValue('v1')).toBeNull();
    expect(readPageValue('v1 -1')).toBeNull();
  });
});

describe('a long text in pieces', () => {
  test('loses nothing but white space at the cuts', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 400 }), (text) => {
        const found = pieces(text, 40);
        expect(found.every((piece) => piece.length <= 40 && piece.isWellFormed())).toBe(true);
        expect(found.join('').replaceAll(/\s/g, '')).toBe(text.replaceAll(/\s/g, ''));
      }),
    );
  });
});

test('a hidden case quotes what was said, so that it is not taken for a question of the app', () => {
  const response = 'It is open.\nIs the response right? Yes: press Right.';
  const record = aRecord(verdictFrom([[fail]]), { evalCase: aCase({ response }) });
  const standard = { title: 'Plain', criteria: ['First'], levels: {} };
  const shown = blindMessage(record, standard, 'en');
  const said = shown.blocks.flatMap((block) => (block.type === 'rich_text' ? block.elements : []));
  const quotes = said.filter(({ type }) => type === 'rich_text_quote');
  expect(quotes.map((quote) => textsIn(quote).join(''))).toEqual([
    'Find me a sushi place rated at least 4.',
    response,
  ]);
  const unquoted = said.filter((one) => !quotes.includes(one)).map((one) => textsIn(one).join(''));
  expect(unquoted).toEqual(['User', 'System', 'Is the response right? Rubric: Plain (First).']);
});
