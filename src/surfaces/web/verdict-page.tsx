import { judgeName, judgesOf, stanceOf } from '../../judging/card.ts';
import type { Judgement } from '../../judging/judgement.ts';
import { isExact } from '../../judging/why.ts';
import { usualRule } from '../../labels/answers.ts';
import { labelOf, labelText, type Voted, voteText } from '../../labels/label.ts';
import type { SentPrompt } from '../../prompting/sent-prompts.ts';
import { settingsOf } from '../verdict-details.ts';
import { judgeRows, matricesOf } from '../verdict-matrix.ts';
import { tallyText } from '../wording.ts';
import { Case, Section } from './card.tsx';
import { Judges, MatrixTable, totalText } from './verdict-tables.tsx';
import { type Shown, Verdict } from './view.tsx';

/** What people say of a verdict, and whether the visitor may rule on it. */
export interface PeopleSaid {
  voted: Voted;
  mayRule: boolean;
}

/** Votes, what people said beside them, the label, and the ruling. Never who said it. */
function People({ people: { voted, mayRule }, shown }: { people: PeopleSaid; shown: Shown }) {
  const label = labelOf(voted, null, usualRule);
  const said = voted.votes.filter(({ correction }) => correction !== undefined);
  const { adjudication } = voted;
  return (
    <section aria-labelledby="people">
      <h2 id="people">What people say</h2>
      <p>{tallyText(shown.input.tally)}</p>
      <p>
        <b>Label:</b> {labelText(label)}
      </p>
      {adjudication?.comment === undefined ? null : <p class="said">“{adjudication.comment}”</p>}
      {said.length === 0 ? null : (
        <ul>
          {said.map((vote) => (
            <li key={vote.voter}>{voteText(voted, vote)}</li>
          ))}
        </ul>
      )}
      {mayRule ? (
        <p class="actions">
          <button type="button" data-do="rule" data-id={voted.record.id}>
            {adjudication === null ? 'Rule on this…' : 'Change the ruling…'}
          </button>
        </p>
      ) : null}
    </section>
  );
}

/** One verdict with all that was judged and said; of a hidden one the case alone. @param people null while it is hidden */
export function VerdictBody({ shown, people }: { shown: Shown; people: PeopleSaid | null }) {
  const { record, kind } = shown.visible;
  if (kind === 'hidden' || people === null) return <Verdict shown={shown} isWhole />;
  const { verdict } = record;
  const { texts } = shown.input;
  const [criteria, ...others] = matricesOf(verdict, texts);
  const judges = isExact(verdict) ? [] : judgeRows(verdict, verdict.judgements, texts);
  return (
    <>
      <div class="beside">
        <div>
          <Verdict shown={shown} isWhole />
          <People people={people} shown={shown} />
        </div>
        <Case evalCase={record.evalCase} texts={texts} />
      </div>
      <h2>{criteria.title}</h2>
      <MatrixTable titled={criteria} id="why" />
      <Judges title="Judges" verdict={verdict} rows={judges} id={record.id} />
      <Judges
        title="Ratings shown to the panel"
        verdict={verdict}
        rows={judgeRows(verdict, verdict.ratings ?? [], texts)}
        id={record.id}
      />
      {judges.length === 0 ? null : <p class="pale">In all: {totalText(verdict)}</p>}
      {others.map((titled, index) => (
        <details key={titled.title}>
          <summary>{titled.title}</summary>
          <MatrixTable titled={titled} id={`why${index}`} />
        </details>
      ))}
      <details>
        <summary>Settings and usage</summary>
        <Section section={settingsOf(record)} />
      </details>
    </>
  );
}

export const VerdictPage = (props: { shown: Shown; people: PeopleSaid | null }) => (
  <>
    <h1 class="sr">Verdict</h1>
    <div class="view" data-verdict={props.shown.visible.record.id} data-whole>
      <VerdictBody {...props} />
    </div>
  </>
);

/** What a judge was sent in one round. @param prompts null where it cannot be rendered again */
export function PromptPage({
  shown,
  judgement,
  prompts,
}: {
  shown: Shown;
  judgement: Judgement;
  prompts: readonly SentPrompt[] | null;
}) {
  const { verdict, id } = shown.visible.record;
  const { promptHash, round, judge, usage } = judgement;
  const isRating = verdict.ratings?.includes(judgement) === true;
  const name = judgeName(judgement, isRating ? [judge] : judgesOf(verdict), shown.input.texts);
  return (
    <>
      <p>
        <a href={`/verdicts/${id}`}>← Verdict</a>
      </p>
      <h1>
        Prompt of {name}, {isRating ? 'rating' : `round ${round + 1}`}
      </h1>
      <p>
        {judge.model} answered: {stanceOf(judgement, verdict)}
      </p>
      {prompts === null ? (
        <p class="notice">
          The prompt cannot be shown: its files have changed since, or the panel was chosen by hand. Only its
          hash is kept.
        </p>
      ) : (
        <p class="pale">
          As it was sent: rendered again from the case and the prompt files, with the same hash as then.
          {usage.attempts > 1
            ? ` It took ${usage.attempts} attempts; what was sent again, such as a request to repair the reply, is not kept.`
            : ''}
        </p>
      )}
      <p class="pale">{promptHash ?? 'No prompt was sent.'}</p>
      {(prompts ?? []).map(({ system, user, schema }, index, all) => (
        <section key={`${index} ${user.length}`}>
          {all.length === 1 ? null : (
            <h2>
              Question {index + 1} of {all.length}
            </h2>
          )}
          <h3>System message</h3>
          <pre>{system}</pre>
          <h3>User message</h3>
          <pre>{user}</pre>
          <details>
            <summary>Form of the reply (JSON schema)</summary>
            <pre>{schema}</pre>
          </details>
        </section>
      ))}
    </>
  );
}
