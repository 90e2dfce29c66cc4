import { hash } from 'node:crypto';
import type { EvalCase } from '../case/case.ts';

/**
 * Beginnings of sequences that some model servers read as their own control tokens (`<|im_start|>`, `[INST]`, `<s>`,
 * `<tool_call>` and the like), so that plain text could open a system turn. A space behind the bracket makes them
 * ordinary words and keeps them readable.
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
  hash('sha256', JSON.stringify(blocks.map(({ name, text }) => [name, text]))).slice(0, 24);

/** The marker lines around a block: what is sent and what the system prompt says of it. */
export const markersOf = (key: string, name: string) => ({
  opening: `[[${key} ${name}]]`,
  closing: `[[/${key}]]`,
});

/** The blocks between their markers. */
export const fenced = (blocks: readonly Block[], key: string): string =>
  blocks
    .map(({ name, text }) => {
      const { opening, closing } = markersOf(key, name);
      return `${opening}\n${disarmed(text)}\n${closing}`;
    })
    .join('\n');

const data = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value, null, 1));

/**
 * A case as the blocks that a judge reads, in a fixed order. The label and the rubric's name stay out: a judge must
 * not be told the answer.
 */
export function materialOf(evalCase: EvalCase): Block[] {
  const {
    id: _id,
    rubric: _rubric,
    label: _label,
    conversation,
    response,
    history,
    documents,
    ...rest
  } = evalCase;
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
