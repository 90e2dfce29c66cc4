import { createHash } from 'node:crypto';
import {
  answerNamesOf,
  cutDocuments,
  type EvalCase,
  eitherAnswer,
  fieldOf,
  isPair,
  isRecord,
  missingFields,
  noteKind,
} from '../case/index.ts';
import type { Unsure } from '../case/paste/index.ts';
import { JuryError, onAbort } from '../common/index.ts';
import { type Ask, redactionRemarks, type UnsureChoice } from './ask.ts';
import { askInBothOrders } from './ask-in-both-orders.ts';
import { decide } from './decide.ts';
import { type DeliberationEvent, type DeliberationPlan, deliberate } from './deliberate.ts';
import {
  type Criterion,
  comparing,
  criteriaInForce,
  entry,
  examplesOf,
  exemplarsFor,
  explainMisfit,
  type JudgingLibrary,
  type Method,
  type MethodOverrides,
  overrideMethod,
  type Panel,
  type Rubric,
  ratingMethod,
  requireKnownSettings,
  rubricFor,
  type SetAside,
  type SettingValues,
  seatPanel,
  selectingFields,
  settingsOf,
  valuesWithDefaults,
  withSettings,
} from './standards/index.ts';
import { type Reader, totalUsage, unknownUsage, type Verdict, withoutAnswer } from './verdict/index.ts';

/** How long a judge may take after a stop to report its cost so far, in ms. */
const GRACE_MS = 500;

/**
 * A judge that cannot delay a stop: some time after the question's signal aborts, a cancelled judgement of unknown cost takes the
 * place of its answer.
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

/** How to judge. */
export interface JudgeOptions extends MethodOverrides {
  /** Id of a rubric. Default: the case's own, otherwise the one that fits its fields. */
  rubric?: string;
  /** Id of a method. Default: the rubric's. */
  method?: string;
  /** Models as `provider/model`, or `rules` for exact checks without a model. How many a method takes is up to its `seats`. */
  models: readonly string[];
  /** Ids of the personas on the panel. Default: the rubric's. */
  panel?: readonly string[];
  /** Seed for endpoints that take one; each sample adds its number. Default: none. */
  seed?: number;
  /** Values of the personas' settings, by name. A name that no persona has is an error. Default: each setting's own. */
  settings?: SettingValues;
}

/** Options of a call by a program. `models` defaults to `JURY_MODEL`, otherwise `rules`; `settings` add to `JURY_SETTINGS`. */
export interface CallOptions extends Partial<JudgeOptions> {
  /**
   * What lines are that may or may not belong to the answer: part of it (`answer`), a remark (`remark`), or a reason to judge nothing
   * (`refuse`). Default: models judge without them; exact checks judge if they make no difference, otherwise the call rejects.
   */
  unsure?: UnsureChoice;
  /**
   * Whether to judge a paste that plain reading refuses by what a model (`JURY_READER`) reads in it. Default: the call rejects, and the
   * message says what the model read.
   */
  trustReader?: boolean;
  /** Ends the deliberation early. The call still resolves, to a verdict from the answers so far with `cancelled: true`. */
  signal?: AbortSignal;
  /** Called for every question to a judge and every answer, in order of arrival. What it throws is ignored. */
  onEvent?: (event: DeliberationEvent) => void;
}

/** A case with everything that is decided before judges are asked. */
export interface CasePlan {
  caseId: string;
  /** The case as given. Only exact checks read this version; models get a redacted one. */
  evalCase: EvalCase;
  /** The whole case, redacted, as it is shown to people and stored. */
  shown: EvalCase;
  rubric: Rubric;
  method: Method;
  panel: Panel;
  /** Judges that rate the criteria first; null if the method has none. */
  raters: Panel | null;
  /** The settings of the personas on the panel, defaults included. */
  values: SettingValues;
  criteria: readonly Criterion[];
  setAside: readonly SetAside[];
  seed: number | null;
  /** Worked examples that judges are shown: the method's number, or all if the rubric has fewer. */
  examples: number;
  assumed: readonly string[];
  /** Lines below the answer that may belong to it, and the case with them; both redacted. */
  leftOut?: Unsure;
  remarks: readonly string[];
  /** The model that read the paste. */
  reader?: Reader;
  /** Set if exact checks stand in for models. */
  fallback?: Verdict['fallback'];
}

