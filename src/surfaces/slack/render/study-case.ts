import type { KnownBlock, ModalView } from '@slack/types';
import { type ShownPart, shownCase } from '../../../studies/annotation.ts';
import type { Study, StudyCase } from '../../../studies/study.ts';
import { oneLine, safeText, shortened } from '../../safe-text.ts';
import { actions } from '../ids.ts';
import {
  bold,
  button,
  buttonRow,
  context,
  header,
  limits,
  pagesOf,
  paragraph,
  plain,
  rich,
  section,
  words,
} from './blocks.ts';
import { long } from './details.ts';
import { studyValue } from './study-message.ts';

/** Short parts stand together, so that a whole case is seen at once. */
const SHORT = 200;
const TITLE = 120;
/** Parts in one block of short ones. */
const TOGETHER = 12;

const isShort = ({ text }: ShownPart): boolean => text.length <= SHORT;
const headOf = ({ title }: ShownPart) => bold(shortened(oneLine(title), TITLE));

function partBlocks(parts: readonly ShownPart[]): KnownBlock[] {
  const groups: ShownPart[][] = [];
  for (const part of parts) {
    const last = groups.at(-1);
    const first = last?.[0];
    if (
      last !== undefined &&
      first !== undefined &&
      isShort(part) &&
      isShort(first) &&
      last.length < TOGETHER
    )
      last.push(part);
    else groups.push([part]);
  }
  return groups.flatMap((group) => {
    const [first] = group;
    if (first !== undefined && group.length === 1 && !isShort(first)) return long(headOf(first), first.text);
    const lines = group.flatMap((part, index) => [
      ...words(index === 0 ? '' : '\n'),
      ...headOf(part),
      ...words(`  ${safeText(part.text).trim()}`),
    ]);
    return [rich(section(lines))];
  });
}

/** A case without its label, id or rubric: what the user brings, what the system answers. */
export function studyCaseBlocks({ evalCase }: StudyCase): KnownBlock[] {
  const { user, system } = shownCase(evalCase);
  return [header('User'), ...partBlocks(user), header('System'), ...partBlocks(system)];
}

/** What annotators go by. */
export function standardBlocks({ standard }: Pick<Study, 'standard'>): KnownBlock[] {
  return [
    header('Guide: what you go by'),
    ...long(bold('Task'), standard.task),
    ...standard.criteria.flatMap(({ title, rule }) => long(bold(shortened(oneLine(title), TITLE)), rule)),
  ];
}

const OWN_BLOCKS = 4;
const OWN_TEXT = 500;

/**
 * The whole of a case with what annotators go by, in pages, to be laid over the form.
 *
 * @param place where in the annotator's order
 * @param page from 0; the nearest one where there is no such page
 */
export function studyCaseView(study: Study, shown: StudyCase, place: number, page: number): ModalView {
  const pages = pagesOf([...studyCaseBlocks(shown), ...standardBlocks(study)], {
    blocks: limits.viewBlocks - OWN_BLOCKS,
    text: limits.viewText - OWN_TEXT,
  });
  const at = Math.min(Math.max(page, 0), pages.length - 1);
  const turn = (text: string, action: string, to: number) =>
    button({ text, action, value: `${studyValue(study)} ${place} ${to}` });
  const turns = [
    ...(at > 0 ? [turn('← Back', actions.studyCaseBack, at - 1)] : []),
    ...(at < pages.length - 1 ? [turn('Next →', actions.studyCasePage, at + 1)] : []),
  ];
  return {
    type: 'modal',
    title: plain(`Case ${place + 1}`, limits.viewTitle),
    close: plain('Back to the form', limits.viewButton),
    blocks: [
      ...(pages[at] ?? [paragraph(words('Nothing.'))]),
      ...(turns.length === 0 ? [] : [context(`Page ${at + 1} of ${pages.length}`), buttonRow(...turns)]),
    ],
  };
}
