import type { AssistantReport } from '../../benchmark/assistant/assistant-report.ts';
import { changeSections, closingLines, groupRows } from '../../benchmark/assistant/assistant-words.ts';
import { readBaseline, setBaseline } from '../../benchmark/baseline.ts';
import { requireRun } from '../../benchmark/make-report.ts';
import { JuryError } from '../../common/errors.ts';
import { jsonLine, plainLine } from '../../common/text.ts';
import type { CommandContext } from './command-context.ts';
import type { Screen } from './terminal.ts';
import { hang } from './wrap.ts';

/** What a report says of the assistant: each change with what broke, then how sure that is. */
export function assistantLines({ colors, width }: Screen, report: AssistantReport): string[] {
  const wrapped = (text: string, margin = '') => hang(margin, plainLine(text), width);
  return [
    ...changeSections(report).flatMap(({ headline, basis, turned }) => [
      '',
      ...wrapped(headline).map((line) => colors.bold(line)),
      ...(basis === '' ? [] : wrapped(basis).map((line) => colors.dim(line))),
      ...turned.flatMap(({ title, groups }) => [
        title,
        ...groupRows(groups).flatMap(({ label, value }) => wrapped(`${label}: ${value}`, '  ')),
      ]),
    ]),
    ...closingLines(report).flatMap((line) => wrapped(line).map((part) => colors.dim(part))),
  ];
}

/** `jury bench baseline BENCHMARK [RUN]`. @throws JuryError `usage` if there is no such run */
export async function baseline(
  context: CommandContext,
  benchmark: string,
  run: string | undefined,
  { name, remove = false, json }: { name?: string; remove?: boolean; json: boolean },
): Promise<void> {
  if (run !== undefined && remove)
    throw new JuryError('usage', 'Name a run to set the baseline, or --remove it. Nothing was changed.');
  const parts = await context.parts();
  const store = await parts.store();
  if (run !== undefined) {
    const manifest = await requireRun(await context.runs(), run);
    await setBaseline(store, benchmark, { name: name ?? manifest.name, run: manifest.name }, parts.now());
  } else if (remove) await setBaseline(store, benchmark, null, parts.now());
  const set = await readBaseline(store, benchmark, parts.now());
  if (json) context.out(jsonLine(set));
  else if (set === null) context.out(`${plainLine(benchmark)} has no baseline.`);
  else {
    const called = set.name === set.run ? '' : `, called ${plainLine(set.name)}`;
    context.out(`The baseline of ${plainLine(benchmark)} is ${set.run}${called}.`);
  }
}
