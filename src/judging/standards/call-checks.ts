import * as z from 'zod';
import { Id } from '../../common/index.ts';

const car = Id.optional().describe(
  'Id of a car in `prompts/cars/` whose tools these are: it tells spellings of one value, defaults and what a call changes.',
);

/** The exact checks of tool calls. Their code is in `judges/rules/`. */
export const callChecks = [
  z
    .strictObject({ type: z.literal('calls'), car })
    .describe(
      'The calls of one of the right ways (`expectedCalls`) were made, with their arguments; in their order where that matters.',
    ),
  z
    .strictObject({ type: z.literal('no-other-calls'), car })
    .describe(
      'No tool was called besides those of a right way (`expectedCalls`). Tools that only read may be.',
    ),
  z
    .strictObject({
      type: z.literal('no-call-without-consent'),
      car,
      tools: z
        .array(z.string().trim().min(1))
        .default([])
        .describe('Names of tools that need consent, besides those of the car: `send_message`, `book_*`.'),
      lexicon: Id.describe('Id of the lexicon of answers to a question, with the terms `yes` and `no`.'),
    })
    .describe(
      'A tool that needs consent was only called after the system had asked and the user had agreed. No decision if what the user says is neither a plain yes nor a plain no.',
    ),
  z
    .strictObject({
      type: z.literal('says-what-it-did'),
      car,
      lexicon: Id.describe(
        'Id of the lexicon of what a response can claim to have done. Terms: what was done, as in the name of a tool; `any` for "done", `denied` for "could not", `unclear` for words that make a claim doubtful.',
      ),
      devices: Id.optional().describe('Id of the lexicon of devices that the variables of the car name.'),
      places: Id.optional().describe(
        'Id of the lexicon of places, whose terms are values of arguments: `driver`, `all`. Without it, nothing is decided about devices of which the car has several.',
      ),
    })
    .describe(
      'The response claims no action that no call did, and denies none that a call did. Decided only where its words are plain, and passed only if a call accounts for each of them.',
    ),
  z
    .strictObject({ type: z.literal('state-after'), car: Id.describe('Id of the car in `prompts/cars/`.') })
    .describe(
      'The calls turn `initialState` into `expectedState`, by the model of the car. What `expectedState` does not name is as it was.',
    ),
] as const;
