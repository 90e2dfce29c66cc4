import { type Shown, Verdict } from './verdict.tsx';
import type { View, ViewOf } from './views.ts';

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
      <dl class="fields">
        {lines.map(({ name, text }) => (
          <div key={name + text}>
            <dt>{name}</dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
    </>
  );

/** Why a text cannot be judged as it is, what to add to it, and what was understood. */
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

/** What stands as the answer to a request. @param shown what the viewer may see of its verdict; null if there is none, or none any more */
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
      return shown === null ? <p class="pale">This verdict is no longer kept.</p> : <Verdict shown={shown} />;
    case 'several':
      return <Several view={view} />;
    case 'problem':
      return <Problem view={view} />;
    case 'answer':
      return <Answer view={view} />;
    case 'withdrawn':
      return <p class="pale">This request was deleted.</p>;
  }
}
