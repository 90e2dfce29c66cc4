import { withdrawVerdict } from '../labels/access/index.ts';
import { answerQuestion } from './answer-question.ts';
import { type CheckOutcome, type CheckRun, isLeft, type SpotCheckParts } from './check-run.ts';
import { canTryAgain, dropFailed, keepFailed } from './failed-requests.ts';
import { answersKey, type CaseOutcome, judgeOne } from './judge-one-case.ts';
import type { CaseState, CheckProblem, CheckSurface, ReadItem, Reading } from './presenter.ts';
import { readByModel } from './read-by-model.ts';
import { isThanks } from './read-message.ts';
import { removeMark, settle, worstMark } from './settle.ts';
import { noteFollowing, type Shown, shownFor } from './shown-messages.ts';
import { askedCase, chosenKey, messageKey, requestId, type SpotCheck, verdictIdOf } from './spot-check.ts';
import { noteAnswered, shownAbove } from './verdict-above.ts';

/** Most cases per request; the command line accepts more. */
export const MAX_CASES = 100;
/** Cases of one check judged concurrently. */
const CASES_AT_ONCE = 4;

async function readingOf({ check, surface, signal }: CheckRun, isJudged: boolean): Promise<Reading> {
  if (check.input.kind === 'message') return surface.read(check, signal, isJudged);
  const items = check.input.cases.map(({ evalCase, ...read }) => ({
    case: evalCase,
    spans: read.received?.spans ?? [],
    ...read,
  }));
  return { kind: 'items', items };
}

/** The cases in storable form; null if some item could not be read, so that a retry reads and reports it again. */
function asInput(items: readonly ReadItem[]): SpotCheck['input'] | null {
  const cases = items.flatMap((item) => ('case' in item ? [askedCase(item)] : []));
  return cases.length === items.length && cases.length > 0 ? { kind: 'cases', cases } : null;
}

/**
 * The placeholder message. Also decides, once for all attempts and before anything is shown, whether verdicts are
 * hidden until a vote.
 */
async function placeholderOf({ store }: SpotCheckParts, run: CheckRun): Promise<string> {
  const { progress } = run.check;
  if (progress.placeholder !== null && run.check.blind !== undefined) return progress.placeholder;
  const message = progress.placeholder ?? (await run.surface.presenter.placeholder(run.check, run.isRetry));
  const { blind = false } = await store.channelSettings(run.check.channel);
  await run.note({ progress: { ...progress, placeholder: message }, blind });
  return message;
}

const STOPPED: CheckProblem = { kind: 'stopped' };

async function answerIn(
  parts: SpotCheckParts,
  run: CheckRun,
  message: string,
  above: Shown,
  asked: string,
): Promise<CheckOutcome | CheckProblem> {
  const answer = await answerQuestion(parts, run, above, asked);
  if (run.signal.aborted) return STOPPED;
  await noteFailed(parts, run, answer.kind === 'details' && answer.failed !== null);
  await run.surface.presenter.answer(run.check, message, answer);
  return 'answered';
}

/** Saves what a message asks for, so that it need not be read again. @param input null if a retry must read it again */
async function noteRead(
  run: CheckRun,
  input: SpotCheck['input'] | null,
  said: SpotCheck['wish'] = {},
): Promise<void> {
  const { input: read, progress, wish } = run.check;
  if (read.kind !== 'message') return;
  const asked = { wish: { ...said, ...wish } };
  await run.note(
    input === null ? asked : { ...asked, input, progress: { ...progress, asked: read.message } },
  );
}

/**
 * Notes that a request replaces the answer above it, as the button *Judge again* does, and that it goes with the message that asked
 * first.
 *
 * @returns whether that message still exists
 */
async function replaceAnswer({ store, now }: SpotCheckParts, run: CheckRun, above: Shown): Promise<boolean> {
  if (run.check.again !== null || run.check.replaces !== undefined) return true;
  const { check: replaced, cases } = above;
  const isThere = await noteFollowing(store, replaced, run.check.id, now());
  await run.note(cases === 1 ? { again: verdictIdOf(replaced, 0) } : { replaces: replaced });
  return isThere;
}

