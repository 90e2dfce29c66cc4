/**
 * What a surface is, and what each of them is given: the engine's parts, settings, digests, reports of runs. It names no platform.
 * Start reading: `surface.ts` is the contract.
 */
export { noteChange, noteRuling, rulingLine, TERMINAL, whoIn } from './audit-notes.ts';
export { againstRuns, publicVotes, readSide, withPeople } from './compared-runs.ts';
export { eraseForgotten, noteForgotten } from './forgotten-cases.ts';
export { digestSender, type OpenDigests, openDigests, personaTitles } from './open-digests.ts';
export { importedPerson, readConversation, readPerson, requireUser } from './person-and-channel-ids.ts';
export {
  benchmarkSource,
  caseOptions,
  judgeCall,
  onlyOne,
  type Parts,
  type PartsOptions,
  parseOne,
  planCall,
  planningOf,
  systemPorts,
} from './program-parts.ts';
export {
  benchmarksNaming,
  forgetScheduledReviewer,
  type NamedReviewer,
  namedReviewers,
  reviewWish,
} from './review-samples.ts';
export { RunSummary } from './run-summary.ts';
export {
  type Announcement,
  type Inspection,
  type Line,
  type OpenSurface,
  type Surface,
  type SurfaceHost,
  type SurfaceSetup,
  stillNeeded,
  surfaceOf,
} from './surface.ts';
