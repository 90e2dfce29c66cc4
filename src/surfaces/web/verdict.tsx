import type { ComponentChildren } from 'preact';
import type { VisibleVerdict } from '../../labels/visible-verdict.ts';
import type { Vote } from '../../labels/vote.ts';
import type { CardInput } from '../chat-presenter.ts';
import { detailsOf } from '../verdict-details.ts';
import { ballotChoices, blindQuestion, FIRST_COUNTS, ownAnswerText, type Standard } from '../wording.ts';
import { answerData, Case, Section, VerdictCard } from './card.tsx';

/** What a person sees of a verdict that is hidden until they have answered: the case and the rubric alone. */
function Ballot({ visible, standard, input }: Pick<Shown, 'visible' | 'standard' | 'input'>) {
  const { id, evalCase, verdict } = visible.record;
  return (
    <article class="card">
      <h2 class="headline">🗳️ Answer first</h2>
      <p>{blindQuestion(verdict, standard)}</p>
      <p class="actions">
        {ballotChoices(verdict, standard).map(({ text, answer }) => (
          <button type="button" key={text} data-do="answer" data-id={id} data-answer={answerData(answer)}>
            {text}
          </button>
        ))}
      </p>
      <p class="pale">Your first answer counts and shows you the verdict.</p>
      <Case evalCase={evalCase} texts={input.texts} />
    </article>
  );
}

/** What a person who has answered a hidden verdict, or taken the answer back, sees above its card. */
function OwnAnswer({ visible, input }: { visible: VisibleVerdict; input: CardInput }): ComponentChildren {
  if (visible.kind !== 'answered') return null;
  const { id, verdict } = visible.record;
  return (
    <aside class="own">
      <p>{ownAnswerText(visible.vote, input.tally, verdict)}</p>
      <p class="actions">
        <button type="button" data-do="correct" data-id={id}>
          Say more
        </button>
        <button type="button" data-do="retract" data-id={id}>
          Take my answer back
        </button>
      </p>
      <p class="pale">{FIRST_COUNTS}</p>
    </aside>
  );
}

export interface Shown {
  visible: VisibleVerdict;
  input: CardInput;
  standard: Standard;
  /** The viewer's own vote on a verdict that is open to all. */
  own: Vote | null;
}

/** What one person may see of a verdict. @param isWhole whether all details stand around it */
export function Verdict({ shown, isWhole = false }: { shown: Shown; isWhole?: boolean }) {
  const { visible, input, own } = shown;
  if (visible.kind === 'hidden') return <Ballot {...shown} />;
  const [criteria] = visible.kind === 'answered' && !isWhole ? detailsOf(visible.record, input.texts) : [];
  return (
    <>
      <OwnAnswer visible={visible} input={input} />
      <VerdictCard input={input} own={own} isWhole={isWhole} />
      {criteria === undefined ? null : <Section section={criteria} />}
    </>
  );
}
