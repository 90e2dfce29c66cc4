import { doubleKey, type ModelDoubleOptions, startModelDouble } from './model-double.ts';
import { closing } from './resources.ts';

/** The model of a service: a double, closed after the test, and the environment that names it. */
export async function serviceModel(options: ModelDoubleOptions = {}, id = 'openai/gpt-4o-mini') {
  const double = await startModelDouble(options);
  closing(double.close);
  return { double, env: { JURY_MODEL: id, OPENAI_API_KEY: doubleKey, OPENAI_BASE_URL: double.baseUrl } };
}

/** The environment of a model that passes everything, at once, later or never. */
export async function withModel({
  until: moment,
  hang = false,
  atOnce = 0,
}: {
  until?: Promise<void>;
  hang?: boolean;
  /** So many are answered at once all the same. */
  atOnce?: number;
}) {
  const { env } = await serviceModel({
    answer: async ({ n }) => {
      if (n > atOnce) await moment;
      return { hang, fields: { decision: 'pass' } };
    },
  });
  return env;
}

/** A model whose first judge fails the case at once and whose others wait until they are let go. */
export async function oneQuickJudge() {
  let letGo = () => {};
  const later = new Promise<void>((done) => {
    letGo = done;
  });
  const model = await serviceModel({
    answer: async ({ n }) => {
      if (n > 1) await later;
      return { fields: { decision: 'fail' } };
    },
  });
  closing(async () => letGo());
  return { ...model, letGo };
}
