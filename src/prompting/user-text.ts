import { answerOf } from '../judging/answer.ts';
import type { Finding, Judgement } from '../judging/judgement.ts';
import type { Question } from '../judging/ports.ts';
import { type Criterion, criteriaInForce } from '../judging/rubric.ts';
import { isBinary } from '../judging/scale.ts';
import { type Block, fenced, fenceKey } from './fence.ts';
import type { Library } from './library.ts';
import { materialOf } from './material.ts';
import { criteriaOfInterest, shownCriteria } from './system-text.ts';

/** A text that did not come from us, under a heading that did. */
interface Headed {
  heading: string;
  block: Block;
}

/** What one judge said, as the others read it. Its words are fenced like everything that did not come from us. */
function spoken(judgement: Judgement): string {
  if (judgement.status === 'unscored') return 'gave no usable answer';
  const findings = judgement.criteria
    .map(({ id, decision, score, rationale }) => `- ${id}: ${score ?? decision}. ${rationale}`)
    .join('\n');
  const sure = judgement.confidence === null ? '' : `\nconfidence: ${judgement.confidence}`;
  return `answer: ${answerOf(judgement)}${sure}\nfindings:\n${findings}\nreasons: ${judgement.rationale}`;
}

function speakers(library: Library, { seen, judge, round }: Question): Headed[] {
  return seen.flatMap((judgements, index) =>
    judgements.map((judgement, seat) => {
      const { persona, model, sample } = judgement.judge;
      const own = persona === judge.persona && model === judge.model && sample === judge.sample;
      const title = persona === null ? '' : ` (${library.personas.get(persona)?.title ?? persona})`;
      const said = round - seen.length + index + 1;
      const heading = own ? `You, in round ${said}:` : `Judge ${seat + 1}${title}, in round ${said}:`;
      return {
        heading,
        block: { name: own ? 'your own answer' : `answer of judge ${seat + 1}`, text: spoken(judgement) },
      };
    }),
  );
}

function rating({ scale, id }: Criterion, { decision, score, rationale }: Finding): string {
  if (decision === 'unscored') return `- ${id}: could not be rated. ${rationale}`;
  const found = score === null || isBinary(scale) ? decision : `${score} of ${scale.max}`;
  return `- ${id}: ${found}. ${rationale}`;
}

/** The ratings that this judge takes an interest in, one block for each judge that rated. */
function ratings(question: Question): Headed[] {
  if (question.ratings === undefined) return [];
  const wanted = criteriaOfInterest(question, question.ratings);
  return question.ratings.judgements.map(({ criteria }, index) => ({
    heading: `Ratings of evaluator ${index + 1}:`,
    block: {
      name: `ratings of evaluator ${index + 1}`,
      text: wanted
        .flatMap((criterion) => {
          const found = criteria.find(({ id }) => id === criterion.id);
          return found === undefined ? [] : [rating(criterion, found)];
        })
        .join('\n'),
    },
  }));
}

/** What is not judged or rated in this case, of that which this judge is told of. */
function leftOut(question: Question): { id: string; reason: string }[] {
  const told =
    question.ratings === undefined ? shownCriteria(question) : criteriaOfInterest(question, question.ratings);
  return criteriaInForce(question.ratings?.rubric ?? question.rubric, question.evalCase)
    .setAside.filter(({ criterion }) => told.some(({ id }) => id === criterion.id))
    .map(({ criterion, reason }) => ({ id: criterion.id, reason }));
}

/** What is about the case: the case itself, the ratings of it, then what the panel has said. */
export function userText(library: Library, question: Question): string {
  const material = materialOf(question.evalCase);
  const [rated, said] = [ratings(question), speakers(library, question)];
  const key = fenceKey([...material, ...[...rated, ...said].map(({ block }) => block)]);
  const headed = (list: readonly Headed[]) =>
    list.map(({ heading, block }) => ({ heading, body: fenced([block], key) }));
  return library.template('case', {
    key,
    material: fenced(material, key),
    interaction: question.rubric.judged === 'interaction',
    leftOut: leftOut(question),
    ratings: headed(rated),
    arguments: headed(said),
  });
}
