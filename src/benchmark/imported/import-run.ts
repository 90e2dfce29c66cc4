import { createHash } from 'node:crypto';
import { answerNamesOf, type EvalCase, eitherAnswer, isPair, type Label } from '../../case/index.ts';
import { groupedBy, JuryError, messageOf } from '../../common/index.ts';
import { problemLines, type Table } from '../../datasets/index.ts';
import { caseIdOf, conclude, decide } from '../../judging/index.ts';
import { comparing, type JudgingLibrary, type Rubric, rubricFor } from '../../judging/standards/index.ts';
import {
  type Finding,
  type Judgement,
  totalUsage,
  type Usage,
  type Verdict,
} from '../../judging/verdict/index.ts';
import { labelsFrom, type PartAnswer, type Said, settleParts, usualRule } from '../../labels/index.ts';
import {
  IMPORTED,
  type RunManifest,
  seriesOf,
  type Trial,
  type TrialStore,
  trialKey,
  trialOf,
} from '../index.ts';
import { type ImportedAnswer, PREFERRED } from './answers.ts';
import {
  type JudgementRow,
  type LabelRow,
  type NamedCase,
  type ReadOptions,
  readJudgements,
  readLabels,
  requireMap,
} from './read-judgements.ts';

/** A table and the name of its file. */
interface NamedTable {
  file: string;
  table: Table;
}

interface ImportRequest {
  name: string;
  judgements: NamedTable;
  /** What people said; null: the cases have the labels. */
  labels: NamedTable | null;
  cases: readonly EvalCase[];
  /** Where the cases come from. */
  source: string;
  /** The rubric of all cases; null: the one that each names or fits. */
  rubric: string | null;
  /** Keys by column. */
  map: ReadonlyMap<string, string>;
  values: readonly string[];
  /** How many people a label takes at least. */
  minVotes: number;
  /** Milliseconds since the epoch. */
  now: number;
}

/** A run that is ready to be kept. */
export interface ImportedRun {
  manifest: RunManifest;
  cases: readonly EvalCase[];
  trials: readonly { trial: Trial; verdict: Verdict }[];
  /** Columns that were not read, by file. */
  unread: readonly { file: string; columns: readonly string[] }[];
  /** People who answered; null if the labels are those of the cases. */
  people: { annotators: number; answers: number; labeled: number; split: number } | null;
}

const hashOf = (parts: Iterable<string>): string => {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part).update('\n');
  return hash.digest('hex');
};

/** The cases with their rubrics, by id. @throws JuryError `bad-input` if ids repeat or a case fits no rubric */
function namedCases(
  library: JudgingLibrary,
  cases: readonly EvalCase[],
  wanted: string | null,
): Map<string, NamedCase> {
  const named = new Map<string, NamedCase>();
  const problems: string[] = [];
  for (const [place, evalCase] of cases.entries()) {
    const id = caseIdOf(evalCase);
    if (named.has(id)) problems.push(`Case ${place + 1} has the id of another one, ${id}: give it its own.`);
    try {
      const rubric = rubricFor(library.rubrics, eitherAnswer(evalCase), wanted ?? evalCase.rubric);
      named.set(id, { place, evalCase, rubric: isPair(evalCase) ? comparing(rubric) : rubric });
    } catch (thrown) {
      if (!(thrown instanceof JuryError) || wanted !== null) throw thrown;
      problems.push(`Case ${id}: ${messageOf(thrown)}`);
    }
  }
  if (problems.length > 0)
    throw new JuryError('bad-input', [...problemLines(problems, ''), 'Nothing was imported.'].join('\n'));
  return named;
}

/** What a person said, as labels count it; null for no answer. */
function saidBy(answer: ImportedAnswer): NonNullable<Label['answers']>[number]['said'] | null {
  if (answer.kind === 'none') return null;
  if (answer.kind === 'score') return answer.score;
  return answer.kind === 'undecided' ? 'unsure' : answer.kind;
}

/** The answer that a preference stands for, so that a majority settles it, and no median between A and B. */
const preferredName = (said: Said): Said =>
  Object.entries(PREFERRED).find(([, score]) => score === said)?.[0] ?? said;

