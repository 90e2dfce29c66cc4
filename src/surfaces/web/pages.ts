import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import express, { type RequestHandler, Router } from 'express';
import helmet from 'helmet';
import { limitVisitors, requireVisitor } from './access.ts';
import { registerApi } from './api.ts';
import { registerAsk } from './ask-routes.tsx';
import type { PageContext } from './context.ts';
import { hasPages } from './ids.ts';
import { registerQueue } from './queue.tsx';
import { refuse } from './routes.ts';
import { registerVerdicts } from './verdict-routes.tsx';

const BODY_LIMIT = '1mb';

/** Nothing but our own scripts and styles is loaded, run or framed; nothing is sent elsewhere. */
const secure = helmet({
  contentSecurityPolicy: {
    useDefaults: false,
    directives: {
      defaultSrc: ["'none'"],
      scriptSrc: ["'self'"],
      styleSrc: ["'self'"],
      imgSrc: ["'self'", 'data:'],
      connectSrc: ["'self'"],
      formAction: ["'none'"],
      baseUri: ["'none'"],
      frameAncestors: ["'none'"],
    },
  },
  // Without sign-in it is reached over plain HTTP on this machine.
  strictTransportSecurity: false,
});

const noStore: RequestHandler = (_request, response, next) => {
  response.set('cache-control', 'no-store');
  next();
};

/** The routes of the console. */
export async function registerPages(context: PageContext): Promise<void> {
  const { web, env } = context;
  const tokens = env.settings.JURY_API_TOKENS;
  const isOpen = hasPages(env.settings);
  registerApi(context, isOpen);
  if (!isOpen) return;
  const router = Router();
  router.use(secure);
  for (const [name, type] of [
    ['console.js', 'text/javascript'],
    ['console.css', 'text/css'],
  ] as const) {
    const text = await readFile(join(env.browserFolder, name), 'utf8');
    router.get(
      `/assets/${name}`,
      (_request, response) => void response.set('cache-control', 'no-cache').type(type).send(text),
    );
  }
  const own = Router();
  own.use(
    requireVisitor({ tokens, takesTokens: false, isOpen }, (status, why, _request, response) =>
      refuse(response, status, why),
    ),
    noStore,
  );
  own.use(limitVisitors((why, _request, response) => refuse(response, 429, why)));
  own.use(express.json({ limit: BODY_LIMIT }));

  registerAsk(own, context);
  registerVerdicts(own, context);
  registerQueue(own, context);
  router.use(own);
  web.use(router);
}
