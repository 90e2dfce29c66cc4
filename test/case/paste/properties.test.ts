import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { EvalCase, weekdays } from '../../../src/case/case.ts';
import { decodeInput } from '../../../src/case/paste/parse-input.ts';
import { repeated } from '../../support/repeated.ts';
import { itemsOf, LIMIT, parseAll } from './parse.ts';

/** Pieces that the parser looks for, so that random text gets far into it. */
const PIECE = fc.constantFrom(
  'User:',
  'System:',
  'Response:',
  'Recommendation:',
  'Context:',
  'Document m1:',
  'Name: X',
  'Rating: 4.6/5',
  'Location: 52.5, 13.4',
  'Date: 03/04/2024',
  'Time: 8pm',
  'When: Monday',
  'Opening hours:',
  'Mo-Fr: 12-22 Uhr',
  'Menu:',
  '- soup',
  '>>>',
  '> ',
  '```',
  '**',
  '"',
  "'",
  '{"role":"user","text":"a"}',
  '{"user":"a","system":"b"}',
  '{"name":"x","rating":4}',
  '{',
  '}',
  '[',
  ']',
  ':',
  '->',
  ',',
  '\n',
  '\n\n',
  ' ',
  '\t',
  '&gt;',
  '<https://x|y>',
  '---\n',
  '| Name | Cuisine |',
  '| Luigi | thai |',
  '|---|---|',
  '👤',
  '🤖',
  '<@U123> ',
  'Hey @Jury, ',
  'Anna  10:32 AM',
  'Mo 04.03.24, 22:15',
  'context:\n  location:\n    lat: 52.5',
  'Sa ab 18 Uhr',
  'User Block',
  'System Block',
  'I recommend Chez Luc, rated 4.6, 1 km away',
  '€€',
  '\u0000',
  '\ud800',
  '\u200b',
  '[10:32]',
  'conversation:',
  '- role: user',
  '[ASR] find pizza',
  '[tts] say="Try Luigi"',
  '11-20 09:14:02.118  2231  2290 I Asr: ',
  '2026-11-18 08:12:44,301 INFO  [w] c.a.Asr - ',
  '"a" -> "b"',
  'a -> b',
  'SPEAKER_00 (00:03): a',
  'Anna Weber\n  2:15 PM',
  '[Yesterday 14:02] Weber, Markus',
  'CarBot  APP  2:15 PM',
  'Anna: a',
  'Hey Mercedes, ',
  'WEBVTT',
  'Expected:',
  'Actual: b',
  'Intent: x',
  '1) ',
  'Testfall 2',
  'Turn 2',
  'I think this should have',
  '-- ',
  '{noformat}',
  'h3. Utterance',
  'From: a\nTo: b\nSubject: c',
  'user\tsystem',
  'user,response\n',
  'a\tb',
);
const anyText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 200 }),
  fc.string({ unit: 'grapheme', maxLength: 200 }),
  fc.array(fc.oneof(PIECE, fc.string({ maxLength: 8 })), { maxLength: 40 }).map((pieces) => pieces.join('')),
  fc.array(PIECE, { maxLength: 20 }).map((pieces) => pieces.join('\n')),
  fc.json(),
  fc.array(fc.json(), { maxLength: 4 }).map((lines) => lines.join('\n')),
);
const KEYS = fc.constantFrom(
  'user',
  'response',
  'messages',
  'conversation',
  'role',
  'content',
  'text',
  'context',
  'location',
  'lat',
  'time',
  'poi',
  'opening_hours',
  'menu',
  'rating',
  'documents',
  '__proto__',
  'toString',
  'valueOf',
  'open',
  'close',
  'speaker',
  'id',
  'history',
  'x',
);
const anyObject = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.string({ maxLength: 6 }),
    fc.double(),
    fc.constant(null),
    fc.constantFrom('user', '12-20', '4.6'),
    tie('list'),
    tie('object'),
  ),
  list: fc.array(tie('value'), { maxLength: 3 }),
  object: fc
    .array(fc.tuple(KEYS, tie('value')), { maxLength: 4 })
    .map((entries) => Object.fromEntries(entries)),
})).object;

