/**
 * What annotators can be asked about a case: how valid the user's part is and how valid the system's, 1 to 5; whether the
 * response is correct; which errors it has; a comment. Habicht et al., Benchmarking Contextual Understanding, 6.4 and B.30.
 */
export const studyItems = ['user', 'system', 'correct', 'errors', 'comment'] as const;
export type StudyItem = (typeof studyItems)[number];

export const MAX_CASES = 1_000;
