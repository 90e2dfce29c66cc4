import * as z from 'zod';
import type { CaseFormat } from '../../case/format/index.ts';
import { fieldOf, isRecord, isWithheld } from '../../case/index.ts';
import { JuryError, line } from '../../common/index.ts';
import { type Problems, type PromptFile, parseWith, throwProblems, yamlOf } from '../../prompting/index.ts';

const KINDS = ['openai', 'http', 'command'] as const;

/** A system under test, as described by its file. */
const SystemFile = z
  .strictObject({
    /** Becomes `tags.system`; default: the file's name. */
    name: line.optional(),
    /** Becomes `tags.build`. */
    build: line.optional(),
    /** A chat model behind an OpenAI-compatible endpoint. */
    openai: z
      .strictObject({
        /** `provider/model`. */
        model: line,
        instructions: line.optional(),
        temperature: z.number().min(0).max(2).nullable().default(null),
      })
      .optional(),
    http: z
      .strictObject({
        method: z.enum(['GET', 'POST', 'PUT', 'PATCH']).default('POST'),
        url: line,
        headers: z.record(line, z.string()).default({}),
        /** Strings are sent as they are, anything else as JSON. */
        body: z.json().optional(),
      })
      .optional(),
    command: z
      .strictObject({
        /** A shell command line, or the program and its arguments. */
        run: z.union([line, z.array(line).min(1)], 'must be a line for the shell, or a list of words'),
        /** Environment variables for the program, in addition to those it inherits. */
        env: z.record(z.string().regex(/^\w+$/, 'must be the name of a variable'), z.string()).default({}),
        /** What the program reads from standard input. */
        input: z.json().optional(),
      })
      .optional(),
    /** Path of the answer in a JSON reply; default: the whole reply is the answer. */
    answer: line.optional(),
    /** Case fields to read from the reply: path in the reply, by field. */
    fields: z.record(line, line).default({}),
    /** Time limit of one answer, retries included. */
    timeoutSeconds: z.number().positive('must be above 0').default(120),
    concurrency: z.int().min(1).max(1000).default(4),
    perSecond: z.number().positive('must be above 0').optional(),
    /** Price of one request in US dollars. Not needed for a model whose price per token is known. */
    costUsd: z.number().min(0).optional(),
  })
  .check(({ value, issues }) => {
    const given = KINDS.filter((kind) => value[kind] !== undefined);
    const issue = (path: string[], message: string) =>
      issues.push({ code: 'custom', path, message, input: value });
    if (given.length !== 1) issue([], `must have exactly one of: ${KINDS.join(', ')}`);
    if (given[0] !== 'openai') return;
    if (value.answer !== undefined || Object.keys(value.fields).length > 0)
      issue([value.answer === undefined ? 'fields' : 'answer'], 'goes with http or command only');
    if (value.costUsd !== undefined) issue(['costUsd'], 'goes with http or command only');
  });

export type SystemFile = z.infer<typeof SystemFile> & {
  name: string;
  /** Environment values that must never be written or shown, with their names. */
  secrets: ReadonlyMap<string, string>;
  /** The address as written in the file, before environment values are filled in. */
  address: string;
};

/** The case fields that may be sent to a system. None of them reveals what is right; even the id is left out. */
const SENDABLE = [
  'request',
  'conversation',
  'messages',
  'context',
  'history',
  'documents',
  'language',
  'session',
] as const;
export type Sendable = Readonly<Record<(typeof SENDABLE)[number], unknown>> & {
  /** The conversation in chat-model format. */
  messages: readonly { role: 'user' | 'assistant'; content: string }[];
};

const PLACEHOLDER = /\{\{\s*([^{}]*?)\s*\}\}/g;
const VARIABLE = /\$\{([^{}]*)\}/g;

/** A copy of a template with each string in it replaced. */
function mapTexts(value: unknown, change: (text: string, path: string) => unknown, path = ''): unknown {
  const below = (key: string | number) => (path === '' ? String(key) : `${path}.${key}`);
  if (typeof value === 'string') return change(value, path);
  if (Array.isArray(value)) return value.map((one, at) => mapTexts(one, change, below(at)));
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, one]) => [key, mapTexts(one, change, below(key))]),
  );
}

/**
 * Fills in the placeholders of a text.
 * @param encode escapes a value for its place in the text
 */
export const filledText = (
  template: string,
  values: Sendable,
  encode: (text: string) => string = (text) => text,
): string =>
  template.replaceAll(PLACEHOLDER, (_, path: string) => {
    const value = fieldOf(values, path) ?? '';
    return encode(typeof value === 'string' ? value : JSON.stringify(value));
  });