describe('parseInput', () => {
  it('never throws, and gives cases that are valid or problems that say something', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          anyText,
          anyObject.map((value) => JSON.stringify(value)),
        ),
        (text) => {
          const parsed = parseAll(text);
          expect(parsed.length).toBeGreaterThan(0);
          for (const item of parsed) {
            expect(JSON.parse(JSON.stringify(item))).toBeTypeOf('object');
            if ('case' in item) expect(EvalCase.safeParse(item.case).success).toBe(true);
            else expect(item.problem).toMatch(/\S.{10,}/);
          }
        },
      ),
      { numRuns: repeated(5_000) },
    );
  });

  it('gives the same for the same', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        expect(parseAll(text)).toEqual(parseAll(text));
      }),
      { numRuns: repeated(500) },
    );
  });

  const words = fc
    .array(fc.constantFrom('find', 'me', 'a', 'nice', 'place', 'für', 'zwei', '3', 'ok!', 'now?', '🚗'), {
      minLength: 1,
      maxLength: 8,
    })
    .map((list) => list.join(' '));
  const turnText = fc.array(words, { minLength: 1, maxLength: 3 }).map((lines) => lines.join('\n'));
  const labels = fc.constantFrom(
    ['User', 'System'],
    ['U', 'S'],
    ['Q', 'A'],
    ['Utterance', 'Response'],
    ['Nutzer', 'System'],
    ['**Driver**', '**Car**'],
    ['Human', 'Assistant'],
  );
  const separators = fc.constantFrom(': ', ':\n', '：', ' : ');

  it('reads back any labelled conversation', () => {
    fc.assert(
      fc.property(
        labels,
        separators,
        fc.array(turnText, { minLength: 1, maxLength: 4 }),
        turnText,
        fc.boolean(),
        (names, separator, turns, answer, isQuoted) => {
          const conversation = turns.flatMap((text, index) => [
            ...(index > 0 ? [{ role: 'system', text: `answer ${index}` }] : []),
            { role: 'user', text },
          ]);
          const paste = [...conversation, { role: 'system', text: answer }]
            .map(({ role, text }) => `${names[role === 'user' ? 0 : 1]}${separator}${text}`)
            .join('\n')
            .split('\n')
            .map((line) => (isQuoted ? `> ${line}` : line))
            .join('\n');
          const [parsed] = itemsOf(paste);
          const { unsure, ...read } = parsed && 'case' in parsed ? parsed : { case: null };
          // Below a turn nothing says that lines are its own.
          expect(unsure?.withIt ?? read.case).toEqual({ conversation, response: answer });
        },
      ),
    );
  });

  const filled = fc
    .string({ unit: 'grapheme', minLength: 1, maxLength: 20 })
    .filter((text) => text.trim() !== '' && text.isWellFormed() && !text.includes('\0'));
  const degrees = (limit: number) =>
    fc.double({ min: -limit, max: limit, noNaN: true }).map((value) => value + 0);
  const place = fc.record(
    { latitude: degrees(90), longitude: degrees(180), description: filled },
    { requiredKeys: [] },
  );
  const turn = fc.record({ role: fc.constantFrom('user', 'system'), text: filled });
  const evalCase = fc.record(
    {
      id: filled,
      conversation: fc.array(turn, { maxLength: 4 }).map((turns) => [{ role: 'user', text: 'a' }, ...turns]),
      response: filled,
      context: fc.record(
        {
          date: fc.constantFrom('2024-03-04', '2023-12-31'),
          time: fc.constantFrom('00:00', '20:35'),
          location: place,
        },
        { requiredKeys: [] },
      ),
      recommendation: fc.record(
        {
          name: filled,
          cuisine: filled,
          cost: filled,
          menu: fc.array(filled, { maxLength: 3 }),
          rating: fc.constantFrom(0, 4.6, 10),
          distanceKm: fc.nat(),
          openingHours: fc.dictionary(fc.constantFrom(...weekdays), filled),
          location: place,
        },
        { requiredKeys: [] },
      ),
      documents: fc.array(fc.record({ id: filled, text: filled }, { requiredKeys: ['text'] }), {
        maxLength: 2,
      }),
      recommendations: fc.array(fc.array(filled, { maxLength: 2 }), { maxLength: 2 }),
      groundTruth: filled,
      history: fc.array(turn, { maxLength: 2 }),
      latencyMs: fc.nat(),
      language: filled,
    },
    { requiredKeys: ['conversation', 'response'] },
  );

  it('reads any valid case in JSON as itself', () => {
    fc.assert(
      fc.property(evalCase, fc.constantFrom(0, 2), (value, indent) => {
        const plain: unknown = JSON.parse(JSON.stringify(value));
        const [parsed, ...more] = parseAll(JSON.stringify(plain, null, indent));
        expect(more).toEqual([]);
        expect(parsed).toHaveProperty('case', plain);
        const assumed = parsed && 'assumed' in parsed ? parsed.assumed : [];
        expect(
          assumed.filter(
            (assumption) =>
              !/^Missing: (?:date|time|date, time), so opening hours are not judged; add /.test(assumption),
          ),
        ).toEqual([]);
      }),
      { numRuns: repeated(1_000) },
    );
  });

  it('holds every line of JSONL to the limit by itself', () => {
    fc.assert(
      fc.property(fc.array(fc.boolean(), { minLength: 2, maxLength: 6 }), (isLong) => {
        const lines = isLong.map((long) =>
          JSON.stringify({
            conversation: [{ role: 'user', text: 'a' }],
            response: 'x'.repeat(long ? LIMIT : 10),
          }),
        );
        expect(parseAll(lines.join('\n')).map((item) => 'problem' in item)).toEqual(isLong);
      }),
      { numRuns: 20 },
    );
  });
});

describe('decodeInput', () => {
  it('never throws on any bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 64 }), (bytes) => {
        const decoded = decodeInput(bytes);
        expect('text' in decoded ? decoded.text : decoded.problem).toBeTypeOf('string');
      }),
    );
  });
});
