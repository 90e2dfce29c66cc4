import type { IOpenUrlAction } from '@microsoft/teams.cards';
import type { Digest, DigestBlock } from '../../../digests/index.ts';
import { type Language, wordsIn } from '../../../words/index.ts';
import {
  digestLine,
  digestMark,
  digestWords,
  type Room,
  roomed,
  type Trend,
  trendLines,
} from '../../chat/index.ts';
import { shortLine } from '../../wording/index.ts';
import { actions } from '../ids.ts';
import type { TeamsMessage } from '../messages.ts';
import {
  bold,
  button,
  bytesOf,
  CARD_BYTES,
  type Element,
  heading,
  lines,
  message,
  note,
  run,
} from './elements.ts';

const opens = (url: string | null): { selectAction?: IOpenUrlAction } =>
  url === null ? {} : { selectAction: { type: 'Action.OpenUrl', url } };

/** A part of a digest as a list, with a count of what does not fit. */
function listElements(
  block: Exclude<DigestBlock, { kind: 'text' }>,
  room: Room,
  language: Language,
): Element[] {
  const texts = wordsIn(language).digests.message;
  const { lines: all, left } = digestWords(block, room);
  if (all.length === 0) return [];
  return [
    heading(block.title),
    ...all.map(({ lead, text, link, issue }) =>
      lines(
        run('• '),
        ...(lead === ''
          ? [run(text, opens(link))]
          : [run(lead, { weight: 'Bolder', ...opens(link) }), run(text)]),
        ...(issue === null ? [] : [run(` · ${texts.createIssue}`, opens(issue))]),
      ),
    ),
    ...(left === 0 ? [] : [note(texts.more(left))]),
  ];
}

/** How much of a chart is in the text for screen readers. */
const SPOKEN: Room = { line: 240, cell: 60, items: 20 };

/** A chart's points as text for screen readers. */
const spoken = (trend: Trend, room: Room): string =>
  [trend.title, ...digestWords(trend, room).lines.map(({ lead, text }) => `${lead}${text}`)].join('. ');

/** A chart if the client can draw charts, otherwise its picture or, without one, a list. */
function trendElement(trend: Trend, room: Room, picture: string | null, language: Language): Element[] {
  const { lines: drawn } = trendLines(trend, room.cell);
  const words = listElements(trend, room, language);
  if (drawn.length === 0) return words;
  return [
    {
      type: 'Chart.Line',
      title: digestLine(trend.title, room.line),
      yAxisTitle: '%',
      data: drawn.map(({ name, points }) => ({
        legend: name,
        values: points.map(({ label: x, value: y }) => ({ x, y })),
      })),
      fallback:
        picture === null
          ? { type: 'Container', items: words }
          : { type: 'Image', url: picture, altText: spoken(trend, room), size: 'Stretch' },
    },
  ];
}

function blockElements(
  block: DigestBlock,
  room: Room,
  picture: string | null,
  language: Language,
): Element[] {
  switch (block.kind) {
    case 'text':
      return [note(block.text)];
    case 'trend':
      return trendElement(block, room, picture, language);
    case 'facts':
    case 'table':
    case 'cases':
    case 'list':
      return listElements(block, room, language);
  }
}

/**
 * The elements with as much detail as fits on a card.
 * @param beside what else is on the card
 */
const elementsOf = (
  blocks: readonly DigestBlock[],
  picture: string | null,
  beside: unknown,
  language: Language,
): Element[] =>
  roomed(
    (room) => blocks.flatMap((block) => blockElements(block, room, picture, language)),
    (elements) => bytesOf([elements, beside]) <= CARD_BYTES - 500,
  );

/** The chart that gets a picture, if it is the only one: a picture takes up much of a card's size limit. */
export const chartOf = (blocks: readonly DigestBlock[]): Trend | undefined => {
  const trends = blocks.flatMap((block) => (block.kind === 'trend' ? [block] : []));
  return trends.length === 1 ? trends[0] : undefined;
};

/**
 * The digest's main message: headline, note and blocks. A quiet digest is one line.
 *
 * @param picture of its only chart, for clients that do not draw charts
 */
export function digestMessage(digest: Digest, picture: string | null, language: Language): TeamsMessage {
  const texts = wordsIn(language).digests.message;
  const { headline, note: remark, blocks } = digest;
  const text = remark === null ? headline : `${headline} ${remark}`;
  const chart = chartOf(blocks);
  const speak = shortLine(chart === undefined ? text : `${text} ${spoken(chart, SPOKEN)}`, 1_000);
  const head = [
    lines(run(`${digestMark(digest)} `), bold(digestLine(headline, 600))),
    ...(remark === null ? [] : [note(remark)]),
  ];
  return message(text, {
    body: [...head, ...elementsOf(blocks, picture, [head, speak], language)],
    actions:
      digest.pause === undefined ? [] : [button(texts.pause, { do: actions.pauseAlert, id: digest.pause })],
    speak,
  });
}

/** The message in the digest's thread. */
export function digestDetails(digest: Digest, picture: string | null, language: Language): TeamsMessage {
  const texts = wordsIn(language).digests.message;
  return message(texts.detailsOf, {
    body: [heading(texts.details), ...elementsOf(digest.details, picture, [], language)],
  });
}
