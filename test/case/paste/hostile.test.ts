import { describe, expect, it } from 'vitest';
import { decodeInput } from '../../../src/case/paste/parse-input.ts';
import { parseAll, problemOf } from './parse.ts';

describe('what is not text', () => {
  it('in a string is a problem', () => {
    expect(problemOf('User: a\0\nSystem: b').problem).toContain('binary data');
    expect(problemOf('User: a\nSystem: \ud800').problem).toContain('lone surrogate');
  });

  it('a list with no case and a bare value are problems', () => {
    expect(problemOf('[]').problem).toContain('The list is empty');
    expect(problemOf('42').problem).toContain('User:');
    expect(problemOf('{"conversation": [').problem).toContain('Not valid JSON');
    expect(problemOf('{}').missing).toEqual(['conversation', 'response']);
  });

  it('keys of the prototype are plain unknown keys', () => {
    expect(problemOf('{"__proto__": {"response": "x"}, "constructor": 1}').problem).toContain('"__proto__"');
    expect(
      parseAll('User: a\nSystem: b\n{"__proto__": {"rating": 4}, "name": "x", "cuisine": "y"}'),
    ).toHaveLength(1);
  });
});

describe('bytes', () => {
  const bytes = (text: string) => new TextEncoder().encode(text);

  it.each([
    ['UTF-8', bytes('Nutzer: hä 🚗')],
    ['UTF-8 with a byte order mark', bytes('\ufeffNutzer: hä 🚗')],
    ['UTF-16, little end first', new Uint8Array(Buffer.from('\ufeffNutzer: hä 🚗', 'utf16le'))],
    ['UTF-16, big end first', new Uint8Array(Buffer.from('\ufeffNutzer: hä 🚗', 'utf16le').swap16())],
  ])('in %s are text', (_, input) => {
    expect(decodeInput(input)).toEqual({ text: 'Nutzer: hä 🚗' });
  });

  it.each([
    ['an image', new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])],
    ['Latin-1', new Uint8Array([0x68, 0xe4, 0x20])],
    ['NULs', new Uint8Array([0x61, 0, 0x62])],
    ['half of a UTF-16 pair', new Uint8Array([0xff, 0xfe, 0x00, 0xd8])],
  ])('of %s are a problem that says UTF-8', (_, input) => {
    expect(decodeInput(input)).toHaveProperty('problem', expect.stringContaining('UTF-8'));
  });
});

it('a chain of arrows in one line ends', () => {
  expect(parseAll('U->'.repeat(10_000))).toHaveLength(1);
});

it('a line below the answer that only begins like a report of the state ends', () => {
  const line = `a ${'b'.repeat(16)}${`=${'b'.repeat(16)}`.repeat(7)}==`;
  expect(parseAll(`User: turn on the AC\nSystem: Done.\n${line}`)).toHaveLength(1);
});