/** A case's own id, otherwise one derived from its content. */
export const caseIdOf = (evalCase: EvalCase): string =>
  evalCase.id ?? `case-${createHash('sha256').update(JSON.stringify(evalCase)).digest('hex').slice(0, 8)}`;

/** Fields of every case, which therefore explain nothing about the choice of a rubric. */
const IN_EVERY_CASE = ['conversation', 'response'];

/** Explains the choice of a rubric that the request did not name. */
function rubricRemark(rubric: Rubric, evalCase: EvalCase): string {
  const fields = (selectingFields(rubric, evalCase) ?? []).filter((path) => !IN_EVERY_CASE.includes(path));
  const nouns = fields.map((path) =>
    isRecord(fieldOf(evalCase, path)) ? `${/^[aeiou]/.test(path) ? 'an' : 'a'} ${path}` : path,
  );
  const because =
    fields.length === 0 ? 'nothing in the case calls for another' : `the case has ${nouns.join(' and ')}`;
  return `rubric ${rubric.id} was chosen because ${because}`;
}

/** One neutral judge per model, if the method rates criteria first. */
function ratersOf(method: Method, models: readonly string[]): Panel | null {
  const rating = ratingMethod(method);
  if (rating === null) return null;
  return seatPanel({ method: rating, models: [...new Set(models)], chosen: null, rubricPanel: [] });
}

/** @throws JuryError `usage` for unknown ids and invalid combinations */
export function choosePanel(
  library: JudgingLibrary,
  rubric: Rubric,
  options: JudgeOptions,
): Pick<CasePlan, 'method' | 'panel' | 'raters' | 'values'> {
  const method = overrideMethod(entry('method', library.methods, options.method ?? rubric.method), options);
  const misfit = explainMisfit(method, rubric);
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
    rubricPanel: personasOf(rubric.panel),
  });
  const seated = [...panel.cast, ...panel.seats.flatMap(({ persona }) => persona ?? [])];
  return {
    method,
    panel,
    raters: ratersOf(method, options.models),
    values: valuesWithDefaults(settingsOf(seated), given),
  };
}

/**
 * The case as judges read it, and what was left out.
 * @returns `isWhole`: whether it has all that the user says after the answer
 */
export function caseForJudges(rubric: Rubric, evalCase: EvalCase) {
  const { closing, ...answered } = evalCase;
  const isWhole = closing === undefined || rubric.judged === 'interaction';
  return { isWhole, ...cutDocuments(isWhole ? evalCase : answered, rubric.documentChars) };
}

/**
 * Chooses rubric, method and panel for a case.
 *
 * @param assumed assumptions made when the case was read; they become part of the verdict
 * @param leftOut lines below the answer that may belong to it but are not in the case, and the case with them
 * @throws JuryError `usage` for unknown ids and invalid combinations, `bad-input` for missing fields
 */