/** Responds to a message: judges its cases, answers a question or reports a problem. */
async function respond(
  parts: SpotCheckParts,
  run: CheckRun,
  message: string,
  above: Shown | null,
): Promise<CheckOutcome | CheckProblem> {
  // An earlier attempt may have saved verdicts for cases that were read: those are shown even if the rest was stopped.
  const isOver = () => run.signal.aborted && (isLeft(run) || run.check.input.kind === 'message');
  if (isOver()) return STOPPED;
  const plain = await readingOf(run, above !== null);
  if (isOver()) return STOPPED;
  const reading = await readByModel(parts, run, plain);
  if (isOver()) return STOPPED;
  if (reading.kind === 'question' && above !== null)
    return answerIn(parts, run, message, above, reading.asked);
  if (reading.kind === 'again') return judgeKept(parts, run, message, above, reading.wish);
  if (
    'again' in reading &&
    reading.again === true &&
    above !== null &&
    !(await replaceAnswer(parts, run, above))
  )
    return STOPPED;
  if (reading.kind === 'unsure') {
    // A person has already answered it, and its message has become a card.
    const { edits = [] } = (await shownFor(parts.store, run.check.id, parts.now())) ?? {};
    return edits.length > 0 ? 'answered' : reading;
  }
  if (reading.kind === 'unreadable') return reading;
  if (reading.kind === 'nothing') return { kind: 'nothing' };
  // A question, and nothing that it could be about.
  if (reading.kind === 'question') return { kind: 'unreadable', isShort: true };
  return judgeAll(parts, run, message, reading);
}

/** Judges again what was judged above, from what is kept of it. */
async function judgeKept(
  parts: SpotCheckParts,
  run: CheckRun,
  message: string,
  above: Shown | null,
  wish: SpotCheck['wish'] | undefined,
): Promise<CheckOutcome | CheckProblem> {
  const ids = Array.from({ length: above?.cases ?? 0 }, (_, index) => verdictIdOf(above?.check ?? '', index));
  const records = await Promise.all(ids.map((id) => parts.store.verdict(id)));
  const items = records.flatMap((record): ReadItem[] =>
    record === null
      ? []
      : [
          {
            case: record.evalCase,
            assumed: record.verdict.assumed,
            spans: record.received?.spans ?? [],
            ...(record.received === undefined ? {} : { received: record.received }),
          },
        ],
  );
  if (above === null || items.length === 0) return { kind: 'unreadable', isShort: true };
  if (!(await replaceAnswer(parts, run, above))) return STOPPED;
  return judgeAll(parts, run, message, { items, ...(wish === undefined ? {} : { wish }) });
}

async function judgeAll(
  parts: SpotCheckParts,
  run: CheckRun,
  message: string,
  reading: Pick<Extract<Reading, { kind: 'items' }>, 'items' | 'wish'>,
): Promise<CheckOutcome | CheckProblem> {
  const { items } = reading;
  if (items.length > MAX_CASES)
    return {
      kind: 'refused',
      message: `There are ${items.length} cases; one request takes ${MAX_CASES}. Nothing was judged: split them, or use "jury judge" on the command line.`,
    };
  await noteRead(run, asInput(items), reading.wish);
  const [only] = items;
  const outcome =
    items.length === 1 && only !== undefined
      ? await finishOne(parts, run, message, only)
      : await finishSeveral(parts, run, message, items);
  // The card is already shown: if this fails, a question in the thread is merely not recognized as one.
  if (outcome === 'done')
    await noteAnswered(parts.store, run.check, items.length, parts.now()).catch((thrown) =>
      parts.observer.failed('store', run.check, thrown),
    );
  return outcome;
}

/**
 * Links a verdict that is judged again to the message that first asked, so that deleting that message removes both.
 *
 * @returns whether that message still exists, as far as is known
 */
