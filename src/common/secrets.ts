/** Shorter values are placeholders (`none`, `test`); hiding them would garble ordinary words. */
const SHORTEST = 8;
/** The length at which a fragment of a secret is hidden; shorter fragments may stay. */
const PART = 8;
/** Secrets shorter than this are matched only as a whole. */
const SHORTEST_WITH_PARTS = 16;

const STANDARD = /[+/]/g;
const URL_SAFE: Readonly<Record<string, string>> = { '+': '-', '/': '_' };

/** The forms a secret takes inside the Base64 of a longer text, one for each offset within a group of three bytes. */
function inBase64(secret: string): string[] {
  const bytes = Buffer.from(secret);
  return [0, 1, 2].flatMap((before) => {
    const written = Buffer.concat([Buffer.alloc(before), bytes]).toString('base64');
    // The characters at either end also encode bits of the neighboring bytes.
    const inner = written.slice(Math.ceil((before * 4) / 3), Math.floor(((before + bytes.length) * 4) / 3));
    return [inner, inner.replace(STANDARD, (sign) => URL_SAFE[sign] ?? sign)];
  });
}

/** Whether a fragment is too random to occur in ordinary text: letters mixed with digits, or a capital after a small letter. */
const isRandom = (part: string): boolean =>
  !/\s/.test(part) && ((/[a-z]/i.test(part) && /\d/.test(part)) || /[a-z][^a-z]*[A-Z]/.test(part));

const partsOf = (secret: string): string[] =>
  secret.length < SHORTEST_WITH_PARTS
    ? []
    : Array.from({ length: secret.length - PART + 1 }, (_, at) => secret.slice(at, at + PART)).filter(
        isRandom,
      );

/** UTF-8 bytes as one character each, which is what byte-wise URL-decoding yields. */
const asBytes = (text: string): string => Buffer.from(text).toString('latin1');

/** Every form in which an unescaped text may contain a secret. */
const formsOf = (secret: string): Set<string> =>
  new Set([
    secret,
    asBytes(secret),
    ...(secret.includes(' ') ? [asBytes(secret).replaceAll(' ', '+')] : []),
    ...inBase64(secret),
    ...partsOf(secret),
  ]);

/** JSON escapes, including those of JSON nested in JSON, and URL escapes, including repeated ones. */
const ESCAPE = /\\{1,8}(?:u(?<unit>[0-9a-f]{4})|(?<sign>["\\/bfnrt]))|%(?:25){0,3}(?<byte>[0-9a-f]{2})/gi;
const CONTROLS: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' };

/** How many levels of nested escapes are undone. */
const LEVELS = 3;

/** A text with its escapes undone, and for each character its offset in the original; the last entry is the end. */
function unescaped(text: string): { plain: string; places: Uint32Array } {
  const places = new Uint32Array(text.length + 1);
  let plain = '';
  let at = 0;
  const take = (characters: string, from: number, step: 0 | 1) => {
    for (let one = 0; one < characters.length; one += 1) places[plain.length + one] = from + one * step;
    plain += characters;
  };
  for (const { index, 0: all, groups: { unit, sign, byte } = {} } of text.matchAll(ESCAPE)) {
    take(text.slice(at, index), at, 1);
    const code = unit ?? byte;
    const meant =
      code === undefined
        ? (CONTROLS[sign ?? ''] ?? sign ?? '')
        : String.fromCharCode(Number.parseInt(code, 16));
    take(meant, index, 0);
    at = index + all.length;
  }
  take(text.slice(at), at, 1);
  places[plain.length] = text.length;
  return { plain, places };
}

/** Where a text contains a secret, and the secret's name. */
interface Found {
  from: number;
  to: number;
  name: string;
}

/** Removes known secrets from texts. */
export type SecretFilter = ReturnType<typeof createSecretFilter>;

/**
 * A filter that replaces every known secret in a text with its name, such as `[OPENAI_API_KEY]`: as it is, escaped for JSON or a URL,
 * in Base64, and random fragments of it. Runs in time linear in the text, whatever it contains.
 */
export function createSecretFilter() {
  const secrets = new Set<string>();
  /** By a hash of their first four characters, longest first. */
  const forms = new Map<number, { form: string; name: string }[]>();
  /** Whether any form may start at this slot: most positions of a text need no second look. */
  const begins = new Uint8Array(65_536);
  /** A hash of four characters. Different ones may collide. */
  const startAt = (text: string, at: number): number =>
    text.charCodeAt(at) ^
    (text.charCodeAt(at + 1) << 7) ^
    (text.charCodeAt(at + 2) << 14) ^
    (text.charCodeAt(at + 3) << 21);
  const slotOf = (start: number): number => Math.imul(start, 0x9e3779b1) >>> 16;

  function foundIn(text: string): Found[] {
    const matches: Found[] = [];
    for (let at = 0; at <= text.length - SHORTEST; at += 1) {
      const start = startAt(text, at);
      if (begins[slotOf(start)] === 0) continue;
      const secretForm = forms.get(start)?.find(({ form }) => text.startsWith(form, at));
      if (secretForm === undefined) continue;
      const to = at + secretForm.form.length;
      const last = matches.at(-1);
      // A match that touches the previous one is another form or fragment of the same secret.
      if (last !== undefined && at <= last.to) last.to = Math.max(last.to, to);
      else matches.push({ from: at, to, name: secretForm.name });
    }
    return matches;
  }

  function hide(text: string): string {
    if (secrets.size === 0) return text;
    const matches = foundIn(text);
    let inner = text;
    let placeOf = (at: number): number => at;
    for (let level = 0; level < LEVELS && /[\\%]/.test(inner); level += 1) {
      const { plain, places } = unescaped(inner);
      const outer = placeOf;
      placeOf = (at) => outer(places[at] ?? 0);
      inner = plain;
      for (const { from, to, name } of foundIn(plain))
        matches.push({ from: placeOf(from), to: placeOf(to), name });
    }
    if (matches.length === 0) return text;
    let hidden = '';
    let end = 0;
    for (const { from, to, name } of matches.sort((a, b) => a.from - b.from || b.to - a.to)) {
      if (from > end || end === 0) hidden += `${text.slice(end, from)}[${name}]`;
      end = Math.max(end, to);
    }
    return hidden + text.slice(end);
  }

  return {
    hide,
    /** Adds a secret. One that is already known keeps its first name. */
    add: (secret: string, name: string): void => {
      const value = secret.trim();
      if (value.length < SHORTEST || secrets.has(value)) return;
      secrets.add(value);
      for (const form of formsOf(value)) {
        const start = startAt(form, 0);
        const same = [...(forms.get(start) ?? []), { form, name }];
        forms.set(
          start,
          same.sort((a, b) => b.form.length - a.form.length),
        );
        begins[slotOf(start)] = 1;
      }
    },
  };
}

/** The secrets in a URL: the password, a user name without a password, and query values whose names suggest a secret. */
export function secretsIn(address: string): string[] {
  if (!URL.canParse(address)) return [];
  const { username, password, searchParams } = new URL(address);
  const credential = password === '' ? username : password;
  const query = [...searchParams].filter(([name]) => /key|token|secret|sig|pass|code/i.test(name));
  return [...new Set([credential, safelyDecoded(credential), ...query.map(([, value]) => value)])];
}

function safelyDecoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
