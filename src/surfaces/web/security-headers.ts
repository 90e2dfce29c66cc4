import type { RequestHandler } from 'express';
import helmet from 'helmet';
import type { Env } from '../../env.ts';

/** Security headers: pages load and run only our own scripts and styles, send data only to us, and cannot be framed. */
export const secured = ({ settings: { JURY_PUBLIC_URL } }: Pick<Env, 'settings'>): RequestHandler =>
  helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'none'"],
        scriptSrc: ["'self'"],
        styleSrc: ["'self'"],
        imgSrc: ["'self'", 'data:'],
        connectSrc: ["'self'"],
        formAction: ["'self'"],
        baseUri: ["'none'"],
        frameAncestors: ["'none'"],
      },
    },
    strictTransportSecurity: JURY_PUBLIC_URL?.startsWith('https:') === true,
  });

export const noStore: RequestHandler = (_request, response, next) => {
  response.set('cache-control', 'no-store');
  next();
};
