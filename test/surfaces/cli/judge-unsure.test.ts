import { describe, expect, test } from 'vitest';
import { ALIKE_LINE, UNSURE, UNSURE_ALIKE, UNSURE_LINE } from '../../support/pastes.ts';
import { jury, verdictsOf } from '../../support/run-jury.ts';

describe('jury judge, with a line that may belong to the answer', () => {
  test('judges where it makes no difference, and names it', async () => {
    const ran = await jury(['judge', '--json'], { input: UNSURE_ALIKE });
    expect(ran.code).toBe(0);
    expect(verdictsOf(ran)).toMatchObject([{ leftOut: ALIKE_LINE }]);
    expect(ran.err).toContain(`left out: "${ALIKE_LINE}"`);
    const card = await jury(['judge'], { input: UNSURE_ALIKE });
    expect(card.out).toContain(`Left out: “${ALIKE_LINE}”`);
  });

  test('judges nothing where the outcome depends on it, and prints both readings', async () => {
    const ran = await jury(['judge'], { input: UNSURE });
    expect([ran.code, ran.out]).toEqual([64, '']);
    expect(ran.err).toContain(`as a remark, the answer is "Sakura is five minutes away."`);
    expect(ran.err).toContain(`five minutes away. ${UNSURE_LINE}"`);
    expect(ran.err).toContain('--unsure remark or --unsure answer');
  });

  test('takes a choice', async () => {
    const remark = await jury(['judge', '--json', '--unsure', 'remark'], { input: UNSURE });
    expect(verdictsOf(remark)).toMatchObject([{ leftOut: UNSURE_LINE }]);
    const [answer] = verdictsOf(await jury(['judge', '--json', '--unsure', 'answer'], { input: UNSURE }));
    expect(answer?.leftOut).toBeUndefined();
    expect(answer?.assumed).toContain(`"${UNSURE_LINE}" was read as part of the response`);
    const refused = await jury(['judge', '--unsure', 'refuse'], { input: UNSURE_ALIKE });
    expect([refused.code, refused.out]).toEqual([64, '']);
    expect((await jury(['judge', '--unsure', 'perhaps'], { input: UNSURE })).err).toContain(
      'Allowed choices are answer, remark, refuse',
    );
  });

  test('judges the others where cases that it cannot judge are to be left out', async () => {
    const ran = await jury(['judge', '--json', '--skip-invalid'], {
      input: `${UNSURE}\n---\n${UNSURE_ALIKE}`,
    });
    expect(verdictsOf(ran)).toMatchObject([{ leftOut: ALIKE_LINE }]);
    expect(ran.err).toContain('Left out: 1 of 2 cases.');
  });
});
