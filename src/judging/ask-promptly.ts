import { onAbort } from '../common/on-abort.ts';
import { unknownUsage, withoutAnswer } from './judgement.ts';
import type { Ask } from './ports.ts';

/** How long a judge has to wind up after a stop: to say what it had cost so far, in ms. */
const GRACE_MS = 500;

/**
 * A judge that cannot hold up a stop: when the question's signal aborts it gets a moment to end by itself, then a
 * cancelled judgement of unknown cost takes its place.
 */
export function askPromptly(ask: Ask): Ask {
  return (question) =>
    new Promise((resolve, reject) => {
      let timer: NodeJS.Timeout | undefined;
      const forget = onAbort(question.signal, () => {
        timer = setTimeout(() => {
          resolve(
            withoutAnswer(question, 'cancelled', 'stopped before this judge had answered', unknownUsage),
          );
        }, GRACE_MS);
      });
      ask(question)
        .then(resolve, reject)
        .finally(() => {
          clearTimeout(timer);
          forget();
        });
    });
}
