import * as z from 'zod';
import { type EvalCase, missingFields } from '../case/index.ts';
import { changeText, DAY_MS, JuryError } from '../common/index.ts';
import { readJson } from '../common/text/index.ts';
import { RULES } from '../judges/rules/index.ts';
import {
  type AnswerShelf,
  type Ask,
  type CasePlan,
  type JudgeContext,
  type JudgeOptions,
  type JudgeRequest,
  judgeOrCheck,
  obstacleOf,
  type Payers,
  planCase,
  planReading,
  type ReadCase,
  recallAsk,
  UnsureError,
} from '../judging/index.ts';
import type { SettingValues } from '../judging/standards/index.ts';
import { freeUsage, gapOf, type Verdict, withoutAnswer } from '../judging/verdict/index.ts';
import { type ChannelSettings, isOpenToAll, modelsIn } from '../labels/access/index.ts';
import { saveJudged, subjectsOf, type VerdictRecord } from '../labels/record/index.ts';
import { type CheckRun, isLeft, type SpotCheckParts } from './check-run.ts';
import { earlierAnswer, whatItSaid } from './judged-again.ts';
import { payersOf, tellLimits } from './payers.ts';
import type { CheckProblem, ReadItem } from './presenter.ts';
import { keepPeople } from './requesters.ts';
import { askedCase, askingMessage, type SpotCheck, verdictIdOf } from './spot-check.ts';

export type CaseOutcome =
  | { kind: 'judged'; record: VerdictRecord }
  | { kind: 'problem'; problem: CheckProblem }
  | { kind: 'left' };

const problem = (problem: CheckProblem): CaseOutcome => ({ kind: 'problem', problem });

/** Options in order of precedence: the request, then the case, then the channel's settings. */
function wishFor(asked: JudgeRequest, evalCase: EvalCase, channel: JudgeRequest): JudgeRequest {
  const rubric = asked.rubric ?? evalCase.rubric ?? channel.rubric;
  return { ...channel, ...asked, ...(rubric === undefined ? {} : { rubric }) };
}

/** What planning needs besides the case and the options. */
export interface Planning extends Pick<SpotCheckParts, 'library' | 'defaultModel' | 'requireModel'> {
  /** Values for persona settings, by name. */
  settings: SettingValues;
}

/**
 * Plans how to judge a case, without its uncertain lines. What the options leave open comes from the rubric and the
 * default model.
 *
 * @throws JuryError `usage` for unknown ids and invalid combinations, `bad-input` for missing fields, `config` for a
 * model that cannot be called
 */
export function planRequest(
  { library, defaultModel, requireModel, settings }: Planning,
  { case: evalCase, assumed, unsure }: ReadCase,
  wish: Partial<JudgeOptions>,
): CasePlan {
  const { models = [defaultModel] } = wish;
  for (const model of models) requireModel(model);
  return planCase(
    library,
    evalCase,
    { ...wish, models, settings: { ...settings, ...wish.settings } },
    assumed,
    unsure,
  );
}

const takingTurns =
  ({ queue, ask }: SpotCheckParts, checkId: string, payers: Payers): Ask =>
  (question) =>
    queue.run(checkId, async () =>
      question.signal.aborted
        ? withoutAnswer(question, 'cancelled', 'stopped before this judge was asked', freeUsage)
        : ask({ ...question, payers }),
    );

/** The store key for judges' answers, until their verdict is saved. */
export const answersKey = (verdictId: string): string => `answers:${verdictId}`;
/** No check is resumed after a day. */
const ANSWERS_KEPT_MS = DAY_MS;
const Answers = z.record(z.string(), z.string());

