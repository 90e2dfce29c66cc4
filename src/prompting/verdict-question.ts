import * as z from 'zod';
import { answerNamesOf, isPair } from '../case/pair.ts';
import type { Judgement } from '../judging/judgement.ts';
import { withSettings } from '../judging/persona.ts';
import type { VerdictQuestion } from '../judging/ports.ts';
import type { Library } from './library.ts';
import { type Block, fenced, fenceKey, headed, markersOf, materialOf } from './material.ts';
import { dayOf, judgementText, withReason } from './question-text.ts';

const MAX_CHARS = 700;
const MAX_PASSAGES = 3;

const Reply = z.strictObject({
  words: z.array(z.string().max(300)).max(3),
  answer: z.string().trim().min(1),
});
type Reply = z.infer<typeof Reply>;

const { $schema: _, ...replyJson } = z.toJSONSchema(Reply, { target: 'draft-7' });

const REPLY_FORM = JSON.stringify(
  { words: ['a passage, copied'], answer: 'your answer, for the colleague who asked' },
  null,
  1,
);

const squeezed = (text: string): string => text.replaceAll(/\s+/g, ' ').trim();

/** A field of the case as people write it: `"rating": 4.3,` is `rating: 4.3`. */
const readable = (passage: string): string =>
  passage.replace(
    /^"(\w+)": (?:"([^"]*)"|([^"]*?)),?$/,
    (_, name, text, value) => `${name}: ${text ?? value}`,
  );

/** A reply whose quotes are not in the case is not used: an answer must not rest on invented words. */
function readReply(
  material: readonly Block[],
  value: unknown,
): { ok: true; value: Reply } | { ok: false; problem: string } {
  const { data, error } = Reply.safeParse(value);
  if (data === undefined) return { ok: false, problem: error.issues[0]?.message ?? 'it has another form' };
  const answer = data.answer.trim();
  if (answer === '' || answer.length > MAX_CHARS)
    return { ok: false, problem: `"answer" must have 1 to ${MAX_CHARS} characters` };
  const words = data.words.map(squeezed).filter((passage) => passage !== '');
  if (words.length > MAX_PASSAGES)
    return { ok: false, problem: `"words" has more than ${MAX_PASSAGES} passages` };
  const invented = words.find((passage) => !material.some(({ text }) => squeezed(text).includes(passage)));
  if (invented !== undefined)
    return {
      ok: false,
      problem: `${JSON.stringify(invented)} is not in the material, character by character`,
    };
  return { ok: true, value: { words: words.map(readable), answer } };
}

/** The judgements that an answer rests on: those of the judge that is asked, or of all. */
const judgementsFor = ({ verdict, judge }: VerdictQuestion): Judgement[] =>
  verdict.judgements.filter((judgement) => judge === null || judgement.judge.persona === judge);

/** The names by which people ask about two answers. */
function namesText(evalCase: VerdictQuestion['evalCase']): string[] {
  const [first, second] = answerNamesOf(evalCase);
  return isPair(evalCase) ? [`The first answer is called ${first}, the second ${second}.`] : [];
}

/** Renders a question about a verdict. What people and judges wrote is data between markers. */
export function renderVerdictQuestion(library: Library, question: VerdictQuestion) {
  const { evalCase, verdict, judge, asked } = question;
  const persona = judge === null ? undefined : library.personas.get(judge);
  const titleOf = (id: string | null) => (id === null ? '' : (library.personas.get(id)?.title ?? id));
  const material = materialOf(evalCase);
  const outcome: Block = {
    name: 'verdict',
    text: [
      `${verdict.decision}: ${verdict.why}`,
      ...namesText(evalCase),
      ...verdict.criteria.map(({ id, decision, rationale }) => withReason(`- ${id}: ${decision}`, rationale)),
    ].join('\n'),
  };
  const said = judgementsFor(question).map((judgement, index) => {
    const title = titleOf(judgement.judge.persona);
    const who = judge === null ? `Judge ${index + 1}${title === '' ? '' : ` (${title})`}` : 'You';
    return {
      heading: `${who}, in round ${judgement.round + 1}:`,
      block: { name: `judgement ${index + 1}`, text: judgementText(judgement) },
    };
  });
  const wanted: Block = { name: 'question', text: asked };
  const key = fenceKey([...material, outcome, ...said.map(({ block }) => block), wanted]);
  return {
    system: library.template('question', {
      judge: judge === null ? null : titleOf(judge),
      criteria: (library.rubrics.get(verdict.rubric)?.criteria ?? []).map(({ id, title, rule }) => ({
        id,
        title,
        rule,
      })),
      markers: markersOf('KEY', 'name'),
      replyForm: REPLY_FORM,
      maxChars: MAX_CHARS,
      voice:
        persona === undefined
          ? library.template('neutral', {})
          : withSettings(persona, verdict.settings.values ?? {}).voice,
    }),
    user: library.template('question-case', {
      key,
      material: fenced(material, key),
      ...dayOf(evalCase),
      verdict: fenced([outcome], key),
      judgements: headed(said, key),
      question: fenced([wanted], key),
    }),
    json: replyJson,
    repairText: (problem: string) => library.template('repair', { problem }),
    read: (value: unknown) => readReply(material, value),
  };
}
