import { JuryError, messageOf, type SecretFilter } from '../common/index.ts';
import type { CallWebhook } from '../digests/index.ts';
import { openHttp, type Proxies } from '../judges/llm/index.ts';

const WEBHOOK_MS = 10_000;

/** Calls the webhooks of `JURY_WEBHOOKS`. Messages never contain their addresses, which may be secret. */
export const createWebhooks =
  (addresses: ReadonlyMap<string, string>, proxies: Proxies, secrets: SecretFilter): CallWebhook =>
  async (name, key, body) => {
    const address = addresses.get(name);
    if (address === undefined)
      throw new JuryError('config', `The webhook "${name}" is not in JURY_WEBHOOKS.`, { retryable: true });
    const http = await openHttp(proxies, secrets);
    try {
      const { status } = await http.send(
        { method: 'POST', url: address, headers: { 'idempotency-key': key }, body: JSON.stringify(body) },
        AbortSignal.timeout(WEBHOOK_MS),
      );
      if (status < 200 || status > 299) throw new Error(`it answered ${status}`);
    } catch (thrown) {
      const why = messageOf(thrown)
        .replaceAll(address, 'its address')
        .replaceAll(new URL(address).host, 'its host');
      throw new JuryError('config', `The webhook "${name}" could not be called: ${why}`, { retryable: true });
    } finally {
      await http.close();
    }
  };
