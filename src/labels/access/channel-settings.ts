import * as z from 'zod';
import { JuryError } from '../../common/index.ts';
import { andList, clipped } from '../../common/text/index.ts';
import { RULES } from '../../judges/rules/index.ts';
import { JudgeRequest } from '../../judging/index.ts';
import { Language } from '../../words/index.ts';

export const ChannelSettings = z.strictObject({
  wish: JudgeRequest.default({}),
  /** Whether people must vote before they see the verdict and the votes. */
  blind: z.boolean().optional(),
  /** Whether a reaction on the message that asked shows the outcome, where the surface has such reactions. */
  marks: z.boolean().optional(),
  /** On average one in this many queued cases is a gold case, with a known answer; absent: none. */
  goldEvery: z.int().min(2).max(100).optional(),
  /** URL template for new issues, with `{title}` and `{body}`; absent: none are offered. */
  issueUrl: z.string().optional(),
  /** The only models that may judge here, besides the exact checks; absent: any model. */
  allowedModels: z.array(z.string()).min(1).optional(),
  /** In which language its shared messages are; absent: what the platform says of it, otherwise English. */
  language: Language.optional(),
  /** Whether members may do what is otherwise reserved for the admins in `JURY_ADMINS`. */
  membersMayChange: z.boolean().optional(),
});
export type ChannelSettings = z.infer<typeof ChannelSettings>;

export const noSettings: ChannelSettings = { wish: {} };

/** Whether a model may judge in a channel. Exact checks always may: they send no data anywhere. */
export const isAllowedModel = ({ allowedModels }: Pick<ChannelSettings, 'allowedModels'>, model: string) =>
  allowedModels === undefined || model === RULES || allowedModels.includes(model);

/**
 * The models that judge in a channel.
 *
 * @param asked models named by the request; undefined: `usual`, or the first allowed one
 * @throws JuryError `usage` naming the allowed models
 */
export function modelsIn(
  settings: Pick<ChannelSettings, 'allowedModels'>,
  asked: readonly string[] | undefined,
  usual: string,
): readonly string[] {
  const { allowedModels = [] } = settings;
  const refused = (asked ?? []).filter((model) => !isAllowedModel(settings, model));
  if (refused.length > 0)
    throw new JuryError(
      'usage',
      `${andList(refused)} may not judge in this channel. Its settings allow ${andList([...allowedModels, RULES])}.`,
    );
  return asked ?? [isAllowedModel(settings, usual) ? usual : (allowedModels[0] ?? usual)];
}

export interface ChannelSettingsStore {
  /** `noSettings` if the channel has none. */
  channelSettings(channel: string): Promise<ChannelSettings>;
  saveChannelSettings(channel: string, settings: ChannelSettings): Promise<void>;
}

/** Browsers and issue trackers accept URLs of about 8,000 characters, but a chat message must hold ten of them. */
const LONGEST_ISSUE_URL = 1_000;
const LONGEST_TEMPLATE = 500;
const LONGEST_ISSUE_TITLE = 200;

/** What is wrong with a URL template for new issues; null if it is fine. */
export function issueUrlProblem(template: string): string | null {
  const filled = template.replaceAll(/\{(title|body)\}/g, 'x');
  const isWeb = URL.canParse(filled) && new URL(filled).protocol === 'https:';
  if (!isWeb || !/^https:\/\/[^/?#{]+([/?#]|$)/i.test(template))
    return 'Give an address that begins with https:// and a host.';
  if (template.length > LONGEST_TEMPLATE)
    return `Give a shorter address, of at most ${LONGEST_TEMPLATE} characters.`;
  if (/[{}]/.test(filled)) return 'Only {title} and {body} are filled in.';
  return template.includes('{title}') || template.includes('{body}')
    ? null
    : 'Put {title} and {body} where they belong, such as …/issues/new?title={title}&body={body}.';
}

/** A link that opens a prefilled new issue. Title and body are clipped visibly to keep the URL short enough. */
export function issueLink(template: string, { title, body }: { title: string; body: string }): string {
  const most = { title: Math.min(title.length, LONGEST_ISSUE_TITLE), body: body.length };
  const fill = () =>
    template.replaceAll(/\{(title|body)\}/g, (_, name) =>
      // Pasted text may contain half a surrogate pair, which cannot be URL-encoded.
      encodeURIComponent(
        (name === 'title' ? clipped(title, most.title) : clipped(body, most.body)).toWellFormed(),
      ),
    );
  let link = fill();
  while (link.length > LONGEST_ISSUE_URL && most.body + most.title > 0) {
    const longer = most.body > 0 ? 'body' : 'title';
    // A fifth at a time: few attempts, and most of the text stays.
    most[longer] = Math.floor(most[longer] * 0.8);
    link = fill();
  }
  return link;
}
