import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  type CaseFormat,
  caseFormat,
  type Field,
  type TraceReaders,
  type Words,
} from '../case/format/index.ts';
import { noRedaction } from '../case/redact/index.ts';
import { JuryError, messageOf } from '../common/index.ts';
import type {
  Exemplar,
  JudgingLibrary,
  Lexicons,
  Method,
  Persona,
  Rubric,
} from '../judging/standards/index.ts';

/** The checked content of the prompts folders that every run needs, as plain data. */
export interface PromptData {
  words: Words;
  readers: TraceReaders;
  fields: Field[];
  rubrics: Rubric[];
  methods: Method[];
  personas: Persona[];
}

/** The checked content of the prompts folders. */
export interface Library extends JudgingLibrary {
  /** The format of cases, with the built-in and declared fields. */
  caseFormat: CaseFormat;
  /** Lexicons are long, and only the rules judge needs them: custom ones are read and checked on the first call, built-in ones on first use. */
  lexicons: () => Lexicons & { checkAll: () => void };
  /** Fills a template; throws if `values` lacks a variable. Values are not escaped: these are prompts, not HTML. */
  template: (id: string, values: Record<string, unknown>) => string;
}

export const byId = <T extends { id: string }>(entries: readonly T[]): ReadonlyMap<string, T> =>
  new Map(entries.map((entry) => [entry.id, entry]));

/** Builds a library from data that has been read. @param parts.exemplars by file id */
export function libraryOf(
  { words, readers, fields, rubrics, methods, personas }: PromptData,
  parts: Pick<Library, 'lexicons' | 'template'> & {
    exemplars: (id: string) => readonly Exemplar[] | undefined;
  },
): Library {
  const all = byId(rubrics);
  return {
    caseFormat: caseFormat(fields, words, readers),
    rubrics: all,
    methods: byId(methods),
    personas: byId(personas),
    ...parts,
    exemplars: (rubricId) => parts.exemplars(all.get(rubricId)?.wording?.exemplars ?? rubricId) ?? [],
    redactor: noRedaction,
  };
}

/** The subfolders that a library is read from. */
const KINDS = [
  'exemplars',
  'fields',
  'lexicons',
  'methods',
  'paste',
  'personas',
  'rubrics',
  'templates',
  'traces',
];

const namesIn = (folder: string): string[] =>
  readdirSync(folder)
    .filter((name) => !name.startsWith('.'))
    .sort();

/** A hash of every file that a prompts folder's library depends on; null if the folder cannot be read. */
export function promptsKey(folder: string): string | null {
  const hash = createHash('sha256');
  const add = (part: string | Buffer) => hash.update(`${part.length} `).update(part);
  try {
    const archived = namesIn(join(folder, 'archive')).map((kind) => `archive/${kind}`);
    for (const kind of [...KINDS, ...archived])
      for (const name of namesIn(join(folder, kind))) {
        add(`${kind}/${name}`);
        add(readFileSync(join(folder, kind, name)));
      }
  } catch {
    return null;
  }
  return hash.digest('hex');
}

/** The prompt hash that judgements record. */
export const contentHash = (...parts: readonly string[]): string => {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part).update('\0');
  return `sha256:${hash.digest('hex')}`;
};

export interface Fill {
  path: string;
  fill: (values: Record<string, unknown>) => string;
}

export const createFiller =
  (fills: ReadonlyMap<string, Fill>): Library['template'] =>
  (id, values) => {
    const filler = fills.get(id);
    if (filler === undefined) throw new JuryError('internal', `There is no template "${id}".`);
    try {
      return filler.fill(values).trim();
    } catch (thrown) {
      throw new JuryError('bad-file', `${filler.path}: ${messageOf(thrown).split('\n')[0]}`, {
        cause: thrown,
      });
    }
  };
