import type { AssistantReport, ChangedGroup } from '../../assistant/assistant-report.ts';
import { changeSections, closingLines, groupRows } from '../../assistant/assistant-words.ts';
import { type Html, html } from './html.ts';

const quoted = (who: string, text: string): Html =>
  html`<p class="who">${who}</p><blockquote dir="auto">${text}</blockquote>`;

const answerOf = ({ caseId, request, answer, reason }: ChangedGroup['answers'][number]): Html =>
  html`<details class="case"><summary><bdi>${caseId}</bdi><span class="why"><bdi>${reason}</bdi></span></summary>${quoted('User', request)}${quoted('Response that is judged', answer)}</details>`;

function groupHtml(group: ChangedGroup): Html {
  const more = group.n - group.answers.length;
  return html`${groupRows([group]).map(({ label, value }) => html`<details class="setup"><summary><bdi>${label}</bdi> <span class="count"><bdi>${value}</bdi></span></summary>${group.answers.map(answerOf)}${more > 0 ? html`<p class="note">${more} more</p>` : null}</details>`)}`;
}

/** How good the assistant is, in the first sentence of a page. */
export const assistantLead = (report: AssistantReport): Html =>
  html`${changeSections(report).map(({ headline, basis }) => html`<p class="lead"><b>${headline}</b></p><p class="meta"><bdi>${basis}</bdi></p>`)}${closingLines(report).map((line) => html`<p class="meta"><bdi>${line}</bdi></p>`)}`;

/** The answers that turned, by what they have in common; null if none did. */
export function assistantSection(report: AssistantReport): Html | null {
  const parts = changeSections(report).filter(({ turned }) => turned.length > 0);
  return parts.length === 0
    ? null
    : html`${parts.map(({ headline, turned }) => html`${parts.length > 1 ? html`<p>${headline}</p>` : null}${turned.map(({ title, groups }) => html`<h3>${title}</h3>${groups.map(groupHtml)}`)}`)}`;
}
