import { DAY_MS } from '../../common/index.ts';
import {
  type Alert,
  type DigestSchedule,
  readRule,
  readScheduleWords,
  scheduledReview,
  timeZones,
  type VoteScope,
  zoneIn,
} from '../../digests/index.ts';
import { type Language, WordedError, wordsIn } from '../../words/index.ts';
import { type Choice, type FilledIn, type Form, type FormErrors, readForm } from '../forms/index.ts';

const CHANGES = ['pause', 'resume', 'remove'] as const;
export type Change = (typeof CHANGES)[number];

/** A parsed `/jury digest …` or `/jury alert …`; `help` if it is not understood. */
export type DigestCommand =
  | { kind: 'alert'; words: string[] }
  | ({
      kind: 'schedule';
      channel: string | null;
      timezone: string | null;
      votes?: VoteScope;
      /** Ids of the people who check answers of its runs. */
      reviewers?: string[];
    } & Pick<DigestSchedule, 'cron' | 'benchmarks' | 'by'>)
  | { kind: 'form' | 'list' | 'benchmarks' }
  | { kind: 'preview' | 'send'; id: string | null }
  | { kind: Change; id: string }
  | { kind: 'help'; unread?: string };

/** The words of a text, without quotation marks: people put them around cron fields, which are read without. */
const wordsOf = (text: string): string[] => text.split(/[\s"“”„]+/).filter((word) => word !== '');

/** The people in a list such as `U0123ABCD, <@U0456EFGH|bob> and name:ann`: a mention is its id. */
const peopleIn = (text: string): string[] =>
  text
    .split(/[\s,;]+/)
    .filter((word) => word !== '' && word.toLowerCase() !== 'and')
    .map((word) => /^<@([A-Z0-9]+)(?:\|[^>]*)?>$/.exec(word)?.[1] ?? word);

/** Splits off the people after "checked by". */
function splitReviewers(words: readonly string[]): { before: string[]; reviewers: string[] } {
  const at = words.findIndex((word, index) => /^checked by$/i.test(`${word} ${words[index + 1] ?? ''}`));
  if (at < 0) return { before: [...words], reviewers: [] };
  return { before: words.slice(0, at), reviewers: peopleIn(words.slice(at + 2).join(' ')) };
}

/** Takes `by TAG` out of the words. */
function withoutTag(words: readonly string[]): { words: string[]; by: string | null } {
  const at = words.findIndex((word) => word.toLowerCase() === 'by');
  const by = at < 0 ? undefined : words[at + 1];
  return by === undefined ? { words: [...words], by: null } : { words: words.toSpliced(at, 2), by };
}

/** Whose votes a digest counts, said at the end. */
const OF_EVERYBODY = /\s*\bvotes of (?:everybody|everyone)$/i;

/**
 * Reads a time, optionally followed by a channel, a time zone, benchmarks, `by TAG`, "checked by" with people, and "votes of
 * everybody", in this order.
 */
function readSchedule(words: readonly string[], channelIn: (word: string) => string | null): DigestCommand {
  const said = words.join(' ');
  const read = readScheduleWords(wordsOf(said.replace(OF_EVERYBODY, '')));
  if (read === null) return { kind: 'help', unread: said };
  // People first: "checked by" is no tag.
  const { before, reviewers } = splitReviewers(read.rest);
  const { words: rest, by } = withoutTag(before);
  const taken = (find: (word: string) => string | null) => {
    const value = find(rest[0] ?? '');
    if (value !== null) rest.shift();
    return value;
  };
  const channel = taken(channelIn);
  return {
    kind: 'schedule',
    cron: read.cron,
    channel,
    timezone: taken(zoneIn),
    benchmarks: rest,
    by,
    ...(reviewers.length === 0 ? {} : { reviewers }),
    ...(OF_EVERYBODY.test(said) ? { votes: 'everywhere' as const } : {}),
  };
}

/**
 * Reads a digest or alert command.
 * @param channelIn the id or name of the channel that a word stands for; null for any other word
 * @returns null if the text is not such a command, for example a paste
 */
export function readDigestCommand(
  text: string,
  channelIn: (word: string) => string | null,
): DigestCommand | null {
  const [first = '', ...words] = wordsOf(text.trim());
  if (text.includes('\n')) return null;
  if (first.toLowerCase() === 'alert') return { kind: 'alert', words };
  if (first.toLowerCase() !== 'digest') return null;
  const [verb = '', ...rest] = words;
  const [id] = rest.filter((word) => word.toLowerCase() !== 'now');
  const kind = verb.toLowerCase();
  switch (kind) {
    case '':
    case 'help':
      return { kind: 'help' };
    case 'schedule':
      return rest.length === 0 ? { kind: 'form' } : readSchedule(rest, channelIn);
    case 'list':
    case 'benchmarks':
      return { kind };
    case 'preview':
    case 'send':
      return { kind, id: id ?? null };
    case 'pause':
    case 'resume':
    case 'remove':
      return id === undefined ? { kind: 'help' } : { kind, id };
    default:
      return readSchedule(words, channelIn);
  }
}

function isRule(words: string): boolean {
  try {
    readRule(words);
    return true;
  } catch {
    return false;
  }
}

/** Reads the words of an alert, such as `nightly below 90% webhook pager`. @throws JuryError `usage` */
export function readAlert(words: readonly string[]): Pick<Alert, 'benchmark' | 'rule' | 'webhook'> {
  const [benchmark = '', ...rest] = words;
  const at = rest.findIndex((word) => word.toLowerCase() === 'webhook');
  const webhook = at < 0 ? null : (rest[at + 1] ?? '');
  const ruleWords = at < 0 ? rest : rest.slice(0, at);
  if (isRule([benchmark, ...ruleWords].join(' ')))
    throw new WordedError('usage', ({ schedules }) => schedules.wrong.benchmarkFirst);
  return { benchmark, rule: readRule(ruleWords.join(' ')), webhook };
}

const ids = {
  days: 'digest_days',
  time: 'digest_time',
  timezone: 'digest_timezone',
  benchmarks: 'digest_benchmarks',
  reviewers: 'digest_reviewers',
  votes: 'digest_votes',
  by: 'digest_by',
} as const;

const SUNDAY = Date.UTC(2024, 0, 7);

/** The days of the week, Monday first, with cron's numbers for them. */
function daysIn(language: Language): Choice[] {
  const format = new Intl.DateTimeFormat(wordsIn(language).digests.locale, {
    weekday: 'long',
    timeZone: 'UTC',
  });
  return [1, 2, 3, 4, 5, 6, 0].map((day) => ({
    id: String(day),
    title: format.format(SUNDAY + day * DAY_MS),
  }));
}

/** Time zones to choose from. @param own always included, even if this platform lists it under another name */
export const zoneChoices = (ownZone: string): Choice[] =>
  [...new Set([...timeZones(), ownZone])].map((id) => ({ id, title: id.replaceAll('_', ' ') }));

/** The field for errors about the whole schedule. */
export const scheduleProblemAt = ids.days;

/** The form to schedule a channel's digest. @param timezone the person's own, preselected */
export function scheduleForm(
  timezone: string,
  benchmarks: Iterable<{ id: string; title: string }>,
  language: Language,
): Form {
  const { forms, schedules } = wordsIn(language);
  const words = schedules.form;
  return {
    title: words.title,
    send: words.send,
    cancel: forms.cancel,
    parts: [
      {
        kind: 'multi-select',
        id: ids.days,
        label: words.days,
        required: words.daysRequired,
        choices: daysIn(language),
        initial: ['1'],
      },
      { kind: 'time', id: ids.time, label: words.time, required: words.timeRequired, initial: '09:00' },
      {
        kind: 'select',
        id: ids.timezone,
        label: words.timezone,
        search: true,
        choices: zoneChoices(timezone),
        initial: timezone,
      },
      {
        kind: 'multi-select',
        id: ids.benchmarks,
        advanced: true,
        label: words.benchmarks,
        hint: words.benchmarksHint,
        none: forms.none,
        choices: [...benchmarks].map(({ id, title }) => ({ id, title: `${title} (${id})` })),
      },
      {
        kind: 'select',
        id: ids.votes,
        advanced: true,
        label: words.votes,
        choices: [
          { id: 'here', title: words.votesHere },
          { id: 'everywhere', title: words.votesEverywhere },
        ],
        initial: 'here',
      },
      { kind: 'text', id: ids.by, advanced: true, label: words.by, hint: words.byHint },
      {
        kind: 'text',
        id: ids.reviewers,
        advanced: true,
        label: words.reviewers,
        hint: words.reviewersHint,
        maxLength: 1_000,
      },
    ],
  };
}

/** What a schedule says of the people who check answers; nothing without any. */
export function reviewBy(people: readonly string[], size?: number): Pick<DigestSchedule, 'review'> {
  const review = scheduledReview(people, size);
  return review === undefined ? {} : { review };
}

/** Reads {@link scheduleForm}. */
export function readScheduleForm(
  form: Form,
  filledIn: FilledIn,
):
  | { schedule: Pick<DigestSchedule, 'cron' | 'timezone' | 'benchmarks' | 'by' | 'votes' | 'review'> }
  | { errors: FormErrors } {
  const read = readForm(form, filledIn);
  if ('errors' in read) return read;
  const { text, several } = read.values;
  const [hour, minute] = (text(ids.time) ?? '').split(':').map(Number);
  const days = several(ids.days);
  const on = days.length === 7 ? '*' : [...days].sort().join(',');
  return {
    schedule: {
      cron: `${minute} ${hour} * * ${on}`,
      timezone: text(ids.timezone) ?? 'UTC',
      benchmarks: [...several(ids.benchmarks)],
      ...reviewBy(peopleIn(text(ids.reviewers) ?? '')),
      by: text(ids.by) ?? null,
      ...(text(ids.votes) === 'everywhere' ? { votes: 'everywhere' as const } : {}),
    },
  };
}
