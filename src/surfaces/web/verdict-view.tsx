import type { ComponentChildren } from 'preact';
import type { VisibleVerdict } from '../../labels/access/index.ts';
import { labelOf, labelText, usualRule, voteText } from '../../labels/index.ts';
import type { Vote } from '../../labels/record/index.ts';
import type { Voted } from '../../labels/voting/index.ts';
import { wordsIn } from '../../words/index.ts';
import { type CardInput, unsureChoices, unsureQuestion } from '../chat/index.ts';
import { detailsOf, suchVerdicts } from '../views/index.ts';
import { ballotChoices, blindQuestion, ownAnswerText, type Standard, tallyText } from '../wording/index.ts';
import { Case, Fields, Section, VerdictCard } from './card.tsx';
import type { View, ViewOf } from './live-views.ts';
import { MarkedPaste } from './marked-paste.tsx';

/** A verdict that is hidden until the visitor answers: the question, the possible answers and the case. */
function Ballot({ visible, standard, input }: Pick<Shown, 'visible' | 'standard' | 'input'>) {
  const { id, evalCase, verdict } = visible.record;
  return (
    <article class="card">
      <h2 class="headline">🗳️ Answer first</h2>
      <p>{blindQuestion(verdict, standard, 'en')}</p>
      <p class="actions">
        {ballotChoices(verdict, standard, 'en').map(({ text, answer }) => (
          <button type="button" key={text} data-do="answer" data-id={id} data-answer={JSON.stringify(answer)}>
            {text}
          </button>
        ))}
      </p>
      <p class="pale">Your first answer counts and shows you the verdict.</p>
      <Case evalCase={evalCase} texts={input.texts} />
    </article>
  );
}

/** The visitor's own answer to a verdict that was hidden until they gave it, shown above its card. */
function OwnAnswer({ visible, input }: { visible: VisibleVerdict; input: CardInput }): ComponentChildren {
  if (visible.kind !== 'answered') return null;
  const { id, verdict } = visible.record;
  return (
    <aside class="own">
      <p>{ownAnswerText(visible.vote, input.tally, verdict, 'en')}</p>
      <p class="actions">
        <button type="button" data-do="correct" data-id={id}>
          Say more
        </button>
        <button type="button" data-do="retract" data-id={id}>
          Take my answer back
        </button>
      </p>
      <p class="pale">{wordsIn('en').votes.own.firstCounts}</p>
    </aside>
  );
}

export interface Shown {
  visible: VisibleVerdict;
  input: CardInput;
  standard: Standard;
  /** The visitor's own vote on a verdict that is open to all; null without one. */
  own: Vote | null;
}

