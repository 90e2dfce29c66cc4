import type { EnvHttpProxyAgent } from 'undici';
import { hasCode } from '../../common/index.ts';
import { type Proxies, proxyErrorIn, proxyOptions } from './proxies.ts';
import { ConnectError, maxReplyBytes, ReplyTooLargeError, type Transport } from './transport.ts';

/** Sends requests through proxies, which Node's own client does not know, with undici. */
export async function openThroughProxies(proxies: Proxies): Promise<Transport> {
  // When bundled, a CommonJS package has no named exports.
  const undici = (await import('undici')).default;
  const connect = undici.buildConnector({});
  const options: EnvHttpProxyAgent.Options = {
    headersTimeout: 0,
    bodyTimeout: 0,
    maxResponseSize: maxReplyBytes,
    connect: (target, done) =>
      connect(target, (error, socket) => {
        if (error === null) done(null, socket);
        else done(new ConnectError(error.message, { cause: error }), null);
      }),
  };
  const dispatcher = new undici.EnvHttpProxyAgent({ ...options, ...proxyOptions(undici, proxies) });
  return {
    async exchange({ url, ...request }, signal) {
      try {
        const { statusCode, headers, body } = await undici.request(url, { ...request, signal, dispatcher });
        return { status: statusCode, headers, body: await body.bytes() };
      } catch (thrown) {
        if (hasCode(thrown, 'UND_ERR_RES_EXCEEDED_MAX_SIZE')) throw new ReplyTooLargeError({ cause: thrown });
        throw proxyErrorIn(thrown) ?? thrown;
      }
    },
    close: () => dispatcher.destroy(),
  };
}
