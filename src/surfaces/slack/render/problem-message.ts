import type { RichTextElement } from '@slack/types';
import type { CaseFormat } from '../../../case/case-format.ts';
import type { Understood } from '../../../case/paste/draft.ts';
import { describeField, titleOfKey } from '../../forms/case-fields.ts';
import { oneLine, shortened } from '../../safe-text.ts';
import { actions } from '../ids.ts';
import {
  bold,
  bullets,
  button,
  buttonRow,
  italic,
  message,
  paragraph,
  rich,
  type SlackMessage,
  section,
  words,
} from './blocks.ts';

export interface ProblemInput {
  problem: string;
  /** Paths that are missing. */
  missing: readonly string[];
  understood: Understood;
  /** A draft of what was understood, kept in the store; null where nothing could be kept. */
  draftId: string | null;
  /** What a case may look like. */
  format: Pick<CaseFormat, 'groups'>;
}

const SHOWN = 12;
const EXCERPT = 160;
const NAME = 60;
const EXAMPLE = 100;

/** What was read, a line for each field. */
function understoodLines(understood: Understood): RichTextElement[][] {
  const { conversation, ...rest } = understood;
  const turns = (conversation ?? []).map(({ role, text }): [string, string] => [
    role === 'user' ? 'User' : 'System',
    text,
  ]);
  const fields = Object.entries(rest)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]): [string, string] => [
      titleOfKey(key),
      typeof value === 'string' ? value : JSON.stringify(value),
    ]);
  const all = [...turns, ...fields];
  const lines = all
    .slice(0, SHOWN)
    .map(([name, text]) => [
      ...bold(shortened(oneLine(name), NAME)),
      ...words(`: ${shortened(oneLine(text), EXCERPT)}`),
    ]);
  const left = all.length - lines.length;
  return left === 0 ? lines : [...lines, italic(`and ${left} more`)];
}

/** What somebody pasted that cannot be judged as it is: what was understood, what is missing, and how to give it. */
export function problemMessage({
  problem,
  missing,
  understood,
  draftId,
  format,
}: ProblemInput): SlackMessage {
  const lines = understoodLines(understood);
  const wanted = missing.slice(0, SHOWN).map((path) => {
    const { label, example } = describeField(path, format);
    return [
      ...bold(shortened(oneLine(label), NAME)),
      ...words(`, for example: ${shortened(oneLine(example), EXAMPLE)}`),
    ];
  });
  const more = missing.length > SHOWN ? [italic(`and ${missing.length - SHOWN} more`)] : [];
  return message(`This could not be judged: ${problem}`, [
    paragraph(words('🤔 '), bold('I cannot judge this yet. '), words(shortened(oneLine(problem), 1_000))),
    ...(wanted.length === 0
      ? []
      : [rich(section(bold('Missing')), ...bullets([...wanted, ...more]).elements)]),
    ...(lines.length === 0 ? [] : [rich(section(bold('Understood so far')), ...bullets(lines).elements)]),
    ...(draftId === null
      ? []
      : [
          buttonRow(
            button({ text: 'Fill in the rest', action: actions.openForm, value: draftId, style: 'primary' }),
          ),
        ]),
  ]);
}
