import {
  type CaseFormat,
  caseFormat,
  type Field,
  FieldFile,
  isOpenGroup,
  joinReaders,
  joinWords,
  pathOfField,
  type SomeWords,
  TraceFile,
  type TraceReaders,
  WordFile,
  type Words,
} from '../case/format/index.ts';
import { isOwnLabel, wordOf } from '../case/paste/index.ts';
import { filesOf, folderProblems, type Problems, parseYaml, throwProblems } from './prompt-files.ts';

/** A field and the file that declares it. */
interface DeclaredField {
  field: Field;
  path: string;
}

/** Reports names claimed by more than one field. */
function claimNames(
  all: readonly DeclaredField[],
  namesOf: (field: Field) => readonly string[],
  what: string,
  problems: Problems,
): void {
  const owners = new Map<string, DeclaredField>();
  for (const declared of all)
    for (const name of new Set(namesOf(declared.field))) {
      const owner = owners.get(name);
      if (owner === undefined) owners.set(name, declared);
      else
        problems.push(
          `${declared.path}: ${declared.field.name}: the ${what} "${name}" already belongs to ${pathOfField(owner.field)} (${owner.path})`,
        );
    }
}

function fieldProblems(
  { field, path }: DeclaredField,
  contract: ReadonlySet<string>,
  words: Words,
): Problems {
  const at = `${path}: ${field.name}`;
  const problems: Problems = [];
  if (contract.has(pathOfField(field))) problems.push(`${at}: "${pathOfField(field)}" is a built-in field`);
  if (field.of !== undefined && !isOpenGroup(field.of))
    problems.push(
      `${at}: of: fields cannot be added to "${field.of}"; use recommendation, context or a new name`,
    );
  for (const label of field.labels) {
    if (isOwnLabel(label, words))
      problems.push(
        `${at}: labels: "${label}" is the label of a built-in field; if a unit distinguishes them, put it under byUnit`,
      );
  }
  return problems;
}

/** Reports labels that are in two lists, where only the first list would take effect. */
function labelProblems(files: readonly { words: SomeWords; path: string }[], all: Words): Problems {
  const owners = new Map<string, string>();
  return files.flatMap(({ words, path }) =>
    Object.entries(words.labels ?? {}).flatMap(([name, labels]) =>
      labels.flatMap((label) => {
        const word = wordOf(label, all);
        const owner = owners.get(word) ?? name;
        owners.set(word, owner);
        return owner === name
          ? []
          : [`${path}: labels.${name}: "${label}" is one of labels.${owner} already`];
      }),
    ),
  );
}

/** Reads and checks the vocabulary for pastes, merged from all files. */
export function wordsOf(folders: readonly string[], problems: Problems): Words {
  const files = [...filesOf(folders, 'paste', '.yaml', problems).values()].flatMap((file) => {
    const read = parseYaml(WordFile, file, problems);
    if (read === undefined) return [];
    const { id: _id, title: _title, source: _source, ...words } = read;
    return [{ words, path: file.path }];
  });
  const all = joinWords(files.map(({ words }) => words));
  problems.push(...labelProblems(files, all));
  return all;
}

/** Reads and checks the readers of traces and logs, from all files. */
export function readersOf(folders: readonly string[], problems: Problems): TraceReaders {
  const files = [...filesOf(folders, 'traces', '.yaml', problems).values()];
  const read = files.flatMap((file) => parseYaml(TraceFile, file, problems) ?? []);
  const ids = new Set(files.map(({ id }) => id));
  for (const { id, path } of files) {
    const of = read.find((one) => one.id === id)?.of;
    if (of !== undefined && !ids.has(of)) problems.push(`${path}: of: there is no file "${of}" in traces`);
  }
  return joinReaders(read);
}

/** Reads and checks the fields that prompts folders declare in addition to the built-in ones. */
export function fieldsOf(folders: readonly string[], words: Words, problems: Problems): Field[] {
  const contract = new Set(caseFormat([], words).paths);
  const all = [...filesOf(folders, 'fields', '.yaml', problems).values()].flatMap((file): DeclaredField[] => {
    const read = parseYaml(FieldFile, file, problems);
    return (read?.fields ?? []).map((field) => ({ field, path: file.path }));
  });
  for (const declared of all) problems.push(...fieldProblems(declared, contract, words));
  claimNames(all, (field) => [pathOfField(field)], 'name', problems);
  claimNames(
    all,
    ({ name, labels }) => [name, ...labels].map((label) => wordOf(label, words)),
    'label',
    problems,
  );
  const shared = ({ byUnit }: Field) =>
    (byUnit?.labels ?? []).flatMap((label) =>
      (byUnit?.units ?? []).map((unit) => `${wordOf(label, words)} in ${unit}`),
    );
  claimNames(all, shared, 'label', problems);
  return all.map(({ field }) => field);
}

/**
 * Loads only the case format from the prompts folders.
 * @throws JuryError `bad-file` that lists every problem
 */
export function loadCaseFormat(folders: readonly string[]): CaseFormat {
  const problems: Problems = folders.flatMap(folderProblems);
  throwProblems(problems);
  const words = wordsOf(folders, problems);
  const fields = fieldsOf(folders, words, problems);
  const readers = readersOf(folders, problems);
  throwProblems(problems);
  return caseFormat(fields, words, readers);
}
