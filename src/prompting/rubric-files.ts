import type { CaseFormat } from '../case/format/index.ts';
import { isRecord } from '../case/index.ts';
import {
  currentOf,
  explainMisfit,
  type Method,
  type Persona,
  pathsOfCheck,
  Rubric,
} from '../judging/standards/index.ts';
import {
  type ArchivedKind,
  archivedAt,
  filesOf,
  folderVersion,
  isBelow,
  type Problems,
  type PromptFile,
  parseWith,
  readVersioned,
  withId,
  yamlOf,
} from './prompt-files.ts';

/** A rubric's file and its parsed data. */
interface RubricData {
  path: string;
  data: unknown;
}

const dataOf = (files: ReadonlyMap<string, PromptFile>, problems: Problems): Map<string, RubricData> =>
  new Map([...files].map(([id, file]) => [id, { path: file.path, data: yamlOf(file, problems) }]));

const listAt = (data: Record<string, unknown>, key: string): unknown[] => {
  const value = data[key];
  return Array.isArray(value) ? value : [];
};

/**
 * A rubric's data with the criteria and error types of its included rubrics placed before its own. An included rubric cannot include
 * others, so there are no chains to follow.
 */
function withIncluded(
  data: Record<string, unknown>,
  all: ReadonlyMap<string, RubricData>,
  path: string,
  problems: Problems,
): Record<string, unknown> {
  const { include, ...own } = data;
  if (include === undefined) return own;
  const bases = listAt(data, 'include').flatMap((id): Record<string, unknown>[] => {
    const base = typeof id === 'string' ? all.get(id)?.data : undefined;
    if (isRecord(base) && base.include === undefined) return [base];
    const possible = [...all].filter(([, { data: one }]) => isRecord(one) && one.include === undefined);
    problems.push(
      `${path}: include: ${JSON.stringify(id)} cannot be included; choose from: ${possible.map(([name]) => name).join(', ')}`,
    );
    return [];
  });
  const pooled = (key: string) => [...bases.flatMap((base) => listAt(base, key)), ...listAt(own, key)];
  const errorTypes = [...new Map(pooled('errorTypes').map((type) => [JSON.stringify(type), type])).values()];
  return { ...own, criteria: pooled('criteria'), ...(errorTypes.length > 0 ? { errorTypes } : {}) };
}

function rubricFrom(
  id: string,
  all: ReadonlyMap<string, RubricData>,
  problems: Problems,
): Rubric | undefined {
  const { path = '', data } = all.get(id) ?? {};
  const whole = isRecord(data) ? withIncluded(data, all, path, problems) : data;
  return parseWith(Rubric, withId(id, whole), path, problems);
}

/** A folder's rubrics as they were in an earlier version. @param all current rubrics of all folders */
function earlierRubrics(
  folder: string,
  version: number,
  all: ReadonlyMap<string, RubricData>,
  problems: Problems,
): Rubric[] {
  const changed = dataOf(archivedAt(folder, 'rubrics', version), problems);
  const ownIds = [...all].flatMap(([id, { path }]) => (isBelow(folder, path) ? [id] : []));
  const then = new Map([...all, ...changed]);
  const idsIn = (kind: ArchivedKind) =>
    new Map([...archivedAt(folder, kind, version)].map(([id, file]) => [id, file.id]));
  const [templates, exemplars, personas] = [idsIn('templates'), idsIn('exemplars'), idsIn('personas')];
  return [...new Set([...ownIds, ...changed.keys()])].flatMap((id): Rubric[] => {
    const rubric = rubricFrom(id, then, problems);
    if (rubric === undefined) return [];
    const personaOf = (persona: string) => personas.get(persona) ?? persona;
    const interests = Object.entries(rubric.interests).map(([persona, ids]) => [personaOf(persona), ids]);
    const seenBy = Object.entries(rubric.seenBy ?? {}).map(([path, ids]) => [path, ids.map(personaOf)]);
    const wording = { templates: Object.fromEntries(templates), exemplars: exemplars.get(id) ?? id };
    const panel = rubric.panel.map(personaOf);
    return [
      {
        ...rubric,
        id: `${id}@${version}`,
        title: `${rubric.title} (version ${version})`,
        version,
        panel,
        interests: Object.fromEntries(interests),
        ...(rubric.seenBy === undefined ? {} : { seenBy: Object.fromEntries(seenBy) }),
        wording,
      },
    ];
  });
}

