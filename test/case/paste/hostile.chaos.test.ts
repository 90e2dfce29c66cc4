import { describe, expect, inject, it, vi } from 'vitest';
import { LIMIT, parseAll } from './parse.ts';

const { baits } = inject('counts');
const MANY = 5_000_000;
/** Of parts that take long to read each, in time in proportion to their number, the short suite reads fewer. */
const parts = (most: number): number => Math.ceil(most * baits);
const pair = (system: string) => `User: a\nSystem: ${system}`;

// A pattern that is not linear takes many minutes on these and runs into the time limit.
vi.setConfig({ testTimeout: 300_000 });

const read = (text: string, maxCaseChars = LIMIT) => parseAll(text, maxCaseChars);

describe('five million characters are a clear problem at once', () => {
  it.each([
    ['one line', 'a', /Too long: 5,000,000 characters.*32,000.*JURY_MAX_CASE_CHARS/],
    ['opening brackets', '[', /nested/],
    ['opening braces', '{', /nested/],
    ['quote marks', '>', /Too long/],
    ['digits', '1', /Too long|Not a case/],
    ['lone surrogates', '\ud800', /Too long/],
    ['empty objects', '{}\n', /Too many cases/],
    ['turns', 'User: a\nSystem: b\n', /Too long/],
  ])('%s', (_, bait, message) => {
    const [parsed, ...more] = read(bait.repeat(Math.floor(MANY / bait.length)));
    expect(more).toEqual([]);
    expect(parsed).toHaveProperty('problem', expect.stringMatching(message));
  });
});

