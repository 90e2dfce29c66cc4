import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { plainLine, safeText } from '../../../../src/common/text/text.ts';
import { escapedLine, escapedText } from '../../../../src/surfaces/slack/render/blocks.ts';
import { shortened } from '../../../../src/surfaces/wording/safe-text.ts';

describe('safe text', () => {
  test('loses marks of direction, zero-width characters and control characters', () => {
    expect(safeText('a\u202eb\u200bc\ufeffd\u0007e\u061cf')).toBe('abcdef');
  });

  test('keeps line breaks, tabs and emoji of several parts', () => {
    expect(safeText('a\r\nb\tc\u2028d')).toBe('a\nb\tc\nd');
    expect(safeText('👩‍🚀 👩🏽‍🔬 🏳️‍🌈')).toBe('👩‍🚀 👩🏽‍🔬 🏳️‍🌈');
    expect(safeText('a\u200db')).toBe('ab');
  });

  test('shows halves of characters as replaced', () => {
    expect(safeText('a\ud83d b')).toBe('a\ufffd b');
  });

  test('in one line has no line break', () => {
    expect(plainLine(' a\n\n b\tc ')).toBe('a b c');
  });
});

describe('escaped text', () => {
  test('names no one and links nothing', () => {
    expect(escapedText('<!channel> & <@U1> <https://x|y>')).toBe(
      '&lt;!channel&gt; &amp; &lt;@U1&gt; &lt;https:\u2060//x|y&gt;',
    );
  });

  test('takes words apart that call a whole channel', () => {
    expect(escapedText('@here @Channel @everyone @hereby')).toBe(
      '@\u2060here @\u2060Channel @\u2060everyone @hereby',
    );
  });

  test('is never longer than it may be, and no entity is torn', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('<', '&', 'a', ' ', '@here ') }),
        fc.integer({ min: 12, max: 60 }),
        (text, most) => {
          const line = escapedLine(text, most);
          expect(line.length).toBeLessThanOrEqual(most);
          expect(line).not.toMatch(/&(?!amp;|lt;|gt;)/);
        },
      ),
    );
  });
});

describe('a shortened text', () => {
  test('ends between words with an ellipsis', () => {
    expect(shortened('one two three four', 12)).toBe('one two …');
    expect(shortened('one two', 7)).toBe('one two');
  });

  test('cuts a word that has no space near the end', () => {
    expect(shortened('abcdefghijklmnop', 10)).toBe('abcdefgh …');
  });

  test('is never longer than it may be and never ends in half of a character', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.integer({ min: 2, max: 50 }), (text, most) => {
        const short = shortened(text, most);
        expect(short.length).toBeLessThanOrEqual(most);
        expect(short.isWellFormed()).toBe(true);
      }),
    );
  });
});
