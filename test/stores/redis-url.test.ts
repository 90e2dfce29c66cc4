import { expect, test } from 'vitest';
import { parseRedisUrl, whereIs } from '../../src/stores/redis/redis-url.ts';

test.each([
  [
    'redis://localhost',
    { kind: 'single', node: { host: 'localhost', port: 6379 }, db: 0, tls: false, login: {} },
  ],
  [
    'rediss://ann:p%40ss@[::1]:7000/3',
    {
      kind: 'single',
      node: { host: '::1', port: 7000 },
      db: 3,
      tls: true,
      login: { username: 'ann', password: 'p@ss' },
    },
  ],
  ['unix:///run/redis.sock?db=2', { kind: 'socket', path: '/run/redis.sock', db: 2 }],
  ['unix://:secret@/run/redis.sock', { kind: 'socket', login: { password: 'secret' } }],
  [
    'redis+sentinel://:secret@a:1,b/main/4',
    {
      kind: 'sentinel',
      name: 'main',
      db: 4,
      nodes: [
        { host: 'a', port: 1 },
        { host: 'b', port: 26_379 },
      ],
    },
  ],
  [
    'rediss+cluster://a,b:7001',
    {
      kind: 'cluster',
      tls: true,
      nodes: [
        { host: 'a', port: 6379 },
        { host: 'b', port: 7001 },
      ],
    },
  ],
])('%s is read', (url, expected) => {
  expect(parseRedisUrl(url)).toMatchObject(expected);
});

test.each([
  'http://secret@host',
  'redis://:secret@a,b',
  'redis://:secret@host:99999',
  'redis://:secret@host/first',
  'redis://:sec%ret@host',
  'redis+sentinel://:secret@host',
  'redis+cluster://:secret@host/1',
  'unix://secret',
  'redis://',
])('%s is refused without being repeated', (url) => {
  expect(() => parseRedisUrl(url)).toThrow(
    expect.objectContaining({ code: 'config', message: expect.not.stringMatching(/secret|sec%ret/) }),
  );
});

test('a message about where Redis is has no login in it', () => {
  expect(whereIs(parseRedisUrl('redis+sentinel://ann:secret@a:1,b/main'))).toBe('a:1, b:26379');
});
