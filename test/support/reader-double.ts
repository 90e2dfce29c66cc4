import { type DoubleAnswer, type DoubleRequest, type ModelDouble, startModelDouble } from './model-double.ts';

/** A part that a scripted reader names. */
export interface ScriptedPart {
  from: number;
  to: number;
  quote: string;
  is: string;
}

export const part = (from: number, to: number, is: string, quote = ''): ScriptedPart => ({
  from,
  to,
  quote,
  is,
});

/** Whether a request asks to read a paste. */
export const isReading = ({ schema }: DoubleRequest): boolean =>
  JSON.stringify(schema ?? '').includes('"quote"');

/** A paste without labels, and the parts that a careful reader names. */
export const unlabeled = [
  'Klaus Meyer wanted to know this in the car yesterday:',
  'find me a sushi place, rated at least 4',
  'and it came back with',
  'Sakura is five minutes away, Klaus. It is rated 4.3.',
  'stars: 4.3 of 5',
].join('\n');
export const unlabeledParts = [
  part(2, 2, 'user'),
  part(4, 4, 'system'),
  part(5, 5, 'recommendation.rating', '4.3 of 5'),
];

/** A model that reads as scripted and judges as the double does. */
export const startReaderDouble = (
  read: (request: DoubleRequest) => DoubleAnswer,
  judge: (request: DoubleRequest) => DoubleAnswer = () => ({}),
): Promise<ModelDouble> =>
  startModelDouble({ answer: (request) => (isReading(request) ? read(request) : judge(request)) });
