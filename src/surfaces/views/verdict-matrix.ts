import {
  decisionText,
  judgeName,
  judgesOf,
  type PersonaTexts,
  stanceOf,
  type Tone,
  toneOf,
} from '../../judging/card/index.ts';
import {
  allJudgements,
  decisiveJudgements,
  type Finding,
  isExact,
  isSameJudge,
  isScored,
  type Judge,
  type Judgement,
  reasonOf,
  rounded,
  saidBy,
  type TotalUsage,
  totalUsage,
  type Verdict,
} from '../../judging/verdict/index.ts';
import { betterWords, criterionStance, scoreWords } from './verdict-details.ts';

/** The finding of a judge, or of the panel, on one criterion. */
export interface MatrixCell {
  tone: Tone;
  /** Shown instead of the sign: a score, or which answer is better. */
  shows: string | null;
  /** In words: `fail`, `3 of 4`. */
  stance: string;
  reason: string;
}

/** Criteria by judges; the first row is the overall finding. A cell is null if the judge was not asked about the criterion. */
interface Matrix {
  judges: readonly string[];
  rows: readonly { title: string; cells: readonly (MatrixCell | null)[] }[];
}

const toneOfFinding = ({ decision }: Finding): Tone => (decision === 'unscored' ? 'undecided' : decision);

/** How scores are to be read. Raters use the scales of the criteria, not the verdict's. */
type Scaled = Pick<Verdict, 'scale' | 'preference'>;

/** Which answer is better, or the score; null if the sign is shown. */
const shownScore = (verdict: Scaled, score: number | null): string | null =>
  betterWords(verdict, score, 'en') ?? (score === null ? null : rounded(score));

const wholeCell = (judgement: Judgement, verdict: Scaled): MatrixCell => {
  const caveat = isScored(judgement) && judgement.caveat !== undefined ? `\nCaveat: ${judgement.caveat}` : '';
  const score = isScored(judgement) ? judgement.score : null;
  return {
    tone: toneOf(judgement),
    shows: shownScore(verdict, score),
    stance: stanceOf(judgement, verdict, 'en'),
    reason: `${saidBy(judgement)}${caveat}`,
  };
};

/** A judge's finding on a criterion. If the judge gave no answer at all, every cell shows why. */
function findingCell(
  judgement: Judgement,
  { id, scale }: Pick<Verdict['criteria'][number], 'id' | 'scale'>,
  verdict: Scaled,
): MatrixCell | null {
  const finding = judgement.criteria.find((one) => one.id === id);
  if (finding === undefined) return isScored(judgement) ? null : wholeCell(judgement, verdict);
  const { score, decision, rationale } = finding;
  return {
    tone: toneOfFinding(finding),
    shows: shownScore(verdict, score),
    stance: betterWords(verdict, score, 'en') ?? scoreWords(score, scale?.max, decision, 'en'),
    reason: rationale ?? '',
  };
}

/** The panel's findings, as a column. */
function panelCells(verdict: Verdict): MatrixCell[] {
  const whole: MatrixCell = {
    tone: verdict.decision,
    shows: shownScore(verdict, verdict.score),
    stance: decisionText(verdict, 'en'),
    reason: reasonOf(verdict, 'en'),
  };
  return [
    whole,
    ...verdict.criteria.map((criterion) => ({
      tone: criterion.decision,
      shows: shownScore(verdict, criterion.score),
      stance: criterionStance(verdict, criterion, 'en'),
      reason: criterion.rationale ?? '',
    })),
  ];
}

const scaledFor = (verdict: Verdict, of: readonly Judgement[]): Scaled =>
  verdict.ratings?.some((one) => of.includes(one)) === true ? {} : verdict;

/**
 * The judges' findings on each criterion.
 *
 * @param judgements of one round, or the ratings
 * @param hasPanel whether the first column shows the panel's findings
 */
