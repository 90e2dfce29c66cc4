import { createInterface } from 'node:readline';
import type { EvalCase } from '../../case/case.ts';
import { onAbort } from '../../common/async.ts';
import { JuryError } from '../../common/errors.ts';
import { counted, plainLine, plainText } from '../../common/text.ts';
import { NAMED } from '../../labels/person.ts';
import type { Store } from '../../stores/store.ts';
import {
  type Answers,
  caseAt,
  checkAnswers,
  progressOf,
  type ShownPart,
  shownCase,
} from '../../studies/annotation.ts';
import { annotateCase, findStudy, requireAnnotator } from '../../studies/manage-studies.ts';
import { type Annotator, type Study, type StudyItem, studyItems } from '../../studies/study.ts';
import { readPerson } from '../addresses.ts';
import type { CommandContext } from './command-context.ts';
import { padded } from './table.ts';
import { type ExitCode, exitCode, type Terminal } from './terminal.ts';
import { hang, widthOf, wrap } from './wrap.ts';

/** One question about a case. */
interface StudyQuestion {
  item: StudyItem;
  text: string;
  /** What a line says, or what is wrong with it. */
  read: (line: string) => { answers: Answers } | { problem: string };
  /** Whether it is asked at all, given what was said so far. */
  applies: (answers: Answers) => boolean;
}

const LEVELS = '1 invalid, 2 most likely invalid, 3 inconclusive, 4 most likely valid, 5 valid';
const YES = new Set(['y', 'yes', 'j', 'ja']);
const NO = new Set(['n', 'no', 'nein']);

type Asked = Pick<Study, 'items' | 'errorTypes'>;

const rating =
  (item: 'user' | 'system') =>
  (line: string): ReturnType<StudyQuestion['read']> =>
    /^[1-5]$/.test(line) ? { answers: { [item]: Number(line) } } : { problem: 'Type a number from 1 to 5.' };

function readCorrect(line: string): ReturnType<StudyQuestion['read']> {
  const word = line.toLowerCase();
  if (YES.has(word)) return { answers: { correct: true } };
  return NO.has(word) ? { answers: { correct: false } } : { problem: 'Type y or n.' };
}

/** Numbers of the list, or ids, with commas or spaces between them. */
const readErrors =
  ({ errorTypes }: Asked) =>
  (line: string): ReturnType<StudyQuestion['read']> => {
    const words = line
      .toLowerCase()
      .split(/[\s,;]+/)
      .filter((word) => word !== '');
    const ids = words.map((word) => {
      const known = errorTypes.find(({ id }) => id === word);
      return known?.id ?? (/^\d{1,4}$/.test(word) ? errorTypes[Number(word) - 1]?.id : undefined);
    });
    const found = ids.filter((id) => id !== undefined);
    return found.length === ids.length
      ? { answers: { errors: found } }
      : { problem: `Type numbers from 1 to ${errorTypes.length}, with commas between them.` };
  };

const wordsOf = (study: Asked): Record<StudyItem, Omit<StudyQuestion, 'item'>> => ({
  user: { text: `User part, how valid? ${LEVELS}`, read: rating('user'), applies: () => true },
  system: { text: `System part, how valid? ${LEVELS}`, read: rating('system'), applies: () => true },
  correct: { text: 'Is the response correct? y or n', read: readCorrect, applies: () => true },
  errors: {
    text: `Which errors? ${study.errorTypes.map(({ title }, index) => `${index + 1} ${title}`).join(', ')}`,
    read: readErrors(study),
    applies: ({ correct }) => correct !== true,
  },
  comment: {
    text: 'Comment? Enter for none',
    read: (line) => ({ answers: line === '' ? {} : { comment: line } }),
    applies: () => true,
  },
});

/** What is asked about each case, in its order. */
function studyQuestions(study: Asked): StudyQuestion[] {
  const words = wordsOf(study);
  return studyItems.filter((item) => study.items.includes(item)).map((item) => ({ item, ...words[item] }));
}

