import type { EvalCase } from '../case/index.ts';
import { JuryError } from '../common/index.ts';
import type { CsvValue } from '../common/text/index.ts';
import { OVERALL } from '../judging/standards/index.ts';
import {
  type Answer,
  type LabelBy,
  type LabelRule,
  labelsFrom,
  type PartAnswer,
  type Said,
  settleParts,
  UNSURE,
} from '../labels/index.ts';
import type { Annotation } from './annotation.ts';
import { type Answers, answersOf, type Question, questionsOf, saidTo, type Values } from './questions.ts';
import { type Study, shareOf, standardOf, standardsOf } from './study.ts';
import { categoryOf } from './study-case.ts';

/** Which of two answers is better, as the score of a label. */
const PREFERENCE: Readonly<Record<string, number>> = { A: -1, same: 0, B: 1 };

/** What an annotation says, by the part of the label it concerns. */
function saidIn({ correct, better, criteria = {} }: Answers): [part: string, said: Said][] {
  const decision = correct === true ? 'pass' : correct === false ? 'fail' : correct;
  const all: [string, Said | undefined][] = [
    ['decision', decision],
    // Kept as a class, settled by more than half; as a score it would be settled by the median.
    ['better', better],
    ...Object.entries(criteria).map(([id, answer]): [string, Said] => [
      id === OVERALL ? 'score' : `criteria.${id}`,
      answer,
    ]),
  ];
  return all.flatMap(([part, answer]): [string, Said][] => (answer === undefined ? [] : [[part, answer]]));
}

/**
 * The cases of a study, labeled with what its annotators agree on: the decision, the error most often named by those
 * who found one, criteria, and a preference between two answers. A case's previous label is dropped.
 *
 * @param all include unsettled cases, without a label
 * @throws JuryError `usage` if the voter model is requested and the voters are unknown
 */
export function labeledStudyCases(
  study: Study,
  annotations: readonly Annotation[],
  { by, rule, all }: { by: LabelBy; rule: LabelRule; all: boolean },
): { cases: EvalCase[]; open: number } {
  const annotatorIds = new Set(study.annotators.map(({ id }) => id));
  const given = annotations.filter(({ annotator }) => annotatorIds.has(annotator));
  const answers = given.flatMap(({ annotator: voter, case: index, answers: caseAnswers }) =>
    saidIn(caseAnswers).map(([part, said]): PartAnswer => ({ part, item: String(index), voter, said })),
  );
  const errors = given.flatMap(
    ({ annotator: voter, case: index, answers: { correct, errors: namedErrors = [] } }) =>
      correct === false ? namedErrors.map((said): Answer => ({ item: String(index), voter, said })) : [],
  );
  const settled = settleParts(answers, by, rule);
  const preferences = [...(settled.get('better') ?? [])].flatMap(([item, said]): [string, Said][] => {
    const score = PREFERENCE[said];
    return score === undefined ? [] : [[item, score]];
  });
  const scores = new Map([...(settled.get('score') ?? []), ...preferences]);
  const labels = labelsFrom(new Map([...settled, ['score', scores]]), errors);
  const cases = study.cases.flatMap((shown, index): EvalCase[] => {
    const { label: _label, ...evalCase } = shown.evalCase;
    const studyCase = { ...evalCase, id: shown.id, rubric: standardOf(study, shown).rubric };
    const label = labels.get(String(index));
    if (label !== undefined) return [{ ...studyCase, label }];
    return all ? [studyCase] : [];
  });
  const labeled = cases.filter(({ label }) => label !== undefined).length;
  return { cases, open: study.cases.length - labeled };
}

/** Column names that differ from the question's id. */
const NAMES: Readonly<Record<string, string>> = {
  user: 'user_validity',
  system: 'system_validity',
  errors: 'error_types',
};
const columnOf = (id: string): string => NAMES[id] ?? id;

/** The columns of exports and imports: those every study has, then those of criteria. */
export function annotationColumns(study: Study): string[] {
  const criteria = standardsOf(study).flatMap(({ questions = [] }) =>
    questions.map(({ id }) => `criteria.${id}`),
  );
  const pairs = study.cases.some(({ evalCase }) => evalCase.alternative !== undefined) ? ['better'] : [];
  const asked = ['user', 'system', 'correct', 'errors', ...pairs, ...new Set(criteria), 'comment'];
  return ['study', 'annotator', 'case', 'label', ...asked.map(columnOf), 'at'];
}

const plainValue = (question: string, answer: Values[string]): unknown => {
  if (answer === undefined) return question === 'errors' ? [] : null;
  if (question === 'correct' && answer !== UNSURE) return answer === 'yes';
  const number = Number(answer);
  return typeof answer === 'string' && question !== 'comment' && Number.isFinite(number) ? number : answer;
};

/** An annotation as one row of an export, by column. */
export function annotationRow(
  study: Study,
  { annotator, case: index, answers, at }: Annotation,
): Record<string, unknown> {
  const shown = study.cases[index];
  const fixed: Record<string, unknown> = {
    study: study.id,
    annotator,
    case: shown?.id ?? '',
    label: categoryOf(shown?.evalCase ?? {}),
    at: new Date(at).toISOString(),
  };
  return Object.fromEntries(
    annotationColumns(study).map((column) => {
      const id = Object.entries(NAMES).find(([, name]) => name === column)?.[0] ?? column;
      return [column, fixed[column] ?? plainValue(id, saidTo(answers, id))];
    }),
  );
}

