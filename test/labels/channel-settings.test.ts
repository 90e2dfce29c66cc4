import { describe, expect, test } from 'vitest';
import { issueLink, issueUrlProblem, modelsIn } from '../../src/labels/access/channel-settings.ts';

const github = 'https://github.com/org/repo/issues/new?title={title}&body={body}';

describe('the address of new issues', () => {
  test('takes any text, of which half characters are left out, and stays short', () => {
    const odd = { title: 'a\ud83d', body: '\udc00b' };
    expect(new URL(issueLink(github, odd)).searchParams.get('title')).toBe('a\ufffd');
    const long = { title: '語'.repeat(500), body: '語'.repeat(5000) };
    const link = issueLink(github, long);
    expect(link.length).toBeLessThanOrEqual(1000);
    expect(decodeURIComponent(link)).toContain('more characters)');
  });

  test('is filled in, whatever was pasted', () => {
    const title = 'Time: closed & “late”? #1';
    const body = 'User: {title} "ramen"\nSystem: <b>100%</b>';
    const url = new URL(issueLink(github, { title, body }));
    expect(url.searchParams.get('title')).toBe(title);
    expect(url.searchParams.get('body')).toBe(body);
  });

  test('says what was cut where the text is too long for an address', () => {
    const body = 'ä😀"'.repeat(5000);
    const link = issueLink(github, { title: 'x'.repeat(1000), body });
    expect(link.length).toBeLessThanOrEqual(1_000);
    const url = new URL(link);
    expect(url.searchParams.get('title')).toContain('(800 more characters)');
    expect(url.searchParams.get('body')).toMatch(/\(\d+ more characters\)$/);
  });

  test('must be an address with a place for title or body', () => {
    expect(issueUrlProblem(github)).toBeNull();
    expect(issueUrlProblem('https://jira.example.com/create?summary={title}')).toBeNull();
    expect(issueUrlProblem('javascript:alert({title})')).toContain('begins with https://');
    expect(issueUrlProblem('github.com/{title}')).toContain('begins with https://');
    expect(issueUrlProblem('https://github.com/org/repo/issues/new')).toContain('Put {title} and {body}');
    expect(issueUrlProblem('https://{title}.example/{body}')).toContain('and a host');
    expect(issueUrlProblem('https://github.com@{title}/{body}')).toContain('and a host');
    expect(issueUrlProblem(`https://x.org/${'x'.repeat(500)}?b={body}`)).toContain('shorter');
    expect(issueUrlProblem('https://x.org/?t={titel}&b={body}')).toContain('Only {title} and {body}');
  });
});

describe('the models that judge in a channel', () => {
  const only = { allowedModels: ['a/one', 'b/two'] };

  test('are any where its settings name none', () => {
    expect(modelsIn({}, ['c/three'], 'a/one')).toEqual(['c/three']);
    expect(modelsIn({}, undefined, 'c/three')).toEqual(['c/three']);
  });

  test('are the named ones and the exact checks where they name some; any other is refused', () => {
    expect(modelsIn(only, ['b/two', 'rules'], 'a/one')).toEqual(['b/two', 'rules']);
    expect(() => modelsIn(only, ['b/two', 'c/three'], 'a/one')).toThrow(
      'c/three may not judge in this channel. Its settings allow a/one, b/two and rules.',
    );
  });

  test('are the usual one if it is allowed, otherwise the first that is', () => {
    expect(modelsIn(only, undefined, 'b/two')).toEqual(['b/two']);
    expect(modelsIn(only, undefined, 'rules')).toEqual(['rules']);
    expect(modelsIn(only, undefined, 'c/three')).toEqual(['a/one']);
  });
});
