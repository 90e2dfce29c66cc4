import { type EvalCase, namedAnswers } from '../../case/index.ts';
import {
  type Card,
  type CardAction,
  type CardPart,
  type CardTexts,
  cardOf,
  type Opinion,
  preferring,
} from '../../judging/card/index.ts';
import { type CaseAnswer, isUnsure, type Vote, valueIn } from '../../labels/record/index.ts';
import type { CardInput, NamedLines } from '../chat/index.ts';
import { type DetailsSection, fieldsOf, turnsOf } from '../views/index.ts';
import { actionText, peopleSayText, preferringText, toneMark } from '../wording/index.ts';

/** Tooltips of the thumbs, also for screen readers. They say "verdict", not "panel": exact checks have no panel. */
const TIPS: Partial<Record<CardAction, string>> = {
  agree: 'The verdict is right',
  disagree: 'The verdict is wrong',
};

/** Actions that are links: the verdict's id is appended. */
const LINKS = {
  details: '/verdicts/',
  json: '/api/v1/verdicts/',
  again: '/?again=',
  'fill-in': '/?again=',
} as const;

/** A button or link. `data-do` names what it does and `data-id` the verdict; `browser/console.ts` reads both. */
function Action({ action, input, own }: { action: CardAction; input: CardInput; own: Vote | null }) {
  const { record, tally, preferred } = input;
  const { id, evalCase } = record;
  switch (action) {
    case 'prefer-first':
    case 'prefer-second':
    case 'prefer-same': {
      const names = namesOf(evalCase);
      return (
        <button
          type="button"
          data-do="answer"
          data-id={id}
          data-answer={JSON.stringify({ kind: 'score', score: preferring[action] } satisfies CaseAnswer)}
        >
          {preferringText(action, names, preferred, 'en')}
        </button>
      );
    }
    case 'details':
    case 'json':
    case 'again':
    case 'fill-in':
      return (
        <a class="button" href={LINKS[action] + id}>
          {actionText(action, tally, 'en')}
        </a>
      );
    // The console has only one conversation, so there is nothing to choose: sharing copies the link.
    case 'share':
      return (
        <button type="button" data-do="copy" data-link={`/verdicts/${id}`}>
          Copy link
        </button>
      );
    default: {
      const pressed = valueIn(own) === action || (action === 'unsure' && own !== null && isUnsure(own));
      return (
        <button type="button" data-do={action} data-id={id} aria-pressed={pressed} title={TIPS[action]}>
          {actionText(action, tally, 'en')}
          {TIPS[action] === undefined ? null : <span class="sr"> {TIPS[action]}</span>}
        </button>
      );
    }
  }
}

const namesOf = (evalCase: EvalCase): [string, string] => {
  const [first, second] = namedAnswers(evalCase);
  return [first?.name ?? 'A', second?.name ?? 'B'];
};

const Mark = ({ tone }: { tone: Opinion['tone'] }) => <span aria-hidden="true">{toneMark(tone)} </span>;

const OpinionRow = ({ opinion: { tone, judge, stance, text, before, caveat } }: { opinion: Opinion }) => (
  <li class="row">
    <Mark tone={tone} />
    <b>{judge}</b>{' '}
    <span class="pale">
      {stance}
      {before.length === 0 ? '' : ` (before: ${before.join(' → ')})`}
    </span>
    <div>{text}</div>
    {caveat === null ? null : <div class="pale">! {caveat}</div>}
  </li>
);

interface CardProps {
  input: CardInput;
  own: Vote | null;
  /** Leaves out the buttons. */
  isStill?: boolean;
  /** Whether the page already shows all details, so that no button leads to them. */
  isWhole?: boolean;
}

