import type { DigestSchedule } from '../../digests/digest-schedule.ts';
import { timeZones } from '../../digests/when.ts';
import { type Choice, type FilledIn, type Form, type FormErrors, readForm } from '../form.ts';

const ids = {
  days: 'digest_days',
  time: 'digest_time',
  timezone: 'digest_timezone',
  benchmarks: 'digest_benchmarks',
} as const;

const DAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'].map(
  (title, index) => ({ id: String((index + 1) % 7), title }),
);

/** @param own is offered even if it goes by another name here */
export const zoneChoices = (own: string): Choice[] =>
  [...new Set([...timeZones(), own])].map((id) => ({ id, title: id.replaceAll('_', ' ') }));

/** Where a problem with the whole schedule is said. */
export const scheduleProblemAt = ids.days;

/** When a channel's digest comes. @param timezone of who schedules it */
export const scheduleForm = (
  timezone: string,
  benchmarks: Iterable<{ id: string; title: string }>,
): Form => ({
  title: 'Schedule a digest',
  send: 'Schedule',
  cancel: 'Cancel',
  parts: [
    {
      kind: 'multi-select',
      id: ids.days,
      label: 'Days',
      required: 'Choose at least one day.',
      choices: DAYS,
      initial: ['1'],
    },
    { kind: 'time', id: ids.time, label: 'Time', required: 'Give a time.', initial: '09:00' },
    {
      kind: 'select',
      id: ids.timezone,
      label: 'Time zone',
      search: true,
      choices: zoneChoices(timezone),
      initial: timezone,
    },
    {
      kind: 'multi-select',
      id: ids.benchmarks,
      advanced: true,
      label: 'Benchmarks to run before it',
      hint: 'Each run may cost, up to its budget.',
      none: 'None',
      choices: [...benchmarks].map(({ id, title }) => ({ id, title: `${title} (${id})` })),
    },
  ],
});

/** Reads {@link scheduleForm}. */
export function readScheduleForm(
  form: Form,
  filledIn: FilledIn,
): { schedule: Pick<DigestSchedule, 'cron' | 'timezone' | 'benchmarks'> } | { errors: FormErrors } {
  const read = readForm(form, filledIn);
  if ('errors' in read) return read;
  const { text, several } = read.values;
  const [hour, minute] = (text(ids.time) ?? '').split(':').map(Number);
  const days = several(ids.days);
  const on = days.length === DAYS.length ? '*' : [...days].sort().join(',');
  return {
    schedule: {
      cron: `${minute} ${hour} * * ${on}`,
      timezone: text(ids.timezone) ?? 'UTC',
      benchmarks: [...several(ids.benchmarks)],
    },
  };
}
