import { counted, grouped } from '../../../common/text.ts';
import type { Mistake, Words } from '../mistake.ts';
import type { Report, SetupReport } from '../report.ts';
import { numberOf } from '../tables.ts';
import { type Html, html } from './html.ts';
import { setupName } from './table.ts';

const said: Record<Mistake['outcome'], string> = {
  pass: 'judged right, is wrong',
  fail: 'judged wrong, is right',
  undecided: 'undecided',
  'no-quorum': 'no quorum',
  unanswered: 'unanswered',
};

/** Pasted text: escaped, with its own lines and text direction. */
const quoted = (text: string): Html => html`<blockquote dir="auto">${text}</blockquote>`;

const decisionMark = { pass: '✓ pass', fail: '✗ fail', scored: '• score', unscored: '? no answer' } as const;

function judgementOf({
  round,
  persona,
  model,
  sample,
  decision,
  score,
  confidence,
  reason,
  text,
}: Words['judgements'][number]): Html {
  const who = [persona ?? 'judge', model, ...(sample > 0 ? [`sample ${sample + 1}`] : [])].join(' · ');
  const extra = [
    ...(score === null ? [] : [`score ${score}`]),
    ...(confidence === null ? [] : [`confidence ${confidence.toFixed(2)}`]),
    ...(reason === null ? [] : [reason]),
  ];
  return html`<li class="${decision}"><p class="who">Round ${round + 1} · ${who}: <b>${decisionMark[decision]}</b>${extra.length === 0 ? null : ` (${extra.join(', ')})`}</p>${text === '' ? null : quoted(text)}</li>`;
}

const wordsOf = (words: Words | null): Html =>
  words === null
    ? html`<p class="note">The case is not kept.</p>`
    : html`${words.conversation.map(({ role, text }) => html`<p class="who">${role === 'user' ? 'User' : 'System'}</p>${quoted(text)}`)}<p class="who">Response that is judged</p>${quoted(words.response)}${words.given === null ? null : html`<details class="given"><summary>What else the judges were given</summary><blockquote><code>${words.given}</code></blockquote></details>`}<ol class="said">${words.judgements.map(judgementOf)}</ol>`;

const mistakeOf = (mistake: Mistake, repeats: number): Html =>
  html`<details class="case"><summary><bdi>${mistake.caseId}</bdi>${repeats > 1 ? ` #${mistake.repeat}` : null} <span class="tag ${mistake.outcome}">${said[mistake.outcome]}</span>${mistake.errorType === null ? null : html` <span class="tag">error: <bdi>${mistake.errorType}</bdi></span>`}<span class="why"><bdi>${mistake.why}</bdi></span></summary>${wordsOf(mistake.words)}</details>`;

function setupMistakes(
  setup: SetupReport,
  own: readonly Mistake[],
  count: number,
  setups: readonly SetupReport[],
): Html {
  const { fp, fn } = setup.effectiveness.decided.counts;
  const parts = [
    ...(fp > 0 ? [`${grouped(fp)} wrongly passed`] : []),
    ...(fn > 0 ? [`${grouped(fn)} wrongly failed`] : []),
    ...(count > fp + fn ? [`${grouped(count - fp - fn)} without a decision`] : []),
  ];
  const more = count - own.length;
  return html`<details class="setup" id="mistakes-${numberOf(setups, setup.id)}"><summary>${setupName(setups, setup.id)} <span class="count">${count === 0 ? 'none' : parts.join(', ')}</span></summary>${own.map((one) => mistakeOf(one, setup.repeats))}${more > 0 ? html`<p class="note">${counted(more, 'more mistake')} of this configuration: in <code>trials.jsonl</code> beside this page.</p>` : null}</details>`;
}

/** The mistakes of each setup, with the judges' rationales. */
export const mistakesSection = ({ setups, mistakes }: Report): Html =>
  html`${setups.map((setup) =>
    setupMistakes(
      setup,
      mistakes.shown.filter((one) => one.setup === setup.id),
      mistakes.counts[setup.id] ?? 0,
      setups,
    ),
  )}`;
