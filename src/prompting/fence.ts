import { createHash } from 'node:crypto';

/**
 * Sequences that some model servers read as their own control tokens (`<|im_start|>`, `[INST]`, `<s>` and the like),
 * so that plain text could open a system turn. A space makes them ordinary words and keeps them readable.
 */
const CONTROL_TOKEN =
  /<(?=\|)|<(?=\/?s>)|\[(?=\/?INST\])|<(?=<\/?SYS>>)|<(?=(?:start|end)_of_turn>)|<(?=｜)/gi;

/** Text that cannot be taken for a control token. */
const disarmed = (text: string): string => text.replaceAll(CONTROL_TOKEN, '$& ');

export interface Block {
  name: string;
  text: string;
}

/**
 * The key that marks the fences around these texts. It is a hash of all that stands inside, so that text which holds
 * its own key would have to be a fixed point of SHA-256; and the same case always gives the same prompt, which keeps
 * answers reproducible and cacheable.
 */
export const fenceKey = (blocks: readonly Block[]): string =>
  createHash('sha256')
    .update(JSON.stringify(blocks.map(({ name, text }) => [name, text])))
    .digest('hex')
    .slice(0, 24);

/** The blocks between their markers. */
export const fenced = (blocks: readonly Block[], key: string): string =>
  blocks.map(({ name, text }) => `[[${key} ${name}]]\n${disarmed(text)}\n[[/${key}]]`).join('\n');