/** Lines that are typed, or that come through a pipe. */
interface AnswerLines {
  /** The next line without its end; null at the end of the input, or when it is to stop. */
  next: () => Promise<string | null>;
  /** Whether a person types them. */
  typed: boolean;
  close: () => void;
}

/** Reads standard input line by line. The terminal's own editing stays, and Ctrl-C stays a signal. */
function openAnswerLines({ input }: Terminal, stop: AbortSignal): AnswerLines {
  const stdin = input();
  const reading = createInterface({
    input: stdin,
    terminal: false,
    crlfDelay: Number.POSITIVE_INFINITY,
  });
  const lines = reading[Symbol.asyncIterator]();
  const close = () => reading.close();
  const forget = onAbort(stop, close);
  return {
    typed: stdin.isTTY === true,
    next: async () => {
      const { done, value } = await lines.next();
      return done === true || stop.aborted ? null : value;
    },
    close: () => {
      forget();
      close();
      stdin.destroy();
    },
  };
}

/** Names wider than this stand above their text. */
const WIDEST_TITLE = 20;

function partLines({ title, text }: ShownPart, titles: number, width: number): string[] {
  const name = plainLine(title);
  const isOwn = widthOf(name) > titles;
  const head = `  ${padded(isOwn ? '' : name, titles)}  `;
  const lines = hang(head, plainText(text), width, { hard: true, keepSpaces: true });
  return [...(isOwn ? [`  ${name}`] : []), ...lines.map((line) => line.trimEnd())];
}

/** A case as an annotator reads it in a terminal, whole. */
function caseText(evalCase: EvalCase, width: number): string {
  const { user, system } = shownCase(evalCase);
  const widths = [...user, ...system].map(({ title }) => widthOf(plainText(title)));
  const titles = Math.max(0, ...widths.filter((one) => one <= WIDEST_TITLE));
  const lines = (parts: readonly ShownPart[]) => parts.flatMap((part) => partLines(part, titles, width));
  return ['USER', ...lines(user), '', 'SYSTEM', ...lines(system)].join('\n');
}

/** What came of asking about one case. */
type Said = { kind: 'answers'; answers: Answers } | { kind: 'back' } | { kind: 'quit' };

/** An annotator at work. */
interface Desk {
  store: Store;
  now: () => number;
  terminal: Terminal;
  study: Study;
  annotator: Annotator;
  lines: AnswerLines;
  /** Lines read so far. */
  line: number;
}

/** What was said before, as it would be typed. */
const answerText = (answers: Answers, { item }: StudyQuestion): string | null => {
  const value = answers[item];
  if (value === undefined) return null;
  return typeof value === 'boolean' ? (value ? 'y' : 'n') : [value].flat().join(', ');
};

/** What a line says to a question, after what was said so far; an empty one says what was said before. */
function readAnswer(
  study: Study,
  { item, read }: StudyQuestion,
  text: string,
  soFar: Answers,
  before: Answers,
): { answers: Answers } | { problem: string } {
  const said = text === '' && before[item] !== undefined ? { answers: { [item]: before[item] } } : read(text);
  if ('problem' in said) return said;
  const answers = { ...soFar, ...said.answers };
  const checked = checkAnswers(study, answers);
  const wrong = checked.ok ? undefined : checked.problems.find((one) => one.item === item);
  return wrong ?? { answers };
}

/** Asks one question until the answer fits; what is piped in has to fit at once, or all after it would be misread. */
async function askOne(desk: Desk, question: StudyQuestion, soFar: Answers, before: Answers): Promise<Said> {
  const { terminal, lines, study } = desk;
  const earlier = answerText(before, question);
  terminal.err(`${question.text}${earlier === null ? '' : ` [Enter: ${earlier}]`}`);
  for (;;) {
    const typed = await lines.next();
    if (typed === null) return { kind: 'quit' };
    desk.line += 1;
    const text = typed.trim();
    if (question.item !== 'comment' && /^[qb]$/i.test(text))
      return { kind: text.toLowerCase() === 'q' ? 'quit' : 'back' };
    const read = readAnswer(study, question, text, soFar, before);
    if ('answers' in read) return { kind: 'answers', answers: read.answers };
    if (!lines.typed)
      throw new JuryError(
        'bad-input',
        `Line ${desk.line} of the input does not answer "${question.text}": ${read.problem} Earlier cases are kept.`,
      );
    terminal.err(read.problem);
  }
}

