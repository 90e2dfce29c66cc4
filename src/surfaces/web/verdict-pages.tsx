import { type CardTexts, decisionText } from '../../judging/card.ts';
import { reasonOf } from '../../judging/why.ts';
import type { VerdictRecord } from '../../labels/verdict-record.ts';
import { isOpenToAll } from '../../labels/visible-verdict.ts';
import { detailsOf } from '../verdict-details.ts';
import { titleOf, toneMark, wordsOf } from '../wording.ts';
import { Section, type Shown, Verdict } from './card.tsx';

const minute = (at: number): string => new Date(at).toISOString().slice(0, 16).replace('T', ' ');

/** The newest verdicts, a row each. What people answer first has no outcome here. */
export const VerdictsPage = ({ records }: { records: readonly VerdictRecord[] }) => (
  <>
    <h1>Verdicts</h1>
    {records.length === 0 ? (
      <p>
        There are none yet. <a href="/">Ask for the first one</a>.
      </p>
    ) : (
      <table>
        <thead>
          <tr>
            <th scope="col">Verdict</th>
            <th scope="col">Request</th>
            <th scope="col">Reason</th>
            <th scope="col">Rubric</th>
            <th scope="col">When (UTC)</th>
          </tr>
        </thead>
        <tbody>
          {records.map((record) => {
            const { id, verdict, evalCase, at } = record;
            const isOpen = isOpenToAll(record);
            return (
              <tr key={id}>
                <td class="nowrap">
                  {isOpen ? `${toneMark(verdict.decision)} ${decisionText(verdict)}` : '🗳️ answer first'}
                </td>
                <td>
                  <a href={`/verdicts/${id}`}>{isOpen ? titleOf(evalCase) : wordsOf(evalCase)}</a>
                </td>
                <td>{isOpen ? reasonOf(verdict) : ''}</td>
                <td>{verdict.rubric}</td>
                <td class="nowrap">{minute(at)}</td>
              </tr>
            );
          })}
        </tbody>
      </table>
    )}
  </>
);

/** One verdict with all that was judged and said. */
export const VerdictPage = ({ shown, texts }: { shown: Shown; texts: CardTexts }) => (
  <>
    <h1 class="sr">Verdict</h1>
    <div class="view" data-verdict={shown.visible.record.id}>
      <Verdict shown={shown} isWhole />
    </div>
    {shown.visible.kind === 'hidden'
      ? null
      : detailsOf(shown.visible.record, texts).map((section) => (
          <Section key={section.title} section={section} />
        ))}
  </>
);
