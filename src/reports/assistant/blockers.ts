import { createHash } from 'node:crypto';
import type { RunManifest } from '../../benchmark/index.ts';
import { askedTwice, groupsOf, type RawGroup } from './answer-changes.ts';
import type { Answer, Answers, Changed } from './answers.ts';

/** Answers that newly fail a blocker, as in `AssistantReport`, without texts. */
export interface RawBlockers {
  groups: RawGroup[];
  others: { now: number; before: number } | null;
}

/** The criteria of severity `blocker` that an answer fails. */
const blockersOf = ({ blockers = {} }: RunManifest, { rubric, failing }: Answer): string[] =>
  failing.filter((id) => blockers[rubric]?.includes(id));

/** Names an answer to a request, in any run. */
export const answerKey = ({ id, request, response }: Answer): string =>
  createHash('sha256')
    .update(JSON.stringify([id, request, response]))
    .digest('base64url')
    .slice(0, 16);

/**
 * The answers that newly fail a criterion of severity `blocker`: another answer to the same request did not fail it, or the earlier run
 * does not have the request. The same answer judged again is not new, whatever the judges say of it now.
 * @param then the earlier run; null: all that fail are new
 * @returns null if no criterion is a blocker
 */
export function newBlockers(now: Answers, then: Answers | null): RawBlockers | null {
  const { manifest } = now;
  if (manifest.blockers === undefined) return null;
  const pairs = new Map(then === null ? [] : askedTwice(then, now).map((pair) => [pair.now, pair.then]));
  const changed = now.answers.flatMap((answer): Changed[] => {
    const before = pairs.get(answer);
    if (before?.response === answer.response) return [];
    const was = before?.rubric === answer.rubric ? before.failing : [];
    const criteria = blockersOf(manifest, answer).filter((id) => !was.includes(id));
    return criteria.length === 0 ? [] : [{ answer, criteria }];
  });
  const known = new Set(pairs.values());
  const dropped = (then?.answers ?? []).filter((answer) => !known.has(answer));
  const others = changed.filter(({ answer }) => !pairs.has(answer)).length;
  return {
    groups: groupsOf(changed, now.answers),
    others:
      others === 0 || dropped.length === 0
        ? null
        : { now: others, before: dropped.filter((answer) => blockersOf(manifest, answer).length > 0).length },
  };
}
