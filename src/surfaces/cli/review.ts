import {
  loadBenchmarks,
  ReviewSettings,
  type RunManifest,
  redactedRuns,
  seriesOf,
} from '../../benchmark/index.ts';
import { JuryError } from '../../common/index.ts';
import { counted, dayOf, grouped, jsonLine, minuteText, plainText } from '../../common/text/index.ts';
import { requireRun } from '../../reports/facts/index.ts';
import {
  ALIKE_MS,
  answeredText,
  answerReview,
  beginReview,
  listSamples,
  nextReview,
  noReviewText,
  otherRunText,
  type ReviewLabel,
  type ReviewOffer,
  type ReviewParts,
  type ReviewStatus,
  reviewChoices,
  reviewedAnswersLike,
  reviewedAnswersOf,
  reviewStatus,
  signaturesOf,
  skipReviews,
  uncheckedText,
  volunteer,
} from '../../reviews/index.ts';
import { importedPerson, type Parts, reviewWish } from '../index.ts';
import {
  type Column,
  type CommandContext,
  type ExitCode,
  exitCode,
  type JsonFlag,
  list,
  tableOf,
  wrap,
} from '../terminal/index.ts';
import { caseText, openAnswerLines } from './typed-answers.ts';

/** What the commands about reviews need; cases are redacted as everywhere else. */
async function openReviews(context: CommandContext): Promise<{ parts: Parts; reviews: ReviewParts }> {
  const parts = await context.parts();
  const { library, now } = parts;
  const runs = redactedRuns(await context.runs(), parts.env.settings.JURY_REDACT);
  return { parts, reviews: { store: await parts.store(), runs, library, now } };
}

interface BeginOptions extends JsonFlag {
  size?: number;
  votes?: number;
  perWeek?: number;
  days?: number;
  people?: string[];
}

/** How a run's benchmark wants it sampled; undefined if it belongs to none that says so. */
const settingsOf = ({ env }: Parts, run: RunManifest): ReviewSettings | undefined =>
  loadBenchmarks(env.promptFolders).get(seriesOf(run))?.review;

/** `jury review begin RUN`: draws answers of a finished run for people to check. */
export async function begin(
  context: CommandContext,
  run: string,
  { json, ...options }: BeginOptions,
): Promise<void> {
  const { parts, reviews } = await openReviews(context);
  const manifest = await requireRun(await context.runs(), run);
  const { name } = manifest;
  const wish = await reviewWish(parts, ReviewSettings.parse({ ...settingsOf(parts, manifest), ...options }));
  const begun = await beginReview(reviews, name, wish);
  switch (begun.kind) {
    case 'begun':
    case 'known':
      break;
    case 'other-run':
      throw new JuryError('usage', otherRunText(name));
    case 'incomplete':
      throw new JuryError(
        'usage',
        `The run ${name} has ${grouped(begun.trials)} of ${counted(begun.planned, 'trial')}: resume it first, so that each of its answers can be drawn.`,
      );
    default:
      throw new JuryError('usage', `No answer of the run ${name} has a decision of pass or fail to check.`);
  }
  const { design } = begun;
  if (json) return context.out(jsonLine({ begun: begun.kind === 'begun', ...design }));
  const already = begun.kind === 'known' ? 'drawn before' : 'drawn by chance';
  context.out(`${counted(design.drawn, 'answer')} of ${plainText(name)} ${already}.`);
  context.err(`"jury review answer ${name} --as ann" checks them one by one.`);
}

/** How much is checked, in one line. */
function progressText({ design, asked }: ReviewStatus): string {
  const { drawn, checked, unchecked, unsure } = design;
  const open = unsure === 0 ? '' : `, of those ${unsure} unsure or divided`;
  return `${checked} of ${counted(drawn, 'answer')} checked, ${unchecked} not${open}; ${asked} being asked about now`;
}

/** `jury review list`: the runs of which answers were drawn. */
export async function listReviews(context: CommandContext, { json }: JsonFlag): Promise<void> {
  const { reviews } = await openReviews(context);
  const samples = await listSamples(reviews.store, reviews.now());
  const read = await Promise.all(samples.map(({ run }) => reviewStatus(reviews, run)));
  const known = read.filter((status) => status !== null);
  if (json) for (const { design, asked } of known) context.out(jsonLine({ ...design, asked }));
  else if (known.length === 0)
    context.err('No answers are drawn yet. "jury review begin RUN" draws some of a finished run.');
  else
    list(
      context,
      known.map((status) => ({
        id: status.design.run,
        lines: [`drawn ${minuteText(status.design.at)}`, progressText(status)],
        source: '',
      })),
    );
}

type Stratum = ReviewStatus['design']['strata'][number];

const columns: readonly Column<Stratum>[] = [
  ['verdicts', ({ name }) => name, 'left'],
  ['answers', ({ size }) => grouped(size)],
  ['drawn', ({ drawn }) => grouped(drawn)],
  ['checked', ({ checked }) => grouped(checked)],
];

