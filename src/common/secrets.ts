/** Shorter values are placeholders (`none`, `test`), and taking them out would garble ordinary words. */
const SHORTEST = 8;
/** A part of a secret that is so long gives it away; whatever shows less of it may stay. */
const PART = 8;
/** Parts of shorter secrets are not looked for. */
const SHORTEST_WITH_PARTS = 16;

const STANDARD = /[+/]/g;
const URL_SAFE: Readonly<Record<string, string>> = { '+': '-', '/': '_' };

/** What Base64 of any text has in it where that contains the secret: one form for each place in a group of three bytes. */
function inBase64(secret: string): string[] {
  const bytes = Buffer.from(secret);
  return [0, 1, 2].flatMap((before) => {
    const written = Buffer.concat([Buffer.alloc(before), bytes]).toString('base64');
    // Characters at either end also hold bits of what stands beside the secret.
    const own = written.slice(Math.ceil((before * 4) / 3), Math.floor(((before + bytes.length) * 4) / 3));
    return [own, own.replace(STANDARD, (sign) => URL_SAFE[sign] ?? sign)];
  });
}

/** Whether a part of a secret is so random that it can be in no ordinary text: letters mixed with digits, or small with capital ones. */
const isRandom = (part: string): boolean =>
  !/\s/.test(part) && ((/[a-z]/i.test(part) && /\d/.test(part)) || /[a-z][^a-z]*[A-Z]/.test(part));

const partsOf = (secret: string): string[] =>
  secret.length < SHORTEST_WITH_PARTS
    ? []
    : Array.from({ length: secret.length - PART + 1 }, (_, at) => secret.slice(at, at + PART)).filter(
        isRandom,
      );

/** Bytes of UTF-8 as one character each, as undoing URL-encoding byte by byte gives them. */
const asBytes = (text: string): string => Buffer.from(text).toString('latin1');

/** How a text may contain a secret, once its escapes are undone. */
const formsOf = (secret: string): Set<string> =>
  new Set([
    secret,
    asBytes(secret),
    ...(secret.includes(' ') ? [asBytes(secret).replaceAll(' ', '+')] : []),
    ...inBase64(secret),
    ...partsOf(secret),
  ]);

/** Escapes of JSON, however often it was put into JSON again, and of URLs. */
const ESCAPE = /\\{1,8}(?:u([0-9a-f]{4})|(["\\/bfnrt]))|%(?:25){0,3}([0-9a-f]{2})/gi;
const CONTROLS: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' };

/** So many times, one in the other, escapes of both kinds are undone. */
const LEVELS = 3;

/** A text without escapes, and where each of its characters began before; the last place is the end. */
function unescaped(text: string): { plain: string; places: Uint32Array } {
  const places = new Uint32Array(text.length + 1);
  let plain = '';
  let at = 0;
  const take = (characters: string, from: number, step: 0 | 1) => {
    for (let one = 0; one < characters.length; one += 1) places[plain.length + one] = from + one * step;
    plain += characters;
  };
  for (const { index, 0: all, 1: unit, 2: sign, 3: byte } of text.matchAll(ESCAPE)) {
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

/** From where to where a text shows a secret, and the name of that. */
interface Found {
  from: number;
  to: number;
  name: string;
}

/** Takes known secrets out of texts. */
export type SecretFilter = ReturnType<typeof createSecretFilter>;

/**
 * What takes every known secret out of a text from outside: as it is, escaped for JSON or a URL, or in Base64, and parts of random
 * ones. In its place stands its name, `[OPENAI_API_KEY]`. It takes time in proportion to the text, whatever that holds.
 */
export function createSecretFilter() {
  const known = new Set<string>();
  /** By their first characters, the longest first. */
  const forms = new Map<number, { form: string; name: string }[]>();
  /** Whether any form begins like that: most places of a text need no second look. */
  const begins = new Uint8Array(65_536);
  /** Of four characters. Different ones may have the same. */
  const startAt = (text: string, at: number): number =>
    text.charCodeAt(at) ^
    (text.charCodeAt(at + 1) << 7) ^
    (text.charCodeAt(at + 2) << 14) ^
    (text.charCodeAt(at + 3) << 21);
  const slotOf = (start: number): number => Math.imul(start, 0x9e3779b1) >>> 16;

  function foundIn(text: string): Found[] {
    const found: Found[] = [];
    for (let at = 0; at <= text.length - SHORTEST; at += 1) {
      const start = startAt(text, at);
      if (begins[slotOf(start)] === 0) continue;
      const own = forms.get(start)?.find(({ form }) => text.startsWith(form, at));
      if (own === undefined) continue;
      const to = at + own.form.length;
      const last = found.at(-1);
      // What touches the one before it is another form or part of the same.
      if (last !== undefined && at <= last.to) last.to = Math.max(last.to, to);
      else found.push({ from: at, to, name: own.name });
    }
    return found;
  }

  function hide(text: string): string {
    if (known.size === 0) return text;
    const found = foundIn(text);
    let inner = text;
    let placeOf = (at: number): number => at;
    for (let level = 0; level < LEVELS && /[\\%]/.test(inner); level += 1) {
      const { plain, places } = unescaped(inner);
      const outer = placeOf;
      placeOf = (at) => outer(places[at] ?? 0);
      inner = plain;
      for (const { from, to, name } of foundIn(plain))
        found.push({ from: placeOf(from), to: placeOf(to), name });
    }
    if (found.length === 0) return text;
    let hidden = '';
    let end = 0;
    for (const { from, to, name } of found.sort((a, b) => a.from - b.from || b.to - a.to)) {
      if (from > end || end === 0) hidden += `${text.slice(end, from)}[${name}]`;
      end = Math.max(end, to);
    }
    return hidden + text.slice(end);
  }

  return {
    hide,
    /** Adds a secret; one that is known keeps its first name. */
    add: (secret: string, name: string): void => {
      const value = secret.trim();
      if (value.length < SHORTEST || known.has(value)) return;
      known.add(value);
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

/** What is secret in an address: the password, a user name that stands alone, and values of its query that are named like secrets. */
export function secretsIn(address: string): string[] {
  if (!URL.canParse(address)) return [];
  const { username, password, searchParams } = new URL(address);
  const own = password === '' ? username : password;
  const query = [...searchParams].filter(([name]) => /key|token|secret|sig|pass|code/i.test(name));
  return [...new Set([own, safelyDecoded(own), ...query.map(([, value]) => value)])];
}

function safelyDecoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
