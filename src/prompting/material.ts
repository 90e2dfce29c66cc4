import type { EvalCase } from '../case/case.ts';
import type { Block } from './fence.ts';

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