async function followRequest(
  { store, now }: SpotCheckParts,
  { id, surface, team, channel, again }: SpotCheck,
): Promise<boolean> {
  const { source } = (again === null ? null : await store.verdict(again)) ?? {};
  if (source?.asked === undefined || source.message === null) return true;
  if (source.surface !== surface || source.channel !== channel) return true;
  const original = requestId({ surface, team, key: messageKey(channel, source.asked) });
  return original === id || noteFollowing(store, original, id, now());
}

/**
 * Finishes a check: acknowledges it, reads it, judges or answers it, and shows the result. Steps completed by an
 * earlier attempt are not repeated.
 *
 * @throws whatever prevented the result from being shown or saved
 */
export async function finishCheck(parts: SpotCheckParts, run: CheckRun): Promise<CheckOutcome> {
  const { store, now } = parts;
  const wasDeleted = async () => (await shownFor(store, run.check.id, now()))?.withdrawn === true;
  if (!(await followRequest(parts, run.check))) return 'stopped';
  if (await wasDeleted()) return 'stopped';
  const outcome = await finish(parts, run).catch(async (thrown): Promise<CheckOutcome> => {
    // Its message is gone, so nothing can be shown there.
    if (await wasDeleted().catch(() => false)) return 'stopped';
    throw thrown;
  });
  const { id, input } = run.check;
  if (outcome !== 'left' && (await wasDeleted().catch(() => false)))
    await withdraw(parts, id, run.surface, input.kind === 'cases' ? input.cases.length : 0);
  return outcome;
}

/**
 * Removes the answer to a deleted request: its messages, and its verdicts from every list.
 *
 * @param judged how many of its cases may have verdicts that were never shown
 */
export async function withdraw(
  { store, now }: Pick<SpotCheckParts, 'store' | 'now'>,
  id: string,
  surface: CheckSurface,
  judged = 0,
): Promise<void> {
  const { presenter } = surface;
  await dropFailed(store, id, now());
  const shown = await shownFor(store, id, now());
  if (shown === null) return;
  for (let index = 0; index < Math.max(shown.cases, judged); index += 1) {
    const verdictId = verdictIdOf(id, index);
    await withdrawVerdict(store, verdictId, now());
    await store.delete(answersKey(verdictId));
  }
  await presenter.withdraw(shown);
  await removeMark(store, shown.channel, shown.asked, surface, now());
}

async function finish(parts: SpotCheckParts, run: CheckRun): Promise<CheckOutcome> {
  const { presenter } = run.surface;
  const { store, now } = parts;
  const { input } = run.check;
  if (input.kind === 'message' && input.files.length === 0 && isThanks(input.text)) {
    await presenter.thank(run.check);
    return 'answered';
  }
  const reply = run.surface.reply?.(run.check) ?? null;
  if (reply !== null) {
    await reply();
    return 'answered';
  }
  const above = await shownAbove(store, run.check, now());
  const message = await placeholderOf(parts, run);
  await noteAnswered(store, run.check, 0, now());
  const outcome = await respond(parts, run, message, above);
  if (typeof outcome === 'string') return outcome;
  if (isLeft(run)) return 'left';
  await showProblem(parts, run, message, outcome);
  return outcome.kind;
}

/** Keeps a request while trying it again may help, and nothing of it once it is answered. */
async function noteFailed(
  { store, library, now }: SpotCheckParts,
  { check }: CheckRun,
  hasFailed: boolean,
): Promise<void> {
  if (hasFailed) await keepFailed(store, check, library.redactor, now());
  else await dropFailed(store, check.id, now());
}

/** Whether a person has chosen between the two readings of a request: its message now belongs to another request. */
async function isChosen({ store, now }: SpotCheckParts, { check }: CheckRun): Promise<boolean> {
  const id = requestId({ ...check, key: chosenKey(check) });
  return (await store.spotCheck(id)) !== null || (await shownFor(store, id, now())) !== null;
}