async function askAbout(desk: Desk, before: Answers): Promise<Said> {
  let answers: Answers = {};
  for (const question of studyQuestions(desk.study)) {
    if (!question.applies(answers)) continue;
    const said = await askOne(desk, question, answers, before);
    if (said.kind !== 'answers') return said;
    answers = said.answers;
  }
  return { kind: 'answers', answers };
}

function introduce({ err, screen }: Terminal, { name, standard }: Study): void {
  const lines = [
    `Study "${name}"`,
    standard.task,
    ...standard.criteria.map(({ title, rule }) => `- ${title}: ${rule}`),
    'Answer and press Enter. "b" goes back to the case before, "q" stops; the same command resumes later.',
  ];
  err(lines.map((line) => wrap(plainText(line), screen.width)).join('\n'));
}

/** Keeps what was said of one case. @throws JuryError `usage` if the study is closed to it */
async function keep({ store, annotator, study }: Desk, index: number, answers: Answers, at: number) {
  const kept = await annotateCase(store, { study, annotator: annotator.id, index, answers, at });
  if (!kept.ok) throw new JuryError('internal', 'Answers that were checked do not fit.');
  switch (kept.outcome) {
    case 'kept':
    case 'unchanged':
    case 'outdated':
      return;
    case 'closed':
      throw new JuryError('usage', `Study ${study.id} was closed; this case was not kept.`);
    case 'not-asked':
    case 'unknown-study':
      throw new JuryError(
        'usage',
        `You are no longer an annotator of study ${study.id}; this case was not kept.`,
      );
  }
}

async function sit(desk: Desk, from: number | null): Promise<void> {
  const { store, now, annotator, study, terminal } = desk;
  let place = from;
  for (;;) {
    const annotations = await store.annotations(study.id, annotator.id);
    const { place: at, current, opened } = caseAt({ study, annotator, annotations }, place, now());
    if (current === null) return;
    const { index, shown, before } = current;
    terminal.err(
      `\n── Case ${at + 1} of ${study.cases.length} ──\n\n${caseText(shown.evalCase, terminal.screen.width)}\n`,
    );
    const said = await askAbout(desk, before?.answers ?? {});
    if (said.kind === 'quit') return;
    if (said.kind === 'answers') await keep(desk, index, said.answers, opened);
    place = said.kind === 'back' ? Math.max(0, at - 1) : null;
  }
}

/** `jury study annotate`. */
export async function annotate(
  context: CommandContext,
  id: string,
  { as, case: from }: { as: string; case?: number },
): Promise<ExitCode> {
  const { stop } = context;
  const parts = await context.parts();
  const store = await parts.store();
  const study = await findStudy(store, id);
  const isId = as.includes(':') || parts.surfaces.some(({ isPerson }) => isPerson(as));
  const person = readPerson(isId ? as : `${NAMED}:${as}`, parts.surfaces);
  const annotator = requireAnnotator(study, person, await parts.pseudonym());
  if (study.closed)
    throw new JuryError('usage', `Study ${id} is closed: "jury study reopen ${id}" reopens it.`);
  const lines = openAnswerLines(context, stop);
  try {
    introduce(context, study);
    const desk = { store, now: parts.now, terminal: context, study, annotator, lines, line: 0 };
    await sit(desk, from === undefined ? null : from - 1);
  } finally {
    lines.close();
  }
  const { done, total } = progressOf(study, annotator, await store.annotations(id, annotator.id));
  context.out(
    done === total
      ? `All ${counted(total, 'case')} are annotated. Thank you.`
      : `${done} of ${total} annotated; the same command resumes.`,
  );
  return stop.aborted ? exitCode.interrupted : exitCode.ok;
}
