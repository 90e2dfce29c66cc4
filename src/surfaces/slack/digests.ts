import type { App } from '@slack/bolt';
import * as z from 'zod';
import { readDigestCommand } from '../digest-command.ts';
import { answerDigestCommand, type DigestAnswer, type DigestAsker, scheduleDigest } from '../digest-desk.ts';
import { type Form, matchingChoices } from '../form.ts';
import { readScheduleForm, scheduleForm, zoneChoices } from '../forms/schedule-form.ts';
import { onClick, onForm, openView } from './clicks.ts';
import { actorOf, type SlackContext, showTo, teamOf, tell } from './context.ts';
import { actions, SLACK } from './ids.ts';
import type { Command, Origin } from './payloads.ts';
import { digestMessage, textStyle } from './render/digest.ts';
import { type AboutForm, forms, formView, optionsFor } from './render/form.ts';
import { linesMessage } from './render/notices.ts';

/** @param about the conversation whose digests it is about */
const askerOf = (
  context: SlackContext,
  origin: Origin,
  about: { channel: string; channelName: string | null },
): DigestAsker => ({
  ...about,
  surface: SLACK,
  team: teamOf(context, origin),
  user: origin.user,
  actor: actorOf(origin),
});

const Profile = z.object({ user: z.object({ tz: z.string() }) });

/** The time zone of a person's profile; UTC if it cannot be read, as without the scope `users:read`. */
const zoneOf = async ({ clients }: SlackContext, user: string): Promise<string> =>
  Profile.safeParse(await clients.now.users.info({ user }).catch(() => null)).data?.user.tz ?? 'UTC';

async function show(
  context: SlackContext,
  asker: Pick<DigestAsker, 'channel' | 'user'> & { thread?: string | null },
  answer: DigestAnswer,
): Promise<void> {
  if ('digest' in answer) await showTo(context, asker, digestMessage(answer.digest, textStyle));
  else if ('lines' in answer) await showTo(context, asker, linesMessage(answer.lines));
  if (answer.announced) await context.announce({ surface: SLACK, channel: asker.channel }, answer.announced);
}

/** The form of a schedule. */
export const scheduleFormOf = ({ digestSources }: SlackContext, { timezone }: AboutForm<'schedule'>): Form =>
  scheduleForm(timezone, digestSources.defined().values());

const ChannelWord = /^(#\S+|<#[^>]+>|[CG][A-Z0-9]{5,})$/;

/** The channel that a word names: `<#C0123|quality>` is `C0123`; `#quality` stays a name. */
export function channelIn(word: string): string | null {
  if (!ChannelWord.test(word)) return null;
  return /^<#([A-Z0-9]+)/.exec(word)?.[1] ?? word;
}

/** `/jury digest …`. Only who asked sees the answer. `false` if the text is about something else. */
export async function onDigestCommand(context: SlackContext, said: Command): Promise<boolean> {
  const command = readDigestCommand(said.text, channelIn);
  if (command === null) return false;
  const { team, channel, channelName, user } = said;
  const zone = () => zoneOf(context, user);
  const asker = askerOf(context, said, { channel, channelName });
  const answer = await answerDigestCommand(context, asker, command, zone);
  if ('form' in answer) {
    const about = { channel, channelName, team, timezone: await zone() };
    await openView(context, said, formView(forms.schedule, about, scheduleFormOf(context, about)));
  } else await show(context, said, answer);
  return true;
}

const Search = z.object({ value: z.string().default('') });

/** The form of a schedule, the time zones that it looks up as people type, and the button of an alert. */
export function registerDigests(app: App, context: SlackContext): void {
  onForm(app, context, forms.schedule, async (sent) => {
    const { about, filledIn } = sent;
    const read = readScheduleForm(scheduleFormOf(context, about), filledIn);
    if ('errors' in read) return read;
    const { channel, channelName } = about;
    const asker = askerOf(context, { ...sent, team: about.team }, { channel, channelName });
    const answer = await scheduleDigest(context, asker, read.schedule);
    return { after: () => show(context, asker, answer).catch(() => tell(context, asker, 'Scheduled.')) };
  });
  onClick(app, context, [actions.pauseAlert], async (click) => {
    const { channel, value } = click;
    if (channel === null || value === '') return;
    const asker = askerOf(context, click, { channel, channelName: null });
    const command = { kind: 'alert' as const, words: ['pause', value] };
    const answer = await answerDigestCommand(context, asker, command, async () => 'UTC');
    await show(context, { ...asker, thread: click.thread }, answer);
  });
  app.options(actions.formSearch, async ({ ack, body }) => {
    await ack({ options: optionsFor(matchingChoices(zoneChoices('UTC'), Search.parse(body).value)) });
  });
}
