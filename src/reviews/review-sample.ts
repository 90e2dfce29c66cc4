import * as z from 'zod';
import type { RunManifest } from '../benchmark/index.ts';
import { groupedBy } from '../common/index.ts';

/** One person's answer to whether a drawn answer is right. */
const ReviewLabel = z.strictObject({
  right: z.enum(['pass', 'fail', 'unsure']),
  /** Which of the people asked about the answer they are: 0 is the first. */
  slot: z.int().min(0),
  /** Pseudonym. */
  voter: z.string(),
  /** ms since the epoch. */
  at: z.number(),
});
export type ReviewLabel = z.infer<typeof ReviewLabel>;

/** An answer drawn for people to check. */
const ReviewEntry = z.strictObject({
  /** Index of the case in the dataset. */
  place: z.int().min(0),
  caseId: z.string(),
  /** Equal for answers that belong together, in all runs. */
  unit: z.string(),
  rubric: z.string(),
  decision: z.enum(['pass', 'fail']),
  /** Whether the judges of the deciding round disagreed. */
  split: z.boolean(),
  stratum: z.string(),
  /** The chance that it was drawn. */
  probability: z.number().gt(0).max(1),
  labels: z.array(ReviewLabel),
});
export type ReviewEntry = z.infer<typeof ReviewEntry>;

/** See `Stratum` in `draw-sample.ts`. */
const KeptStratum = z.strictObject({
  name: z.string(),
  decision: z.enum(['pass', 'fail']),
  split: z.boolean().nullable(),
  size: z.int(),
  drawn: z.int(),
});

/** The answers of a run that were drawn by chance, and what people said about them. */
export const ReviewSample = z.strictObject({
  version: z.literal(1),
  run: z.string(),
  /** When the run was made, and its dataset's hash: another run may be given the same name later. */
  made: z.strictObject({ createdAt: z.string(), dataset: z.string() }),
  /** When it was drawn, ms since the epoch. */
  at: z.number(),
  /** When it is deleted, ms since the epoch. */
  until: z.number(),
  /** Pseudonyms of the people who may be asked; null: anyone who may run commands. */
  people: z.array(z.string()).nullable(),
  /** People asked about each answer. */
  votes: z.int().min(1),
  /** Answers that one person is asked about in a week, at most. */
  perWeek: z.int().min(1),
  /** Days after which another person is asked. */
  days: z.int().min(1),
  /** What judged the answers, by rubric; see `yardstickHash`. */
  signatures: z.record(z.string(), z.string()),
  /** Answers without a decision of pass or fail, which are not drawn. */
  undecided: z.int(),
  strata: z.array(KeptStratum),
  /** In random order, which is the order in which they are offered. */
  entries: z.array(ReviewEntry),
});
export type ReviewSample = z.infer<typeof ReviewSample>;

/** What a sample keeps of the run that it was drawn from. */
export type RunMade = ReviewSample['made'];

export const madeOf = ({ createdAt, dataset }: Pick<RunManifest, 'createdAt' | 'dataset'>): RunMade => ({
  createdAt,
  dataset: dataset.hash,
});

/** Whether a sample was drawn from this very run, not from another of the same name. */
export function isSampleOf(
  { run, made }: Pick<ReviewSample, 'run' | 'made'>,
  manifest: Pick<RunManifest, 'name' | 'createdAt' | 'dataset'>,
): boolean {
  const { createdAt, dataset } = madeOf(manifest);
  return run === manifest.name && made.createdAt === createdAt && made.dataset === dataset;
}

/** How many people are asked about an answer: one more if one of them was unsure. */
const slotsOf = ({ labels }: Pick<ReviewEntry, 'labels'>, votes: number): number =>
  votes + (labels.some(({ right }) => right === 'unsure') ? 1 : 0);

/** The slots in which no one has answered yet. */
export function openSlots(entry: Pick<ReviewEntry, 'labels'>, votes: number): number[] {
  const taken = new Set(entry.labels.map(({ slot }) => slot));
  return Array.from({ length: slotsOf(entry, votes) }, (_, slot) => slot).filter((slot) => !taken.has(slot));
}

/** What is right about an answer by the people who checked it; null if they are unsure, divided, or no one has. */
function rightOfEntry({ labels }: Pick<ReviewEntry, 'labels'>): 'pass' | 'fail' | null {
  const count = (wanted: ReviewLabel['right']) => labels.filter(({ right }) => right === wanted).length;
  const [pass, fail] = [count('pass'), count('fail')];
  if (pass === fail) return null;
  return pass > fail ? 'pass' : 'fail';
}

/** An answer that was drawn by chance and that people checked. */
export interface ReviewedAnswer {
  run: string;
  /** Index of the case in the run's dataset. */
  place: number;
  caseId: string;
  /** Equal for answers that belong together, in all runs. */
  unit: string;
  rubric: string;
  /** What the judges decided. */
  decision: 'pass' | 'fail';
  /** Whether the judges of the deciding round disagreed. */
  split: boolean;
  /** What is right by the people who checked it. */
  right: 'pass' | 'fail';
  /** The chance that it was drawn. */
  probability: number;
  /** Name of its stratum. */
  stratum: string;
  /** When the last of them answered, ms since the epoch. */
  at: number;
}

/** How a sample was drawn, and how much of it was checked. */
export interface ReviewDesign {
  run: string;
  /** When it was drawn, ms since the epoch. */
  at: number;
  strata: {
    name: string;
    decision: 'pass' | 'fail';
    /** Null: answers are divided by decision alone. */
    split: boolean | null;
    /** Answers of the run in this stratum. */
    size: number;
    drawn: number;
    /** Those of the drawn for which people said what is right. */
    checked: number;
    unchecked: number;
  }[];
  /** Answers of the run without a decision, which belong to no stratum. */
  undecided: number;
  drawn: number;
  checked: number;
  unchecked: number;
  /** Those of the unchecked about which someone was asked and is unsure, or people disagree. */
  unsure: number;
}

/** A drawn answer of which it is not known whether it is right. */
interface UncheckedAnswer {
  rubric: string;
  stratum: string;
  /** Someone was asked and is unsure, or people disagree. */
  isUnsure: boolean;
}

export interface ReviewedRun {
  made: RunMade;
  design: ReviewDesign;
  answers: ReviewedAnswer[];
  unchecked: UncheckedAnswer[];
}

/** The checked answers of a sample, in order of the dataset. */
export function reviewedRun(sample: ReviewSample): ReviewedRun {
  const { run, made, at, strata, undecided, entries } = sample;
  const answers = entries
    .flatMap(({ labels, ...entry }): ReviewedAnswer[] => {
      const right = rightOfEntry({ labels });
      return right === null
        ? []
        : [{ run, ...entry, right, at: Math.max(...labels.map((label) => label.at)) }];
    })
    .sort((a, b) => a.place - b.place);
  const checkedBy = groupedBy(answers, ({ stratum }) => stratum);
  const unchecked = entries
    .filter((entry) => rightOfEntry(entry) === null)
    .map(({ rubric, stratum, labels }) => ({ rubric, stratum, isUnsure: labels.length > 0 }));
  const drawn = entries.length;
  return {
    made,
    answers,
    unchecked,
    design: {
      run,
      at,
      undecided,
      drawn,
      checked: answers.length,
      unchecked: unchecked.length,
      unsure: unchecked.filter(({ isUnsure }) => isUnsure).length,
      strata: strata.map((stratum) => {
        const checked = checkedBy.get(stratum.name)?.length ?? 0;
        return { ...stratum, checked, unchecked: stratum.drawn - checked };
      }),
    },
  };
}