function Part({ part, input, own, isWhole = false }: CardProps & { part: CardPart }) {
  switch (part.kind) {
    case 'headline':
      return (
        <h2 class={`headline ${part.tone}`}>
          <Mark tone={part.tone} />
          {part.label}
          {part.reason === '' ? '' : ' – '}
          <span class="reason">{part.reason}</span>
        </h2>
      );
    case 'ruling':
      return (
        <p>
          <span aria-hidden="true">⚖️ </span>
          <b>{part.ruled}</b>
          {part.by}
        </p>
      );
    case 'request':
      return (
        <p class="said">
          {part.id === null ? '' : `${part.id}  `}“{part.text}”
        </p>
      );
    case 'criteria':
      return (
        <ul class="plain">
          {part.rows.map(({ tone, title, text }) => (
            <li class="row" key={title}>
              <span aria-hidden="true">{toneMark(tone)} </span>
              <b>{title}</b> {text}
            </li>
          ))}
        </ul>
      );
    case 'held':
      return (
        <p>
          <span aria-hidden="true">✅ </span>
          <span class="sr">Holds: </span>
          {part.titles.join(' · ')}
        </p>
      );
    case 'scores':
      return (
        <ul class="plain">
          {part.scores.map(({ title, score, text }) => (
            <li class="row" key={title}>
              <b>{title}</b> {score} <span class="pale">{text}</span>
            </li>
          ))}
        </ul>
      );
    case 'sides':
    case 'opinions':
      return (
        <ul class="plain">
          {part.opinions.map((opinion) => (
            <OpinionRow key={opinion.judge} opinion={opinion} />
          ))}
        </ul>
      );
    case 'panel':
      return (
        <p>
          {part.text}
          {part.dissent === null ? '' : ` · ${part.dissent}`}
        </p>
      );
    case 'asks':
    case 'notes':
      return (
        <ul class="plain pale">
          {part.lines.map((line) => (
            <li key={line}>{line}</li>
          ))}
        </ul>
      );
    case 'actions': {
      // A verdict that is hidden until people answer takes answers about the case, not thumbs, and this viewer has answered.
      const isBlind = input.record.blind === true;
      const buttons = (actions: readonly CardAction[]) =>
        actions
          .filter((action) => !(isBlind && VOTES.includes(action)) && !(isWhole && action === 'details'))
          .map((action) => <Action key={action} action={action} input={input} own={own} />);
      const people = isBlind ? null : peopleSayText(input.tally, input.record.verdict, 'en');
      return (
        <>
          {people === null ? null : <p>{people}</p>}
          <div class="actions">
            {buttons(part.buttons)}
            <details class="more">
              <summary aria-label="More">⋯</summary>
              <div class="actions">{buttons(part.menu)}</div>
            </details>
          </div>
        </>
      );
    }
    case 'footer':
    case 'usage':
      return <p class="pale">{part.facts.join(' · ')}</p>;
  }
}

const VOTES: readonly CardAction[] = [
  ...(['agree', 'disagree', 'unsure', 'retract', 'right', 'share'] as const),
  ...(['prefer-first', 'prefer-second', 'prefer-same'] as const),
];

/** Parts of a card for surfaces without a details page. The console leaves them out. */
const WITHOUT_DETAILS: readonly CardPart['kind'][] = ['opinions', 'usage'];

/** A verdict's card. */
export function VerdictCard({ isStill = false, ...props }: CardProps) {
  const { input } = props;
  const { verdict, evalCase, earlier } = input.record;
  const card: Card = cardOf(verdict, evalCase, input.texts, { ...input.setting, earlier });
  return (
    <article class="card">
      {card
        .filter(({ kind }) => !WITHOUT_DETAILS.includes(kind) && !(isStill && kind === 'actions'))
        .map((part) => (
          <Part key={part.kind} part={part} {...props} />
        ))}
    </article>
  );
}

/** One section of a verdict's details. */
export const Section = ({ section: { title, entries } }: { section: DetailsSection }) => (
  <section>
    <h3>{title}</h3>
    <dl class="entries">
      {entries.map(({ tone, name, stance, text, small }) => (
        <div key={name + (stance ?? '') + text}>
          <dt>
            {tone === undefined ? null : <Mark tone={tone} />}
            {name}
            {stance === undefined ? null : <span class="pale"> {stance}</span>}
          </dt>
          <dd>
            <div class="pre">{text}</div>
            {small === undefined ? null : <small class="pale">{small}</small>}
          </dd>
        </div>
      ))}
    </dl>
  </section>
);

/** Named texts, then how many more there are. */
export const Fields = ({
  lines,
  more = 0,
}: {
  lines: readonly NamedLines['lines'][number][];
  more?: number;
}) => (
  <dl class="fields">
    {lines.map(({ name, text }) => (
      <div key={name + text}>
        <dt>{name}</dt>
        <dd class="pre">{text}</dd>
      </div>
    ))}
    {more > 0 ? <p class="pale">and {more} more</p> : null}
  </dl>
);

/** A case in full: the conversation, then its other fields. */
export function Case({ evalCase, texts }: { evalCase: EvalCase; texts: Pick<CardTexts, 'lineFor'> }) {
  return (
    <section>
      <h2>What was judged</h2>
      {turnsOf(evalCase, 'en').map(({ name, text, isJudged }, index) => (
        <p
          key={`${index} ${name}`}
          class={`turn ${name.startsWith('User') ? 'user' : ''} ${isJudged ? 'judged' : ''}`}
        >
          <b>{name}</b>
          <span class="pre">{text}</span>
        </p>
      ))}
      <Fields lines={fieldsOf(evalCase, texts.lineFor)} />
    </section>
  );
}