/** Stores the judges' answers on a case, for a process that takes over the check. */
function shelfOf({ store, now }: SpotCheckParts, { isRetry }: CheckRun, verdictId: string): AnswerShelf {
  const key = answersKey(verdictId);
  const answersIn = (text: string | null) => readJson(Answers, text ?? '{}')?.value ?? {};
  return {
    read: async (question) => {
      if (!isRetry) return null;
      return answersIn(await store.get(key, now()))[question] ?? null;
    },
    write: async (question, judgement) => {
      const added = (text: string | null) => JSON.stringify({ ...answersIn(text), [question]: judgement });
      await changeText(store, key, added, now(), ANSWERS_KEPT_MS);
    },
  };
}

const isOverBudget = (verdict: Verdict): boolean =>
  obstacleOf(verdict)?.fallback === 'budget' && gapOf(verdict) === 'unanswered';

/** Whether the requester chose the models, rather than leaving that to the conversation or the service. */
function areModelsNamed(
  { defaultModel }: Pick<SpotCheckParts, 'defaultModel'>,
  { wish: { models }, isWishComplete = false }: SpotCheck,
  settings: ChannelSettings,
): boolean {
  if (models === undefined || !isWishComplete) return models !== undefined;
  // A form sends the default models even if they were not changed.
  const usual = new Set(settings.wish.models ?? modelsIn(settings, undefined, defaultModel));
  return new Set(models).size !== usual.size || models.some((model) => !usual.has(model));
}

/**
 * The outcome for an error that prevents a case from being judged as requested.
 *
 * @throws any other error
 */
function refusalOf(
  { library }: SpotCheckParts,
  { evalCase, rubric = '' }: { evalCase: EvalCase; rubric: string | undefined },
  thrown: unknown,
): CaseOutcome {
  if (thrown instanceof UnsureError) {
    const { text, readings } = thrown;
    return problem({ kind: 'unsure-lines', message: thrown.message, text, readings });
  }
  if (!(thrown instanceof JuryError)) throw thrown;
  const { needs = [] } = library.rubrics.get(rubric) ?? {};
  const missing = missingFields(evalCase, needs);
  return problem({ kind: 'refused', message: thrown.message, evalCase, missing });
}

/**
 * Judges one case of a check and saves its verdict, unless an earlier attempt has done so.
 *
 * @param shown the message that shows it, and whether that becomes its card
 * @param onPlan called with the plan before the first question
 * @throws JuryError `store-unavailable`, or `endpoint-refused` if nothing can be judged until a setting is changed
 */
