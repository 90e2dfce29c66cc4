import * as z from 'zod';
import type { SpotCheckInput } from '../../requests/spot-check.ts';
import { plainText, richTextOf } from './rich-text.ts';

const File = z.object({
  id: z.string(),
  name: z.string().nullish(),
  size: z.number().nullish(),
  url_private: z.string().nullish(),
  url_private_download: z.string().nullish(),
});

/** A message as events, shortcuts and `conversations.replies` give it; what is not read here is let through. */
export const MessagePayload = z.object({
  ts: z.string(),
  text: z.string().nullish(),
  user: z.string().nullish(),
  bot_id: z.string().nullish(),
  subtype: z.string().nullish(),
  thread_ts: z.string().nullish(),
  blocks: z.array(z.unknown()).nullish(),
  files: z.array(z.unknown()).nullish(),
  attachments: z.array(z.object({ text: z.string().nullish(), fallback: z.string().nullish() })).nullish(),
});
export type MessagePayload = z.infer<typeof MessagePayload>;

type MessageInput = Extract<SpotCheckInput, { kind: 'message' }>;

/** What somebody wrote, as the parser of pastes takes it; a shared message's text where it has none of its own. */
function textOf(message: MessagePayload, self: string): string {
  const own = richTextOf(message.blocks ?? [], self) ?? plainText(message.text ?? '', self);
  if (own.trim() !== '') return own.trim();
  return (message.attachments ?? [])
    .map(({ text, fallback }) => plainText(text ?? fallback ?? '', self))
    .join('\n\n')
    .trim();
}

const filesOf = (message: MessagePayload): MessageInput['files'] =>
  (message.files ?? []).flatMap((file) => {
    const parsed = File.safeParse(file);
    if (!parsed.success) return [];
    const { id, name, size, url_private, url_private_download } = parsed.data;
    return [{ id, name: name ?? id, size: size ?? 0, url: url_private_download ?? url_private ?? '' }];
  });

/** A message as it is recorded before anything is fetched. */
export const inputOf = (message: MessagePayload, self: string): MessageInput => ({
  kind: 'message',
  message: message.ts,
  text: textOf(message, self),
  files: filesOf(message),
});
