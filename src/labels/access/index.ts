/**
 * Who may see and do what, by conversation and role, and the log of who changed what. It shows and changes nothing itself. Start
 * reading: `permissions.ts`.
 */
export { type AuditStore, Change, changeLine, namesOf } from './audit.ts';
export {
  ChannelSettings,
  type ChannelSettingsStore,
  isAllowedModel,
  issueLink,
  issueUrlProblem,
  modelsIn,
  noSettings,
} from './channel-settings.ts';
export {
  type Action,
  type Actor,
  type Conversation,
  isOpenToAll,
  isWithdrawn,
  type Membership,
  NAMED,
  Person,
  type Pseudonym,
  personText,
  type Roles,
  refusal,
  refusalIn,
  type Viewer,
  type VisibleVerdict,
  viewerFor,
  visibleVerdict,
  withdrawnKey,
  withdrawVerdict,
} from './permissions.ts';
