import { createInterface } from 'node:readline';
import type { EvalCase } from '../../case/case.ts';
import type { ShownPart } from '../../case/shown-fields.ts';
import { onAbort } from '../../common/async.ts';
import { JuryError } from '../../common/errors.ts';
import { plainLine, plainText } from '../../common/text.ts';
import { NAMED } from '../../labels/permissions.ts';
import type { Store } from '../../stores/store.ts';
import { caseAt, progressOf, shownCase } from '../../studies/annotation.ts';
import { annotateCase, findStudy, requireAnnotator } from '../../studies/manage-studies.ts';
import {
  type Answers,
  answersOf,
  checkAnswers,
  isAskedAfter,
  type Question,
  questionsOf,
  saidTo,
  type Values,
} from '../../studies/questions.ts';
import { type Annotator, type Study, standardsOf } from '../../studies/study.ts';
import { readPerson } from '../addresses.ts';
import type { FormField } from '../form.ts';
import { fieldOf } from '../study-desk.ts';
import { allCases } from '../wording.ts';
import { type CommandContext, type ExitCode, exitCode, type Terminal } from './command.ts';
import { hang, padded, widthOf, wrap } from './layout.ts';
import { earlierText, promptOf, valueIn } from './question-lines.ts';

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
  const sections = shownCase(evalCase);
  const widths = sections.flatMap(({ parts }) => parts.map(({ title }) => widthOf(plainText(title))));
  const titles = Math.max(0, ...widths.filter((one) => one <= WIDEST_TITLE));
  return sections
    .map(({ title, parts }) =>
      [title.toUpperCase(), ...parts.flatMap((part) => partLines(part, titles, width))].join('\n'),
    )
    .join('\n\n');
}

/** What came of asking about one case. */
type Said = { kind: 'answers'; values: Values } | { kind: 'back' } | { kind: 'quit' };

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

/** What a line says to a question, after what was said so far; an empty one says what was said before. */
function readAnswer(
  questions: readonly Question[],
  { id }: Question,
  field: FormField,
  text: string,
  soFar: Values,
  before: Answers,
): { values: Values } | { problem: string } {
  const earlier = saidTo(before, id);
  const said = text === '' && earlier !== undefined ? { value: earlier } : valueIn(field, text);
  if ('problem' in said) return said;
  const values = { ...soFar, [id]: said.value };
  const checked = checkAnswers(questions, answersOf(questions, values));
  const wrong = checked.ok ? undefined : checked.problems.find((one) => one.item === id);
  return wrong ?? { values };
}

/** Asks one question until the answer fits; what is piped in has to fit at once, or all after it would be misread. */
async function askOne(
  desk: Desk,
  questions: readonly Question[],
  question: Question,
  soFar: Values,
  before: Answers,
): Promise<Said> {
  const { terminal, lines } = desk;
  const field = fieldOf(question, question.id, before);
  const text = promptOf(field);
  const earlier = earlierText(field);
  const asked = plainText(`${text}${earlier === null ? '' : ` [Enter: ${earlier}]`}`);
  terminal.err(wrap(asked, terminal.screen.width));
  for (;;) {
    const typed = await lines.next();
    if (typed === null) return { kind: 'quit' };
    desk.line += 1;
    const line = typed.trim();
    if (question.answer.kind !== 'text' && /^[qb]$/i.test(line))
      return { kind: line.toLowerCase() === 'q' ? 'quit' : 'back' };
    const read = readAnswer(questions, question, field, line, soFar, before);
    if ('values' in read) return { kind: 'answers', values: read.values };
    if (!lines.typed)
      throw new JuryError(
        'bad-input',
        `Line ${desk.line} of the input does not answer "${text}": ${read.problem} Earlier cases are kept.`,
      );
    terminal.err(read.problem);
  }
}

async function askAbout(desk: Desk, questions: readonly Question[], before: Answers): Promise<Said> {
  let values: Values = {};
  for (const question of questions) {
    if (!isAskedAfter(question, answersOf(questions, values))) continue;
    const said = await askOne(desk, questions, question, values, before);
    if (said.kind !== 'answers') return said;
    values = said.values;
  }
  return { kind: 'answers', values };
}

function introduce({ err, screen }: Terminal, study: Study): void {
  const standards = standardsOf(study);
  const lines = [
    `Study "${study.name}"`,
    ...standards.flatMap(({ rubric, task, criteria }) => [
      ...(standards.length > 1 ? [`By the rubric ${rubric}:`] : []),
      task,
      ...criteria.map(({ title, rule }) => `- ${title}: ${rule}`),
    ]),
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
    const questions = questionsOf(study, index);
    const said = await askAbout(desk, questions, before?.answers ?? {});
    if (said.kind === 'quit') return;
    if (said.kind === 'answers') await keep(desk, index, answersOf(questions, said.values), opened);
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
      ? `${allCases(total)} annotated. Thank you.`
      : `${done} of ${total} annotated; the same command resumes.`,
  );
  return stop.aborted ? exitCode.interrupted : exitCode.ok;
}
