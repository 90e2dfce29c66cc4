import * as z from 'zod';

/** Ids are used as file names, JSON keys and parts of URLs. */
export const Id = z
  .string()
  .regex(/^[a-z0-9][a-z0-9-]{0,63}$/, 'must be lower-case letters, digits and hyphens');

/** Non-empty text, trimmed. */
export const line = z.string().trim().min(1, 'must not be empty');

/** A schema as JSON schema, in the version that endpoints of models take. */
export function jsonSchemaOf(schema: z.ZodType) {
  const { $schema: _, ...json } = z.toJSONSchema(schema, { target: 'draft-7' });
  return json;
}

/** The keys that a schema allows at a path, or null if that is not known. */
export function keysAt(schema: z.core.$ZodType, path: readonly PropertyKey[]): string[] | null {
  let inner: z.core.$ZodType | undefined = schema;
  for (const key of [...path, null]) {
    while (
      inner instanceof z.ZodOptional ||
      inner instanceof z.ZodDefault ||
      inner instanceof z.ZodPrefault ||
      inner instanceof z.ZodPipe ||
      inner instanceof z.ZodNullable
    )
      if (!(inner instanceof z.ZodPipe)) inner = inner.unwrap();
      // A preprocessed value is described by the schema that reads it after the transform.
      else inner = inner.in instanceof z.ZodTransform ? inner.out : inner.in;
    if (key === null) break;
    if (inner instanceof z.ZodArray) inner = inner.element;
    else if (inner instanceof z.ZodObject) inner = inner.shape[String(key)];
    else if (inner instanceof z.ZodRecord) inner = inner.valueType;
    else return null;
  }
  if (inner instanceof z.ZodRecord && inner.keyType instanceof z.ZodEnum)
    return inner.keyType.options.map(String);
  return inner instanceof z.ZodObject ? Object.keys(inner.shape) : null;
}

const TYPE_NAMES: Record<string, string> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'keys with values',
  record: 'keys with values',
};

/** `"never", "decided" or "unanimous"` */
const orList = (values: readonly unknown[]): string =>
  values
    .map((value) => JSON.stringify(value))
    .join(', ')
    .replace(/, (?=[^,]*$)/, ' or ');

/** Describes a schema issue in words for people who do not know the schema. */
export function describeIssue(
  schema: z.core.$ZodType,
  issue: z.core.$ZodIssue,
): { key: string; message: string } {
  const key = issue.path.join('.') || '(the whole)';
  if (issue.code === 'unrecognized_keys') {
    const allowed = keysAt(schema, issue.path);
    const choices = allowed === null ? '' : `; choose from: ${allowed.join(', ')}`;
    return { key: [...issue.path, issue.keys[0]].join('.'), message: `is not a known key${choices}` };
  }
  if (issue.code === 'invalid_type') {
    // An issue does not carry the value; only its message shows whether there was one.
    if (/received undefined$/.test(issue.message)) return { key, message: 'is missing' };
    return { key, message: `must be ${TYPE_NAMES[issue.expected] ?? issue.expected}` };
  }
  if (issue.code === 'invalid_value') {
    return { key, message: `must be ${orList(issue.values)}` };
  }
  if (issue.code === 'invalid_union' && 'options' in issue && issue.options !== undefined)
    return { key, message: `must be ${orList(issue.options)}` };
  if (issue.code === 'invalid_key') return { key, message: issue.issues[0]?.message ?? 'is no allowed key' };
  // A schema may have its own message; replace only Zod's default.
  if (issue.code === 'too_small' && /^Too small: expected number/.test(issue.message))
    return { key, message: `must be at least ${issue.minimum}` };
  if (issue.code === 'too_big' && /^Too big: expected number/.test(issue.message))
    return { key, message: `must be at most ${issue.maximum}` };
  return {
    key,
    message: issue.message.replace(/^Invalid input$/, 'has none of the allowed forms'),
  };
}
