import type { Turn } from '../../../case/case.ts';

const LABEL = /^(\s*)(user|system)\s*:/i;
const TURN = /^(user|system)\s*: ?/i;

/** Turns as lines `User: …` and `System: …`. A line within a turn that looks like a new one is set in by a space. */
export const writeTurns = (turns: readonly Turn[]): string =>
  turns
    .map(({ role, text }) => {
      const [first = '', ...rest] = text.split('\n');
      const lines = [first, ...rest.map((line) => (LABEL.test(line) ? ` ${line}` : line))];
      return `${role === 'user' ? 'User' : 'System'}: ${lines.join('\n')}`;
    })
    .join('\n');

/** Reads {@link writeTurns}, and what people type like it: text before the first label is the user's. */
export function readTurns(text: string): Turn[] {
  const turns: { role: Turn['role']; lines: string[] }[] = [];
  for (const line of text.replaceAll(/\r\n?/g, '\n').split('\n')) {
    const [label, role] = TURN.exec(line) ?? [];
    const last = turns.at(-1);
    if (label !== undefined && role !== undefined)
      turns.push({
        role: role.toLowerCase() === 'user' ? 'user' : 'system',
        lines: [line.slice(label.length)],
      });
    else if (last === undefined) turns.push({ role: 'user', lines: [line] });
    else last.lines.push(LABEL.test(line) ? line.slice(1) : line);
  }
  return turns
    .map(({ role, lines }) => ({ role, text: lines.join('\n').trimEnd() }))
    .filter(({ text: said }) => said.trim() !== '');
}
