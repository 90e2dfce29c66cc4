import * as z from 'zod';
import { answerNamesOf, isPair } from '../case/index.ts';
import { jsonSchemaOf, lazily } from '../common/index.ts';
import { singleSpaced } from '../common/text/index.ts';
import type { VerdictQuestion } from '../judging/index.ts';
import { hiddenFields, withSettings } from '../judging/standards/index.ts';
import type { Judgement } from '../judging/verdict/index.ts';
import { type Block, fenced, fenceKey, headed, markersOf, materialOf } from './fence.ts';
import type { Library } from './library.ts';
import { dayOf, judgementText, withReason } from './question-text.ts';

const MAX_CHARS = 700;

const Reply = z.strictObject({
  words: z.array(z.string().max(300)).max(3),
  answer: z.string().trim().min(1),
});
type Reply = z.infer<typeof Reply>;

const replyJson = lazily(() => {
  return jsonSchemaOf(Reply);
});

const REPLY_FORM = JSON.stringify(
  { words: ['a passage, copied'], answer: 'your answer, for the colleague who asked' },
  null,
  1,
);

/** A JSON field of the case in readable form: `"rating": 4.3,` becomes `rating: 4.3`. */
const readable = (passage: string): string =>
  passage.replace(
    /^"(\w+)": (?:"([^"]*)"|([^"]*?)),?$/,
    (_, name, text, value) => `${name}: ${text ?? value}`,
  );

/** Rejects a reply whose quotes are not in the case: an answer must not rest on invented words. */
function readReply(
  material: readonly Block[],
  value: unknown,
): { ok: true; value: Reply } | { ok: false; problem: string } {
  const { data, error } = Reply.safeParse(value);
  if (data === undefined) return { ok: false, problem: error.issues[0]?.message ?? 'it has another form' };
  const { answer } = data;
  if (answer.length > MAX_CHARS)
    return { ok: false, problem: `"answer" must have 1 to ${MAX_CHARS} characters` };
  const words = data.words.map(singleSpaced).filter((passage) => passage !== '');
  const invented = words.find(
    (passage) => !material.some(({ text }) => singleSpaced(text).includes(passage)),
  );
  if (invented !== undefined)
    return {
      ok: false,
      problem: `${JSON.stringify(invented)} is not in the material, character by character`,
    };
  return { ok: true, value: { words: words.map(readable), answer } };
}

/** The judgements that an answer is based on: those of the judge asked, or all of them. */
const judgementsFor = ({ verdict, judge }: VerdictQuestion): Judgement[] =>
  verdict.judgements.filter((judgement) => judge === null || judgement.judge.persona === judge);

/** The paths of the fields that the judge asked was not shown, by what it was asked about. The panel speaks for all its judges. */
function hiddenFrom({ rubrics }: Library, question: VerdictQuestion): string[] {
  const judgements = judgementsFor(question);
  const criteria = judgements.flatMap((judgement) => judgement.criteria.map(({ id }) => id));
  const personas = judgements.flatMap(({ judge }) => judge.persona ?? []);
  return hiddenFields(rubrics.get(question.verdict.rubric) ?? { criteria: [] }, { criteria, personas });
}

/** Explains the names of a pair's answers, which the question may use. */
function namesText(evalCase: VerdictQuestion['evalCase']): string[] {
  const [first, second] = answerNamesOf(evalCase);
  return isPair(evalCase) ? [`The first answer is called ${first}, the second ${second}.`] : [];
}

/** Renders a question about a verdict. Anything written by people or judges goes between markers as data. */
export function renderVerdictQuestion(library: Library, question: VerdictQuestion) {
  const { evalCase, verdict, judge, asked } = question;
  const persona = judge === null ? undefined : library.personas.get(judge);
  const titleOf = (id: string | null) => (id === null ? '' : (library.personas.get(id)?.title ?? id));
  const material = materialOf(evalCase, hiddenFrom(library, question));
  const outcome: Block = {
    name: 'verdict',
    text: [
      `${verdict.decision}: ${verdict.why}`,
      ...namesText(evalCase),
      ...verdict.criteria.map(({ id, decision, rationale }) => withReason(`- ${id}: ${decision}`, rationale)),
    ].join('\n'),
  };
  const judgementBlocks = judgementsFor(question).map((judgement, index) => {
    const title = titleOf(judgement.judge.persona);
    const who = judge === null ? `Judge ${index + 1}${title === '' ? '' : ` (${title})`}` : 'You';
    return {
      heading: `${who}, in round ${judgement.round + 1}:`,
      block: { name: `judgement ${index + 1}`, text: judgementText(judgement) },
    };
  });
  const wanted: Block = { name: 'question', text: asked };
  const key = fenceKey([...material, outcome, ...judgementBlocks.map(({ block }) => block), wanted]);
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
      judgements: headed(judgementBlocks, key),
      question: fenced([wanted], key),
    }),
    json: replyJson(),
    repairText: (problem: string) => library.template('repair', { problem }),
    read: (value: unknown) => readReply(material, value),
  };
}
