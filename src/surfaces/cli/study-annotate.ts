import { JuryError } from '../../common/index.ts';
import { andList, grouped, plainText } from '../../common/text/index.ts';
import { NAMED } from '../../labels/access/index.ts';
import { UNSURE } from '../../labels/index.ts';
import type { Store } from '../../stores/index.ts';
import {
  type Annotator,
  type Answers,
  annotateCase,
  answersOf,
  caseAt,
  casesEach,
  checkAnswers,
  findStudy,
  isAskedAfter,
  progressOf,
  type Question,
  questionsOf,
  requireAnnotator,
  type Study,
  saidTo,
  standardsOf,
  type Values,
} from '../../studies/index.ts';
import { fieldOf } from '../desks/index.ts';
import type { Choice, FormField } from '../forms/index.ts';
import { readPerson } from '../index.ts';
import { type CommandContext, type ExitCode, exitCode, type Terminal, wrap } from '../terminal/index.ts';
import { allCases } from '../wording/index.ts';
import { caseText, openAnswerLines } from './typed-answers.ts';

const ALSO: Readonly<Record<string, string>> = { j: 'yes', ja: 'yes', nein: 'no' };

/** What to type for each choice: its number, its first letter if that is unambiguous, otherwise its position. */
function keysOf(choices: readonly Choice[]): string[] {
  const ids = choices.map(({ id }) => id);
  // "unsure" may be among the levels of a scale.
  if (ids.some((id) => /^-?\d+$/.test(id))) return ids.map((id) => (/^-?\d+$/.test(id) ? id : id.charAt(0)));
  const letters = choices.map(({ title }) => title.charAt(0).toLowerCase());
  const isPlain =
    new Set(letters).size === letters.length && !letters.some((letter) => 'bq'.includes(letter));
  return isPlain ? letters : choices.map((_, index) => String(index + 1));
}

function choiceOf(choices: readonly Choice[], line: string): string | undefined {
  const word = line.toLowerCase();
  const keys = keysOf(choices);
  const wanted = choices.find(({ id, title }) => [id, title].some((one) => one.toLowerCase() === word));
  return (wanted ?? choices[keys.indexOf(word)] ?? choices.find(({ id }) => id === ALSO[word]))?.id;
}

/** A question in one line. */
function promptOf(field: FormField): string {
  const hint = field.hint === undefined ? '' : ` (${field.hint})`;
  switch (field.kind) {
    case 'select': {
      const keys = keysOf(field.choices);
      const named = field.choices.map(({ title }, index) =>
        title.startsWith(`${keys[index]}: `) || title === keys[index]
          ? title.replace(': ', ' ')
          : `${keys[index]} ${title}`,
      );
      return `${field.label}${hint} ${named.join(', ')}`;
    }
    case 'multi-select':
      return `${field.label} ${field.choices.map(({ title }, index) => `${index + 1} ${title}`).join(', ')}`;
    case 'long-text':
      return `${field.label}? Enter for none`;
    default:
      return `${field.label}${hint}`;
  }
}

/** The answer in a typed line, or what is wrong with it. */
function valueIn(
  field: FormField,
  line: string,
): { value: string | readonly string[] } | { problem: string } {
  switch (field.kind) {
    case 'select': {
      const value = choiceOf(field.choices, line);
      return value === undefined ? { problem: `Type ${andList(keysOf(field.choices), 'or')}.` } : { value };
    }
    case 'number': {
      const isUnsure = ['', 'u', UNSURE].includes(line.toLowerCase());
      if (isUnsure || Number.isFinite(Number(line))) return { value: isUnsure ? '' : line };
      return { problem: `Type a number from ${field.min} to ${field.max}, or "u" if you are unsure.` };
    }
    case 'multi-select': {
      const { choices } = field;
      const words = line
        .toLowerCase()
        .split(/[\s,;]+/)
        .filter((word) => word !== '');
      const ids = words.map((word) => {
        const choice = choices.find(({ id }) => id === word);
        return choice?.id ?? (/^\d{1,4}$/.test(word) ? choices[Number(word) - 1]?.id : undefined);
      });
      const chosen = ids.filter((id) => id !== undefined);
      return chosen.length === ids.length
        ? { value: chosen }
        : { problem: `Type numbers from 1 to ${choices.length}, with commas between them.` };
    }
    default:
      return { value: line };
  }
}