/** The labels that people's answers settle, with every answer under a number in place of a name. */
function settledLabels(
  rows: readonly LabelRow[],
  cases: readonly EvalCase[],
  minVotes: number,
): { labels: Map<number, Label>; people: NonNullable<ImportedRun['people']> } {
  const numbers = new Map<string, number>();
  for (const { annotator } of rows)
    if (annotator !== null && !numbers.has(annotator)) numbers.set(annotator, numbers.size + 1);
  const said = rows.flatMap((row) => {
    const answer = saidBy(row.answer);
    return answer === null ? [] : [{ ...row, said: answer }];
  });
  const pairs = new Set(cases.flatMap((evalCase, place) => (isPair(evalCase) ? [place] : [])));
  const answers = said.map(({ place, annotator, criterion, said: own }): PartAnswer => {
    const part =
      criterion !== null ? `criteria.${criterion}` : typeof own === 'number' ? 'score' : 'decision';
    return { item: String(place), voter: annotator, part, said: pairs.has(place) ? preferredName(own) : own };
  });
  const parts = settleParts(answers, 'majority', { ...usualRule, minVotes });
  const better = new Map(
    [...(parts.get('score') ?? [])].map(([item, own]) => [
      item,
      pairs.has(Number(item)) ? (Object.entries(PREFERRED).find(([name]) => name === own)?.[1] ?? own) : own,
    ]),
  );
  const settled = labelsFrom(new Map([...parts, ['score', better]]), []);
  const labels = new Map(
    [...groupedBy(said, ({ place }) => place)].map(([place, own]): [number, Label] => [
      place,
      {
        ...settled.get(String(place)),
        answers: own.map(({ annotator, criterion, said: one }) => ({
          by: annotator === null ? null : (numbers.get(annotator) ?? null),
          said: one,
          ...(criterion === null ? {} : { criterion }),
        })),
      },
    ]),
  );
  const people = {
    annotators: numbers.size,
    answers: said.length,
    labeled: settled.size,
    split: labels.size - settled.size,
  };
  return { labels, people };
}

const sumOf = (values: readonly (number | null)[]): number | null =>
  values.some((value) => value === null)
    ? null
    : values.reduce<number>((sum, value) => sum + (value ?? 0), 0);

function usageOf(rows: readonly JudgementRow[]): Usage {
  const latencyMs = sumOf(rows.map((row) => row.latencyMs));
  const total = (key: 'promptTokens' | 'completionTokens' | 'costUsd') => sumOf(rows.map((row) => row[key]));
  return {
    promptTokens: total('promptTokens'),
    cachedTokens: null,
    completionTokens: total('completionTokens'),
    costUsd: total('costUsd'),
    latencyMs: latencyMs ?? 0,
    ...(latencyMs === null ? { untimed: true as const } : {}),
    attempts: 1,
    fromCache: false,
  };
}

function findingOf(id: string, { answer, reason }: Pick<JudgementRow, 'answer' | 'reason'>): Finding {
  const rationale = reason;
  if (answer.kind === 'score') return { id, decision: 'scored', score: answer.score, rationale };
  const { kind } = answer;
  return {
    id,
    decision: kind === 'undecided' || kind === 'none' ? 'unscored' : kind,
    score: null,
    rationale,
  };
}

/** What follows from answers about criteria alone: a pass or a score only if all criteria are there. */
function concluded(rubric: Rubric, findings: readonly Finding[]): ImportedAnswer {
  const conclusion = conclude(findings, rubric.decide);
  const isWhole = findings.length === rubric.criteria.length;
  if (conclusion.kind === 'decision' && (isWhole || conclusion.decision === 'fail'))
    return { kind: conclusion.decision };
  if (conclusion.kind === 'score' && isWhole) return conclusion;
  return { kind: conclusion.kind === 'not-relevant' ? 'not-relevant' : 'undecided' };
}