export function planCase(
  library: JudgingLibrary,
  evalCase: EvalCase,
  options: JudgeOptions,
  assumed: readonly string[] = [],
  leftOut?: Unsure,
): CasePlan {
  const { redactor } = library;
  const shown = redactor.case(evalCase);
  // Derived from the redacted case: from a hash of the original, redacted details could be guessed.
  const caseId = caseIdOf(shown);
  const wanted = options.rubric ?? evalCase.rubric;
  const given = eitherAnswer(evalCase);
  const chosenRubric = rubricFor(library.rubrics, given, wanted);
  const rubric = isPair(evalCase) ? comparing(chosenRubric) : chosenRubric;
  const missing = missingFields(given, rubric.needs);
  if (missing.length > 0)
    throw new JuryError(
      'bad-input',
      `Case ${caseId} lacks fields that the rubric "${rubric.id}" needs: ${missing.join(', ')}.${wanted === undefined ? ` The ${rubricRemark(rubric, given)}; name another with "rubric: ID" in the case.` : ''}`,
    );
  const { method, panel, raters, values } = choosePanel(library, rubric, options);
  const { inForce, setAside } = criteriaInForce(rubric, given, library.caseFormat);
  const { isWhole, ...cut } = caseForJudges(rubric, evalCase);
  const wantedExamples = examplesOf(method);
  // Worked examples judge one answer.
  const examples =
    wantedExamples === 0 || isPair(evalCase)
      ? 0
      : Math.min(wantedExamples, exemplarsFor(library, rubric).length);
  const isExact = options.models.every((model) => model === 'rules');
  const lacksChecks = rubric.criteria.every(({ check }) => check === undefined);
  const remarks = [
    wanted === undefined ? rubricRemark(rubric, given) : [],
    cut.note ?? [],
    isWhole
      ? []
      : `left out: what the user says after the answer, since rubric ${rubric.id} judges the answer`,
    examples < wantedExamples
      ? `method ${method.id} shows ${wantedExamples} worked examples, but ${isPair(evalCase) ? 'there are none of two answers compared' : `this rubric has ${examples === 0 ? 'none' : `only ${examples}`}`}`
      : [],
    lacksChecks && isExact ? `rubric ${rubric.id} has no exact checks, so it needs a model` : [],
    panel.notes,
    redactionRemarks(redactor.count(shown), isExact),
  ].flat();
  return {
    caseId,
    evalCase: cut.evalCase,
    shown,
    rubric,
    method,
    panel,
    raters,
    values,
    criteria: inForce,
    setAside,
    seed: options.seed ?? null,
    examples,
    // Notes on missing values only matter if a criterion was set aside.
    assumed: assumed.filter((one) => setAside.length > 0 || noteKind(one) !== 'missing').map(redactor.text),
    ...(leftOut === undefined
      ? {}
      : { leftOut: { text: redactor.text(leftOut.text), withIt: redactor.case(leftOut.withIt) } }),
    remarks,
  };
}

export interface JudgeContext {
  ask: Ask;
  /** See `DeliberationPlan`. */
  known?: DeliberationPlan['known'];
  /** Milliseconds since the epoch. */
  now: () => number;
  /** Time limit of a verdict in ms; judges that have not answered by then are unscored (`timeout`). */
  timeoutMs: number;
  signal: AbortSignal;
  onEvent?: (event: DeliberationEvent) => void;
}

/**
 * Judges a planned case. Results in a verdict, in which a judge's failure is its judgement.
 *
 * @throws JuryError `endpoint-refused` if a model's endpoint refuses all questions until a setting is changed
 */
export async function judgeCase(plan: CasePlan, context: JudgeContext): Promise<Verdict> {
  const stop = new AbortController();
  const unlink = onAbort(context.signal, () => stop.abort());
  try {
    return await reachVerdict(plan, { ...context, signal: stop.signal });
  } catch (thrown) {
    // The other judges need not finish.
    stop.abort();
    throw thrown;
  } finally {
    unlink();
  }
}

async function reachVerdict(plan: CasePlan, context: JudgeContext): Promise<Verdict> {
  const { caseId, evalCase, rubric, method, panel, raters, criteria, setAside, seed } = plan;
  const start = context.now();
  const onEvent = (event: DeliberationEvent) => {
    try {
      context.onEvent?.(event);
    } catch {
      // A failing listener must not cost the verdict.
    }
  };
  const deliberation =
    criteria.length === 0
      ? { rounds: [], cancelled: false }
      : await deliberate({
          ...{ panel, raters, method, rubric, criteria, evalCase, seed, onEvent },
          signal: context.signal,
          ...(context.known === undefined ? {} : { known: context.known }),
          ask: askPromptly(askInBothOrders(context.ask)),
          deadlineAt: performance.now() + context.timeoutMs,
        });
  const outcome = decide({
    ...{ deliberation, panelSize: panel.seats.length, method, criteria, setAside },
    compared: isPair(evalCase) ? answerNamesOf(evalCase) : undefined,
    ...(plan.fallback === undefined ? {} : { fallback: plan.fallback }),
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
      rubricVersion: rubric.version ?? 1,
      ...(Object.keys(plan.values).length === 0 ? {} : { values: { ...plan.values } }),
    },
    assumed: [...plan.assumed],
    ...(plan.leftOut === undefined ? {} : { leftOut: plan.leftOut.text }),
    remarks: [...plan.remarks],
    ...(plan.reader === undefined
      ? {}
      : {
          reader: plan.reader,
          calls: outcome.calls + 1,
          usage: totalUsage([outcome.usage, plan.reader.usage]),
        }),
    startedAt: new Date(start).toISOString(),
    durationMs: Math.round(context.now() - start),
  };
}