/** The current rubrics, followed by those of earlier versions, such as `navigation@1`. */
export function rubricsOf(folders: readonly string[], problems: Problems): Rubric[] {
  const all = dataOf(filesOf(folders, 'rubrics', '.yaml', problems), problems);
  const latest = folders.map((folder) => ({ folder, version: folderVersion(folder) }));
  const current = [...all].flatMap(([id, { path }]): Rubric[] => {
    const rubric = rubricFrom(id, all, problems);
    const version = latest.findLast(({ folder }) => isBelow(folder, path))?.version ?? 1;
    return rubric === undefined ? [] : [version === 1 ? rubric : { ...rubric, version }];
  });
  const earlier = latest.flatMap(({ folder, version }) =>
    Array.from({ length: version - 1 }, (_, index) => earlierRubrics(folder, index + 1, all, problems)),
  );
  return [...current, ...earlier.flat()];
}

interface Parts {
  rubrics: ReadonlyMap<string, Rubric>;
  methods: ReadonlyMap<string, Method>;
  personas: ReadonlyMap<string, Persona>;
  lexiconIds: readonly string[];
  format: CaseFormat;
}

/** Reports references to unknown names, and to paths that no case can have, which would disable a criterion for good. */
function referenceProblems(rubric: Rubric, { methods, personas, lexiconIds, format }: Parts): Problems {
  const persona = { what: 'no persona', known: [...personas.keys()].sort() };
  const field = { what: 'a case has no field', known: format.paths };
  const lexicon = { what: 'no lexicon', known: [...lexiconIds].sort() };
  const viewer = {
    what: 'no criterion or persona',
    known: [...rubric.criteria.map(({ id }) => id), ...persona.known],
  };
  const seenBy = Object.entries(rubric.seenBy ?? {});
  const references: [
    key: string,
    names: readonly string[],
    kind: { what: string; known: readonly string[] },
  ][] = [
    ['panel', rubric.panel, persona],
    ['method', [rubric.method], { what: 'no method', known: [...methods.keys()].sort() }],
    ['interests', Object.keys(rubric.interests), persona],
    ['needs', rubric.needs, field],
    ['selectedBy', rubric.selectedBy.flat(), field],
    ['seenBy', seenBy.map(([path]) => path), field],
    ...seenBy.map(([path, ids]): (typeof references)[number] => [`seenBy.${path}`, ids, viewer]),
    ...rubric.criteria.flatMap(({ needs, check }, index): typeof references => {
      const checked = check === undefined ? [] : pathsOfCheck(check);
      const words = check !== undefined && 'lexicon' in check ? check.lexicon : undefined;
      return [
        [`criteria.${index}.needs`, needs, field],
        ...checked.map(([key, paths]): (typeof references)[number] => [
          `criteria.${index}.check.${key}`,
          paths,
          field,
        ]),
        [`criteria.${index}.check.lexicon`, words === undefined ? [] : [words], lexicon],
      ];
    }),
  ];
  const method = methods.get(rubric.method);
  const misfit = method === undefined ? null : explainMisfit(method, rubric);
  return [
    ...references.flatMap(([key, names, { what, known }]) =>
      names
        .filter((name) => !known.includes(name))
        .map((name) => `${key}: ${what} "${name}"; choose from: ${known.join(', ') || 'none'}`),
    ),
    ...(misfit === null ? [] : [`method: "${rubric.method}" ${misfit}`]),
  ];
}

/** Problems of a rubric. An earlier version leaves out those that the next version has too, so a shared file is reported once. */
function rubricProblems(rubric: Rubric, parts: Parts): Problems {
  const { rubrics } = parts;
  const earlier = readVersioned(rubric.id);
  const next = earlier && (rubrics.get(`${earlier.id}@${earlier.version + 1}`) ?? rubrics.get(earlier.id));
  const laterProblems = next ? referenceProblems(next, parts) : [];
  const path = `${earlier === null ? '' : 'archive/'}rubrics/${rubric.id}.yaml`;
  return referenceProblems(rubric, parts)
    .filter((problem) => !laterProblems.includes(problem))
    .map((problem) => `${path}: ${problem}`);
}

/** Reports settings that differ between personas. A request sets a value for all personas that have the setting, so they must agree. */
function settingProblems(personas: ReadonlyMap<string, Persona>): Problems {
  const firsts = new Map<string, { persona: string; setting: string }>();
  return currentOf(personas).flatMap(({ id, settings = {} }) =>
    Object.entries(settings).flatMap(([name, setting]) => {
      const content = JSON.stringify([setting.title, setting.default]);
      const first = firsts.get(name) ?? { persona: id, setting: content };
      firsts.set(name, first);
      return first.setting === content
        ? []
        : [
            `personas/${id}.md: settings.${name}: must have the same title and default as in personas/${first.persona}.md`,
          ];
    }),
  );
}

/** Problems across files: references to unknown names and fields, and conflicting settings. */
export const crossProblems = (parts: Parts): Problems => [
  ...settingProblems(parts.personas),
  ...[...parts.rubrics.values()].flatMap((rubric) => rubricProblems(rubric, parts)),
];
