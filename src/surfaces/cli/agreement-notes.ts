import type { Agreement } from '../../labels/agreement.ts';
import { kindOf } from '../../labels/count-groups.ts';
import type { AgreementReport } from '../../labels/read-agreement.ts';
import { counted } from './plain-text.ts';

/** What is counted, and what a vote says of it where that is not plain. */
const subjects = {
  verdict: { noun: 'verdict', told: [] },
  judge: {
    noun: 'answer',
    told: [
      'A judge is agreed with where it gave the decision that a vote says is right. A vote cannot agree with the score of one judge and not with another’s, so that answers with a score are among the scores alone.',
    ],
  },
  criterion: {
    noun: 'finding',
    told: [
      'A vote speaks of a criterion where it agrees with the verdict, or names the criterion as wrong; other votes leave it open.',
    ],
  },
} as const;

const answersIn = ({ judges: { agreed, disagreed, tied, unsure } }: Agreement): number =>
  agreed + disagreed + tied + unsure;

/** What the numbers of a report stand on, as far as it applies. */
export function agreementNotes({ by, groups, scores }: AgreementReport): string[] {
  const agreements = groups.map(({ agreement }) => agreement);
  const total = (of: (agreement: Agreement) => number): number =>
    agreements.reduce((sum, agreement) => sum + of(agreement), 0);
  const { noun, told } = subjects[kindOf(by)];
  const ties = counted(
    total(({ judges }) => judges.tied),
    'tie',
  );
  const unsureOnly = counted(
    total(({ judges }) => judges.unsure),
    noun,
  );
  // One such vote is about each judge and criterion of its verdict.
  const unsure =
    noun === 'verdict'
      ? `, said ${counted(
          total(({ votes }) => votes.unsure),
          'time',
        )},`
      : '';
  const several = agreements.some((agreement) => answersIn(agreement) > agreement.verdicts);
  return [
    `Agree: of n with more votes on one side; ${ties} and ${unsureOnly} with nothing but “unsure” are left out. “Unsure”${unsure} counts as a missing vote.`,
    'Kappa is Cohen’s and AC1 Gwet’s, of what was decided beside what most votes say is right; of n that were judged pass or fail.',
    'People: what each vote says is right, pass or fail. Same is the share of pairs of votes that agree, alpha Krippendorff’s (nominal, votes may be missing); of n with two such votes or more. Votes on scores and on what was left undecided do not say it.',
    'In brackets 95 % intervals by verdict: of agree Wilson’s, of the others from a seeded bootstrap.',
    ...told,
    ...(several
      ? [
          'Several judges of a group sit on one verdict: n counts their answers, and intervals rest on the verdicts, as though such answers were alike.',
        ]
      : []),
    ...(scores.length === 0
      ? []
      : [
          'Scores: the score given beside the median of what people say. Who agrees says the same score, and most saw it before they voted, which flatters the judges.',
        ]),
  ];
}
