import type { Understood } from '../../case/paste/draft.ts';
import { parseInput } from '../../case/paste/parse-input.ts';
import type { JudgeRequest } from '../../judging/judge-request.ts';
import type { SlackContext } from './context.ts';
import { type Draft, keepDraft } from './drafts.ts';
import { judgeForm } from './render/judge-form.ts';
import type { Choices } from './render/wish-inputs.ts';

export const choicesOf = ({ library, models }: SlackContext): Choices => ({
  rubrics: library.rubrics,
  methods: library.methods,
  personas: library.personas,
  models,
});

/** What the form shows of how to judge: what was asked for, else what the channel has set. */
async function wishOf({ store }: SlackContext, draft: Draft): Promise<JudgeRequest> {
  if (draft.channel === null) return draft.wish;
  const { wish } = await store.channelSettings(draft.channel);
  const { rubric = draft.understood.rubric } = draft.wish;
  return { ...wish, ...draft.wish, ...(rubric === undefined ? {} : { rubric }) };
}

/**
 * Opens the form; what it is about is kept before.
 *
 * @param draftId where the draft is kept already
 * @throws JuryError `store-unavailable`, or what Slack answered
 */
export async function openForm(
  context: SlackContext,
  trigger_id: string,
  draft: Draft,
  draftId?: string,
): Promise<void> {
  const id = draftId ?? (await keepDraft(context.store, draft, context.now()));
  const view = judgeForm({
    draftId: id,
    understood: draft.understood,
    wish: await wishOf(context, draft),
    rubrics: context.library.rubrics,
    choices: choicesOf(context),
    format: context.library.caseFormat,
    ...(draft.problem === undefined ? {} : { problem: draft.problem }),
  });
  await context.clients.now.views.open({ trigger_id, view });
}

/** What a text was understood as, to begin a form with; null where it holds several cases, which no form can. */
export function understand(
  text: string,
  { maxCaseChars, library }: Pick<SlackContext, 'maxCaseChars' | 'library'>,
): { understood: Understood; problem?: string } | null {
  if (text.trim() === '') return { understood: {} };
  const items = parseInput(text, { maxCaseChars, format: library.caseFormat });
  const [first] = items;
  if (items.length > 1 || first === undefined) return null;
  return 'case' in first
    ? { understood: first.case }
    : { understood: first.understood, problem: first.problem };
}
