// What Teams refuses or cannot show to everyone, as far as the pages on Adaptive Cards of learn.microsoft.com say it, in numbers of their
// own: a test that took the program's numbers would agree with whatever they are.

type Json = Record<string, unknown>;
const isJson = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Every object in a value, depth first. */
function* objectsIn(value: unknown): Generator<Json> {
  if (Array.isArray(value)) for (const item of value) yield* objectsIn(item);
  else if (isJson(value)) {
    yield value;
    for (const inner of Object.values(value)) yield* objectsIn(inner);
  }
}

/** What version 1.5 has; of Teams' own extensions, those that have a fallback. */
const KNOWN = new Set(
  'AdaptiveCard Container ColumnSet Column RichTextBlock TextRun TextBlock Image ActionSet mention task/fetch Action.Execute Action.Submit Action.OpenUrl Input.Text Input.Number Input.Date Input.Time Input.ChoiceSet'.split(
    ' ',
  ),
);

const MESSAGE_BYTES = 28_000;
/** What surrounds a card in its message: the labels, ids and addresses. */
const AROUND = 700;

/** A picture, perhaps with a count. */
const isOnlyEmoji = (title: string): boolean => /^\P{ASCII}/u.test(title) && !/\p{L}/u.test(title);

/** What is chosen in a list and not offered there. */
function choiceProblems({ choices, value, isMultiSelect }: Json): string[] {
  const ids = (Array.isArray(choices) ? choices : []).map((choice) =>
    isJson(choice) ? choice.value : undefined,
  );
  const chosen = typeof value !== 'string' ? [] : isMultiSelect === true ? value.split(',') : [value];
  return [
    ...(new Set(ids).size < ids.length ? ['choices with the same value'] : []),
    ...chosen.filter((id) => !ids.includes(id)).map((id) => `${id} is not offered`),
  ];
}

/** Microsoft's own check of cards takes no more in one place. */
const MOST_ACTIONS = 6;

function buttonProblems({ title, tooltip }: Json): string[] {
  if (typeof title !== 'string' || title.trim() === '') return ['a button without a title'];
  return isOnlyEmoji(title) && typeof tooltip !== 'string' ? [`${title} does not say what it does`] : [];
}

function problemsOf(element: Json): string[] {
  const { type, text, altText, actions } = element;
  const buttons = Array.isArray(actions)
    ? [
        ...(actions.length > MOST_ACTIONS ? [`${actions.length} actions`] : []),
        ...actions.filter(isJson).flatMap(buttonProblems),
      ]
    : [];
  switch (type) {
    case 'Image':
      return typeof altText !== 'string' || altText === '' ? ['a picture without words'] : [];
    case 'TextBlock':
      // All else would be read as Markdown, and what looks like a mention as one.
      return /^asked by <at>[^<>[\]()*_~`#|\\]*<\/at>$/.test(String(text)) ? [] : [`a text block: ${text}`];
    case 'Input.ChoiceSet':
      return choiceProblems(element);
    default: {
      const isKnown = typeof type !== 'string' || KNOWN.has(type) || isJson(element.fallback);
      return [...buttons, ...(isKnown ? [] : [`${type} without a fallback`])];
    }
  }
}

/** What is wrong with a card, alone in a dialog or with the summary and the text of its message. */
export function cardProblems(card: unknown, message: unknown = null): string[] {
  const found = [...objectsIn(card)].flatMap(problemsOf);
  const bytes = Buffer.byteLength(JSON.stringify([card, message])) + AROUND;
  if (bytes > MESSAGE_BYTES) found.push(`${bytes} bytes`);
  if (!isJson(card) || card.version !== '1.5') found.push('not version 1.5');
  return found;
}

/** All that is read on a card, in its order. */
export const wordsOn = (card: unknown): string =>
  [...objectsIn(card)]
    .flatMap(({ text, title }) => [text, title])
    .filter((words) => typeof words === 'string')
    .join('\n');

/** The keys of all that people read or hear. */
const READ = [
  'text',
  'title',
  'label',
  'placeholder',
  'errorMessage',
  'altText',
  'tooltip',
  'speak',
  'legend',
];

/** Every text of a card or message that people read or hear. */
export const textsIn = (shown: unknown): string[] =>
  [...objectsIn(shown)].flatMap((one) =>
    [...READ.map((key) => one[key]), one.summary].filter((text) => typeof text === 'string'),
  );
