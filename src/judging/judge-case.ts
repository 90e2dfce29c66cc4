import { createHash } from 'node:crypto';
import { type EvalCase, missingFields } from '../case/case.ts';
import { onAbort } from '../common/async.ts';
import { JuryError } from '../common/errors.ts';
import { decide } from './decide.ts';
import { type DeliberationEvent, deliberate } from './deliberate.ts';
import { unknownUsage, withoutAnswer } from './judgement.ts';
import { entry, type JudgingLibrary } from './library.ts';
import { type Method, methodMisfit, overrideMethod, ratingMethod } from './method.ts';
import { type Panel, seatPanel } from './panel.ts';
import { requireKnownSettings, type SettingValues, settingsOf, valuesOf, withSettings } from './persona.ts';
import type { Ask } from './ports.ts';
import { type Criterion, criteriaInForce, type Rubric, type SetAside } from './rubric.ts';
import { selectingFields, selectRubric } from './select-rubric.ts';
import type { Verdict } from './verdict.ts';

/** A case with the documents that a judge reads, and what to say about those that were left out. */
export interface CutCase {
  evalCase: EvalCase;
  note: string | null;
}

/**
 * Keeps documents whole and in their order (that of the retrieval) for as long as they fit; the first one that does not
 * fit ends it, so that what is read is always a beginning of the list. The first is kept in any case.
 *
 * @param limit most characters of all documents together
 */
export function cutDocuments(evalCase: EvalCase, limit: number): CutCase {
  const documents = evalCase.documents ?? [];
  let length = 0;
  const end = documents.findIndex(({ text }, index) => {
    length += text.length;
    return length > limit && index > 0;
  });
  if (end === -1) return { evalCase, note: null };
  return {
    evalCase: { ...evalCase, documents: documents.slice(0, end) },
    note: `the first ${end} of ${documents.length} documents were read, ${documents.length - end} left out: whole documents in their order, up to ${limit} characters`,
  };
}

/** How long a judge has to wind up after a stop: to say what it had cost so far, in ms. */
const GRACE_MS = 500;

/**
 * A judge that cannot hold up a stop: when the question's signal aborts it gets a moment to end by itself, then a
 * cancelled judgement of unknown cost takes its place.
 */
export function askPromptly(ask: Ask): Ask {
  return (question) =>
    new Promise((resolve, reject) => {
      let timer: NodeJS.Timeout | undefined;
      const forget = onAbort(question.signal, () => {
        timer = setTimeout(() => {
          resolve(
            withoutAnswer(question, 'cancelled', 'stopped before this judge had answered', unknownUsage),
          );
        }, GRACE_MS);
      });
      ask(question)
        .then(resolve, reject)
        .finally(() => {
          clearTimeout(timer);
          forget();
        });
    });
}

/** How to judge, as a user says it; what is left out comes from the case, then from the rubric. */
export interface JudgeOptions {
  rubric?: string;
  method?: string;
  models: readonly string[];
  /** Persona ids that take the place of the rubric's panel. */
  panel?: readonly string[];
  rounds?: number;
  temperature?: number;
  seed?: number;
  /** Values for settings of personas, by name; a persona on the panel that has none of them takes no notice. */
  settings?: SettingValues;
}

/** A case with everything settled that can be settled before anyone is asked. */
export interface CasePlan {
  caseId: string;
  evalCase: EvalCase;
  rubric: Rubric;
  method: Method;
  panel: Panel;
  /** Who rates the criteria before the panel speaks, where the method says so; else null. */
  raters: Panel | null;
  /** The settings of the personas on the panel, defaults included. */
  values: SettingValues;
  criteria: readonly Criterion[];
  setAside: readonly SetAside[];
  seed: number | null;
  /** Worked examples that a judge is shown: the method's number, or fewer where the rubric has fewer. */
  examples: number;
  assumed: readonly string[];
  remarks: readonly string[];
}

/** A case's own id, or one that its content gives it. */
export const caseIdOf = (evalCase: EvalCase): string => evalCase.id ?? derivedId(evalCase);

const derivedId = (evalCase: EvalCase): string =>
  `case-${createHash('sha256').update(JSON.stringify(evalCase)).digest('hex').slice(0, 8)}`;

/** What every case carries, so that it tells nothing about which rubric fits. */
const IN_EVERY_CASE = ['conversation', 'response'];

/** Why a rubric was taken that nobody named, and how to name another, in a case or wherever options are given. */
function chosenBecause(rubric: Rubric, evalCase: EvalCase): string {
  const telling = (selectingFields(rubric, evalCase) ?? []).filter((path) => !IN_EVERY_CASE.includes(path));
  const because =
    telling.length === 0
      ? 'nothing in the case calls for another'
      : `the case carries ${telling.join(' and ')}`;
  return `rubric ${rubric.id} was chosen because ${because}; name another with "rubric: ID" in the case or as the option --rubric, "jury rubrics" lists them`;
}

/** A neutral judge for each model, once, where the method has the criteria rated first. */
function ratersOf(method: Method, models: readonly string[]): Panel | null {
  const rating = ratingMethod(method);
  if (rating === null) return null;
  return seatPanel({ method: rating, models: [...new Set(models)], chosen: null, usual: [] });
}

/**
 * Settles who judges by a rubric, and how.
 *
 * @throws JuryError `usage` for ids and combinations that do not exist
 */
