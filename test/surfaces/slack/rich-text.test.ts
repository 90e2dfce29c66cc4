import { describe, expect, test } from 'vitest';
import { plainText, richTextOf } from '../../../src/surfaces/slack/message-source.ts';

const section = (...elements: unknown[]) => ({ type: 'rich_text_section', elements });
const text = (value: string, style?: object) => ({ type: 'text', text: value, ...(style ? { style } : {}) });
const block = (...elements: unknown[]) => ({ type: 'rich_text', elements });

describe('rich text', () => {
  test('is read without the marks that show it', () => {
    const blocks = [
      block(
        section(
          { type: 'user', user_id: 'UJURY' },
          text(' '),
          text('User:', { bold: true }),
          text(' see '),
          { type: 'link', url: 'https://a.test/x', text: 'this page' },
          { type: 'emoji', name: '+1', unicode: '1f44d-1f3fb' },
          { type: 'emoji', name: 'acme' },
          { type: 'user', user_id: 'U2' },
          { type: 'broadcast', range: 'here' },
        ),
      ),
    ];
    expect(richTextOf(blocks, 'UJURY')).toBe(' User: see this page👍🏻:acme:@U2@here');
  });

  test('keeps code, quotes and lists as blocks of lines', () => {
    const blocks = [
      block(
        { type: 'rich_text_preformatted', elements: [text('{"a": 1}')] },
        { type: 'rich_text_quote', elements: [text('User: hi\nSystem: ho')] },
        { type: 'rich_text_list', style: 'ordered', elements: [section(text('one')), section(text('two'))] },
        { type: 'rich_text_list', style: 'bullet', indent: 1, elements: [section(text('three'))] },
      ),
    ];
    expect(richTextOf(blocks, 'U')).toBe(
      '```\n{"a": 1}\n```\n> User: hi\n> System: ho\n1. one\n2. two\n  • three',
    );
  });

  test('passes over kinds of elements that are not known yet', () => {
    expect(richTextOf([block(section(text('a'), { type: 'hologram' }, text('b')))], 'U')).toBe('ab');
  });

  test('is not read where something else stands beside it', () => {
    expect(richTextOf([block(section(text('a'))), { type: 'image', alt_text: 'x' }], 'U')).toBeNull();
    expect(richTextOf([], 'U')).toBeNull();
  });

  test('with code points that are none stays a name', () => {
    const emoji = { type: 'emoji', name: 'odd', unicode: 'ffffffff' };
    expect(richTextOf([block(section(emoji))], 'U')).toBe(':odd:');
  });
});

describe('plain text', () => {
  test.each([
    ['<@UJURY> User: a &lt;b&gt; &amp;amp; c', ' User: a <b> &amp; c'],
    ['<https://a.test|a page> <https://b.test>', 'a page https://b.test'],
    ['<mailto:a@b.c|a@b.c> <#C1|general> <#C2> <@U2>', 'a@b.c #general #C2 @U2'],
    ['<!here> <!subteam^S1|@team> <!date^1^{date}|today>', '@here @team today'],
    ['1 &lt; 2 and 3 &gt; 2', '1 < 2 and 3 > 2'],
  ])('%s', (raw, read) => {
    expect(plainText(raw, 'UJURY')).toBe(read);
  });

  test('of many open angles is read at once', () => {
    expect(plainText('<'.repeat(100_000), 'U')).toHaveLength(100_000);
  });
});
