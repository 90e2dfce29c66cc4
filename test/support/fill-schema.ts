/** JSON schema as it comes off the wire: nothing about it is taken for granted. */
type Json = Record<string, unknown>;

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * A value that fits a JSON schema, for a model double's reply.
 *
 * `wanted` scripts fields by name, at any depth: `{ decision: 'fail', confidence: 0.9 }` sets every `decision` and
 * `confidence`. An object scripts a part more closely: `{ decision: 'pass', criteria: { time: { decision: 'fail' } } }`.
 * A wanted value that an enum does not allow is ignored there. Everything else is filled in: the first of an enum,
 * the least number, one item in a list, a short text in a string.
 */
export function fillSchema(schema: unknown, wanted: Json = {}, root: unknown = schema): unknown {
  if (!isObject(schema)) return null;
  if (typeof schema.$ref === 'string') return fillSchema(resolve(schema.$ref, root), wanted, root);
  if ('const' in schema) return schema.const;
  const options = schema.anyOf ?? schema.oneOf;
  if (Array.isArray(options)) {
    const useful = options.find((option) => isObject(option) && option.type !== 'null');
    return fillSchema(useful ?? options[0], wanted, root);
  }
  if (Array.isArray(schema.enum))
    return schema.enum.includes(wanted.decision) ? wanted.decision : schema.enum[0];
  if (schema.type === 'array') {
    const count = typeof schema.minItems === 'number' ? Math.max(1, schema.minItems) : 1;
    return Array.from({ length: count }, () => fillSchema(schema.items, wanted, root));
  }
  if (schema.type === 'object') return fillObject(schema, wanted, root);
  if (schema.type === 'number' || schema.type === 'integer')
    return typeof schema.minimum === 'number' ? schema.minimum : 0;
  if (schema.type === 'boolean') return true;
  return schema.type === 'null' ? null : 'because the case says so';
}

function fillObject(schema: Json, wanted: Json, root: unknown): Json {
  const properties = isObject(schema.properties) ? schema.properties : {};
  return Object.fromEntries(
    Object.entries(properties).map(([name, part]) => [name, fillProperty(name, part, wanted, root)]),
  );
}

function fillProperty(name: string, part: unknown, wanted: Json, root: unknown): unknown {
  if (!(name in wanted)) return fillSchema(part, wanted, root);
  const value = wanted[name];
  if (isObject(value)) return fillSchema(part, { ...wanted, ...value }, root);
  const allowed = isObject(part) && Array.isArray(part.enum) ? part.enum : null;
  return allowed === null || allowed.includes(value) ? value : fillSchema(part, wanted, root);
}

/** Follows `#/a/b` within the whole schema. */
function resolve(reference: string, root: unknown): unknown {
  let at = root;
  for (const step of reference.replace(/^#\/?/, '').split('/').filter(Boolean))
    at = isObject(at) ? at[step] : undefined;
  return at;
}
