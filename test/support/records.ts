import { decide } from '../../src/judging/decide.ts';
import type { Judgement } from '../../src/judging/verdict/judgement.ts';
import type { Verdict } from '../../src/judging/verdict/verdict.ts';
import type { VerdictRecord } from '../../src/labels/record/verdict-record.ts';
import { subjectsOf } from '../../src/labels/record/vote-subjects.ts';
import { aCase, aDebate, aMethod, aPanel, aRubric, judgementOf, type Said } from './builders.ts';

/** The verdict that rounds of answers come to; every text of it can be put in place of its own. */
export function verdictFrom(
  rounds: readonly (readonly Said[])[],
  { criteria = 2, text }: { criteria?: number; text?: string } = {},
): Verdict {
  const panel = aPanel(rounds[0]?.length ?? 0);
  const ids = [
    'first',
    'second',
    ...Array.from({ length: Math.max(0, criteria - 2) }, (_, index) => `c${index}`),
  ];
  const rubric = aRubric({
    criteria: ids.slice(0, criteria).map((id) => ({ id, title: text ?? id.toUpperCase(), rule: 'It fits.' })),
  });
  const said = rounds.map((answers, round) =>
    panel.seats.flatMap(({ judge }, seat): Judgement[] => {
      const answer = answers[seat];
      if (answer === undefined) return [];
      const findings =
        'decision' in answer
          ? { findings: Object.fromEntries(ids.slice(0, criteria).map((id) => [id, answer.decision])) }
          : {};
      const judgement = judgementOf({ judge, round }, { ...answer, ...findings });
      if (text === undefined) return [judgement];
      const found = judgement.criteria.map((finding) => ({ ...finding, rationale: text }));
      return [
        judgement.status === 'scored'
          ? { ...judgement, rationale: text, criteria: found }
          : { ...judgement, message: text, criteria: found },
      ];
    }),
  );
  const outcome = decide({
    deliberation: { rounds: said, cancelled: false },
    panelSize: panel.seats.length,
    method: rounds.length > 1 ? aDebate() : aMethod(),
    criteria: rubric.criteria,
    setAside: [],
  });
  return {
    caseId: 'c1',
    rubric: 'plain',
    method: 'm',
    ...outcome,
    settings: {
      panel: panel.seats.map(({ judge: { persona, model } }) => ({ persona, model })),
      temperature: 0,
      seed: null,
      rounds: rounds.length,
      examples: 0,
    },
    assumed: [],
    remarks: [],
    startedAt: '2026-01-01T00:00:00.000Z',
    durationMs: 1234,
  };
}

/** A kept verdict; parts can be replaced. */
export function aRecord(verdict: Verdict, parts: Partial<VerdictRecord> = {}): VerdictRecord {
  return {
    id: 'v1',
    at: Date.UTC(2026, 0, 1),
    evalCase: aCase(),
    verdict,
    source: { surface: 'slack', team: 'T1', channel: 'C1', thread: '1.0', message: '1.1' },
    subjects: subjectsOf(verdict),
    ...parts,
  };
}
