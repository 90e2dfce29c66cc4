import { counted } from '../../common/text/index.ts';

/** Setting up digests and alerts: help, lists, forms, what changed, and what is wrong with a wish. */
export const schedules = {
  digestHelp: (command: string) =>
    `Digests of this channel
${command} digest schedule – a form; or say it: ${command} digest every monday 9am Europe/Berlin [benchmark …] [by tag]
… and checked by <people> at the end asks them to check answers of these runs, drawn by chance
… and votes of everybody at the end counts votes and spot checks of all conversations, not of this one alone
${command} digest list – what is scheduled here, by whom, and when it comes next
${command} digest preview [id] – shows what it would say now
${command} digest send now [id] – posts it here, besides its schedule
${command} digest pause, resume or remove <id>
${command} digest benchmarks – what can be run before it`.split('\n'),
  alertHelp: (command: string) =>
    `Alerts of this channel: posted once when a benchmark's run crosses a limit for sure, and once when it is back
${command} alert nightly below 90% – the share of decided answers that pass
${command} alert nightly mean below 3.5 – the mean score
${command} alert nightly worse than baseline by 3 points
${command} alert nightly coverage below 95% – the share of answers that get a decision
${command} alert nightly latency above 2 s – the median
${command} alert nightly blockers – only answers that newly fail a criterion of severity blocker; every alert posts them
… and webhook <name> at the end calls a webhook, too
${command} alert list – what is set here, by whom, and where it stands
${command} alert pause, resume or remove <id>`.split('\n'),
  when: {
    groups: { all: 'every day', weekdays: 'weekdays', weekends: 'weekends' },
    /** @param day such as `Monday` */
    onDay: (day: string) => `${day}s`,
    hourly: ({ past, days }: { past: string; days: string | null }) =>
      `every hour at ${past}${days === null ? '' : `, ${days}`}`,
    at: ({ days, times }: { days: string; times: string }) => `${days} at ${times}`,
  },
  text: {
    by: (tag: string) => ` by ${tag}`,
    with: (benchmarks: readonly string[]) => `, with ${benchmarks.join(', ')}`,
    checkedBy: ({ size, people }: { size: number; people: number }) =>
      `, ${counted(size, 'answer')} of each run checked by ${counted(people, 'person', 'people')}`,
    everywhere: ', votes of all conversations',
    paused: 'paused',
    next: (moment: string) => `next ${moment}`,
    failed: ({ count, retry }: { count: number; retry: string }) =>
      `failed ${count === 1 ? 'once' : `${count} times`}, next attempt ${retry}`,
    sending: 'being sent',
    last: (moment: string) => `last one ${moment}`,
  },
  benchmark: (of: {
    id: string;
    title: string;
    models: readonly string[];
    methods: readonly string[];
    /** Null: none. */
    budget: string | null;
  }) =>
    `${of.id}: ${of.title}; judged by ${of.models.length === 0 ? 'the default model' : of.models.join(', ')}${of.methods.length === 0 ? '' : ` with ${of.methods.join(', ')}`}; ${of.budget === null ? 'no budget' : `at most ${of.budget} a run`}`,
  name: {
    alert: ({ id, rule }: { id: string; rule: string }) => `the alert ${id} (${rule})`,
    digest: ({ id, when }: { id: string; when: string }) => `the digest ${id} (${when})`,
  },
  /** After a person's name. */
  did: {
    pause: (what: string) => ` paused ${what}`,
    resume: (what: string) => ` resumed ${what}`,
    remove: (what: string) => ` removed ${what}`,
    send: (what: string) => ` sent ${what}`,
  },
  /** Between `did` and its end stands the person. */
  whose: {
    alert: { before: ', which ', after: ' had set.' },
    digest: { before: ', which ', after: ' had scheduled.' },
  },
  is: {
    pause: (id: string) => `${id} is paused.`,
    resume: (id: string) => `${id} is resumed.`,
    remove: (id: string) => `${id} is removed.`,
  },
  scheduled: 'Scheduled. ',
  scheduledShort: 'Scheduled.',
  ifNotPosted: 'If I cannot post here when it is due, I will message you.',
  scheduledBy: '; scheduled by ',
  setBy: '; set by ',
  noneScheduled: 'No digests are scheduled here.',
  noneSet: 'No alerts are set here.',
  alertSet: ({ id, what, state }: { id: string; what: string; state: string }) =>
    `${id} is set: ${what}; ${state}.`,
  alertSetBy: ({ id, what, state }: { id: string; what: string; state: string }) =>
    ` set an alert (${id}): ${what}; ${state}.`,
  promise: ' I’ll post here once it has clearly changed.',
  onItsWay: (id: string) => `${id} is on its way; with benchmarks to run first, it takes a while.`,
  onItsWayToo: ' It is on its way; with benchmarks to run first, it takes a while.',
  unreadTime: (text: string) =>
    `I could not read a time in “${text}”. Say “every monday 9am”, “weekdays at 8:30” or cron fields such as “0 9 * * 1”.`,
  whenHere: 'When should a digest come here?',
  done: 'Done.',
  form: {
    title: 'Schedule a digest',
    send: 'Schedule',
    days: 'Days',
    daysRequired: 'Choose at least one day.',
    time: 'Time',
    timeRequired: 'Give a time.',
    timezone: 'Time zone',
    benchmarks: 'Benchmarks to run before it',
    benchmarksHint: 'Each run may cost, up to its budget.',
    votes: 'Votes and spot checks',
    votesHere: 'Of this conversation',
    votesEverywhere: 'Of all conversations',
    by: 'Look at each value of a tag',
    byHint: 'Such as language: the digest says if one of its values got worse.',
    reviewers: 'Who checks answers',
    reviewersHint:
      'User ids, separated by commas: they are asked about 40 answers of each run, drawn by chance.',
  },
  wrong: {
    elsewhere: {
      alert: (id: string) => `The alert ${id} belongs to another channel: change it there.`,
      digest: (id: string) => `The schedule ${id} belongs to another channel: change it there.`,
    },
    nothingHere: (command: string) => `No digests are scheduled here: ${command} digest schedule adds one.`,
    whichOne: ({ command, ids }: { command: string; ids: readonly string[] }) =>
      `Which one? Say ${command} digest send now ${ids.join(' or ')}.`,
    ownChannel:
      'A channel schedules its own digests: use the same command there, without the channel’s name.',
    benchmarkFirst: 'Name the benchmark first, such as “nightly below 90 %”.',
    noLimit: ({ number, unit }: { number: string; unit: string }) =>
      `“${number}${unit === '' ? '' : ` ${unit}`}” is not a limit here. Write ${RULES}.`,
    noRule: ({ words, near }: { words: string; near: string | null }) =>
      `“${words}” is not an alert rule.${meant(near)} Write ${RULES}.`,
    alertTwin: (of: { id: string; isPaused: boolean; isOtherWebhook: boolean }) =>
      `${of.id} does that already${of.isPaused ? '. It is paused: resume it' : of.isOtherWebhook ? ', with another webhook or none: remove it first' : ''}. Nothing was added.`,
    twin: (of: { id: string; when: string; timezone: string; isPaused: boolean; isOtherReview: boolean }) =>
      `${of.id} does that already: ${of.when} (${of.timezone})${of.isPaused ? `. It is paused: resume ${of.id}` : of.isOtherReview ? ', with others who check answers or none: remove it first' : ''}. Nothing was added.`,
    noTimezone: ({ name, meant }: { name: string; meant: string | null }) =>
      `"${name}" is not a time zone: ${meant === null ? 'give an IANA name such as Europe/Berlin or UTC' : `did you mean ${meant}?`}`,
    never: (cron: string) => `"${cron}" never occurs: give a date that exists.`,
    tooOften: (cron: string) =>
      `"${cron}" would post more often than once an hour, which is too often for a channel.`,
    sending: (id: string) => `The digest of ${id} is being sent already.`,
    badCron: ({ cron, why }: { cron: string; why: string }) =>
      `"${cron}" is not a valid schedule: ${why}. Give minute, hour, day of month, month and day of week, such as "0 9 * * 1" for Mondays at 9:00.`,
    /** @param of.none what to say if there are none at all */
    noSuch: (of: {
      what: 'alert' | 'schedule' | 'webhook';
      id: string;
      near: string | null;
      all: readonly string[];
      none: string;
    }) =>
      `There is no ${of.what} "${of.id}".${meant(of.near)} ${of.all.length === 0 ? of.none : `There are: ${of.all.join(', ')}.`}`,
    none: {
      alert: 'There are no alerts yet.',
      schedule: 'There are no schedules yet.',
      webhook: 'Set JURY_WEBHOOKS on the server, such as pager=https://….',
    },
    noBenchmark: ({ name, near, all }: { name: string; near: string | null; all: readonly string[] }) =>
      `There is no benchmark or series of runs named "${name}".${meant(near)} Benchmarks: ${all.join(', ')}. Your Jury admin can add others on the server.`,
  },
};

const RULES =
  '“below 90 %”, “mean below 3.5”, “worse than baseline by 3 points”, “coverage below 95 %”, “latency above 2 s” or “blockers”';

const meant = (near: string | null): string => (near === null ? '' : ` Did you mean "${near}"?`);