describe('bait for patterns is read in time in proportion to its length', () => {
  it.each([
    ['spaces', `User: a${' '.repeat(300_000)}b\nSystem: c`],
    ['tabs', pair('\t'.repeat(300_000))],
    ['blank lines', pair('\n '.repeat(100_000))],
    ['marks', pair('*'.repeat(300_000))],
    ['quotes', pair('"'.repeat(300_000))],
    ['apostrophes', pair("'".repeat(300_000))],
    ['digits', pair('1'.repeat(300_000))],
    ['numbers', pair('1.1 '.repeat(80_000))],
    ['names', pair(`I recommend ${'Aa '.repeat(100_000)}`)],
    ['recommendations', pair('recommend you '.repeat(20_000))],
    ['kinds', pair('cheap french '.repeat(20_000))],
    ['minutes', pair('6 min ('.repeat(40_000))],
    ['braces', pair('{"'.repeat(100_000))],
    ['lists', pair('[{'.repeat(100_000))],
    ['nested objects', pair(`${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}`)],
    ['places', `User: a\nLocation: ${'1.1 '.repeat(80_000)}\nSystem: b`],
    ['hours', pair(`b\nOpening hours: ${'mon 1-2, '.repeat(30_000)}`)],
    ['labels', pair('b\n'.concat('Name: x\n'.repeat(parts(20_000))))],
    ['entities', pair('&amp;'.repeat(60_000))],
    ['links', pair('<http://a'.repeat(30_000))],
    ['fences', '```\n'.repeat(60_000)],
    ['mentions', `${'<@U1> '.repeat(50_000)}\n${pair('b')}`],
    [
      'greetings',
      `${'Hi a, b: c? '.repeat(parts(20_000))}\n${'Hi a, b: c?\n'.repeat(parts(10_000))}${pair('b')}`,
    ],
    ['pictures', '👤 a\n🤖 b\n'.repeat(parts(15_000))],
    ['pictures that make no pair', '👤 a\n'.repeat(parts(30_000))],
    ['tables', pair(`b\n${'| a | b |\n'.repeat(parts(30_000))}`)],
    ['a wide table', pair(`b\n|${' Name |'.repeat(parts(40_000))}\n|${'---|'.repeat(parts(40_000))}`)],
    ['dividers', pair(`b\n${'|-'.repeat(150_000)}x`)],
    ['rules', '---\n'.repeat(parts(75_000))],
    ['cases', 'User: a\nSystem: b\n---\n'.repeat(parts(10_000))],
    [
      'cases with silent parts',
      `User: a\nSystem: b\n---\nUser: a\nSystem: b\n${'---\nx\n'.repeat(parts(30_000))}`,
    ],
    ['quotes and text', '> User: a\nb\n'.repeat(parts(15_000))],
    ['moments', pair(`b\n\n${'04.03.2024 20:35\n\nx\n'.repeat(parts(10_000))}`)],
    ['messages to the app', pair(`b\n\n${'x @jury\n'.repeat(parts(30_000))}`)],
    ['names in Slack', 'Anna  10:32 AM\nhi\n'.repeat(parts(15_000))],
    ['subjects', pair('Aa Bb is. '.repeat(30_000))],
    ['items', pair(`El Camino (${'cheap, '.repeat(40_000)}`)],
    [
      'nested headers',
      pair(`b\n${Array.from({ length: 700 }, (_, at) => `${' '.repeat(at)}location:`).join('\n')}`),
    ],
    ['headers', pair(`b\n${'context:\n  date: "\n'.repeat(parts(15_000))}`)],
    ['objects on a line', '2024-03-04 20:35 {"user":"a","system":"b"} '.repeat(parts(6_000))],
    ['lines of logs', '11-20 09:14:02.118  2231  2290 I A: [asr] final="a"\n'.repeat(parts(8_000))],
    ['beginnings of logs', '11-20 09:14:02.118  2231  '.repeat(15_000)],
    ['texts of logs', `[asr] ${'final="\\'.repeat(50_000)}`],
    ['pairs', '"a" -> "b"\n'.repeat(parts(30_000))],
    ['an endless pair', `User: ${'a System '.repeat(40_000)}`],
    ['pairs in one line', 'User: a System: b\n'.repeat(parts(15_000))],
    ['messages', '[Yesterday 14:02] Weber, Markus\na\n'.repeat(parts(10_000))],
    ['names above times', 'Anna Weber\n  2:15 PM\na\n'.repeat(parts(12_000))],
    ['speakers', 'SPEAKER_00 (00:03): a\nSPEAKER_01 (00:03): b\n'.repeat(parts(8_000))],
    ['many speakers', Array.from({ length: parts(20_000) }, (_, at) => `[10:00] Anna${at}\na`).join('\n')],
    ['names', 'Anna: b\n'.repeat(parts(30_000))],
    ['numbers', '1) User: a\nSystem: b\n'.repeat(parts(12_000))],
    ['exchanges', 'User: a\nSystem: b\n\n'.repeat(parts(12_000))],
    ['headers of e-mails', `From: a\nSubject: b\nTo: c\n${'From: a\nx\n'.repeat(parts(30_000))}`],
    ['tables of cases', `user\tsystem\n${'a\tb\n'.repeat(parts(9_000))}`],
    ['open quotes in a table', `user,system\n${'"a,b\n'.repeat(parts(30_000))}`],
    ['remarks', pair(`b\n\n${'I think '.repeat(30_000)}`)],
    ['follow-ups', `User: a\nSystem: b\n\n`.concat(`User: ${'it '.repeat(90_000)}\nSystem: b\n\n`)],
    ['broken objects', `{${"'a': 'b', ".repeat(9_000)}}`],
    ['broken quotes', `{"a": "${'b" '.repeat(parts(33_000))}"}`],
    ['broken lists', `[${'{a: [1,,'.repeat(60)}${'"b" "c",'.repeat(9_000)}${']}'.repeat(60)}]`],
    ['metadata', pair(`b\n${'Intent: a\n'.repeat(parts(30_000))}`)],
    ['expectations', pair(`b\n${'Expected: a\n'.repeat(parts(30_000))}`)],
    ['an endless expectation', pair(`b\nExpected: a\n${'c\n'.repeat(parts(100_000))}`)],
    ['marks of tickets', '{code:'.repeat(60_000)],
    ['aliases in YAML', `conversation:\n${' - a: &x [*x]\n'.repeat(2000)}`],
  ])('%s', (_, text) => {
    expect(read(text, 10_000_000).length).toBeGreaterThan(0);
  });
});
