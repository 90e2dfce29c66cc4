import { JuryError, messageOf } from '../common/errors.ts';
import type { CallWebhook } from '../digests/send-digest.ts';
import { openHttp } from '../judges/llm/http.ts';
import type { Proxies } from '../judges/llm/proxies.ts';

const LIMIT_MS = 10_000;

/** Calls the webhooks of `JURY_WEBHOOKS`. No message names an address: it may be a secret. */
export const createWebhooks =
  (addresses: ReadonlyMap<string, string>, proxies: Proxies): CallWebhook =>
  async (name, key, body) => {
    const address = addresses.get(name);
    if (address === undefined)
      throw new JuryError('config', `The webhook "${name}" is not in JURY_WEBHOOKS.`, { retryable: true });
    const http = await openHttp(proxies);
    try {
      const { status } = await http.send(
        { method: 'POST', url: address, headers: { 'idempotency-key': key }, body: JSON.stringify(body) },
        AbortSignal.timeout(LIMIT_MS),
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
