import type { Request, RequestHandler, Response } from 'express';
import helmet from 'helmet';
import * as z from 'zod';
import { onAbort } from '../../common/async.ts';
import { isStoreAway, JuryError } from '../../common/errors.ts';
import type { Env } from '../../env.ts';
import { STORE_AWAY } from '../wording.ts';

/** Nothing but our own scripts and styles is loaded, run or framed, and nothing is sent elsewhere. */
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

/** A text for the person, where a page or a part of one was asked for. */
export const refuse = (response: Response, status: number, text: string): void =>
  void response.status(status).type('text').send(text);

/** What went wrong with a request of the page, in words. */
function problemOf(thrown: unknown): { status: number; text: string } {
  if (isStoreAway(thrown)) return { status: 503, text: STORE_AWAY };
  if (thrown instanceof JuryError) return { status: 422, text: thrown.message };
  if (thrown instanceof z.ZodError)
    return { status: 400, text: 'This request is not understood. Reload the page.' };
  throw thrown;
}

type Handler = (request: Request, response: Response) => Promise<void> | void;

/** A route whose failures are said in words. */
export const saying =
  (handle: Handler): RequestHandler =>
  async (request, response) => {
    try {
      await handle(request, response);
    } catch (thrown) {
      const { status, text } = problemOf(thrown);
      if (!response.headersSent) refuse(response, status, text);
    }
  };

/** Aborts when the caller is gone, or when the service takes no more requests. */
export function goneSignal(response: Response, leaving: AbortSignal): AbortSignal {
  const gone = new AbortController();
  // By hand: a signal made of a long-lived one stays in memory.
  const unlink = onAbort(leaving, () => gone.abort());
  response.on('close', () => {
    unlink();
    gone.abort();
  });
  return gone.signal;
}