/** What the visitor may see of a verdict. @param isWhole whether the page already shows all details */
export function VerdictView({ shown, isWhole = false }: { shown: Shown; isWhole?: boolean }) {
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

/** The votes on a verdict, and whether the visitor may rule on it. */
export interface PeopleSaid {
  voted: Voted;
  mayRule: boolean;
}

/** The votes, the label, the ruling and the comments, without names. */
export function People({ people: { voted, mayRule }, shown }: { people: PeopleSaid; shown: Shown }) {
  const label = labelOf(voted, null, usualRule);
  const corrected = voted.votes.filter(({ correction }) => correction !== undefined);
  const { adjudication } = voted;
  const such = suchVerdicts(voted.record, 'en');
  return (
    <section aria-labelledby="people">
      <h2 id="people">What people say</h2>
      <p>{tallyText(shown.input.tally, voted.record.verdict.preference, 'en')}</p>
      <p>
        <b>Label:</b> {labelText(label)}
      </p>
      {adjudication?.comment === undefined ? null : <p class="said">“{adjudication.comment}”</p>}
      {corrected.length === 0 ? null : (
        <ul>
          {corrected.map((vote) => (
            <li key={vote.voter}>{voteText(voted, vote)}</li>
          ))}
        </ul>
      )}
      {such === null ? null : (
        <p>
          {such.text} <small class="pale">{such.small}</small>
        </p>
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

const Progress = ({ view: { request, title, note, judges, stopping } }: { view: ViewOf<'progress'> }) => (
  <article class="card" aria-busy="true">
    <h2 class="headline">
      <span aria-hidden="true">⏳ </span>
      {title}
    </h2>
    <ul class="plain">
      {judges.map(({ name, mark, text, state }) => (
        <li class={`row ${state}`} key={name}>
          <span aria-hidden="true">{mark} </span>
          <b>{name}</b> {text}
        </li>
      ))}
    </ul>
    {note === null ? null : <p class="pale">{note}</p>}
    {stopping ? null : (
      <p class="actions">
        <button type="button" data-do="stop" data-id={request}>
          Stop
        </button>
      </p>
    )}
  </article>
);

const Several = ({ view: { title, lines } }: { view: ViewOf<'several'> }) => (
  <article class="card">
    <h2 class="headline">{title}</h2>
    <ul class="plain">
      {lines.map(({ mark, title: name, text, verdict }) => (
        <li class="row" key={name + text + verdict}>
          <span aria-hidden="true">{mark} </span>
          {verdict === null ? <b>{name}</b> : <a href={`/verdicts/${verdict}`}>{name}</a>} {text}
        </li>
      ))}
    </ul>
  </article>
);

const Named = ({ title, lines }: { title: string; lines: readonly { name: string; text: string }[] }) =>
  lines.length === 0 ? null : (
    <>
      <h3>{title}</h3>
      <Fields lines={lines} />
    </>
  );

/** Why a text cannot be judged as it is, what to add to it and what was understood so far. */
const Problem = ({ view: { text, missing, understood, paste } }: { view: ViewOf<'problem'> }) => (
  <article class="card">
    <p class="headline" role="alert">
      <span aria-hidden="true">⚠️ </span>
      {text}
    </p>
    <Named title="Add to the paste" lines={missing} />
    <Named title="Understood so far" lines={understood} />
    {paste === null ? null : <pre>{paste}</pre>}
  </article>
);

/** Asks whether some lines belong to the answer. */
const Unsure = ({ view: { draft, text, lines, readings } }: { view: ViewOf<'unsure'> }) => (
  <article class="card">
    <h2 class="headline">
      <span aria-hidden="true">🤔 </span>
      {unsureQuestion({ text, readings }, 'en')}
    </h2>
    <p>{wordsIn('en').chat.lines.why}</p>
    <Fields lines={lines} />
    {draft === null ? null : (
      <p class="actions">
        {(['remark', 'answer'] as const).map((choice) => (
          <button type="button" key={choice} data-do="choose" data-id={draft} data-choice={choice}>
            {unsureChoices(readings, 'en')[choice]}
          </button>
        ))}
        <a class="button" href={`/?draft=${encodeURIComponent(draft)}`}>
          Edit…
        </a>
      </p>
    )}
  </article>
);

/** Shows what a model read of a paste without labels, and asks whether it is right. */
const ReadByModel = ({ view: { draft, model, lines, received } }: { view: ViewOf<'read'> }) => {
  const words = wordsIn('en').chat.readByModel;
  return (
    <article class="card">
      <h2 class="headline">
        <span aria-hidden="true">🤔 </span>
        {words.title}
      </h2>
      <p>{words.why(model)}</p>
      {received === undefined ? <Fields lines={lines} /> : <MarkedPaste {...received} />}
      {draft === null ? (
        <p>{words.pasteAgain}</p>
      ) : (
        <p class="actions">
          <button type="button" class="main" data-do="choose" data-id={draft} data-choice="trust">
            {words.judge}
          </button>
          <a class="button" href={`/?draft=${encodeURIComponent(draft)}`}>
            {wordsIn('en').chat.unsure.edit}
          </a>
        </p>
      )}
    </article>
  );
};

const Answer = ({ view: { headline, text, quotes, lines, note, verdict } }: { view: ViewOf<'answer'> }) => (
  <article class="card">
    {headline === null ? null : <h3>{headline}</h3>}
    <p>{text}</p>
    {quotes.map((quote) => (
      <blockquote key={quote}>{quote}</blockquote>
    ))}
    {lines.length === 0 ? null : (
      <ul>
        {lines.map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
    )}
    {note === null ? null : <p class="pale">{note}</p>}
    {verdict === null ? null : (
      <p class="actions">
        <a class="button" href={`/verdicts/${verdict}`}>
          Details
        </a>
      </p>
    )}
  </article>
);

/** The content of a view. @param shown what the visitor may see of its verdict; null if the view has none, or it is no longer kept */
export function ViewBody({ view, shown }: { view: View; shown: Shown | null }) {
  switch (view.kind) {
    case 'received':
      return (
        <article class="card" aria-busy="true">
          <h2 class="headline">
            <span aria-hidden="true">⏳ </span>Reading the case…
          </h2>
        </article>
      );
    case 'progress':
      return <Progress view={view} />;
    case 'verdict':
      return shown === null ? (
        <p class="pale">This verdict is no longer kept.</p>
      ) : (
        <VerdictView shown={shown} />
      );
    case 'several':
      return <Several view={view} />;
    case 'problem':
      return <Problem view={view} />;
    case 'unsure':
      return <Unsure view={view} />;
    case 'read':
      return <ReadByModel view={view} />;
    case 'answer':
      return <Answer view={view} />;
    case 'withdrawn':
      return <p class="pale">This request was deleted.</p>;
  }
}
