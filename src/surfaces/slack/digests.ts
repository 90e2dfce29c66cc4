import type { App, ViewSubmitAction } from '@slack/bolt';
import * as z from 'zod';
import { JuryError } from '../../common/errors.ts';
import type { DigestAnswer, DigestAsker } from '../command-answer.ts';
import { answerDigestCommand, readDigestCommand, scheduleDigest } from '../digest-command.ts';
import { type Form, matchingChoices } from '../form.ts';
import { readScheduleForm, scheduleForm, scheduleProblemAt, zoneChoices } from '../forms/schedule-form.ts';
import { actorOf, onClick, orTell, type SlackContext, showTo, tell, whereOf } from './context.ts';
import { actions, callbacks, SLACK } from './ids.ts';
import { type ActionBody, ViewBody } from './payloads.ts';
import { digestMessage, textStyle } from './render/digest.ts';
import {
  type DigestMetadata,
  digestView,
  optionsFor,
  readFormState,
  ScheduleMetadata,
} from './render/form.ts';
import { linesMessage } from './render/notices.ts';

type Asker = Omit<DigestAsker, 'surface' | 'actor'>;

/** @param at where Slack says that they act */
const askerOf = (asker: Asker, at: string | null): DigestAsker => ({
  ...asker,
  surface: SLACK,
  actor: actorOf({ user: { id: asker.user }, channel: at === null ? null : { id: at } }),
});

const Profile = z.object({ user: z.object({ tz: z.string() }) });

/** The time zone of a person's profile; UTC if it cannot be read, as without the scope `users:read`. */
const zoneOf = async ({ clients }: SlackContext, user: string): Promise<string> =>
  Profile.safeParse(await clients.now.users.info({ user }).catch(() => null)).data?.user.tz ?? 'UTC';

async function show(context: SlackContext, asker: Asker, answer: DigestAnswer): Promise<void> {
  if ('digest' in answer) await showTo(context, asker, digestMessage(answer.digest, textStyle));
  else if ('lines' in answer) await showTo(context, asker, linesMessage(answer.lines));
  if (answer.announced) await context.announce({ surface: SLACK, channel: asker.channel }, answer.announced);
}

/** The form of a schedule. */
export const scheduleFormOf = ({ digestSources }: SlackContext, { timezone }: DigestMetadata): Form =>
  scheduleForm(timezone, digestSources.defined().values());

const ChannelWord = /^(#\S+|<#[^>]+>|[CG][A-Z0-9]{5,})$/;

/** The channel that a word names: `<#C0123|quality>` is `C0123`; `#quality` stays a name. */
export function channelIn(word: string): string | null {
  if (!ChannelWord.test(word)) return null;
  return /^<#([A-Z0-9]+)/.exec(word)?.[1] ?? word;
}

/** `/jury digest …`. Only who asked sees the answer. `false` if the text is about something else. */
export async function onDigestCommand(
  context: SlackContext,
  asker: Asker & { trigger_id: string },
  text: string,
): Promise<boolean> {
  const command = readDigestCommand(text, channelIn);
  if (command === null) return false;
  const reply = async (): Promise<void> => {
    const zone = () => zoneOf(context, asker.user);
    const answer = await answerDigestCommand(context, askerOf(asker, asker.channel), command, zone);
    if ('form' in answer) {
      const { channel, channelName, team, user, trigger_id } = asker;
      const about = { channel, channelName, team, timezone: await zoneOf(context, user) };
      const view = digestView(about, scheduleFormOf(context, about));
      await context.clients.now.views.open({ trigger_id, view });
      return;
    }
    await show(context, asker, answer);
  };
  await orTell(context, asker, reply, (thrown) => (thrown instanceof JuryError ? thrown.message : null));
  return true;
}

async function onSchedule(context: SlackContext, body: unknown): Promise<Record<string, string> | null> {
  const { view, user } = ViewBody.parse(body);
  const about = ScheduleMetadata.parse(JSON.parse(view.private_metadata));
  const read = readScheduleForm(scheduleFormOf(context, about), readFormState(view.state));
  if ('errors' in read) return { ...read.errors };
  const asker = { ...about, user: user.id };
  try {
    const answer = await scheduleDigest(context, askerOf(asker, null), read.schedule);
    await show(context, asker, answer).catch(() => tell(context, asker, 'Scheduled.'));
    return null;
  } catch (thrown) {
    if (!(thrown instanceof JuryError)) throw thrown;
    return { [scheduleProblemAt]: thrown.message };
  }
}

const Search = z.object({ value: z.string().default('') });

/** Pauses an alert of the channel that its post stands in. @throws JuryError `usage` or `store-unavailable` */
async function onPauseAlert(context: SlackContext, click: ActionBody): Promise<void> {
  const [{ value }] = click.actions;
  const { channel, user, thread } = whereOf(click);
  if (channel === null || !value) return;
  const asker = { team: click.team?.id ?? '', channel, channelName: null, user, thread };
  const command = { kind: 'alert' as const, words: ['pause', value] };
  const answer = await answerDigestCommand(context, askerOf(asker, channel), command, async () => 'UTC');
  await show(context, asker, answer);
}

/** The form of a schedule, the time zones that it looks up as people type, and the button of an alert. */
export function registerDigests(app: App, context: SlackContext): void {
  app.view<ViewSubmitAction>(callbacks.scheduleForm, async ({ ack, body }) => {
    const errors = await onSchedule(context, body);
    await (errors === null ? ack() : ack({ response_action: 'errors', errors }));
  });
  onClick(app, context, [actions.pauseAlert], (click) => onPauseAlert(context, click));
  app.options(actions.formSearch, async ({ ack, body }) => {
    await ack({ options: optionsFor(matchingChoices(zoneChoices('UTC'), Search.parse(body).value)) });
  });
}
