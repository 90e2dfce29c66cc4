import { noteKind } from '../../case/index.ts';
import { type Parsed, unsureNote } from '../../case/paste/index.ts';
import { JuryError } from '../../common/index.ts';
import { RULES } from '../../judges/rules/index.ts';
import { inQuotes } from '../../judging/card/index.ts';
import type { JudgeRequest } from '../../judging/index.ts';
import { currentOf } from '../../judging/standards/index.ts';
import { mayBeRead } from '../../reading/index.ts';
import { planRequest } from '../../requests/index.ts';
import { wordsIn } from '../../words/index.ts';
import { explainPaste, type UnsurePaste, unsureQuestion } from '../chat/index.ts';
import { type Choice, type Draft, hasModel } from '../forms/index.ts';
import { planningOf } from '../index.ts';
import { pagePastes, wordsOf } from '../wording/index.ts';
import { Fields } from './card.tsx';
import type { PageContext } from './context.ts';
import { Select } from './form.tsx';
import { MarkedPaste } from './marked-paste.tsx';

const NOTHING = <p class="pale">Paste what the user said and what the system answered.</p>;

/** A paste that cannot be judged as it is: why, what to add and what was understood so far. */
export const UnreadPaste = ({ problem, missing, understood }: ReturnType<typeof explainPaste>) => (
  <>
    <p class="error">{problem}</p>
    {missing.lines.length === 0 ? null : (
      <>
        <h3>Add</h3>
        <Fields {...missing} />
        {understood.lines.length === 0 ? null : <h3>So far</h3>}
      </>
    )}
    <Fields {...understood} />
  </>
);

/** Says that a model can read a paste; nothing is asked while people type. */
function CanBeRead({ context: { reader, env, library }, text }: { context: PageContext; text: string }) {
  const limits = { maxCaseChars: env.settings.JURY_MAX_CASE_CHARS, format: library.caseFormat };
  if (reader === null || !mayBeRead(text, limits)) return null;
  return <p class="pale">{wordsIn('en').chat.readByModel.offer(reader.model)}</p>;
}

/** The most cases of a paste to list. */
const LISTED = 20;

/** A paste with several cases, each with its first words and the notes on how it was read. */
function Several({ items }: { items: readonly Parsed[] }) {
  const lines = items.flatMap((item, at) => {
    if ('problem' in item) return [];
    const notes = item.assumed.filter((note) => !note.startsWith('split into '));
    return [{ name: `Case ${at + 1}`, text: [wordsOf(item.case), ...notes].join('\n') }];
  });
  return (
    <>
      <p>{items.length} cases, each judged on its own.</p>
      <Fields lines={lines.slice(0, LISTED)} more={Math.max(0, lines.length - LISTED)} />
      {items.map((item, at) =>
        'problem' in item ? (
          <p class="error" key={at}>
            {item.problem}
          </p>
        ) : null,
      )}
    </>
  );
}

/** The question about lines that may or may not belong to the answer, and what happens to them if no one answers it. */
const becomesOf = (about: UnsurePaste, isExact: boolean): string =>
  `${unsureQuestion(about, 'en')} ${isExact ? 'If the outcome depends on it, you are asked; if not, it is left out.' : 'Models judge without it.'}`;

/** The beginning of a note that repeats the heading above it. */
const NOTE_KIND = /^(?:Missing|left out|not used): /;

/** The preview beside the paste box: how the text would be read and judged. */
export function Understood({
  context,
  text,
  items,
  wish,
}: {
  context: PageContext;
  /** What the paste box holds. */
  text: string;
  /** The cases read from it; empty if nothing is typed yet. */
  items: readonly Parsed[];
  wish: JudgeRequest;
}) {
  const { library } = context;
  const [first, ...more] = items;
  if (first === undefined) return NOTHING;
  if (more.length > 0) return <Several items={items} />;
  const { caseFormat: format } = library;
  if ('problem' in first)
    return (
      <>
        <UnreadPaste {...explainPaste({ ...first, format }, 'en')} />
        <CanBeRead context={context} text={text} />
      </>
    );
  const explained = explainPaste({ problem: '', missing: [], understood: first.case, format }, 'en');
  let plan: ReturnType<typeof planRequest>;
  try {
    plan = planRequest(planningOf(context), first, wish);
  } catch (thrown) {
    if (!(thrown instanceof JuryError)) throw thrown;
    return <UnreadPaste {...explained} problem={thrown.message} />;
  }
  const { rubric, setAside, panel } = plan;
  const { unsure } = first;
  const isExact = panel.seats.every(({ judge }) => judge.model === RULES);
  const unsureText = unsure === undefined ? null : unsureNote(unsure);
  const assumed = (kind: ReturnType<typeof noteKind>) =>
    first.assumed
      .filter((one) => noteKind(one) === kind && one !== unsureText)
      .map((one) => one.replace(NOTE_KIND, ''));
  const notes = {
    'Not sure':
      unsure === undefined
        ? []
        : [
            becomesOf(
              { text: unsure.text, readings: { remark: first.case, answer: unsure.withIt } },
              isExact,
            ),
          ],
    'Not checked': setAside.map(({ criterion, reason }) => `${criterion.title}: ${inQuotes(reason, 'en')}`),
    Missing: setAside.length === 0 ? assumed('missing') : [],
    Ignored: assumed('left out'),
    Assumed: assumed('assumed'),
  };
  return (
    <>
      <MarkedPaste text={text} spans={first.spans} />
      <p>
        <span class="pale">Rubric:</span> {rubric.title}
      </p>
      {Object.entries(notes).map(([title, lines]) =>
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

interface ShownView {
  id: string;
  n: number;
  html: string;
  /** Whether people can ask a question about it. */
  canAsk: boolean;
  /** Whether judging is over. */
  isFinal: boolean;
}

interface AskPageProps {
  context: Pick<PageContext, 'library' | 'models'>;
  /** A case to judge again or to edit, as text for the paste box; null for an empty box. */
  draft: (Pick<Draft, 'wish' | 'again'> & { text: string }) | null;
  /** The view of a request, then those of questions about it. */
  views: readonly ShownView[];
}

const choicesOf = (entries: ReadonlyMap<string, Choice>, chosen: string | undefined) =>
  currentOf(entries, chosen === undefined ? [] : [chosen]);

/** The first page: the paste box, the preview, the judging options and the answer. */
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
            {NOTHING}
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
        {views.map(({ id, n, html, isFinal }) => (
          <div
            key={id}
            class="view"
            data-view={id}
            data-n={n}
            data-settled={isFinal ? '' : undefined}
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
