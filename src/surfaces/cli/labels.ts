import { namedAnswers } from '../../case/index.ts';
import { JuryError } from '../../common/index.ts';
import { counted, jsonLine, minuteText, noSuch, plainText } from '../../common/text/index.ts';
import { forgetOwner } from '../../digests/index.ts';
import { cardOf, cardTexts, decisionText } from '../../judging/card/index.ts';
import { pairReason, rangeOfVerdict, reasonOf, type Verdict } from '../../judging/verdict/index.ts';
import { labelJson } from '../../labels/exchange/index.ts';
import {
  labelOf,
  labelText,
  readVoted,
  settledText,
  tallyWords,
  usualRule,
  type VerdictLabel,
  voteText,
} from '../../labels/index.ts';
import {
  offeredOf,
  type Right,
  readRight,
  rightOf,
  type Said,
  type VerdictRecord,
  VoteValue,
} from '../../labels/record/index.ts';
import {
  errorProblem,
  firstOffered,
  keepRuling,
  noteRulingsToShow,
  rulingOn,
  standingVote,
  type Voted,
  voteOf,
} from '../../labels/voting/index.ts';
import { forgetEdits, forgetFailed, forgetPeople } from '../../requests/index.ts';
import { forgetReviewer } from '../../reviews/index.ts';
import { forgetGuides } from '../desks/index.ts';
import { forgetDrafts } from '../forms/index.ts';
import {
  benchmarksNaming,
  eraseForgotten,
  forgetScheduledReviewer,
  importedPerson,
  noteForgotten,
  noteRuling,
  readPerson,
  rulingLine,
} from '../index.ts';
import {
  type CommandContext,
  type ExitCode,
  exitCode,
  type JsonFlag,
  renderCard,
  renderList,
} from '../terminal/index.ts';
import { suchVerdicts } from '../views/index.ts';
import { endSessions, forgetViews } from '../web/index.ts';
import { commandChanges } from './audit.ts';

const labelNow = (voted: Voted): string => labelText(labelOf(voted, null, usualRule));

/** A ruling as typed. */
export const rulingOf = (
  right: string,
  role: string,
  errorType: string | undefined,
  note: string | undefined,
) => ({
  right,
  role,
  ...(errorType === undefined ? {} : { errorType }),
  ...(note === undefined ? {} : { comment: note }),
});

/** `jury labels adjudicate`: a ruling by a named role, which overrides all votes. */
export async function adjudicate(
  { err, out, parts: open, screen }: CommandContext,
  id: string,
  right: string,
  { by, errorType, note, json }: { by: string; errorType?: string; note?: string; json: boolean },
): Promise<void> {
  const ruling = rulingOf(right, by, errorType, note);
  const parts = await open();
  const store = await parts.store();
  const before = await readVoted(store, id);
  const { verdict } = before.record;
  const made = rulingOn(before.record, parts.library.rubrics.get(verdict.rubric), ruling, parts.now());
  if ('problem' in made) throw new JuryError('usage', `Verdict ${id}: ${made.problem}. Nothing was changed.`);
  const changes = await commandChanges(parts, err);
  const noted = noteRuling(changes, changes.actor, before.record);
  const kept = await keepRuling(store, made.ruling, before.adjudication, noted);
  if ('problem' in kept) throw new JuryError('usage', `Verdict ${id}: ${kept.problem}. Nothing was changed.`);
  const { ruled } = kept;
  if (ruled !== 'unchanged') {
    // The service shows it on the card.
    await noteRulingsToShow(store, [id], parts.now());
    await changes.announce(before.record.source, rulingLine(before.record, made.ruling, changes.actor));
  }
  const after = await readVoted(store, id);
  if (json) {
    out(jsonLine({ ruled, ...labelJson({ voted: after, label: labelOf(after, null, usualRule) }) }));
    return;
  }
  const { decision, caseId, rubric, method, preference } = verdict;
  const reason = preference === undefined ? reasonOf(verdict, 'en') : pairReason(preference);
  out(
    renderCard(screen, [
      { kind: 'headline', tone: decision, label: decisionText(verdict, 'en'), reason },
      { kind: 'footer', facts: [caseId, rubric, method] },
    ]),
  );
  out(plainText(`  label before: ${labelNow(before)}`));
  out(
    plainText(
      ruled === 'unchanged'
        ? '  The same ruling was already there; nothing was changed.'
        : `  label now:    ${labelNow(after)}`,
    ),
  );
}

