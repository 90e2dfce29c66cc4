/** A paste that the app offers to try. */
interface Example {
  title: string;
  paste: string;
}

/** The first paste to try, the shortest that exact checks can decide: the rating is too low. Also in the README. */
export const firstPaste = `User: Find me a sushi place rated at least 4
System: Sakura is five minutes away.
Cuisine: Japanese
Rating: 3.8
Duration: 5 min`;

/** Decided by exact checks. Also offered in the apps' manifests. */
const checkedExamples: readonly Example[] = [
  {
    title: 'Judge a venue recommendation',
    paste: `User: Find me a sushi place rated at least 4
System: Sakura is five minutes away.
Name: Sakura
Cuisine: Japanese
Rating: 4.3
Duration: 5 min
Date: 2026-03-02
Time: 20:35
Monday: 12:00-22:00`,
  },
  {
    title: 'Judge what the car did',
    paste: `User: Set the temperature to 21 degrees
System: Done.
Device: temperature
Operation: set
Value: 24 °C`,
  },
];

/** Only a model can judge these; offered if one is connected. */
const modelExamples: readonly Example[] = [
  {
    title: 'Judge a plain answer',
    paste: `User: Is it too cold for summer tires?
System: Yes. Below 7 °C winter tires grip better.`,
  },
];

/**
 * Prompts that the app suggests in a conversation with it. Manifests offer those that need no model.
 *
 * @param hasModel whether the default judge is a model
 */
export const suggestedPrompts = (hasModel: boolean): { title: string; message: string }[] => [
  ...[...checkedExamples, ...(hasModel ? modelExamples : [])].map(({ title, paste }) => ({
    title,
    message: paste,
  })),
  { title: 'What can you judge?', message: 'help' },
];

/** Examples that a page offers to put into its text box. */
export const pagePastes = (hasModel: boolean): readonly Example[] => [
  { title: 'a rating too low', paste: firstPaste },
  ...checkedExamples.map(({ paste }, index) => ({
    title: index === 0 ? 'an open place' : 'a wrong value',
    paste,
  })),
  ...(hasModel ? modelExamples.map(({ paste }) => ({ title: 'a plain answer', paste })) : []),
];