/** The earlier answer, as it would be typed. */
function earlierText(field: FormField): string | null {
  const { initial } = field;
  if (initial === undefined || initial.length === 0) return null;
  if (field.kind !== 'select') return [initial].flat().join(', ');
  return keysOf(field.choices)[field.choices.findIndex(({ id }) => id === initial)] ?? null;
}

/** The result of asking about one case. */
type Said = { kind: 'answers'; values: Values } | { kind: 'back' } | { kind: 'quit' };

/** An annotator at work. */
interface Desk {
  store: Store;
  now: () => number;
  terminal: Terminal;
  study: Study;
  annotator: Annotator;
  lines: ReturnType<typeof openAnswerLines>;
  /** Lines read so far. */
  line: number;
}

/** Asks one question until the answer is valid. Piped answers must be valid at once, or all lines after them would be misread. */
async function askOne(
  desk: Desk,
  questions: readonly Question[],
  question: Question,
  soFar: Values,
  before: Answers,
): Promise<Said> {
  const { terminal, lines } = desk;
  const field = fieldOf(question, question.id, before, 'en');
  const earlier = earlierText(field);
  const asked = plainText(`${promptOf(field)}${earlier === null ? '' : ` [Enter: ${earlier}]`}`);
  terminal.err(wrap(asked, terminal.screen.width));
  /** The answers so far, with the one in this line; an empty line repeats the earlier answer. */
  const read = (line: string): { values: Values } | { problem: string } => {
    const { id } = question;
    const savedAnswer = saidTo(before, id);
    const answer = line === '' && savedAnswer !== undefined ? { value: savedAnswer } : valueIn(field, line);
    if ('problem' in answer) return answer;
    const values = { ...soFar, [id]: answer.value };
    const checked = checkAnswers(questions, answersOf(questions, values));
    const wrong = checked.ok ? undefined : checked.problems.find(({ item }) => item === id);
    return wrong ?? { values };
  };
  for (;;) {
    const typed = await lines.next();
    if (typed === null) return { kind: 'quit' };
    desk.line += 1;
    const line = typed.trim();
    if (question.answer.kind !== 'text' && /^[qb]$/i.test(line))
      return { kind: line.toLowerCase() === 'q' ? 'quit' : 'back' };
    const answer = read(line);
    if ('values' in answer) return { kind: 'answers', values: answer.values };
    if (!lines.typed)
      throw new JuryError(
        'bad-input',
        `Line ${desk.line} of the input does not answer "${question.label}": ${answer.problem} Earlier cases are kept.`,
      );
    terminal.err(answer.problem);
  }
}

async function askAbout(desk: Desk, questions: readonly Question[], before: Answers): Promise<Said> {
  let values: Values = {};
  for (const question of questions) {
    if (!isAskedAfter(question, answersOf(questions, values))) continue;
    const reply = await askOne(desk, questions, question, values, before);
    if (reply.kind !== 'answers') return reply;
    values = reply.values;
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

/** Keeps the answers about one case. @throws JuryError `usage` if the study no longer takes them */
async function keep({ store, annotator, study }: Desk, index: number, answers: Answers, at: number) {
  const kept = await annotateCase(store, { study, annotator: annotator.id, index, answers, at });
  if (!kept.ok) throw new JuryError('internal', 'Answers that were checked do not fit.');
  const why = {
    closed: `Study ${study.id} was closed`,
    'not-asked': `You are no longer an annotator of study ${study.id}`,
    'unknown-study': `You are no longer an annotator of study ${study.id}`,
    ...{ kept: null, unchanged: null, outdated: null },
  }[kept.outcome];
  if (why !== null) throw new JuryError('usage', `${why}; this case was not kept.`);
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
      `\n── Case ${at + 1} of ${casesEach(study)} ──\n\n${caseText(shown.evalCase, terminal.screen.width)}\n`,
    );
    // The rules have been shown above the first case.
    const questions = questionsOf(study, index, { mostRules: 0 });
    const reply = await askAbout(desk, questions, before?.answers ?? {});
    if (reply.kind === 'quit') return;
    if (reply.kind === 'answers') await keep(desk, index, answersOf(questions, reply.values), opened);
    place = reply.kind === 'back' ? Math.max(0, at - 1) : null;
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
      : `${grouped(done)} of ${grouped(total)} annotated; the same command resumes.`,
  );
  return stop.aborted ? exitCode.interrupted : exitCode.ok;
}
