import pLimit from 'p-limit';
import { JuryError } from '../../common/index.ts';
import { counted } from '../../common/text/index.ts';
import { makeOfEach, problemLines, type ReadItem, readCases } from '../../datasets/index.ts';
import { type JudgeOptions, planCase } from '../../judging/index.ts';
import { modelsIn } from '../../labels/access/index.ts';
import { isSameRight } from '../../labels/record/index.ts';
import {
  addGold,
  type GoldCase,
  type GoldOutcome,
  rightOfLabel,
  withoutAnswer,
} from '../../labels/voting/index.ts';
import { caseOptions, noteChange, type Parts, readConversation } from '../index.ts';
import { type CommandContext, type ExitCode, exitCode } from '../terminal/index.ts';
import { commandChanges } from './audit.ts';

interface GoldOptions {
  model?: string[];
  rubric?: string;
  /** About one in this many cases of the channel's queue has a known answer; unchanged if absent. */
  every?: number;
}

const AT_ONCE = 4;

/** @throws JuryError `bad-input` listing every case that cannot be judged or has no answer */
async function planAll(
  parts: Parts,
  items: readonly ReadItem[],
  options: JudgeOptions,
): Promise<(GoldCase & { source: string })[]> {
  const { made: cases, problems } = await makeOfEach(items, (read, source) => {
    const { case: evalCase, assumed } = read;
    const right = rightOfLabel(evalCase);
    if (right === null)
      throw new JuryError('bad-input', 'no answer: add "label": {"decision": "pass"} or "fail", or a score');
    const plan = planCase(parts.library, withoutAnswer(evalCase), options, assumed);
    return { source, plan, right, errorType: evalCase.label?.errorType };
  });
  const firsts = new Map<string, GoldCase & { source: string }>();
  for (const goldCase of cases) {
    const content = JSON.stringify(goldCase.plan.evalCase);
    const first = firsts.get(content);
    if (first === undefined) firsts.set(content, goldCase);
    else if (!isSameRight(first.right, goldCase.right))
      problems.push(`${goldCase.source}: same case as ${first.source}, with a different answer`);
  }
  if (problems.length > 0)
    throw new JuryError('bad-input', `Nothing was added:\n  ${problemLines(problems).join('\n  ')}`);
  return [...firsts.values()];
}

/** `jury gold`: adds labeled cases to a channel's queue, as cases with a known answer. */
export async function gold(
  context: CommandContext,
  channel: string,
  files: readonly string[],
  { every, model, rubric }: GoldOptions,
): Promise<ExitCode> {
  const { err, out, stop } = context;
  const parts = await context.parts({ cache: true });
  const { surface } = readConversation(channel, parts.surfaces, true);
  const { JURY_MODEL, JURY_SETTINGS } = parts.env.settings;
  const store = await parts.store();
  const settings = await store.channelSettings(channel);
  const models = modelsIn(settings, model, JURY_MODEL);
  for (const model of models) parts.requireModel(model);
  const items = await readCases(context, files, caseOptions(parts), stop);
  const options = { models, settings: JURY_SETTINGS, ...(rubric === undefined ? {} : { rubric }) };
  const cases = await planAll(parts, items, options);
  const judging = { ...parts, store, signal: stop };
  const limit = pLimit(AT_ONCE);
  const standing = new Map((await store.adjudications()).map((ruling) => [ruling.verdictId, ruling]));
  const outcomes = await Promise.all(
    cases.map((one) =>
      limit(async () =>
        stop.aborted ? 'stopped' : await addGold(judging, { surface: surface.name, channel }, one, standing),
      ),
    ),
  );
  if (stop.aborted) {
    err('Stopped. What was added is kept; the same command adds the rest.');
    return exitCode.interrupted;
  }
  const so = (wanted: GoldOutcome) => outcomes.filter((outcome) => outcome === wanted).length;
  const [fresh, corrected, overruled] = [so('added'), so('corrected'), so('overruled')];
  const now = await store.channelSettings(channel);
  const { goldEvery } = now;
  const after = { goldEvery: every ?? goldEvery, added: fresh, corrected };
  if (fresh + corrected > 0 || after.goldEvery !== goldEvery) {
    const where = { surface: surface.name, channel };
    const changes = await commandChanges(parts, err);
    const change = { what: 'known answers', about: null, before: { goldEvery }, after } as const;
    await noteChange(changes, changes.actor, where, change);
    if (every !== undefined) await store.saveChannelSettings(channel, { ...now, goldEvery: every });
    const about = { count: fresh, every: after.goldEvery ?? null };
    await changes.say(where, ({ knownAnswers }) => knownAnswers(about));
  }
  out(`${fresh} added, ${corrected + overruled + so('known')} already there.`);
  if (corrected > 0) err(`${counted(corrected, 'case')} had a different answer from a dataset before.`);
  if (overruled > 0)
    err(
      `${counted(overruled, 'case')} ${overruled === 1 ? 'has' : 'have'} a different ruling since, which stands: "jury labels adjudicate" changes it.`,
    );
  const refused = outcomes.flatMap((outcome, index) =>
    typeof outcome === 'string' ? [] : [`${cases[index]?.source ?? ''}: left out: ${outcome.problem}.`],
  );
  for (const line of refused) err(line);
  const rate = every ?? settings.goldEvery;
  if (rate === undefined) err('They are not mixed in yet: set a rate with --every or "/jury settings".');
  if (settings.blind !== true)
    err(
      'They are shown only to people who vote before they see the verdict: turn that on with "/jury settings", or in the console open /queue?blind=on.',
    );
  return refused.length > 0 ? exitCode.failed : exitCode.ok;
}
