import { RULES } from '../../judges/rules/rules-judge.ts';
import { currentOf } from '../../judging/library.ts';
import { type Draft, hasModel } from '../ask-desk.ts';
import { pagePastes } from '../examples.ts';
import type { Choice } from '../form.ts';
import type { NamedLines } from '../notices.ts';
import { Fields } from './card.tsx';
import type { PageContext } from './context.ts';
import { Select } from './form.tsx';

/** What a text was understood as while it is typed. */
type UnderstoodAs =
  | { kind: 'nothing' }
  | { kind: 'several'; cases: NamedLines; unread: readonly string[] }
  | { kind: 'problem'; problem: string; missing: NamedLines; understood: NamedLines }
  | {
      kind: 'case';
      fields: NamedLines;
      rubric: string;
      /** What is not checked, not used, and assumed. */
      notes: readonly { title: string; lines: readonly string[] }[];
    };

export function Understood(as: UnderstoodAs) {
  switch (as.kind) {
    case 'nothing':
      return <p class="pale">Paste what the user said and what the system answered.</p>;
    case 'several':
      return (
        <>
          <p>{as.cases.lines.length + as.cases.more + as.unread.length} cases, each judged on its own.</p>
          <Fields {...as.cases} />
          {as.unread.map((problem) => (
            <p class="error" key={problem}>
              {problem}
            </p>
          ))}
        </>
      );
    case 'problem':
      return (
        <>
          <p class="error">{as.problem}</p>
          {as.missing.lines.length === 0 ? null : (
            <>
              <h3>Add</h3>
              <Fields {...as.missing} />
              {as.understood.lines.length === 0 ? null : <h3>So far</h3>}
            </>
          )}
          <Fields {...as.understood} />
        </>
      );
    case 'case':
      return (
        <>
          <Fields {...as.fields} />
          <p>
            <span class="pale">Rubric:</span> {as.rubric}
          </p>
          {as.notes.map(({ title, lines }) =>
            lines.length === 0 ? null : (
              <div class="pale" key={title}>
                <h3>{title}</h3>
                <ul>
                  {lines.map((line) => (
                    <li key={line}>{line}</li>
                  ))}
                </ul>
              </div>
            ),
          )}
        </>
      );
  }
}

interface ShownView {
  id: string;
  n: number;
  html: string;
  /** Whether a question about it can be asked. */
  canAsk: boolean;
  /** Whether judges are at work no more. */
  isSettled: boolean;
}

interface AskPageProps {
  context: Pick<PageContext, 'library' | 'models'>;
  /** A case that is judged again, and as which text the box has it. */
  draft: (Pick<Draft, 'wish' | 'again'> & { text: string }) | null;
  /** The answer to a request, and answers to questions below it. */
  views: readonly ShownView[];
}

const choicesOf = (entries: ReadonlyMap<string, Choice>, chosen: string | undefined) =>
  currentOf(entries, chosen === undefined ? [] : [chosen]);

/** The paste box, how it is understood, how to judge, and the answer. */
export function AskPage({ context, draft, views }: AskPageProps) {
  const { library, models } = context;
  const [first] = views;
  const wish = draft?.wish ?? {};
  return (
    <>
      <h1 class="sr">Ask</h1>
      {hasModel(context) ? null : (
        <p class="notice">
          No model is connected, so exact checks judge. To connect one, set JURY_MODEL and its key, then
          restart.
        </p>
      )}
      <form id="ask" class="ask" data-again={draft?.again ?? undefined}>
        <div class="paste">
          <label for="paste">Paste a conversation</label>
          <textarea id="paste" rows={9} spellcheck={false} placeholder={'User: …\nSystem: …'}>
            {draft?.text}
          </textarea>
          <p class="try">
            Try:{' '}
            {pagePastes(hasModel(context)).map(({ title, paste }) => (
              <button type="button" key={title} class="link" data-do="try" data-paste={paste}>
                {title}
              </button>
            ))}
          </p>
        </div>
        <section aria-labelledby="understood-title">
          <h2 id="understood-title">Understood</h2>
          <div id="understood" aria-live="polite">
            <Understood kind="nothing" />
          </div>
        </section>
        <div class="how">
          <Select
            name="rubric"
            label="Rubric"
            none="from the case"
            choices={choicesOf(library.rubrics, wish.rubric)}
            chosen={wish.rubric}
          />
          <Select
            name="method"
            label="Method"
            none="the rubric’s own"
            choices={choicesOf(library.methods, wish.method)}
            chosen={wish.method}
          />
          <Select
            name="models"
            label="Model"
            choices={models.map((id) => ({ id, title: id === RULES ? 'exact checks' : id }))}
            chosen={wish.models?.[0]}
          />
          <details class="panel">
            <summary>Panel</summary>
            <p class="pale">None checked: the rubric’s own panel.</p>
            <div class="choices">
              {currentOf(library.personas, wish.panel).map(({ id, title }) => (
                <label key={id}>
                  <input type="checkbox" name="panel" value={id} checked={wish.panel?.includes(id)} /> {title}
                </label>
              ))}
            </div>
          </details>
          <button type="submit" class="main">
            Judge
          </button>
        </div>
      </form>
      <div id="answer" data-view={first?.id} aria-live="polite">
        {views.map(({ id, n, html, isSettled }) => (
          <div
            key={id}
            class="view"
            data-view={id}
            data-n={n}
            data-settled={isSettled ? '' : undefined}
            dangerouslySetInnerHTML={{ __html: html }}
          />
        ))}
      </div>
      <form id="question" class="question" hidden={first?.canAsk !== true}>
        <label for="about">Ask about this verdict</label>
        <input id="about" type="text" placeholder="Why did the panel decide this way?" />
        <button type="submit">Ask</button>
      </form>
    </>
  );
}
