import { randomUUID } from 'node:crypto';
import type { Actor, AuditStore, Change, Conversation } from '../labels/access/index.ts';
import { rightWords } from '../labels/index.ts';
import type { VerdictRecord } from '../labels/record/index.ts';
import type { Adjudication, NoteRuling } from '../labels/voting/index.ts';
import { type Language, wordsIn } from '../words/index.ts';
import type { Announcement, Line, SurfaceHost } from './surface.ts';
import { wordsOf } from './wording/index.ts';

/** What a change to a whole conversation needs, on a surface or in the terminal. */
export type ChangeDesk = Pick<SurfaceHost, 'now' | 'announce'> & { store: AuditStore };

/**
 * Records a change in the audit log. Call it before making the change, so that no change goes unrecorded.
 * @throws JuryError `store-unavailable`: do not make the change
 */
export const noteChange = (
  { store, now }: Pick<ChangeDesk, 'store' | 'now'>,
  { people, email = null }: Actor,
  { surface, channel }: Conversation,
  change: Pick<Change, 'what' | 'about' | 'before' | 'after'>,
): Promise<void> =>
  store.addChange({
    id: randomUUID(),
    at: now(),
    by: { people: [...people], email },
    surface,
    channel,
    ...change,
  });

/** How a conversation on a surface names a person. */
export function whoIn({ people, email }: Actor, surface: string, language: Language): Line[number] {
  const { who } = wordsIn(language).announcements;
  const hereAs = people.find((one) => one.surface === surface);
  if (hereAs !== undefined) return { person: hereAs.user };
  const [first] = people;
  if (first.surface === TERMINAL) return who.terminal(first.user.slice(TERMINAL.length + 1));
  return email ?? who.console;
}

/** The surface of people who run commands on the server: `terminal:ann`, by their account. */
export const TERMINAL = 'terminal';

/** Records rulings on a verdict in the audit log. */
export const noteRuling =
  (desk: Pick<ChangeDesk, 'store' | 'now'>, actor: Actor, { id, source }: VerdictRecord): NoteRuling =>
  async (after, before) => {
    await noteChange(desk, actor, source, { what: 'ruling', about: id, before, after });
  };

/** The announcement of a ruling in the verdict's conversation; without the outcome if people vote before they see it. */
export const rulingLine =
  (
    { evalCase, verdict, blind, source }: VerdictRecord,
    { right, role }: Adjudication,
    actor: Actor,
  ): Announcement =>
  (language) => [
    whoIn(actor, source.surface, language),
    wordsIn(language).announcements.ruled({
      role,
      about: wordsOf(evalCase, language),
      right: blind === true ? null : rightWords(right, verdict.preference, language),
    }),
  ];