interface VoteOptions {
  as: string;
  errorType?: string;
  criterion?: readonly string[];
  note?: string;
}

/** The answers that are possible on a verdict's case, in words. */
function rightWanted(verdict: Verdict): string {
  if (verdict.preference !== undefined) return [...verdict.preference.names, 'same'].join(', ');
  const range = rangeOfVerdict(verdict);
  return range === null ? 'pass or fail' : `a score from ${range.min} to ${range.max}`;
}

/**
 * Reads a vote as typed: on the panel (`agree`), or on the case (`fail`, a score, an answer's name).
 * @throws JuryError `usage` if it does not fit the verdict
 */
function voteFrom({ verdict }: VerdictRecord, typed: string): { vote: Said; right: Right | null } {
  const value = VoteValue.safeParse(typed.toLowerCase()).data;
  const read = value === undefined ? readRight(typed, verdict) : null;
  if (read !== null && 'problem' in read)
    throw new JuryError('usage', `${read.problem}; or say agree, disagree or unsure. Nothing was changed.`);
  if (verdict.decision === 'undecided' && (value === 'agree' || value === 'disagree'))
    throw new JuryError(
      'usage',
      `The panel did not decide this case, so there is nothing to ${value} with: say what is right (${rightWanted(verdict)}), or unsure. Nothing was changed.`,
    );
  if (read !== null) return { vote: voteOf(read.right, verdict), right: read.right };
  const vote: Said =
    value === undefined || value === 'unsure' ? voteOf({ kind: 'unsure' }, verdict) : { value };
  return { vote, right: rightOf(vote, verdict) };
}

/** `jury labels vote`: does what a card's buttons do, for verdicts that were not shown in a chat. */
export async function vote(
  { out, parts: open }: CommandContext,
  id: string,
  said: string,
  { as, errorType, criterion = [], note }: VoteOptions,
): Promise<void> {
  const parts = await open();
  const store = await parts.store();
  const before = await readVoted(store, id);
  const { record } = before;
  const refuse = (problem: string) =>
    new JuryError('usage', `Verdict ${id}: ${problem}. Nothing was changed.`);
  if (record.blind === true) throw refuse('people answer before they see it; vote where it was asked for');
  const who = { verdictId: id, voter: (await parts.pseudonym())(importedPerson(as, parts.surfaces)) };
  const standing = await standingVote(store, id, who.voter);
  const offered = firstOffered(standing, { why: 'volunteer' });
  const when = { surface: 'terminal', offered, at: parts.now() };
  if (said === 'none') await store.castVote({ ...who, ...when, value: null });
  else {
    const { right, vote: ownVote } = voteFrom(record, said);
    const criterionIds = record.verdict.criteria.map((one) => one.id);
    const unknown = criterion.find((one) => !criterionIds.includes(one));
    if (unknown !== undefined) throw noSuch('criterion', unknown, criterionIds);
    const wrong = errorProblem(record, parts.library.rubrics.get(record.verdict.rubric), right, errorType);
    if (wrong !== null) throw refuse(wrong);
    const more = {
      ...(errorType === undefined ? {} : { errorType }),
      ...(note === undefined ? {} : { comment: note }),
    };
    const isMore = criterion.length > 0 || Object.keys(more).length > 0;
    const correction = { judges: [], ...ownVote.correction, criteria: [...criterion], ...more };
    const ballot = ownVote.correction !== undefined || isMore ? { ...ownVote, correction } : ownVote;
    await store.castVote({ ...who, ...when, ...ballot });
  }
  const after = await readVoted(store, id);
  out(plainText(`${tallyWords(labelOf(after, null, usualRule))}; label: ${labelNow(after)}`));
}

/**
 * `jury labels forget`: erases a person's votes, annotations and checked answers, the record that they requested or stopped verdicts, their edited
 * and unfinished requests, what the console showed them, and copies in runs. Their digests and alerts go on without an owner.
 * Signs them out of the console.
 *
 * @returns 1 if copies in some run could not be erased
 */
