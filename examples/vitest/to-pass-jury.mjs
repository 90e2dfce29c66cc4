// A matcher for vitest: expect(paste or case).toPassJury({ rubric, models, … }).
import { judge } from 'jury';
import { expect } from 'vitest';

expect.extend({
  async toPassJury(input, options) {
    const { decision, why } = await judge(input, options);
    return { pass: decision === 'pass', message: () => `Jury: ${decision}, ${why}` };
  },
});
