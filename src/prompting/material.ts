import { hash } from 'node:crypto';
import { contentOf, type EvalCase } from '../case/case.ts';

/**
 * The start of sequences that some model servers read as control tokens (`<|im_start|>`, `[INST]`, `<s>`, `<tool_call>`, …), with
 * which pasted text could open a system turn. A space after the bracket makes them ordinary, readable text.
 */
const CONTROL_TOKEN = new RegExp(
  [
    '[<\uff1c](?=[|\uff5c])',
    '<(?=/?(?:s|bos|eos|unk|pad|sop|eop|extra_id_\\d+|think|tool_call|tool_response|tools|start_of_turn|end_of_turn)>)',
    '<(?=</?SYS>>)',
    '\\[(?=/?(?:INST|THINK|SYSTEM_PROMPT|TOOL_CALLS|TOOL_RESULTS|AVAILABLE_TOOLS|gMASK|sMASK)\\])',
  ].join('|'),
  'gi',
);

const escapeControlTokens = (text: string): string => text.replaceAll(CONTROL_TOKEN, '$& ');

export interface Block {
  name: string;
  text: string;
}

/**
 * The key in the markers around these texts. It is a hash of the texts, so text that contains its own key would be a fixed point of
 * SHA-256. The same case always gives the same prompt, which keeps answers reproducible and cacheable.
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

/** Untrusted text under a heading of ours. */
export interface HeadedBlock {
  heading: string;
  block: Block;
}

/** Headed blocks as templates take them. */
export const headed = (list: readonly HeadedBlock[], key: string) =>
  list.map(({ heading, block }) => ({ heading, body: fenced([block], key) }));

const data = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value, null, 1));

/**
 * A case as the blocks that judges read, in a fixed order, without label, tags and rubric: judges must not see the answer.
 */
export function materialOf(evalCase: EvalCase): Block[] {
  const { conversation, response, history, documents, ...rest } = contentOf(evalCase);
  const turns = (name: string, list: EvalCase['history']): Block[] =>
    (list ?? []).map((turn, index) => ({ name: `${name} ${index + 1}, ${turn.role}`, text: turn.text }));
  return [
    ...(documents ?? []).map(({ id, text }, index) => ({
      name: `document ${index + 1}`,
      text: id === undefined ? text : `(${id})\n${text}`,
    })),
    ...turns('earlier turn', history),
    ...turns('turn', conversation),
    { name: 'response to judge', text: response },
    ...Object.entries(rest)
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => ({ name, text: data(value) })),
  ];
}