export async function forget(
  { out, err, parts: open, runs }: CommandContext,
  text: string,
): Promise<ExitCode> {
  const parts = await open();
  const person = readPerson(text, parts.surfaces);
  const pseudonym = await parts.pseudonym();
  const store = await parts.store();
  const { votes, annotations } = await store.forgetVoter(pseudonym(person));
  const requests = await forgetPeople(store, person, parts.now(), (asked) =>
    noteForgotten(store, asked, parts.now()),
  );
  const edits = await forgetEdits(store, person, parts.now());
  const failed = await forgetFailed(store, person, parts.now());
  const drafts = await forgetDrafts(store, person, parts.now());
  const reviews = await forgetReviewer({ store, now: parts.now }, pseudonym(person));
  await forgetScheduledReviewer(parts, store, person);
  await forgetGuides(store, pseudonym(person));
  const owned = await forgetOwner(store, person);
  const copies = await eraseForgotten({ store, runs }, parts.now());
  const erased = {
    vote: votes,
    annotation: annotations,
    'checked answer': reviews,
    request: requests,
    'edited request': edits,
    'failed request': failed,
    'unfinished request': drafts,
    'copied case': copies.cases,
    'console answer': await forgetViews(store, person.user, parts.now()),
    session: await endSessions(store, pseudonym(person), parts.now()),
  };
  const erasedTexts = Object.entries(erased)
    .filter(([, n]) => n > 0)
    .map(([what, n]) => counted(n, what));
  out(
    erasedTexts.length === 0
      ? `No votes of ${text} are kept.`
      : `Erased ${new Intl.ListFormat('en').format(erasedTexts)} of ${text}.`,
  );
  if (owned > 0)
    out(
      `${counted(owned, 'digest or alert', 'digests and alerts')} of theirs ${owned === 1 ? 'goes' : 'go'} on without an owner.`,
    );
  const naming = await benchmarksNaming(parts, person);
  if (naming.length > 0)
    err(
      `${naming.length === 1 ? 'The file of this benchmark still names' : 'The files of these benchmarks still name'} ${text} to check answers: ${new Intl.ListFormat('en').format(naming)}. Remove the id there, or they are asked again.`,
    );
  for (const { run, reason } of copies.failed)
    err(`Copies in the run ${plainText(run)} are not erased: ${plainText(reason)} Then run this again.`);
  const pending = await store.pendingSpotChecks();
  if (pending > 0)
    err(
      `Being judged now: ${counted(pending, 'request')}. If one is from ${text}, run this again afterwards.`,
    );
  return copies.failed.length > 0 ? exitCode.failed : exitCode.ok;
}

function labelLines({ votes }: Voted, label: VerdictLabel): string[] {
  const { adjudication, majority, said, preference } = label;
  return [
    `label: ${labelText(label)}`,
    `votes: ${tallyWords(label)}; ${said.length} of ${votes.length} say what is right`,
    `majority: ${settledText(majority, preference)}`,
    ...(adjudication === null
      ? []
      : [
          `ruled by ${adjudication.role} at ${minuteText(adjudication.at)}${adjudication.comment === undefined ? '' : `: ${adjudication.comment}`}`,
        ]),
  ];
}

/** `jury labels show`: a verdict with everything people said about it, and its label by majority. */
export async function show(
  { out, parts: open, screen }: CommandContext,
  id: string,
  { json }: JsonFlag,
): Promise<void> {
  const parts = await open();
  const voted = await readVoted(await parts.store(), id);
  const { record, votes } = voted;
  const label = labelOf(voted, null, usualRule);
  if (json) {
    const corrections = votes.map(({ correction = null, ...vote }) => {
      const offered = offeredOf(vote);
      return 'right' in vote
        ? { right: vote.right, correction, offered }
        : { value: vote.value, correction, offered };
    });
    out(jsonLine({ ...labelJson({ voted, label }), corrections, record }));
    return;
  }
  const { verdict, evalCase, earlier } = record;
  const setting = { earlier, hasModel: true, isOperator: true };
  out(renderCard(screen, cardOf(verdict, evalCase, cardTexts(parts.library, 'en'), setting)));
  const turns = evalCase.conversation.map(({ role, text }) => `${role}: ${text}`);
  const answers =
    evalCase.alternative === undefined
      ? [`response: ${evalCase.response}`]
      : namedAnswers(evalCase).map(({ name, text }) => `${name}: ${text}`);
  out(renderList(screen, 'Judged', [...turns, ...answers]));
  out(renderList(screen, 'Label', labelLines(voted, label)));
  if (votes.length > 0)
    out(
      renderList(
        screen,
        'What people say',
        votes.map((vote) => voteText(voted, vote)),
      ),
    );
  const such = suchVerdicts(record, 'en');
  if (such !== null) out(renderList(screen, 'What people say of such verdicts', [such.text, such.small]));
}
