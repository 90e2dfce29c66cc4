import { Router } from 'express';

/** A route of an Express app, with the names of its parameters: `/verdicts/:id`. */
export interface Route {
  method: string;
  path: string;
}

/** Notes every route that is made while something starts, whichever part makes it. */
export async function noting<T>(start: () => Promise<T>): Promise<{ started: T; routes: Route[] }> {
  const { route, use } = Router.prototype;
  const made: { router: unknown; path: unknown; methods: Record<string, boolean> }[] = [];
  const places = new Map<unknown, string>();
  Router.prototype.route = function noted(path: string) {
    const one = route.call(this, path);
    made.push({ router: this, path, methods: Reflect.get(one, 'methods') });
    return one;
  };
  Router.prototype.use = function noted(...args: unknown[]) {
    const [at] = args;
    for (const handler of args.flat()) if (typeof at === 'string' && at !== '/') places.set(handler, at);
    return Reflect.apply(use, this, args);
  };
  try {
    const started = await start();
    const routes = made.flatMap(({ router, path, methods }) => {
      if (typeof path !== 'string') throw new Error(`A route without a plain path: ${path}`);
      const full = `${places.get(router) ?? ''}${path}`;
      const names = Object.keys(methods).map((method) => method.toUpperCase());
      return [...names, ...(names.includes('GET') ? ['HEAD'] : [])].map((method) => ({ method, path: full }));
    });
    return { started, routes };
  } finally {
    Object.assign(Router.prototype, { route, use });
  }
}
