import { fillSchema } from './fill-schema.ts';
import type { DoubleRequest } from './model-double.ts';

/** The form that a prompt shows, with the wanted fields filled in by name, as `fillSchema` does with a schema. */
function filledForm(form: unknown, wanted: Record<string, unknown>): unknown {
  if (typeof form === 'object' && form !== null)
    return Object.fromEntries(
      Object.entries(form).map(([key, part]) => {
        const value = wanted[key];
        return [
          key,
          typeof part === 'string' && value !== undefined && typeof value !== 'object'
            ? value
            : filledForm(part, wanted),
        ];
      }),
    );
  if (typeof form !== 'string') return form;
  if (form.includes('true')) return true;
  if (form.includes('pass | fail')) return 'pass';
  const [, least] = /number from (\d+)/.exec(form) ?? [];
  return least === undefined ? 'because the case says so' : Number(least);
}

/** A reply with the wanted fields, by the request's schema or, where none was sent, by the form in its prompt. */
export function filledReply({ schema, system }: DoubleRequest, wanted: Record<string, unknown>): unknown {
  if (schema !== null) return fillSchema(schema, wanted);
  // Worked examples have the same form, filled in.
  const forms = [...system.matchAll(/\n(\{\n[\s\S]*?\n\})\n/g)].map(([, form = '']) => form);
  const form = forms.findLast((text) => text.includes(' | ') || text.includes('number from'));
  return filledForm(JSON.parse(form ?? '{}'), wanted);
}
