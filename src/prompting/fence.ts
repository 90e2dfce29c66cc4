import { hash } from 'node:crypto';
import { contentOf, type EvalCase, isPair, pairParts, withoutPaths } from '../case/index.ts';

/**
 * The start of sequences that some model servers read as control tokens (`<|im_start|>`, `[INST]`, `<s>`, `<tool_call>`, …), which pasted
 * text could use to open a system turn, and of text that looks like our own markers. A space after the bracket turns them into
 * ordinary, readable text.
 */
const CONTROL_TOKEN = new RegExp(
  [
    '[<\uff1c](?=[|\uff5c])',
    '<(?=/?(?:s|cls|sep|mask|sop|eod|eot|eop|role|system|human|bot|_(?:system|user|bot)|think(?:ing)?|extra_id_\\d+)>)',
    '<(?=/?(?:(?:bos|eos|eop|pad|unk)(?:_token)?|(?:start|end)_of_turn|im_(?:start|end)|fim_\\w+|seed:\\w+)>)',
    '<(?=/?(?:tools?|(?:tool|function)_(?:calls?|responses?|results?)|(?:unused|reserved_|special_)\\d+|0x[\\da-f]{2})>)',
    '<(?=[^<>|\\s]{1,30}[|\uff5c]>)',
    '<(?=</?SYS>>)',
    '\\[(?=/?(?:INST|THINK|SYSTEM_PROMPT|TOOL_\\w+|AVAILABLE_TOOLS|ARGS|CALL_ID|MODEL_SETTINGS|IMG\\w*)\\])',
    '\\[(?=/?(?:[gs]?MASK|CLS|SEP|PAD|UNK|BOS|EOS|PREFIX|SUFFIX|MIDDLE)\\])',
    '\\[(?=\\||e~\\[)',
    '\\](?=~!?b[\\[\\]])',
    '\\[(?=\\[/?(?:KEY|EXAMPLE|[\\da-f]{24})[\\] ])',
  ].join('|'),
  'gi',
);

const escapeControlTokens = (text: string): string => text.replaceAll(CONTROL_TOKEN, '$& ');

/** The places in a text where a space is added, for texts that are quoted from: there, the quote must match what was sent. */
export const controlTokens = (text: string) =>
  [...text.matchAll(CONTROL_TOKEN)].map(({ index, 0: token }) => ({
    from: index,
    to: index + token.length,
    by: `${token} `,
  }));

export interface Block {
  name: string;
  text: string;
}

/**
 * The key in the markers around these texts. It is a hash of the texts, so a text that contains its own key would have to be a fixed point
 * of SHA-256. The same case always yields the same prompt, so answers are reproducible and cacheable.
 */
export const fenceKey = (blocks: readonly Block[]): string =>
  hash('sha256', JSON.stringify(blocks.map(({ name, text }) => [name, text]))).slice(0, 24);

/** The marker lines around a block. */
export const markersOf = (key: string, name: string) => ({
  opening: `[[${key} ${name}]]`,
  closing: `[[/${key}]]`,
});

export const fenced = (blocks: readonly Block[], key: string): string =>
  blocks
    .map(({ name, text }) => {
      const { opening, closing } = markersOf(key, name);
      return `${opening}\n${escapeControlTokens(text)}\n${closing}`;
    })
    .join('\n');

/** Untrusted text under one of our headings. */
export interface HeadedBlock {
  heading: string;
  block: Block;
}

/** Headed blocks in the form that templates expect. */
export const headed = (list: readonly HeadedBlock[], key: string) =>
  list.map(({ heading, block }) => ({ heading, body: fenced([block], key) }));

const data = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value, null, 1));

const fieldBlocks = (fields: object, of = ''): Block[] =>
  Object.entries(fields)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => ({ name: `${of}${name}`, text: data(value) }));

/** The given fields that belong to both answers of a pair. */
const sharedOf = (fields: object, evalCase: EvalCase): object =>
  Object.fromEntries(Object.entries(fields).filter(([key]) => key in pairParts(evalCase).shared));

const callBlocks = (of: string, { toolCalls }: Pick<EvalCase, 'toolCalls'>): Block[] =>
  toolCalls === undefined ? [] : [{ name: `tool calls of ${of}`, text: data(toolCalls) }];

/** The answer to judge, or both answers, with their data. */
function answerBlocks(evalCase: EvalCase, hidden: readonly string[]): Block[] {
  if (!isPair(evalCase))
    return [
      { name: 'response to judge', text: evalCase.response },
      ...(hidden.includes('toolCalls') ? [] : callBlocks('the response to judge', evalCase)),
    ];
  const parts = pairParts(evalCase);
  return (['first', 'second'] as const).flatMap((which) => {
    const { response, ...rest } = parts[which];
    return [
      { name: `${which} answer`, text: data(response) },
      ...fieldBlocks(withoutPaths(rest, hidden), `${which} answer, `),
    ];
  });
}

/**
 * The blocks of a case that judges read, in a fixed order. Leaves out label, tags and rubric: judges must not see the expected result.
 * @param hidden paths of fields that this judge is not shown; see `hiddenFields`
 */
export function materialOf(evalCase: EvalCase, hidden: readonly string[]): Block[] {
  const content = withoutPaths(contentOf(evalCase), hidden);
  const { conversation, response: _, toolCalls: _calls, closing, history, documents, ...rest } = content;
  const turns = (name: string, list: EvalCase['history']): Block[] =>
    (list ?? []).flatMap((turn, index) => [
      { name: `${name} ${index + 1}, ${turn.role}`, text: turn.text },
      ...callBlocks(`${name} ${index + 1}`, turn),
    ]);
  return [
    ...(documents ?? []).map(({ id, text }, index) => ({
      name: `document ${index + 1}`,
      text: id === undefined ? text : `(${id})\n${text}`,
    })),
    ...turns('earlier turn', history),
    ...turns('turn', conversation),
    ...answerBlocks(evalCase, hidden),
    ...(closing === undefined ? [] : [{ name: 'last turn, user, after the response', text: closing }]),
    ...fieldBlocks(isPair(evalCase) ? sharedOf(rest, evalCase) : rest),
  ];
}
