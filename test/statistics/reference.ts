import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import * as z from 'zod';

const maybe = z.number().nullable();

/** What other programs say of random data: test/fixtures/metrics/generate.py. */
const Reference = z.strictObject({
  versions: z.record(z.string(), z.string()),
  classification: z.array(
    z.strictObject({ t: z.string(), s: z.string(), exclude: z.array(maybe), wrong: z.array(maybe) }),
  ),
  kappa: z.array(z.strictObject({ k: z.number(), a: z.string(), b: z.string(), v: z.array(maybe) })),
  correlation: z.array(
    z.strictObject({ x: z.array(maybe), y: z.array(maybe), v: z.array(maybe), q: z.array(maybe) }),
  ),
  raters: z.strictObject({
    levels: z.array(z.number()),
    cases: z.array(
      z.strictObject({
        k: z.number(),
        u: z.array(z.string()),
        complete: z.boolean(),
        fleiss: maybe,
        ac1: maybe,
        alpha: z.array(maybe),
      }),
    ),
  }),
  dawidSkene: z.array(
    z.strictObject({
      k: z.number(),
      smoothing: z.number(),
      rounds: z.number(),
      votes: z.array(z.tuple([z.number(), z.number(), z.number()])),
      posteriors: z.array(z.array(z.number())),
      prevalence: z.array(z.number()),
      reliability: z.record(z.string(), z.number()),
    }),
  ),
  wilson: z.array(z.tuple([z.number(), z.number(), z.number(), z.number(), z.number()])),
  mcnemar: z.array(z.tuple([z.number(), z.number(), z.number(), z.number(), z.number()])),
  normal: z.strictObject({
    cdf: z.array(z.tuple([z.number(), z.number()])),
    quantile: z.array(z.tuple([z.number(), z.number()])),
    logFactorial: z.array(z.tuple([z.number(), z.number()])),
  }),
  calibration: z.array(
    z.strictObject({
      bins: z.number(),
      c: z.array(z.number()),
      y: z.array(z.number()),
      brier: z.number(),
      ece: z.number(),
    }),
  ),
  students: z.array(z.tuple([z.number(), z.number(), z.number()])),
  clusters: z.array(
    z.strictObject({
      clusters: z.array(z.tuple([z.number(), z.number()])),
      low: z.number(),
      high: z.number(),
    }),
  ),
  jackknife: z.array(
    z.strictObject({
      kind: z.enum(['share', 'correlation', 'any']),
      x: z.array(z.number()),
      y: z.array(z.number()),
      ends: z.array(z.number()),
    }),
  ),
  signFlips: z.array(z.tuple([z.array(z.number()), z.number()])),
  power: z.array(z.tuple([z.number(), z.number(), z.number()])),
  holm: z.array(z.tuple([z.array(z.number()), z.array(z.number())])),
  random: z.array(z.strictObject({ seed: z.number(), draws: z.array(z.number()) })),
});

export const reference = Reference.parse(
  JSON.parse(
    gunzipSync(readFileSync(new URL('../fixtures/metrics/reference.json.gz', import.meta.url))).toString(),
  ),
);