function matrixOf(
  verdict: Verdict,
  judgements: readonly Judgement[],
  hasPanel: boolean,
  texts: PersonaTexts,
): Matrix {
  const scaled = scaledFor(verdict, judgements);
  // Exact checks are the same for every judge.
  const columns = hasPanel && isExact(verdict) ? [] : judgements;
  const panel = hasPanel ? panelCells(verdict) : [];
  const seated = judgements.map(({ judge }) => judge);
  const named = columns.map((judgement) => judgeName(judgement, seated, texts));
  const cells = (at: number, cellOf: (judgement: Judgement) => MatrixCell | null) => [
    ...(hasPanel ? [panel[at] ?? null] : []),
    ...columns.map(cellOf),
  ];
  return {
    judges: [...(hasPanel ? [isExact(verdict) ? 'Exact checks' : 'Panel'] : []), ...named],
    rows: [
      { title: 'Verdict', cells: cells(0, (judgement) => wholeCell(judgement, scaled)) },
      ...verdict.criteria.map((criterion, index) => ({
        title: criterion.title,
        cells: cells(index + 1, (judgement) => findingCell(judgement, criterion, scaled)),
      })),
    ],
  };
}

/** A matrix and its title. */
export interface TitledMatrix {
  title: string;
  matrix: Matrix;
}

/** The decisive findings with those of the panel, then the findings of other rounds. */
export function matricesOf(verdict: Verdict, texts: PersonaTexts): [TitledMatrix, ...TitledMatrix[]] {
  const { ratings = [], judgements, decidedInRound } = verdict;
  // A panel that receives ratings does not answer by criterion.
  const isRated = ratings.length > 0;
  const decisive = isRated ? ratings : decisiveJudgements(verdict);
  const others = [...new Set(judgements.map(({ round }) => round))].filter(
    (round) => !isRated && round !== decidedInRound && !isExact(verdict),
  );
  return [
    {
      title: isRated
        ? 'Criteria, as they were rated'
        : isExact(verdict)
          ? 'Criteria, by exact checks'
          : 'Criteria',
      matrix: matrixOf(verdict, decisive, true, texts),
    },
    ...others.map((round) => ({
      title: `Criteria in round ${round + 1}`,
      matrix: matrixOf(
        verdict,
        judgements.filter((one) => one.round === round),
        false,
        texts,
      ),
    })),
  ];
}

/** A judge's answer in one round. */
export interface RoundCell extends MatrixCell {
  /** Its previous answer, if it changed. */
  before: string | null;
  /** Its index in all judgements of the verdict. */
  index: number;
  /** Whether it was sent a prompt. */
  isAsked: boolean;
}

/** A judge's answers in all rounds, and its usage. */
export interface JudgeRow {
  name: string;
  model: string;
  rounds: readonly (RoundCell | null)[];
  calls: number;
  usage: TotalUsage;
  latencyMs: number;
  isCached: boolean;
}

function rowOf(judge: Judge, of: readonly Judgement[], verdict: Verdict, texts: PersonaTexts): JudgeRow {
  const all = allJudgements(verdict);
  const judgements = of.filter((one) => isSameJudge(one.judge, judge));
  const scaled = scaledFor(verdict, judgements);
  const rounds = [...new Set(of.map(({ round }) => round))].sort((a, b) => a - b);
  const usages = judgements.map(({ usage }) => usage);
  return {
    name: judgeName({ judge }, judgesOf({ judgements: [...of] }), texts),
    model: judge.model,
    rounds: rounds.map((round) => {
      const judgement = judgements.find((one) => one.round === round);
      if (judgement === undefined) return null;
      const earlier = judgements.findLast((one) => one.round < round && isScored(one));
      const cell = wholeCell(judgement, scaled);
      const isChanged =
        earlier !== undefined &&
        isScored(judgement) &&
        isScored(earlier) &&
        (earlier.decision !== judgement.decision || earlier.score !== judgement.score);
      return {
        ...cell,
        before: isChanged ? stanceOf(earlier, scaled, 'en') : null,
        index: all.indexOf(judgement),
        isAsked: judgement.promptHash !== null && judgement.judge.model !== 'rules',
      };
    }),
    calls: judgements.reduce((sum, { usage, calls = 1 }) => sum + (usage.attempts === 0 ? 0 : calls), 0),
    usage: totalUsage(usages),
    latencyMs: usages.reduce((sum, { latencyMs }) => sum + latencyMs, 0),
    isCached: usages.some(({ fromCache }) => fromCache),
  };
}

/** Every judge's answers by round. @param of the panel's judgements, or the ratings that it received */
export function judgeRows(verdict: Verdict, of: readonly Judgement[], texts: PersonaTexts): JudgeRow[] {
  const judges = of
    .map(({ judge }) => judge)
    .filter((judge, index, all) => all.findIndex((one) => isSameJudge(one, judge)) === index);
  return judges.map((judge) => rowOf(judge, of, verdict, texts));
}