/** `jury review show RUN`: how answers of a run were drawn, and how many are checked. */
export async function show(context: CommandContext, run: string, { json }: JsonFlag): Promise<void> {
  const { out, screen } = context;
  const { reviews } = await openReviews(context);
  const { store } = reviews;
  const manifest = await requireRun(await context.runs(), run);
  const now = reviews.now();
  const [status, reviewed] = await Promise.all([
    reviewStatus(reviews, manifest.name),
    reviewedAnswersOf(store, manifest, now),
  ]);
  if (status === null || reviewed === null)
    throw new JuryError(
      'usage',
      `No answers of ${manifest.name} are drawn: "jury review begin ${manifest.name}" draws some.`,
    );
  const alike = await reviewedAnswersLike(store, signaturesOf(manifest), now - ALIKE_MS, now);
  const checkedAlike = alike.reduce((sum, { answers }) => sum + answers.length, 0);
  const { design, asked } = status;
  if (json) return out(jsonLine({ ...design, asked, checkedAlike, answers: reviewed.answers }));
  const missing = uncheckedText(design);
  out(
    [
      `${manifest.name}: drawn ${dayOf(design.at)}, ${progressText(status)}`,
      '',
      ...tableOf(screen, design.strata, columns),
      '',
      ...(missing === null ? [] : [`  ${missing}.`]),
      `  Checked answers by the same judges, prompts and rubric in the last 180 days: ${grouped(checkedAlike)}.`,
    ]
      .map(plainText)
      .join('\n'),
  );
}

const PROMPT = `${reviewChoices.map(({ key, text }) => `${key} ${text}`).join(', ')}; s not this week, n never, q quit`;

/** An answer to check. @param known what the person has read of the rubric above */
function offerText({ number, most, evalCase, standard }: ReviewOffer, known: string, width: number): string {
  const rules = rulesText(standard, width);
  return [
    `\n── Answer ${number} of at most ${most} this week ──`,
    ...(rules === known ? [] : [rules]),
    `${caseText(evalCase, width)}\n`,
  ].join('\n\n');
}

function rulesText({ title, task, criteria }: ReviewOffer['standard'], width: number): string {
  const asks = [
    task === '' ? title : `${title}: ${task}`,
    ...criteria.map((criterion) => `- ${criterion.title}: ${criterion.rule}`),
  ];
  return asks.map((line) => wrap(plainText(line), width)).join('\n');
}

/** One answer of a person, as typed. */
type Typed = ReviewLabel['right'] | 'week' | 'never' | 'quit';

const typedAs = (line: string): Typed | undefined => {
  const word = line.trim().toLowerCase();
  if (word === 's') return 'week';
  if (word === 'n') return 'never';
  if (word === 'q') return 'quit';
  return reviewChoices.find(({ key, right }) => key === word || right === word)?.right;
};

/** Reads lines until one is an answer; the end of the input quits. @throws JuryError `bad-input` for a piped line that is none */
async function typedAnswer(
  { err }: CommandContext,
  lines: ReturnType<typeof openAnswerLines>,
): Promise<Typed> {
  for (;;) {
    err(PROMPT);
    const line = await lines.next();
    if (line === null) return 'quit';
    const typed = typedAs(line);
    if (typed !== undefined) return typed;
    if (!lines.typed)
      throw new JuryError('bad-input', `"${line.slice(0, 60)}" is no answer. Earlier answers are kept.`);
  }
}

/** Offers one answer after the other until the person stops, or nothing is left. Resolves to how many were kept. */
async function sit(
  context: CommandContext,
  reviews: ReviewParts,
  { run, voter }: { run: string; voter: string },
): Promise<number> {
  const lines = openAnswerLines(context, context.stop);
  try {
    let known = '';
    for (let kept = 0; ; ) {
      const next = await nextReview(reviews, voter, run);
      if (next.kind !== 'offer') {
        context.err(noReviewText[next.kind]);
        return kept;
      }
      const { width } = context.screen;
      context.err(offerText(next.offer, known, width));
      known = rulesText(next.offer.standard, width);
      const typed = await typedAnswer(context, lines);
      if (typed === 'quit') return kept;
      if (typed === 'week' || typed === 'never') {
        await skipReviews(reviews, voter, typed);
        context.err(noReviewText[typed === 'week' ? 'not-this-week' : 'never']);
        return kept;
      }
      const { kind } = await answerReview(reviews, voter, next.offer, typed);
      if (kind === 'kept') kept += 1;
      else context.err(answeredText[kind]);
    }
  } finally {
    lines.close();
  }
}

/** `jury review answer RUN`: a person checks answers without seeing what the judges said. */
export async function answer(
  context: CommandContext,
  run: string,
  { as }: { as: string },
): Promise<ExitCode> {
  const { parts, reviews } = await openReviews(context);
  const { name } = await requireRun(await context.runs(), run);
  const voter = (await parts.pseudonym())(importedPerson(as, parts.surfaces));
  // Who runs the command has volunteered by it.
  if ((await volunteer(reviews, voter)) === 'never')
    context.err('You had asked never to be offered answers; now you are again.');
  const kept = await sit(context, reviews, { run: name, voter });
  context.out(`${counted(kept, 'answer')} checked.`);
  return context.stop.aborted ? exitCode.interrupted : exitCode.ok;
}