/** Whether a click on the message answers it. */
const isQuestion = ({ kind }: CheckProblem): boolean => kind === 'unsure-lines' || kind === 'read-by-model';

/** Shows why there is no verdict. What may succeed as it is can be tried again. */
async function showProblem(
  parts: SpotCheckParts,
  run: CheckRun,
  message: string,
  problem: CheckProblem,
): Promise<void> {
  await noteFailed(parts, run, canTryAgain(problem, run.check));
  await run.surface.presenter.problem(run.check, message, problem);
}

async function finishOne(
  parts: SpotCheckParts,
  run: CheckRun,
  message: string,
  item: ReadItem,
): Promise<CheckOutcome> {
  const { presenter } = run.surface;
  const outcome = await judgeOne(parts, run, 0, item, { message, isCard: true }, (plan) => {
    run.watcher = presenter.watch(run.check, message, plan);
  });
  await run.watcher?.end();
  if (outcome.kind === 'left') return 'left';
  // The person asked to choose did so before the question was stored.
  if (outcome.kind === 'problem' && isQuestion(outcome.problem) && (await isChosen(parts, run)))
    return outcome.problem.kind;
  if (outcome.kind === 'problem') {
    await showProblem(parts, run, message, outcome.problem);
    return outcome.problem.kind;
  }
  await presenter.card(run.check, message, outcome.record);
  run.isShown = true;
  await noteFailed(parts, run, false);
  await settle(parts, run, message, worstMark([outcome.record.verdict.decision]));
  return 'done';
}

const titleOf = (item: ReadItem | undefined, index: number): string =>
  (item !== undefined && 'case' in item ? item.case.id : undefined) ?? `case ${index + 1}`;

function problemText(problem: CheckProblem): string {
  switch (problem.kind) {
    case 'unclear':
      return problem.problem;
    case 'unsure':
      return problem.why;
    case 'unsure-lines':
      return `${problem.message.split('\n')[0]} Paste this case alone to choose.`;
    case 'read-by-model':
      return 'No label says who speaks. Paste this case alone to have it read.';
    case 'refused':
    case 'failed':
      return problem.message;
    case 'budget':
      return 'the daily budget is used up';
    case 'stopped':
      return 'stopped before it was judged';
    case 'nothing':
    case 'unreadable':
      return 'there is nothing to judge';
  }
}

/** Shows all cases in one message, from which each card can be opened. */
async function finishSeveral(
  parts: SpotCheckParts,
  run: CheckRun,
  message: string,
  items: readonly ReadItem[],
): Promise<CheckOutcome> {
  const { presenter } = run.surface;
  const states = items.map((): CaseState => ({ kind: 'pending' }));
  const show = async (index: number, outcome: CaseOutcome): Promise<void> => {
    if (outcome.kind === 'left') return;
    states[index] =
      outcome.kind === 'judged'
        ? outcome
        : {
            kind: 'problem',
            title: titleOf(items[index], index),
            problem: parts.library.redactor.text(problemText(outcome.problem)),
            canTryAgain: canTryAgain(outcome.problem, run.check),
          };
    await presenter.summary(run.check, message, states, false);
  };
  await presenter.summary(run.check, message, states, true);
  const left = items.entries();
  const worker = async (): Promise<void> => {
    for (const [index, item] of left) {
      if (isLeft(run)) return;
      await show(index, await judgeOne(parts, run, index, item, { message, isCard: false }));
    }
  };
  const ended = await Promise.allSettled(Array.from({ length: CASES_AT_ONCE }, worker));
  for (const one of ended) if (one.status === 'rejected') throw one.reason;
  if (isLeft(run)) return 'left';
  const hasFailed = states.some((state) => state.kind === 'problem' && state.canTryAgain);
  await noteFailed(parts, run, hasFailed);
  await presenter.summary(run.check, message, states, true);
  run.isShown = true;
  const decisions = states.map((state) =>
    state.kind === 'judged' ? state.record.verdict.decision : 'undecided',
  );
  await settle(parts, run, message, worstMark(decisions));
  return 'done';
}
