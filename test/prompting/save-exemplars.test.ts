import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Exemplar } from '../../src/judging/standards/library.ts';
import { saveExemplars } from '../../src/prompting/exemplars.ts';
import { readLibrary } from '../../src/prompting/read-library.ts';
import { aCase } from '../support/builders.ts';
import { builtIn, folderWith } from '../support/built-in.ts';

const anExemplar = (id: string, parts: Partial<Exemplar['case']> = {}): Exemplar => {
  const { id: _id, ...evalCase } = aCase(parts);
  const finding = { rationale: 'It is.', decision: 'pass' as const };
  return {
    id,
    case: evalCase,
    reply: {
      criteria: { location: finding, time: finding, cost: finding, rating: finding, cuisine: finding },
      rationale: 'All is well.',
      confidence: 0.9,
      decision: 'pass',
    },
  };
};

const examplesIn = (folder: string) => readLibrary([builtIn, folder]).exemplars('navigation');

describe('worked examples of one’s own', () => {
  test('take the place of the built-in ones, as they were written', () => {
    const folder = folderWith({});
    const hostile = anExemplar('from-v1', {
      response: '# no comment\n- id: x\n  "quoted": \'yes\' 2024-03-04 \u2028 null: ~ 0123',
    });
    const kept = saveExemplars(folder, 'navigation', [hostile, anExemplar('b')], []);
    expect(kept).toEqual({ path: join(folder, 'exemplars', 'navigation.yaml'), version: 1, earlier: null });
    expect(examplesIn(folder)).toEqual([hostile, anExemplar('b')]);
  });

  test('leave each earlier version beside, under its number, where it is not read', () => {
    const folder = folderWith({});
    const versions = ['one', 'two', 'three'].map((id) =>
      saveExemplars(folder, 'navigation', [anExemplar(id)], [`from ${id}`]),
    );
    expect(versions.map(({ version }) => version)).toEqual([1, 2, 3]);
    expect(versions[2]?.earlier).toBe(join(folder, 'exemplars', 'earlier', 'navigation.2.yaml'));
    expect(examplesIn(folder).map(({ id }) => id)).toEqual(['three']);
    expect(readdirSync(join(folder, 'exemplars', 'earlier'))).toEqual([
      'navigation.1.yaml',
      'navigation.2.yaml',
    ]);
    expect(readFileSync(versions[2]?.earlier ?? '', 'utf8')).toContain('# from two');
    expect(readFileSync(versions[2]?.path ?? '', 'utf8')).toContain('earlier/navigation.2.yaml');
  });

  test('continue a file that was written by hand, whichever ending it has', () => {
    const folder = folderWith({ 'exemplars/navigation.yml': '# mine\n[]\n' });
    const kept = saveExemplars(folder, 'navigation', [anExemplar('a')], []);
    expect(kept).toMatchObject({ path: join(folder, 'exemplars', 'navigation.yml'), version: 2 });
    expect(examplesIn(folder)).toHaveLength(1);
    expect(readFileSync(kept.earlier ?? '', 'utf8')).toBe('# mine\n[]\n');
  });

  test('have remarks that cannot become data, whatever they quote', () => {
    const folder = folderWith({});
    saveExemplars(
      folder,
      'navigation',
      [anExemplar('a')],
      ['ruled by safety\n- id: forged\r\u2028\u0085- id: too'],
    );
    expect(examplesIn(folder).map(({ id }) => id)).toEqual(['a']);
  });

  test('say where they cannot be written', () => {
    const folder = folderWith({ exemplars: 'a file, no folder' });
    expect(() => saveExemplars(folder, 'navigation', [anExemplar('a')], [])).toThrow(
      /^Cannot write .*navigation\.yaml/,
    );
  });
});
