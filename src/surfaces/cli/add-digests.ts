import type { Command } from 'commander';
import type { Parts } from '../parts.ts';
import type { PreviewOptions } from './digest.ts';
import type { ProgramContext } from './program.ts';
import type { ExitCode } from './terminal.ts';

interface Given {
  context: ProgramContext;
  end: (code: ExitCode) => void;
  withParts: (use: (parts: Parts) => Promise<unknown>) => Promise<void>;
}

const load = () => import('./digest.ts');

/** `jury digest …`: what is posted to channels at set times. */
export function addDigests(program: Command, { context, end, withParts }: Given): void {
  const digest = program.command('digest').description('digests: what channels are told at set times');
  digest
    .command('schedule')
    .summary('post a digest at set times')
    .description(
      'Posts a digest to a Slack channel at the times of a cron expression, for as long as "jury serve" runs somewhere.',
    )
    .argument('<cron>', 'minute, hour, day of month, month, day of week: "0 9 * * 1" is Mondays at 9:00')
    .argument('<channel>', 'id of the channel, such as C0123ABCD')
    .argument('[timezone]', 'IANA name such as Europe/Berlin', 'UTC')
    .argument(
      '[benchmark...]',
      'to run before it ("jury digest benchmarks" lists them), or runs of that name to tell of',
    )
    .option(
      '--owner <user>',
      'Slack id of the person who is told when posting fails (default: who made the channel)',
    )
    .action(
      async (
        cron: string,
        channel: string,
        timezone: string,
        benchmarks: string[],
        { owner = null }: { owner?: string | null },
      ) => {
        const { digestScheduleCommand } = await load();
        const wish = { cron, channel, timezone, benchmarks, owner };
        await withParts(async (parts) => end(await digestScheduleCommand(parts, context.terminal, wish)));
      },
    );
  digest
    .command('list')
    .description('list the schedules: when they come next, and how the last one went')
    .action(async () => {
      const { digestListCommand } = await load();
      await withParts(async (parts) => end(await digestListCommand(parts, context.terminal)));
    });
  digest
    .command('preview')
    .description('show the digest as it would be posted now, here; posts nothing')
    .argument('[id]', 'a schedule (default: everything that is kept)')
    .option('--json', 'as JSON', false)
    .option('--run', 'run the benchmarks of the schedule first, which may cost', false)
    .option('--chart <file>', 'write the chart as a PNG')
    .action(async (id: string | undefined, options: PreviewOptions) => {
      const { digestPreviewCommand } = await load();
      const { terminal, stop } = context;
      await withParts(async (parts) => end(await digestPreviewCommand(parts, terminal, id, options, stop)));
    });
  digest
    .command('benchmarks')
    .description('list the benchmarks that can be run before a digest')
    .action(async () => {
      const { digestBenchmarksCommand } = await load();
      await withParts(async (parts) => end(await digestBenchmarksCommand(parts, context.terminal)));
    });
  const changes = {
    pause: 'post no more of a schedule until it is resumed',
    resume: 'let a paused schedule go on; what was due in between is not posted',
    remove: 'delete a schedule',
  } as const;
  for (const change of ['pause', 'resume', 'remove'] as const)
    digest
      .command(change)
      .description(changes[change])
      .argument('<id>', 'a schedule; "jury digest list" names them')
      .action(async (id: string) => {
        const { digestChangeCommand } = await load();
        await withParts(async (parts) => end(await digestChangeCommand(parts, context.terminal, change, id)));
      });
  digest
    .command('send')
    .description('post what is due now and end; for those who have a scheduler of their own')
    .action(async () => {
      const { digestSendCommand } = await load();
      await withParts(async (parts) => end(await digestSendCommand(parts, context.terminal, context.stop)));
    });
}
