/**
 * How far people agree with judges, and how much a judge can therefore be trusted. It counts what people voted on, which is not a
 * random sample, and says so. Start reading: `read-agreement.ts`.
 */
export type { Agreement } from './agreement.ts';
export {
  type AgreementQuery,
  type AgreementReport,
  kindOf,
  mondayOf,
  readAgreement,
  type ScoreAgreement,
} from './read-agreement.ts';
export {
  agreedSentence,
  agreedShareOf,
  createTrust,
  MIN_FOR_SHARE,
  publicCounts,
  type ReadTrust,
} from './trust.ts';
