import type { Block, KnownBlock } from '@slack/types';
import type { Digest, DigestTrend } from '../../../digests/digest.ts';
import { type DigestStyle, digestBlocks, digestLine, type Room } from './digest-blocks.ts';
import { limits } from './limits.ts';
import { message } from './message.ts';
import { bold, context, paragraph, words } from './rich.ts';

export const nativeStyle: DigestStyle = { tables: 'native', chart: { kind: 'native' } };
export const textStyle: DigestStyle = { tables: 'text', chart: { kind: 'text' } };

/** As a message of other kinds, with blocks that Slack's types do not know yet. */
export interface DigestMessage {
  text: string;
  blocks: (KnownBlock | Block)[];
}

const HEADLINE = 600;

/** From what is good to read to what any digest fits into; what has no room is counted. */
const ROOMS: readonly Room[] = [
  { line: 240, cell: 60, items: 20 },
  { line: 140, cell: 40, items: 10 },
  { line: 80, cell: 24, items: 5 },
];
const LEAST: Room = { line: 60, cell: 16, items: 3 };

const marks: Record<DigestTrend, string> = { better: '📈', worse: '📉', steady: '➡️', unknown: '🧭' };

/** Characters of all text in blocks, with some that Slack may not count. */
function charsIn(value: unknown): number {
  if (typeof value === 'string') return value.length;
  if (typeof value !== 'object' || value === null) return 0;
  return Object.entries(value).reduce((sum, [key, inner]) => sum + (key === 'type' ? 0 : charsIn(inner)), 0);
}

const fits = (blocks: readonly unknown[]): boolean =>
  blocks.length <= limits.messageBlocks && charsIn(blocks) <= limits.messageText;

/** With as much room as Slack leaves. */
function fitted(render: (room: Room) => (KnownBlock | Block)[]): (KnownBlock | Block)[] {
  for (const room of ROOMS) {
    const blocks = render(room);
    if (fits(blocks)) return blocks;
  }
  return render(LEAST);
}

/** The digest's own message: the headline with what belongs beside it. A quiet one is a line. */
export function digestMessage(digest: Digest, style: DigestStyle): DigestMessage {
  const { headline, trend, note, quiet, blocks } = digest;
  const head = paragraph(words(`${quiet ? '💤' : marks[trend]} `), bold(digestLine(headline, HEADLINE)));
  const text = note === null ? headline : `${headline} ${note}`;
  return {
    ...message(text, []),
    blocks: [
      head,
      ...(note === null ? [] : [context(note)]),
      ...fitted((room) => blocks.flatMap((block) => digestBlocks(block, style, room))),
    ],
  };
}

/** What goes into the digest's thread. */
export const digestDetails = (digest: Digest, style: DigestStyle): DigestMessage => ({
  ...message('Details of the digest', []),
  blocks: fitted((room) => digest.details.flatMap((block) => digestBlocks(block, style, room))),
});
