import { onTestFinished } from 'vitest';
import {
  type CompletionClient,
  type CompletionClientOptions,
  createCompletionClient,
} from '../../src/judges/llm/completion-client.ts';
import { quickBackoff } from './completion-request.ts';
import { type ModelDouble, type ModelDoubleOptions, startModelDouble } from './model-double.ts';

/** A model double and a client of it, both closed after the test. Retries wait for milliseconds only. */
export async function withDouble(
  double: ModelDoubleOptions = {},
  client: Partial<CompletionClientOptions> = {},
): Promise<{ double: ModelDouble; client: CompletionClient }> {
  const started = await startModelDouble(double);
  const made = createCompletionClient({ settings: started.settings, backoff: quickBackoff, ...client });
  onTestFinished(async () => {
    await made.close();
    await started.close();
  });
  return { double: started, client: made };
}
