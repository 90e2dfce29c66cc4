import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import express, { Router } from 'express';
import { type Door, limitVisitors, requireVisitor } from './access.ts';
import { registerApi } from './api.ts';
import { registerAsk } from './ask-routes.tsx';
import type { PageContext } from './context.ts';
import { consoleAccess } from './ids.ts';
import { registerQueue } from './queue.tsx';
import { noStore, refuse, secured } from './routes.ts';
import { registerRuns } from './run-routes.tsx';
import { registerSignIn, signInFor } from './sign-in-routes.tsx';
import { registerVerdicts } from './verdict-routes.tsx';

const BODY_LIMIT = '1mb';

/** The routes of the console. */
export async function registerPages(context: PageContext): Promise<void> {
  const { web, env } = context;
  const { JURY_API_TOKENS: tokens } = env.settings;
  const access = consoleAccess(env.settings);
  if (access.kind === 'off') return registerApi(context, { tokens, people: 'none' });
  const router = Router();
  router.use(secured(env));
  const signingIn = access.kind === 'sign-in' ? registerSignIn(router, context, access) : null;
  const door: Door = { tokens, people: signingIn?.people ?? 'on this machine' };
  registerApi(context, door);
  for (const name of ['console.js', 'console.css', 'report.js', 'report.css', 'charts.js']) {
    const type = name.endsWith('.js') ? 'text/javascript' : 'text/css';
    const text = await readFile(join(env.browserFolder, name), 'utf8');
    router.get(
      `/assets/${name}`,
      (_request, response) => void response.set('cache-control', 'no-cache').type(type).send(text),
    );
  }
  const own = Router();
  own.use(
    requireVisitor(door, false, (status, why, request, response) => {
      const signIn = status === 401 ? signInFor(request) : null;
      if (signIn === null) refuse(response, status, why);
      else response.redirect(signIn);
    }),
    noStore,
  );
  own.use(limitVisitors((why, _request, response) => refuse(response, 429, why)));
  own.use(express.json({ limit: BODY_LIMIT }));

  if (signingIn !== null) own.post('/ui/sign-out', signingIn.signOut);
  registerAsk(own, context);
  registerVerdicts(own, context);
  registerQueue(own, context);
  registerRuns(own, context);
  router.use(own);
  web.use(router);
}
