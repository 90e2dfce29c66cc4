import type { Surface } from '../../src/surfaces/surface.ts';
import { aBrowser, CLIENT, type OpenIdProvider, startOpenIdProvider } from './openid-provider.ts';
import { runService } from './run-service.ts';

export const JURY = 'https://jury.example';
export const DONE = `${JURY}/sign-in/done`;
export const ACCOUNTS = {
  ann: { name: 'Ann', email: 'Ann@example.com', email_verified: true },
  bob: { name: 'Bob', email: 'bob@other.example', email_verified: true },
  eve: { email: 'ann@example.com', email_verified: false },
};

export const envOf = ({ issuer }: Pick<OpenIdProvider, 'issuer'>, more: Record<string, string> = {}) => ({
  JURY_PUBLIC_URL: JURY,
  OIDC_ISSUER: issuer,
  OIDC_CLIENT_ID: CLIENT.id,
  OIDC_CLIENT_SECRET: CLIENT.secret,
  ...more,
});

export const provide = (client: Record<string, string> = {}) => startOpenIdProvider([DONE], ACCOUNTS, client);

/** A browser for which the console is where the service is, as behind a proxy for TLS. */
export function browserAt({ issuer }: Pick<OpenIdProvider, 'issuer'>, port: number) {
  const at = { port };
  const browser = aBrowser((host) => (host === 'jury.example' ? at.port : Number(new URL(issuer).port)));
  const post = (path: string, body: object, headers: Record<string, string> = { origin: JURY }) =>
    browser.visit(`${JURY}${path}`, { method: 'POST', body, headers });
  return { ...browser, at, post };
}

/** A console that people sign in to, with a browser that has been nowhere. */
export async function setUp(
  more: Record<string, string> = {},
  now?: () => number,
  surfaces?: readonly Surface[],
) {
  const provider = await provide();
  const jury = await runService(envOf(provider, more), surfaces, now);
  return { provider, jury, browser: browserAt(provider, jury.service.port) };
}

const isBack = (next: string) => next.startsWith(DONE);
/** Signs in as far as the provider's answer, which has yet to come to Jury. */
export const answered = async (browser: ReturnType<typeof browserAt>, from = `${JURY}/sign-in`) =>
  (await browser.follow(from, isBack)).at;
export const isOut = async (browser: ReturnType<typeof browserAt>) =>
  (await browser.visit(`${JURY}/verdicts`)).status === 302;
