import { progressOfAll } from '../../studies/annotation.ts';
import { findStudy } from '../../studies/manage-studies.ts';
import type { Parts } from '../parts.ts';
import { type ExitCode, exitCode, type Terminal } from './console.ts';
import { counted, jsonLine, plainText } from './plain-text.ts';

/** `jury study list`. */
export async function listStudiesCommand(
  parts: Parts,
  { out, err }: Terminal,
  json: boolean,
): Promise<ExitCode> {
  const store = await parts.store();
  const all = await store.studies();
  for (const { id } of all) {
    const study = await store.study(id);
    if (study === null) continue;
    const annotations = await store.annotations(id);
    const { name, closed, cases, at } = study;
    const progress = progressOfAll(study, annotations);
    const told = progress.map(({ person, done, total }) => `${person} ${done} of ${total}`).join(', ');
    out(
      json
        ? jsonLine({ id, name, at: new Date(at).toISOString(), closed, cases: cases.length, progress })
        : plainText(
            `${id}: ${name}, ${counted(cases.length, 'case')}${closed ? ', closed' : ''}; ${told === '' ? 'no annotators any more' : told}`,
          ),
    );
  }
  if (all.length === 0) err('There are no studies. "jury study create --help" shows how to make one.');
  return exitCode.ok;
}

/** `jury study close|reopen|remove`. */
export async function changeStudyCommand(
  parts: Parts,
  { out }: Terminal,
  change: 'close' | 'reopen' | 'remove',
  id: string,
): Promise<ExitCode> {
  const store = await parts.store();
  await findStudy(store, id);
  if (change === 'remove') await store.removeStudy(id);
  else await store.closeStudy(id, change === 'close');
  out(`${id}: ${{ close: 'closed', reopen: 'open again', remove: 'removed' }[change]}`);
  return exitCode.ok;
}
