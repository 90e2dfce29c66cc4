import { type EvalCase, eitherAnswer, isPair } from '../case/index.ts';
import { JuryError } from '../common/index.ts';
import {
  type Ask,
  askInBothOrders,
  askOneByOne,
  caseForJudges,
  deliberate,
  type Question,
  splitAsk,
} from '../judging/index.ts';
import {
  comparing,
  criteriaInForce,
  entry,
  fittedTo,
  overrideMethod,
  type Rubric,
  type Seat,
  withSettings,
} from '../judging/standards/index.ts';
import {
  freeUsage,
  isSameJudge,
  type Judge,
  type Judgement,
  type Verdict,
  withoutAnswer,
} from '../judging/verdict/index.ts';
import { contentHash, type Library } from './library.ts';
import { createRenderer } from './render.ts';

/** The messages sent to a model for one question, and the JSON schema of the reply. */
export interface SentPrompt {
  system: string;
  user: string;
  schema: string;
}

interface Judged {
  verdict: Verdict;
  evalCase: EvalCase;
}

const unanswered = (question: Question): Judgement =>
  withoutAnswer(question, 'cancelled', 'not asked again', freeUsage);

/** The rubric of a verdict, in the version that its judges read. */
function rubricThen(library: Library, { verdict, evalCase }: Judged): Rubric {
  const { rubricVersion } = verdict.settings;
  const isNamed = rubricVersion === undefined || verdict.rubric.includes('@');
  const id = isNamed ? verdict.rubric : `${verdict.rubric}@${rubricVersion}`;
  const rubric = fittedTo(entry('rubric', library.rubrics, id), eitherAnswer(evalCase));
  return isPair(evalCase) ? comparing(rubric) : rubric;
}

/** Replays the deliberation with the recorded answers. @returns the question behind the wanted judgement; null if it was never asked */
async function questionOf(library: Library, judged: Judged, wanted: Judgement): Promise<Question | null> {
  const { verdict, evalCase } = judged;
  const { judgements, ratings = [], settings } = verdict;
  const rubric = rubricThen(library, judged);
  const method = overrideMethod(entry('method', library.methods, verdict.method), {
    rounds: settings.rounds,
    earlyStop: false,
  });
  const personaOf = (id: string) =>
    withSettings(
      entry('persona', library.personas, rubric.panel.find((one) => one.startsWith(`${id}@`)) ?? id),
      settings.values ?? {},
    );
  const seatOf = (judge: Judge): Seat => ({
    judge,
    persona: judge.persona === null ? null : personaOf(judge.persona),
  });
  const seated = judgements.filter(
    ({ judge }, index) => judgements.findIndex((other) => isSameJudge(other.judge, judge)) === index,
  );
  let wantedQuestion: Question | null = null;
  const answerAgain: Ask = async (question) => {
    const isRating = ratings.length > 0 && question.ratings === undefined;
    const recorded = (isRating ? ratings : judgements).find(
      ({ round, judge }) => round === question.round && isSameJudge(judge, question.judge),
    );
    if (recorded === wanted) wantedQuestion = question;
    return recorded ?? unanswered(question);
  };
  await deliberate({
    panel: {
      seats: seated.map(({ judge }) => seatOf(judge)),
      cast: method.playsPanel ? rubric.panel.map(personaOf) : [],
      notes: [],
    },
    raters: { seats: ratings.map(({ judge }) => seatOf(judge)), cast: [], notes: [] },
    method,
    rubric,
    criteria: criteriaInForce(rubric, eitherAnswer(evalCase), library.caseFormat).inForce,
    evalCase: caseForJudges(rubric, evalCase).evalCase,
    seed: settings.seed,
    deadlineAt: Number.POSITIVE_INFINITY,
    ask: answerAgain,
    signal: new AbortController().signal,
  });
  return wantedQuestion;
}

/**
 * Reconstructs what was sent to a judge from the case, the rubric version and the persona, because prompts are not stored.
 * @param wanted a judgement or rating of the verdict
 * @returns a prompt for each question that the judge was asked; null if their hash differs from the one recorded in the judgement, which
 *   means that the prompt files have changed since or that the verdict does not record some option
 */
export async function sentPrompts(
  library: Library,
  judged: Judged,
  wanted: Judgement,
): Promise<SentPrompt[] | null> {
  if (wanted.promptHash === null) return null;
  const render = createRenderer(library);
  const prompts: SentPrompt[] = [];
  const collect: Ask = async (question) => {
    const { system, user, reply, promptHash } = render(question);
    prompts.push({ system, user, schema: JSON.stringify(reply.json, null, 2) });
    return { ...unanswered(question), promptHash };
  };
  const exact: Ask = async (question) => unanswered(question);
  try {
    const question = await questionOf(library, judged, wanted);
    if (question === null) return null;
    const ask = askInBothOrders(splitAsk(() => exact, askOneByOne(collect, contentHash)));
    const { promptHash } = await ask(question);
    return promptHash === wanted.promptHash ? prompts : null;
  } catch (thrown) {
    // The rubric, method or persona no longer exists or has changed.
    if (thrown instanceof JuryError) return null;
    throw thrown;
  }
}