/** The cells of a row. */
export const annotationCells = (row: Readonly<Record<string, unknown>>): CsvValue[] =>
  Object.values(row).map((value) => {
    if (Array.isArray(value)) return value.join(';');
    if (typeof value === 'boolean') return value ? 'yes' : 'no';
    return typeof value === 'number' ? value : value === null ? null : String(value);
  });

type Cells = ReadonlyMap<string, unknown>;

const TRUE = ['yes', 'y', 'true', '1', 'correct', 'pass'];
const FALSE = ['no', 'n', 'false', '0', 'incorrect', 'fail'];

/** The apostrophe that exports put before text that a spreadsheet would treat as a formula. */
const NEUTRALIZED = /^'(?=\s*[=+\-@＝＋－＠])/u;

const plain = (cell: unknown): string => String(cell).replace(NEUTRALIZED, '').trim();

function textIn(cells: Cells, column: string): string {
  const cell = cells.get(column);
  return cell === undefined || cell === null ? '' : plain(cell);
}

const bare = (word: string): string => word.toLowerCase().replace(/[ _-]+error$/, '');

/** The choice that a word names, by id or title. `correct` also accepts synonyms, and a scale accepts `4.0`. */
function chosen({ id, answer }: Question, text: string): string | undefined {
  if (answer.kind !== 'one') return undefined;
  const word = text.toLowerCase();
  if (id === 'correct' && TRUE.includes(word)) return 'yes';
  if (id === 'correct' && FALSE.includes(word)) return 'no';
  const exact = answer.choices.find((choice) => choice.id.toLowerCase() === word);
  const alike = answer.choices.find((choice) => choice.title.toLowerCase() === word);
  const number = answer.choices.find((choice) => text !== '' && Number(text) === Number(choice.id));
  return (exact ?? alike ?? number)?.id;
}

/** Ids of error types, matched by id or title. Unknown words are kept, so that they are reported. */
function errorsIn(cell: unknown, choices: readonly { id: string; title: string }[]): string[] {
  const words = Array.isArray(cell) ? cell.map(plain) : plain(cell ?? '').split(/\s*[;,|+]\s*/);
  return words
    .filter((word) => word !== '')
    .map((word) => {
      const exact = choices.find(({ id }) => id === word);
      const alike = choices.find(({ id, title }) => [id, title].some((one) => bare(one) === bare(word)));
      return (exact ?? alike)?.id ?? word;
    });
}

/** What kind of answer a question takes, for messages. */
function wanted({ id, answer }: Question): string {
  if (id === 'user' || id === 'system') return 'a number from 1 to 5';
  if (id === 'correct') return 'yes, no or unsure';
  if (answer.kind === 'number') return `a number from ${answer.min} to ${answer.max}`;
  return answer.kind === 'one' ? `one of ${answer.choices.map((choice) => choice.id).join(', ')}` : 'text';
}

/**
 * The raw answer in a cell; empty if the cell is.
 *
 * @throws JuryError `bad-input` if it cannot be parsed
 */
function valueIn(cells: Cells, question: Question): Values[string] {
  const { id, answer } = question;
  const column = columnOf(id);
  if (answer.kind === 'several') return errorsIn(cells.get(column), answer.choices);
  const text = textIn(cells, column);
  if (text === '' || answer.kind === 'text') return text;
  const isNumber = answer.kind === 'number' && (text === UNSURE || Number.isFinite(Number(text)));
  const value = isNumber ? (text === UNSURE ? undefined : text) : chosen(question, text);
  if (value !== undefined || isNumber) return value;
  throw new JuryError('bad-input', `${column} is "${text.slice(0, 40)}": must be ${wanted(question)}`);
}

/**
 * Returns a function that parses one row of an import.
 *
 * @param idOf maps an annotator as named in a row to their pseudonym
 * @param now time for rows without one, ms since the epoch
 */
export function annotationReader(study: Study, idOf: (text: string) => string | null, now: number) {
  const places = new Map(study.cases.map(({ id }, index) => [id, index]));
  const questions = new Map<number, Question[]>();
  const shares = new Map(study.annotators.map((one) => [one.id, new Set(shareOf(study, one))]));
  function timeIn(cells: Cells): number {
    const text = textIn(cells, 'at');
    const at = text === '' ? now : Date.parse(text);
    if (Number.isFinite(at)) return at;
    throw new JuryError(
      'bad-input',
      `at is "${text.slice(0, 40)}": must be a time such as 2026-11-21T09:00:00Z`,
    );
  }
  /** @throws JuryError `bad-input` if a cell cannot be parsed */
  return (cells: Cells) => {
    const who = textIn(cells, 'annotator');
    const annotator = idOf(who);
    if (annotator === null)
      throw new JuryError(
        'bad-input',
        `annotator "${who.slice(0, 60)}" is not an annotator of study ${study.id}`,
      );
    const id = textIn(cells, 'case');
    const index = places.get(id);
    if (index === undefined)
      throw new JuryError('bad-input', `case "${id.slice(0, 60)}" is not part of study ${study.id}`);
    const share = shares.get(annotator);
    if (share?.has(index) === false)
      throw new JuryError(
        'bad-input',
        `case "${id.slice(0, 60)}" was not given to annotator "${who.slice(0, 60)}"`,
      );
    const asked = questions.get(index) ?? questionsOf(study, index);
    questions.set(index, asked);
    const values = Object.fromEntries(asked.map((one) => [one.id, valueIn(cells, one)]));
    return { annotator, index, answers: answersOf(asked, values), at: timeIn(cells) };
  };
}