/** Fills in the placeholders of a template. A string that is nothing but one placeholder becomes the value itself, whatever its type. */
export const filledTemplate = (template: unknown, values: Sendable): unknown =>
  mapTexts(template, (text) => {
    const whole = /^\{\{\s*([^{}]*?)\s*\}\}$/.exec(text)?.[1];
    return whole === undefined ? filledText(text, values) : fieldOf(values, whole);
  });

/** Keys where placeholders are filled in. */
const FILLED = /^(http\.(url|headers|body)|command\.input|openai\.instructions)\b/;

/** Whether an environment value at this key is secret: in a request, a program's environment or input, or the password or query of an address. */
const isSecretAt = (key: string, before: string, after: string): boolean =>
  /^(http\.(headers|body)|command\.(env|input))\b/.test(key) ||
  (key === 'http.url' && (before.includes('?') || /^[^/?#]*@/.test(after)));

/** Environment values are not allowed in a command line: other users of the machine can read it, and a shell would execute it. */
const notInCommand = (name: string): string =>
  `\${${name}} cannot stand in a command: write "env: {${name}: \${${name}}}" below "command", and have the program read ${name} from its environment (in a line for the shell: "$${name}")`;

/** Whether a reply may set this field of the case. */
const isFromReply = (path: string, { paths }: Pick<CaseFormat, 'paths'>): boolean =>
  /^tags\.(?!(system|unanswered)$)[^.]+$/.test(path) ||
  (paths.includes(path) &&
    !/^(id|rubric|conversation|response|alternative|answerNames|context|groundTruth|history|closing|tags|label)(\.|$)/.test(
      path,
    ) &&
    !isWithheld(path.split('.')[0] ?? ''));

/**
 * Reads the file of a system under test.
 * @param variable looks up an environment variable
 * @throws JuryError `bad-file` that lists every problem with its key and what is allowed
 */
export function readSystemFile(
  file: PromptFile,
  format: Pick<CaseFormat, 'paths'>,
  variable: (name: string) => string | undefined,
): SystemFile {
  const problems: Problems = [];
  const problem = (key: string, message: string) => problems.push(`${file.path}: ${key}: ${message}`);
  const secrets = new Map<string, string>();
  const names = [...SENDABLE, ...format.paths.filter((path) => path.startsWith('context.'))];
  const written = yamlOf(file, problems);
  const data = mapTexts(written, (text, key) => {
    for (const [, name = ''] of text.matchAll(PLACEHOLDER))
      if (!FILLED.test(key)) problem(key, `{{${name}}} is not filled in here, only in what is sent`);
      else if (!names.includes(name))
        problem(key, `{{${name}}} cannot be sent; choose from: ${names.join(', ')}`);
    return text.replaceAll(VARIABLE, (whole: string, name: string, at: number) => {
      if (/^command\.run\b/.test(key)) {
        problem(key, notInCommand(name));
        return '';
      }
      const value = variable(name);
      if (value === undefined) problem(key, `\${${name}} is not set in the environment`);
      else if (isSecretAt(key, text.slice(0, at), text.slice(at + whole.length))) secrets.set(value, name);
      return value ?? '';
    });
  });
  const parsed = parseWith(SystemFile, data, file.path, problems);
  for (const path of Object.keys(parsed?.fields ?? {}))
    if (!isFromReply(path, format)) {
      const allowed = format.paths.filter((one) => isFromReply(one, format));
      problem(`fields.${path}`, `cannot be read from a reply; choose from: ${allowed.join(', ')}, tags.NAME`);
    }
  // If a variable is missing, the address or headers may be wrong only because of that.
  if (problems.length === 0) checkHttp(parsed?.http, problem);
  throwProblems(problems, 'the system file');
  if (parsed === undefined) throw new JuryError('internal', `${file.path} has no content and no problem.`);
  const shown =
    fieldOf(written, 'http.url') ?? parsed.openai?.model ?? [parsed.command?.run ?? []].flat().join(' ');
  return { ...parsed, name: parsed.name ?? file.id, secrets, address: String(shown) };
}

function checkHttp(
  http: z.infer<typeof SystemFile>['http'],
  problem: (key: string, message: string) => void,
): void {
  if (http === undefined) return;
  const url = http.url.replaceAll(PLACEHOLDER, 'x');
  if (!/^https?:\/\//i.test(url) || !URL.canParse(url))
    problem('http.url', 'must be an http or https address, such as https://assistant.example/ask');
  else if (/^[^?#]*?:\/\/[^/?#]*\{\{/.test(http.url))
    problem('http.url', 'must name its host itself: a request may not decide where it is sent');
  if (http.method === 'GET' && http.body !== undefined)
    problem('http.body', 'goes with POST, PUT or PATCH only');
  for (const [name, value] of Object.entries(http.headers))
    try {
      new Headers({ [name]: value.replaceAll(PLACEHOLDER, 'x') });
    } catch {
      problem(`http.headers.${name}`, 'cannot be sent as a header');
    }
}
