import type { KnownBlock } from '@slack/types';
import { limits } from './limits.ts';
import { escapedLine } from './safe-text.ts';

/** What goes into `chat.postMessage` and `chat.update`, beside where. */
export interface SlackMessage {
  /** For notifications and clients without blocks: a full sentence, escaped. */
  text: string;
  blocks: KnownBlock[];
}

/** Goes with every `chat.postMessage`: Slack reads nothing into the text and fetches no page that it names. */
export const quietPost = {
  mrkdwn: false,
  parse: 'none',
  link_names: false,
  unfurl_links: false,
  unfurl_media: false,
} as const;

/** Goes with every `chat.update`. */
export const quietUpdate = { parse: 'none', link_names: false } as const;

export const message = (text: string, blocks: KnownBlock[]): SlackMessage => ({
  text: escapedLine(text, limits.fallbackText),
  blocks,
});