/** What one judge said of a case. @param rows of the same judge and repeat */
function judgementOf(rubric: Rubric, rows: readonly JudgementRow[]): Judgement {
  const [first] = rows;
  const overall = rows.find(({ criterion }) => criterion === null);
  const [only, ...others] = rubric.criteria;
  const findings = rubric.criteria.flatMap(({ id }): Finding[] => {
    const own = rows.find(({ criterion }) => criterion === id);
    if (own !== undefined && own.answer.kind !== 'none') return [findingOf(id, own)];
    const isWhole = own === undefined && overall !== undefined && id === only?.id && others.length === 0;
    return isWhole && overall.answer.kind !== 'none' ? [findingOf(id, overall)] : [];
  });
  const answer = overall?.answer ?? (findings.length === 0 ? { kind: 'none' } : concluded(rubric, findings));
  const { judge = '', model = null } = first ?? {};
  const asked = {
    round: 0,
    judge: { persona: model === null || model === judge ? null : judge, model: model ?? judge, sample: 0 },
    usage: usageOf(rows),
    promptHash: null,
    criteria: findings,
  };
  if (answer.kind === 'pass' || answer.kind === 'fail' || answer.kind === 'score') {
    const confidence = overall?.confidence ?? null;
    const rationale = overall?.reason ?? null;
    return {
      ...{ ...asked, status: 'scored' as const, confidence, rationale },
      ...(answer.kind === 'score'
        ? { decision: 'scored' as const, score: answer.score }
        : { decision: answer.kind, score: null }),
    };
  }
  const unscored = {
    none: { reason: 'error', message: 'the file has no answer of this judge' },
    undecided: { reason: 'unsupported', message: overall?.reason ?? 'the judge could not decide' },
    'not-relevant': { reason: 'not-relevant', message: overall?.reason ?? 'the judge found it not relevant' },
  } as const;
  return { ...asked, status: 'unscored', ...unscored[answer.kind] };
}

/** The verdict of a single judge whose answer was imported. */
function verdictOf(
  { evalCase, rubric }: NamedCase,
  rows: readonly JudgementRow[],
  { judgements: { file }, now }: ImportRequest,
): Verdict {
  const judgement = judgementOf(rubric, rows);
  const found = new Set(judgement.criteria.map(({ id }) => id));
  const outcome = decide({
    deliberation: { rounds: [[judgement]], cancelled: false },
    panelSize: 1,
    method: { reduce: 'majority' },
    // Of the other criteria the file says nothing; they are not undecided.
    criteria: rubric.criteria.filter(({ id }) => found.has(id)),
    setAside: [],
    compared: isPair(evalCase) ? answerNamesOf(evalCase) : undefined,
    ...(rubric.overall === undefined ? {} : { overall: rubric.overall }),
  });
  const { persona, model } = judgement.judge;
  return {
    caseId: caseIdOf(evalCase),
    rubric: rubric.id,
    method: IMPORTED,
    ...outcome,
    usage: totalUsage([judgement.usage]),
    settings: {
      panel: [{ persona, model }],
      temperature: null,
      seed: null,
      rounds: 1,
      examples: 0,
      rubricVersion: rubric.version ?? 1,
    },
    assumed: [],
    remarks: [`imported from ${file}: the judgement was made elsewhere`],
    cancelled: false,
    startedAt: new Date(now).toISOString(),
    durationMs: judgement.usage.latencyMs,
  };
}

const isLabeled = ({ label }: EvalCase): boolean =>
  label?.decision !== undefined || label?.score !== undefined || label?.criteria !== undefined;

/**
 * Reads judgements and labels, and makes a run of them. Nothing is kept yet.
 * @throws JuryError `usage` for wrong options; `bad-input` that names every row and column that is wrong
 */
