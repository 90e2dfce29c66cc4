import { renderToString } from 'preact-render-to-string';
import { parseInput } from '../../src/case/paste/parse-input.ts';
import { cardTexts } from '../../src/judging/card/card.ts';
import type { VisibleVerdict } from '../../src/labels/access/permissions.ts';
import type { VerdictRecord } from '../../src/labels/record/verdict-record.ts';
import type { Vote } from '../../src/labels/record/vote.ts';
import { readLibrary } from '../../src/prompting/read-library.ts';
import { explainPaste } from '../../src/surfaces/chat/notices.ts';
import { correctionForm } from '../../src/surfaces/forms/corrections.ts';
import { AskPage, UnreadPaste } from '../../src/surfaces/web/ask-page.tsx';
import { FormDialog } from '../../src/surfaces/web/form.tsx';
import { MarkedPaste } from '../../src/surfaces/web/marked-paste.tsx';
import { QueueItem } from '../../src/surfaces/web/queue.tsx';
import { ReviewItem } from '../../src/surfaces/web/reviews.tsx';
import { Filter, VerdictsPage } from '../../src/surfaces/web/verdict-list.tsx';
import { PromptPage, VerdictPage } from '../../src/surfaces/web/verdict-page.tsx';
import { ViewBody } from '../../src/surfaces/web/verdict-view.tsx';
import { aCase, fail, pass } from './builders.ts';
import { builtIn } from './built-in.ts';
import { aRecord, verdictFrom } from './records.ts';

const library = readLibrary([builtIn]);
const texts = cardTexts(library, 'en');
const standard = { title: 'Plain', criteria: ['First'], levels: {} };
const tally = { agree: 1, disagree: 1, unsure: 0 };

/** A verdict with a text wherever people or judges can put one, one after another. */
function recordWith(next: () => string): VerdictRecord {
  const verdict = verdictFrom([[fail, pass]], { criteria: 1 });
  const judgements = verdict.judgements.map((judgement) => ({
    ...judgement,
    ...(judgement.status === 'scored' ? { rationale: next(), caveat: next() } : {}),
    criteria: judgement.criteria.map((finding) => ({ ...finding, rationale: next() })),
  }));
  const criteria = verdict.criteria.map((row) => ({ ...row, title: next(), rationale: next() }));
  const told = { caseId: next(), leftOut: next(), assumed: [next()], remarks: [next()], why: next() };
  return aRecord(
    { ...verdict, ...told, judgements, criteria },
    {
      evalCase: {
        id: next(),
        conversation: [{ role: 'user', text: next() }],
        response: next(),
        recommendation: { name: next(), menu: [next()], openingHours: { monday: next() } },
        documents: [{ id: next(), text: next() }],
        language: next(),
        tags: { [next()]: next() },
      },
    },
  );
}

/** A verdict as the list has it, open and hidden. */
const rowsOf = (record: VerdictRecord): VisibleVerdict[] => [
  { kind: 'open', record },
  { kind: 'hidden', record },
];

/** Everything of the console that shows what people paste and judges say, with each of the texts on each page. */
export function pagesWith(all: readonly string[]): string {
  let used = 0;
  const next = (): string => all[used++ % all.length] ?? '';
  const record = recordWith(next);
  const { verdict, evalCase } = record;
  const input = { record, tally, texts, setting: { hasModel: true, askedBy: next() } };
  const vote: Vote = {
    verdictId: record.id,
    voter: 'v',
    value: 'disagree',
    surface: 'page',
    at: 1,
    correction: { criteria: [], judges: [], comment: next() },
  };
  const shown = { visible: { kind: 'open' as const, record }, input, standard, own: vote };
  const adjudication = {
    verdictId: record.id,
    right: { kind: 'decision' as const, decision: 'pass' as const },
    role: next(),
    comment: next(),
    at: 1,
  };
  const [judgement] = verdict.judgements;
  const parsed = all.flatMap((text) =>
    parseInput(text, { maxCaseChars: 32_000, format: library.caseFormat }).map((one) =>
      'problem' in one ? one : { problem: text, missing: [], understood: one.case },
    ),
  );
  const understood = { problem: next(), missing: [], understood: evalCase };
  return renderToString(
    <>
      {[...parsed, understood].map((one) => (
        <UnreadPaste key={one} {...explainPaste({ ...one, format: library.caseFormat }, 'en')} />
      ))}
      <VerdictPage shown={shown} people={{ voted: { record, votes: [vote], adjudication }, mayRule: true }} />
      <VerdictPage shown={{ ...shown, visible: { kind: 'hidden', record } }} people={null} />
      <QueueItem
        queued={{ record, votes: [vote], reason: next() }}
        input={input}
        standard={standard}
        texts={texts}
      />
      <ReviewItem
        offer={{
          ...{ run: 'monday', place: 0, number: 1, most: 10, evalCase },
          standard: { title: next(), task: next(), criteria: [{ title: next(), rule: next() }] },
        }}
        texts={texts}
      />
      <VerdictsPage
        filter={Filter.parse({ q: next(), since: next(), after: next() })}
        page={{
          found: all.flatMap((text) =>
            rowsOf(
              aRecord(verdict, { id: text, evalCase: aCase({ conversation: [{ role: 'user', text }] }) }),
            ),
          ),
          next: next(),
        }}
        context={{ library, surfaces: [] }}
      />
      {all.map((text) => (
        <MarkedPaste
          key={text}
          text={text}
          spans={[{ from: 0, to: text.length, is: 'field', path: next(), why: next() }]}
        />
      ))}
      <ViewBody
        view={{
          kind: 'unsure',
          draft: next(),
          text: next(),
          lines: [{ name: 'User', text: next() }],
          readings: { remark: evalCase, answer: evalCase },
        }}
        shown={null}
      />
      {judgement === undefined ? null : (
        <PromptPage
          shown={shown}
          judgement={judgement}
          prompts={[{ system: next(), user: next(), schema: next() }]}
        />
      )}
      <ViewBody
        view={{
          kind: 'answer',
          headline: next(),
          text: next(),
          quotes: [next()],
          lines: [next()],
          note: next(),
          verdict: null,
        }}
        shown={null}
      />
      <FormDialog
        form={correctionForm({ verdict, rubric: null, standard, texts, said: vote })}
        action="/ui"
      />
    </>,
  );
}

/** The box with a text in it; once for many texts, as it lists all rubrics. */
export const boxWith = (text: string): string =>
  renderToString(
    <AskPage
      context={{ library, models: [text] }}
      draft={{ text: JSON.stringify(recordWith(() => text).evalCase), wish: {}, again: text }}
      views={[]}
    />,
  );
