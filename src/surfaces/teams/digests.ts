import { isStoreAway, JuryError } from '../../common/errors.ts';
import type { DigestAnswer, DigestAsker } from '../command-answer.ts';
import { answerDigestCommand, readDigestCommand, scheduleDigest } from '../digest-command.ts';
import { type Form, refilled } from '../form.ts';
import { readScheduleForm, scheduleForm, scheduleProblemAt } from '../forms/schedule-form.ts';
import type { Origin } from './activities.ts';
import { actorOf, type Dialog, type Sent, type TeamsContext } from './context.ts';
import { actions, kindOf, TEAMS } from './ids.ts';
import type { TeamsMessage } from './messages.ts';
import { pictureOf } from './posters.ts';
import { digestMessage } from './render/digest.ts';
import { lines, message, opensDialog, run } from './render/elements.ts';
import { formDialog, readFormData } from './render/form.ts';
import { linesMessage, lineText } from './render/notices.ts';

const askerOf = (origin: Origin): DigestAsker => ({
  surface: TEAMS,
  team: origin.tenant,
  channel: origin.channel,
  channelName: null,
  user: origin.user,
  actor: actorOf(origin),
});

const textOf = (context: TeamsContext, answer: DigestAnswer): string =>
  'lines' in answer ? answer.lines.map((line) => lineText(context.nameOf, line)).join(' ') : 'Done.';

async function shown(context: TeamsContext, origin: Origin, answer: DigestAnswer): Promise<TeamsMessage> {
  if (answer.announced) await context.announce({ surface: TEAMS, channel: origin.channel }, answer.announced);
  if ('digest' in answer) return digestMessage(answer.digest, await pictureOf(answer.digest.blocks));
  if ('lines' in answer) return linesMessage(context.nameOf, answer.lines);
  const text = 'When should a digest come here?';
  return message(text, {
    body: [lines(run(text))],
    actions: [opensDialog('Schedule a digest', { do: actions.schedule })],
  });
}

/** `digest …`; null where the text is about something else. @throws JuryError `store-unavailable` */
export function digestCommand(
  context: TeamsContext,
  origin: Origin,
  text: string,
): (() => Promise<TeamsMessage>) | null {
  const command = readDigestCommand(text, (word) => (kindOf(word) === null ? null : word));
  if (command === null) return null;
  return async () => {
    try {
      // Teams does not say in which time zone someone is.
      const zone = async () => 'UTC';
      return await shown(context, origin, await answerDigestCommand(context, askerOf(origin), command, zone));
    } catch (thrown) {
      if (!(thrown instanceof JuryError) || isStoreAway(thrown)) throw thrown;
      return linesMessage(context.nameOf, [[thrown.message]]);
    }
  };
}

/** Pauses an alert of the conversation; what is said of it to the person who pressed. @throws JuryError `store-unavailable` */
export async function pressPauseAlert(context: TeamsContext, origin: Origin, id: string): Promise<string> {
  try {
    const command = { kind: 'alert' as const, words: ['pause', id] };
    const answer = await answerDigestCommand(context, askerOf(origin), command, async () => 'UTC');
    if (answer.announced)
      await context.announce({ surface: TEAMS, channel: origin.channel }, answer.announced);
    return textOf(context, answer);
  } catch (thrown) {
    if (!(thrown instanceof JuryError) || isStoreAway(thrown)) throw thrown;
    return thrown.message;
  }
}

const formOf = ({ digestSources }: TeamsContext): Form => ({
  ...scheduleForm('UTC', digestSources.defined().values()),
  expanded: true,
});

const dialogOf = (form: Form): Dialog => formDialog(form, { do: actions.schedule });

export const openSchedule = (context: TeamsContext): Dialog => dialogOf(formOf(context));

export async function sendSchedule(context: TeamsContext, origin: Origin, sent: Sent): Promise<Dialog> {
  const form = formOf(context);
  const filledIn = readFormData(sent);
  const read = readScheduleForm(form, filledIn);
  if ('errors' in read) return dialogOf(refilled(form, filledIn, read.errors));
  try {
    return { text: textOf(context, await scheduleDigest(context, askerOf(origin), read.schedule)) };
  } catch (thrown) {
    if (!(thrown instanceof JuryError) || isStoreAway(thrown)) throw thrown;
    return dialogOf(refilled(form, filledIn, { [scheduleProblemAt]: thrown.message }));
  }
}