export function importRun(library: JudgingLibrary, request: ImportRequest): ImportedRun {
  const { name, judgements, labels, source, map, values, now } = request;
  const named = namedCases(library, request.cases, request.rubric);
  requireMap(map, [judgements.table, ...(labels === null ? [] : [labels.table])]);
  const options = (file: string): ReadOptions => ({ file, cases: named, map, values });
  const read = readJudgements(judgements.table, options(judgements.file));
  const said = labels === null ? null : readLabels(labels.table, options(labels.file));
  const settled = said === null ? null : settledLabels(said.labels, request.cases, request.minVotes);
  const cases = request.cases.map((evalCase, place): EvalCase => {
    if (settled === null) return evalCase;
    const label = settled.labels.get(place);
    return label === undefined ? evalCase : { ...evalCase, label };
  });
  const judges = [...new Set(read.judgements.map(({ judge }) => judge))];
  const repeats = Math.max(1, ...read.judgements.map(({ repeat }) => repeat));
  const configurations = Array.from({ length: repeats }, (_, index) => index + 1).flatMap((repeat) =>
    judges.map((judge) => ({
      ...{ id: `${IMPORTED} ${judge} #${repeat}`, method: IMPORTED, models: [judge] },
      ...{ temperature: null, repeat, equalCallsOf: null },
    })),
  );
  const places = [...named.values()];
  const groups = groupedBy(read.judgements, ({ place, judge, repeat }) =>
    trialKey((repeat - 1) * judges.length + judges.indexOf(judge), place),
  );
  const trials = [...groups].flatMap(([key, rows]) => {
    const [first] = rows;
    const own = first === undefined ? undefined : places[first.place];
    if (first === undefined || own === undefined) return [];
    const verdict = verdictOf(own, rows, request);
    const id = `${IMPORTED} ${first.judge} #${first.repeat}`;
    return [{ trial: trialOf(key, id, cases[first.place]?.label ?? null, verdict), verdict }];
  });
  const rubrics = [...new Set(places.map(({ rubric }) => rubric.id))].sort();
  const versions = places.map(({ rubric }) => [rubric.id, rubric.version ?? 1] as const);
  const labeled = cases.filter(isLabeled).length;
  const manifest: RunManifest = {
    version: 1,
    name,
    series: seriesOf({ name, dataset: { source } }),
    createdAt: new Date(now).toISOString(),
    settings: {
      methods: [IMPORTED],
      models: judges,
      temperatures: null,
      repeats,
      rubric: request.rubric,
      panel: null,
      seed: null,
      values: {},
      equalCalls: false,
      cache: false,
    },
    configurations,
    dataset: {
      source,
      cases: cases.length,
      labeled,
      hash: hashOf(cases.map((evalCase) => JSON.stringify(evalCase))),
    },
    rubrics,
    wordings: {},
    versions: Object.fromEntries(versions),
    subject: labeled > 0 ? 'judges' : 'assistant',
    imported: {
      judgements: judgements.file,
      ...(labels === null ? {} : { labels: labels.file }),
      trials: trials.length,
      hash: hashOf(read.judgements.map((row) => JSON.stringify(row))),
    },
  };
  const unread = [
    { file: judgements.file, columns: read.unread },
    ...(labels === null || said === null ? [] : [{ file: labels.file, columns: said.unread }]),
  ];
  return { manifest, cases, trials, unread, people: settled?.people ?? null };
}

/**
 * Keeps an imported run. After a crash the same import keeps what is missing.
 * @returns how many trials were kept before
 * @throws JuryError `usage` if another run has the name
 */
export async function keepImported(
  store: Pick<TrialStore, 'readRun' | 'create' | 'write'>,
  { manifest, cases, trials }: ImportedRun,
): Promise<number> {
  const there = await store.readRun(manifest.name);
  const isSame =
    there?.imported?.hash === manifest.imported?.hash && there?.dataset.hash === manifest.dataset.hash;
  if (there !== null && !isSame)
    throw new JuryError(
      'usage',
      `There is another run called ${manifest.name}: choose another --name. Nothing was imported.`,
    );
  if (there === null) await store.create(manifest, cases);
  const writer = await store.write(manifest.name);
  try {
    const { all } = await writer.kept();
    for (const { trial, verdict } of trials) {
      if (all.has(trial.key)) continue;
      await writer.begin(trial.key);
      await writer.save(trial, verdict);
    }
    return all.size;
  } finally {
    await writer.close();
  }
}
