/** The fields of a case in forms. */
export const fields: {
  /** By the path of the value in a case. */
  contract: Readonly<Record<string, { label: string; hint: string | null }>>;
  /** How to write the value of a declared field. */
  types: {
    text: null;
    number: string;
    numberIn: (unit: string) => string;
    list: string;
    boolean: string;
    place: string;
    hours: string;
  };
  rubricLooksAt: (names: readonly string[]) => string;
  jsonWith: (path: string) => string;
} = {
  contract: {
    conversation: {
      label: 'Conversation',
      hint: 'What was said before the response. With several turns, begin each with "User:" or "System:".',
    },
    response: { label: 'Response', hint: 'What your system answered. This is judged.' },
    'alternative.response': { label: 'Second response', hint: 'Judges compare it with the first one.' },
    'context.date': { label: 'Date of the request', hint: 'The user’s own date.' },
    'context.time': { label: 'Time of the request', hint: 'The user’s own clock.' },
    'context.location': {
      label: 'The user’s location',
      hint: 'A name, coordinates or both: Prenzlauer Berg, Berlin (52.53, 13.41)',
    },
    recommendation: {
      label: 'Recommendation',
      hint: 'A line each, such as "Cuisine: French", "Rating: 4.6", "Monday: 12:00-20:00", or JSON.',
    },
    documents: {
      label: 'Documents',
      hint: 'Begin each with "Document NAME:"; otherwise, all of it is one document.',
    },
    recommendations: {
      label: 'Recommendation lists',
      hint: 'A list a line, its items separated by semicolons, or JSON.',
    },
    groundTruth: { label: 'Ground truth', hint: null },
    history: { label: 'History', hint: 'Begin each turn with "User:" or "System:".' },
    latencyMs: { label: 'Latency', hint: 'In milliseconds.' },
    language: { label: 'Language', hint: 'For example: en' },
    context: { label: 'Situation', hint: null },
  },
  types: {
    text: null,
    number: 'A number.',
    numberIn: (unit) => `A number, in ${unit} unless another unit is given.`,
    list: 'Separated by commas; "none" for an empty list.',
    boolean: 'yes or no',
    place: 'A name, coordinates or both: Prenzlauer Berg, Berlin (52.53, 13.41)',
    hours: 'A line each, such as "Monday: 12:00-20:00", "Sunday: closed".',
  },
  rubricLooksAt: (names) => ` This rubric looks at: ${names.join(', ')}.`,
  jsonWith: (path) => `a JSON case with "${path}"`,
};
