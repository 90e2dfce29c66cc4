/**
 * What a surface is, and what each of them is given: the engine's parts, settings, digests, reports of runs. It names no platform.
 * Start reading: `surface.ts` is the contract.
 */
export { importedPerson, readConversation, readPerson, requireUser } from './addresses.ts';
export { noteChange, noteRuling, rulingLine, TERMINAL, whoIn } from './changes.ts';
export { eraseForgotten, noteForgotten } from './forgotten-cases.ts';
export { digestSender, type OpenDigests, openDigests } from './open-digests.ts';
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
} from './parts.ts';
export { againstRuns, readSide, withPeople } from './run-reports.ts';
export {
  type Inspection,
  type Line,
  type OpenSurface,
  type Surface,
  type SurfaceHost,
  type SurfaceSetup,
  stillNeeded,
  surfaceOf,
} from './surface.ts';