export async function judgeOne(
  parts: SpotCheckParts,
  run: CheckRun,
  index: number,
  item: ReadItem,
  shown: { message: string; isCard: boolean },
  onPlan: (plan: CasePlan) => void = () => {},
): Promise<CaseOutcome> {
  const { check } = run;
  if ('problem' in item)
    return problem({
      kind: 'unclear',
      problem: item.problem,
      missing: item.missing,
      understood: item.understood,
      none: item.none,
    });
  const id = verdictIdOf(check.id, index);
  const storedRecord = await parts.store.verdict(id);
  if (storedRecord !== null) return { kind: 'judged', record: storedRecord };
  if (isLeft(run)) return { kind: 'left' };
  if (run.signal.aborted) return problem({ kind: 'stopped' });
  const { reader } = item;
  // Who speaks cannot be proven: nothing is judged before a person or a program says so.
  if (reader !== undefined && check.wish.trustReader !== true)
    return problem({ kind: 'read-by-model', read: { ...askedCase(item), reader } });
  const settings = await parts.store.channelSettings(check.channel);
  const wanted = wishFor(check.wish, item.case, check.isWishComplete ? {} : settings.wish);
  const context = {
    ask: recallAsk(takingTurns(parts, check.id, payersOf(parts, run)), shelfOf(parts, run, id)),
    now: parts.now,
    timeoutMs: parts.timeoutMs,
    signal: run.signal,
  };
  const planBy = (models: readonly string[]) =>
    planReading(item, wanted.unsure, '', (read) => planRequest(parts, read, { ...wanted, models }), context);
  const about = { evalCase: item.case, rubric: wanted.rubric };
  let plan: CasePlan;
  try {
    plan = await planBy(modelsIn(settings, wanted.models, parts.defaultModel));
  } catch (thrown) {
    return refusalOf(parts, about, thrown);
  }
  onPlan(plan);
  /** The same case, judged by exact checks alone; null if that is not allowed. */
  const planChecks = async (): Promise<CasePlan | null> => {
    // Voters in a blind channel, and requesters who chose the models, get a verdict by those models or none.
    if (check.blind === true || areModelsNamed(parts, check, settings)) return null;
    try {
      return await planBy([RULES]);
    } catch (thrown) {
      if (thrown instanceof UnsureError || !(thrown instanceof JuryError)) throw thrown;
      return null;
    }
  };
  const onEvent: JudgeContext['onEvent'] = (event) => run.watcher?.saw(event);
  const judged = await judgeOrCheck(plan, planChecks, { ...context, onEvent }).catch((thrown: unknown) => {
    if (thrown instanceof UnsureError) return refusalOf(parts, about, thrown);
    throw thrown;
  });
  if ('kind' in judged) return judged;
  const verdict = judged;
  // Cut off by a shutdown or a takeover: judge it again rather than save half a verdict.
  if (isLeft(run)) return { kind: 'left' };
  await tellLimits(parts, run, verdict, !isOverBudget(verdict));
  if (verdict.cancelled && verdict.judgements.length === 0) return problem({ kind: 'stopped' });
  if (isOverBudget(verdict)) return problem({ kind: 'budget', spent: run.spent ?? [] });
  const read = {
    evalCase: plan.shown,
    ...(plan.leftOut === undefined ? {} : { withLeftOut: plan.leftOut.withIt }),
    ...(item.received === undefined ? {} : { received: item.received }),
  };
  return keep(parts, run, id, read, verdict, shown);
}

async function keep(
  { store, now, observer, readTrust }: SpotCheckParts,
  { check, surface, stopper }: CheckRun,
  id: string,
  read: Pick<VerdictRecord, 'evalCase' | 'withLeftOut' | 'received'>,
  verdict: Verdict,
  { message, isCard }: { message: string; isCard: boolean },
): Promise<CaseOutcome> {
  const { team, channel, kind, thread } = check;
  // Not knowing how far to trust a verdict is no reason to lose it.
  const trust = await readTrust(verdict).catch((thrown) => {
    observer.failed('trust', check, thrown);
    return null;
  });
  const permalink = await surface.presenter.permalink(check, message);
  const earlier = isCard ? ((await earlierAnswer(store, check, now()))?.record ?? null) : null;
  const asked = askingMessage(check) ?? earlier?.source.asked;
  const record: VerdictRecord = {
    id,
    at: now(),
    ...read,
    verdict,
    source: {
      surface: check.surface,
      team,
      channel,
      ...(kind === undefined ? {} : { kind }),
      thread,
      message: isCard ? message : null,
      ...(permalink === undefined ? {} : { permalink }),
      ...(asked === undefined ? {} : { asked }),
    },
    subjects: subjectsOf(verdict),
    ...(check.blind === true ? { blind: true } : {}),
    ...(trust === null ? {} : { trust }),
    ...(earlier === null || !isOpenToAll(earlier) || check.blind === true
      ? {}
      : { earlier: whatItSaid(earlier) }),
  };
  const stoppedBy = verdict.cancelled ? stopper : null;
  await keepPeople(store, id, { askedBy: check.requestedBy, stoppedBy }, now());
  const saved = await saveJudged(store, record);
  if (saved === 'saved') observer.judged(record);
  // They expire anyway.
  await store.delete(answersKey(id)).catch(() => {});
  // Another process may have saved a verdict with other answers first: show the one that was saved.
  const kept = saved === 'saved' ? null : await store.verdict(id);
  return { kind: 'judged', record: kept ?? record };
}