export function settlePanel(
  library: JudgingLibrary,
  rubric: Rubric,
  options: JudgeOptions,
): Pick<CasePlan, 'method' | 'panel' | 'raters' | 'values'> {
  const method = overrideMethod(entry('method', library.methods, options.method ?? rubric.method), options);
  const misfit = methodMisfit(method, rubric);
  if (misfit !== null)
    throw new JuryError('usage', `Method "${method.id}" ${misfit}. Choose another method.`);
  const given = options.settings ?? {};
  requireKnownSettings(given, library.personas.values());
  const personasOf = (ids: readonly string[]) =>
    ids.map((id) => withSettings(entry('persona', library.personas, id), given));
  const panel = seatPanel({
    method,
    models: options.models,
    chosen: options.panel === undefined ? null : personasOf(options.panel),
    usual: personasOf(rubric.panel),
  });
  const seated = [...panel.cast, ...panel.seats.flatMap(({ persona }) => persona ?? [])];
  return {
    method,
    panel,
    raters: ratersOf(method, options.models),
    values: valuesOf(settingsOf(seated), given),
  };
}

/**
 * Settles rubric, method and panel for a case.
 *
 * @param assumed what was assumed when the case was read; it goes into the verdict
 * @throws JuryError `usage` for ids and combinations that do not exist, `bad-input` for what the case lacks
 */
export function planCase(
  library: JudgingLibrary,
  evalCase: EvalCase,
  options: JudgeOptions,
  assumed: readonly string[] = [],
): CasePlan {
  const caseId = caseIdOf(evalCase);
  const wanted = options.rubric ?? evalCase.rubric;
  const rubric =
    wanted === undefined ? selectRubric(library.rubrics, evalCase) : entry('rubric', library.rubrics, wanted);
  const missing = missingFields(evalCase, rubric.needs);
  if (missing.length > 0)
    throw new JuryError(
      'bad-input',
      `Case ${caseId} lacks what the rubric "${rubric.id}" needs: ${missing.join(', ')}.${wanted === undefined ? ` The ${chosenBecause(rubric, evalCase)}.` : ''}`,
    );
  const { method, panel, raters, values } = settlePanel(library, rubric, options);
  const { inForce, setAside } = criteriaInForce(rubric, evalCase);
  const cut = cutDocuments(evalCase, rubric.documentChars);
  const wantedExamples = method.ratedFirst?.examples ?? method.examples;
  const examples = wantedExamples === 0 ? 0 : Math.min(wantedExamples, library.exemplars(rubric.id).length);
  const remarks = [
    ...(wanted === undefined ? [chosenBecause(rubric, evalCase)] : []),
    ...(cut.note === null ? [] : [cut.note]),
    ...(examples < wantedExamples
      ? [`method ${method.id} shows ${wantedExamples} worked examples, this rubric has ${examples}`]
      : []),
    ...(options.models.every((model) => model === 'rules') &&
    rubric.criteria.every(({ check }) => check === undefined)
      ? [`rubric ${rubric.id} has nothing that can be checked exactly: it needs a model`]
      : []),
    ...panel.notes,
  ];
  return {
    caseId,
    evalCase: cut.evalCase,
    rubric,
    method,
    panel,
    raters,
    values,
    criteria: inForce,
    setAside,
    seed: options.seed ?? null,
    examples,
    assumed,
    remarks,
  };
}

export interface JudgeContext {
  ask: Ask;
  /** Milliseconds since the epoch. */
  now: () => number;
  /** Longest time for one verdict in ms; judges that have not answered by then are unscored `timeout`. */
  timeoutMs: number;
  signal: AbortSignal;
  onEvent?: (event: DeliberationEvent) => void;
}

/** Judges a planned case. Always ends in a verdict: what went wrong with a judge stands in its judgement. */
export async function judgeCase(plan: CasePlan, context: JudgeContext): Promise<Verdict> {
  const { caseId, evalCase, rubric, method, panel, raters, criteria, setAside, seed } = plan;
  const start = context.now();
  const deliberation =
    criteria.length === 0
      ? { rounds: [], cancelled: false }
      : await deliberate({
          panel,
          raters,
          method,
          rubric,
          criteria,
          evalCase,
          seed,
          signal: context.signal,
          ask: askPromptly(context.ask),
          onEvent: (event) => {
            try {
              context.onEvent?.(event);
            } catch {
              // Whoever watches must not cost the verdict that is being paid for.
            }
          },
          deadlineAt: performance.now() + context.timeoutMs,
        });
  const outcome = decide({
    deliberation,
    panelSize: panel.seats.length,
    method,
    criteria,
    setAside,
    ...(rubric.overall === undefined ? {} : { overall: rubric.overall }),
  });
  return {
    caseId,
    rubric: rubric.id,
    method: method.id,
    ...outcome,
    settings: {
      panel: panel.seats.map(({ judge: { persona, model } }) => ({ persona, model })),
      temperature: method.temperature,
      seed,
      rounds: method.rounds,
      examples: plan.examples,
      ...(Object.keys(plan.values).length === 0 ? {} : { values: { ...plan.values } }),
    },
    assumed: [...plan.assumed],
    remarks: [...plan.remarks],
    startedAt: new Date(start).toISOString(),
    durationMs: Math.round(context.now() - start),
  };
}
