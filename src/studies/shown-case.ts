import { contentOf, type EvalCase } from '../case/case.ts';
import { pairParts } from '../case/pair.ts';
import { type ShownPart, shownFields } from '../case/shown-fields.ts';

const ROLES = { user: 'User', system: 'System' } as const;

const DAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'] as const;

/** With its weekday, which opening hours depend on. */
const dateText = (date: string): string =>
  `${DAYS[new Date(`${date}T00:00:00Z`).getUTCDay()] ?? ''} ${date}`.trim();

/** The user's part of a case, or an answer of the system. */
export interface ShownSection {
  title: string;
  parts: ShownPart[];
}

/** An answer: its text, then what belongs to it. */
const answerParts = ({ response, ...rest }: Readonly<Record<string, unknown>>): ShownPart[] => [
  ...shownFields('response', response),
  ...Object.entries(rest).flatMap(([key, value]) => shownFields(key, value)),
];

/**
 * A case as an annotator sees it: what the user brings and what the system answers, the two answers of a pair side by side. Never its
 * label, id, rubric or tags, nor what people call the answers, which may say what is right.
 */
export function shownCase(evalCase: EvalCase): ShownSection[] {
  const content = contentOf(evalCase);
  const { context, language, history = [], conversation, response, closing, alternative, ...rest } = content;
  const user: ShownPart[] = [
    ...shownFields(
      'context',
      context?.date === undefined ? context : { ...context, date: dateText(context.date) },
    ),
    ...shownFields('language', language),
    ...history.map(({ role, text }) => ({ title: `${ROLES[role]}, before`, text })),
    ...conversation.map(({ role, text }) => ({ title: ROLES[role], text })),
  ];
  const last = closing === undefined ? [] : [{ title: 'User, after the response', text: closing }];
  if (alternative === undefined)
    return [
      { title: 'User', parts: user },
      { title: 'System', parts: [...answerParts({ response, ...rest }), ...last] },
    ];
  const { first, second } = pairParts(content);
  const shared = Object.entries(rest).filter(([key]) => !Object.hasOwn(first, key));
  return [
    {
      title: 'User',
      parts: [...user, ...shared.flatMap(([key, value]) => shownFields(key, value)), ...last],
    },
    { title: 'Answer A', parts: answerParts(first) },
    { title: 'Answer B', parts: answerParts(second) },
  ];
}
