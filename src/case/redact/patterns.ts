import { lazily } from '../../common/index.ts';
import plateCodes from './plate-codes.json' with { type: 'json' };

/** Prefixes of German license plates (`B`, `HH`, `MTK`), including former districts that are issued again. */
const germanDistricts = lazily(
  (): ReadonlySet<string> => new Set(plateCodes.germany.flatMap((codes) => codes.split(' '))),
);

/** What can be redacted: the name in `JURY_REDACT`, and the text that replaces it. */
export const redactable = {
  phone: 'phone number',
  email: 'e-mail address',
  plate: 'license plate',
  vin: 'VIN',
  position: 'exact position',
} as const;
export type Redactable = keyof typeof redactable;

export const isRedactable = (name: string): name is Redactable => Object.hasOwn(redactable, name);

/** Finds details of one kind in a text. The `detail` group of `find` is replaced, or the whole match if there is none. */
export interface Pattern {
  name: string;
  find: RegExp;
  /** Confirms a match. @param before the text before it */
  isIt?: (detail: string, before: string) => boolean;
}

// Every pattern runs in linear time: repetitions are bounded or unambiguous.
const SPACE = '[ \\u00a0\\u202f]';
const HYPHEN = '[-\\u2010\\u2011\\u2013]';
const NUMBER_START = '(?<![\\p{L}\\p{N}.,:/+#_-])';
const digitsOf = (text: string): string => text.replaceAll(/\D/g, '');

const emails = (): Pattern[] => [
  {
    name: redactable.email,
    find: /(?<![\p{L}\p{N}._%+-])[\p{L}\p{N}._%+-]{1,64}@(?:[\p{L}\p{N}-]{1,63}\.){1,8}\p{L}{2,24}(?![\p{L}\p{N}])/gu,
  },
];

/** Degrees with four or more decimals, which are accurate to about ten meters. */
const DEGREES = '[-+]?\\d{1,3}[.,]\\d{4,15}';
const DEGREE_MARK = `(?:${SPACE}?°)?`;
const direction = (letters: string): string => `(?:${SPACE}?[${letters}](?!\\p{L}))?`;
const SEXAGESIMAL = `\\d{1,3}°${SPACE}?\\d{1,2}(?:[.,]\\d{2,8})?['′’](?:${SPACE}?\\d{1,2}(?:[.,]\\d{1,8})?(?:["″”]|''))?`;

/** Whether two numbers are a latitude and a longitude. */
function arePlace(detail: string): boolean {
  const [latitude = 91, longitude = 181] = (detail.match(/[-+]?\d{1,3}[.,]\d{4,15}/g) ?? []).map((degrees) =>
    Math.abs(Number(degrees.replace(',', '.'))),
  );
  return latitude <= 90 && longitude <= 180;
}

const positions = (): Pattern[] => [
  {
    name: redactable.position,
    find: new RegExp(
      `(?<![\\d.,])${DEGREES}${DEGREE_MARK}${direction('NS')}(?:${SPACE}{0,3}[,;/|]${SPACE}{0,3}|${SPACE}{1,3})${DEGREES}${DEGREE_MARK}${direction('EWO')}(?!\\d|\\.\\d)`,
      'gu',
    ),
    isIt: arePlace,
  },
  {
    name: redactable.position,
    find: new RegExp(
      `(?<!\\d)${SEXAGESIMAL}${SPACE}?[NS][,;/ ]{0,3}${SEXAGESIMAL}${SPACE}?[EWO](?!\\p{L})`,
      'gu',
    ),
    // Degrees and whole minutes are only accurate to two kilometers.
    isIt: (detail) => /["″”]|''|\d[.,]\d/.test(detail),
  },
  {
    name: redactable.position,
    find: /(?<!\p{L})(?:lat(?:itude)?|lon(?:gitude)?|lng|breitengrad|längengrad)["']?\s{0,3}[:=]?\s{0,3}(?<detail>[-+]?\d{1,3}[.,]\d{4,15})(?![\d°]|[.,]\d)/giu,
  },
  // A full-length Open Location Code.
  {
    name: redactable.position,
    find: /(?<![\p{L}\p{N}])[23456789CFGHJMPQRVWX]{8}\+[23456789CFGHJMPQRVWX]{2,3}(?![\p{L}\p{N}])/gu,
  },
];

const VIN_VALUES = new Map(
  [...'0123456789ABCDEFGHJKLMNPRSTUVWXYZ'].map((sign, index) => [
    sign,
    index < 10
      ? index
      : ([1, 2, 3, 4, 5, 6, 7, 8, 1, 2, 3, 4, 5, 7, 9, 2, 3, 4, 5, 6, 7, 8, 9][index - 10] ?? 0),
  ]),
);
const VIN_WEIGHTS = [8, 7, 6, 5, 4, 3, 2, 10, 0, 9, 8, 7, 6, 5, 4, 3, 2];

/** Whether the check digit of ISO 3779 is right; North America and China require it. */
function hasCheckDigit(vin: string): boolean {
  const sum = VIN_WEIGHTS.reduce(
    (total, weight, at) => total + weight * (VIN_VALUES.get(vin[at] ?? '') ?? 0),
    0,
  );
  return vin[8] === (sum % 11 === 10 ? 'X' : String(sum % 11));
}

/** European makers often fill the check digit and other positions with Z. */
const isFilled = (vin: string): boolean => /^[SVWXYZ][A-Z\d]{2}ZZZ/.test(vin);

const vins = (): Pattern[] => [
  {
    name: redactable.vin,
    find: /(?<![\p{L}\p{N}])[A-HJ-NPR-Z\d]{13}\d{4}(?![\p{L}\p{N}])/giu,
    isIt: (detail, before) => {
      const vin = detail.toUpperCase();
      if (!/[A-Z]/.test(vin) || !/\d/.test(vin)) return false;
      const isNamed =
        /(?:\bVIN|\bFIN|Fahrgestell\p{L}{0,10}|Fahrzeug-?Ident\p{L}{0,20}|chassis)\P{L}{0,4}(?:(?:is|ist|lautet|number|nummer|no|nr)\P{L}{0,4}){0,2}$/iu;
      return isNamed.test(before) || isFilled(vin) || hasCheckDigit(vin);
    },
  },
];

/** Words that look like a plate but are not. */
const NO_PLATES = /^(?:HD-TV|AC-DC|A-Z|DIN-A|HD-R)/;

/** Makes a pattern of lower-case words case-insensitive. */
const anyCase = (words: string): string =>
  words.replaceAll(/\p{Ll}/gu, (letter) => `[${letter}${letter.toUpperCase()}]`);

const namedPlate = () =>
  anyCase(
    '(?:licen(?:c|s)e plates?|number plates?|registration plates?|plate numbers?|registration numbers?|plate(?= is |:)|(?:kfz-?|auto)?kennzeichen|nummernschild|kontrollschild|autonummer)',
  );
const plateFiller = () => anyCase('(?:is|ist|lautet|of|von|nr|no|number|nummer|the|der|mein|my|car|auto)');
const PLATE_SIGN = 'A-ZÄÖÜ\\d';
const PLATE_GAP = ' \\u00a0·•-';

const plates = (): Pattern[] => [
  {
    name: redactable.plate,
    find: new RegExp(
      `(?<![\\p{L}\\p{N}-])[A-ZÄÖÜ]{1,3}${SPACE}?${HYPHEN}${SPACE}?[A-Z]{1,2}[ \\u00a0-]?[1-9]\\d{0,3}[EH]?(?![\\p{L}\\p{N}]|[.,:]\\d|-\\d)`,
      'gu',
    ),
    isIt: (detail) =>
      germanDistricts().has(/^[A-ZÄÖÜ]+/.exec(detail)?.[0] ?? '') &&
      !NO_PLATES.test(detail.replaceAll(/[\s\u2010\u2011\u2013]/g, (sign) => (/\s/.test(sign) ? '' : '-'))),
  },
  // Plates of other countries look like many other things, so they count only after a word for license plate.
  {
    name: redactable.plate,
    find: new RegExp(
      `(?<!\\p{L})${namedPlate()}[:,]?(?:${SPACE}${plateFiller()}(?!\\p{L})[.:]?){0,4}${SPACE}{0,2}["“„]?(?<detail>(?=[${PLATE_SIGN}${PLATE_GAP}]{0,9}\\d)(?=[\\d${PLATE_GAP}]{0,9}[A-ZÄÖÜ])[${PLATE_SIGN}](?:[${PLATE_GAP}]?[${PLATE_SIGN}]){3,8})(?![\\p{L}\\p{N}])`,
      'gu',
    ),
  },
];

/** Words that mark the number after them as something other than a phone number. */
const OTHER_NUMBER =
  /(?:order|ticket|case|invoice|article|item|part|serial|account|customer|bestell|auftrag|rechnung|artikel|konto|kunden|serien|vorgang|\bid|isbn|ean|iban)\p{L}{0,8}\P{L}{0,3}(?:(?:no|nr|number|nummer|is|ist)\P{L}{0,3}){0,2}$/iu;

/** Whether the digits are times or dates: `0830 1030 1230`, `2026-03-04`. */
const areTimes = (detail: string): boolean =>
  (detail.match(/\d+/g) ?? []).every((group) => group.length === 4) ||
  /^(?:\d{4}[-/ ]\d{1,2}[-/ ]\d{1,2}|\d{1,2}[-/ ]\d{1,2}[-/ ]\d{4})\b/.test(detail);

const PHONE_SIGN = '[ \\u00a0\\u202f()/\\u2010\\u2011\\u2013-]';
const PHONE_END = '(?!\\d|[:.,]\\d|\\p{L})';

const phones = (): Pattern[] => [
  // International: +49 30 …, 0049 30 …
  {
    name: redactable.phone,
    find: new RegExp(
      `${NUMBER_START}(?:\\+[1-9]|00(?=[1-9]))(?:(?:${PHONE_SIGN}|\\.){0,3}\\d){8,13}${PHONE_END}`,
      'gu',
    ),
    isIt: (detail, before) =>
      !/^\+\d{1,3}\.\d{4,}$/.test(detail) &&
      (detail.startsWith('+') ||
        (/^00(?:1|3\d|4[013-9]|352|420|90)/.test(digitsOf(detail)) && !OTHER_NUMBER.test(before))),
  },
  // National numbers of Germany, Austria and Switzerland: 030 123456, (0171) 234 56 78, 01711234567.
  {
    name: redactable.phone,
    find: new RegExp(`${NUMBER_START}\\(?0[1-9](?:${PHONE_SIGN}{0,3}\\d){6,10}${PHONE_END}`, 'gu'),
    isIt: (detail, before) => {
      if (OTHER_NUMBER.test(before) || areTimes(detail)) return false;
      const digits = digitsOf(detail);
      if (/^\(?\d+$/.test(detail)) return /^01[5-7]\d{8,9}$/.test(digits);
      return digits.length >= 9 && /^\(?0\d{2,4}\D/.test(detail);
    },
  },
  // North American: (415) 555-2671, 415-555-2671.
  {
    name: redactable.phone,
    find: new RegExp(
      `${NUMBER_START}(?:1[-. ])?(?:\\([2-9]\\d{2}\\) ?[2-9]\\d{2}[-. ]|[2-9]\\d{2}([-.])[2-9]\\d{2}\\1)\\d{4}${PHONE_END}`,
      'gu',
    ),
    isIt: (_, before) => !OTHER_NUMBER.test(before),
  },
  // Any number after a word for phone: Tel. 123456, call me at 555-2671.
  {
    name: redactable.phone,
    find: new RegExp(
      `(?<!\\p{L})(?:tel(?:efon)?(?:nummer)?|telephone|phone|mobil(?:e|nummer|funknummer)?|handy(?:nummer)?|fax|rufnummer|cell(?:phone)?|call|ruf|durchwahl)\\b[.:]?(?:${SPACE}(?:is|ist|lautet|number|nummer|no|nr|unter|at|an|me|us|mich|uns)\\b[.:]?){0,3}${SPACE}{0,2}(?<detail>\\(?\\d(?:[ \\u00a0()/-]{0,2}\\d){5,13})${PHONE_END}(?!${SPACE}?(?:km|m|min|€|\\$|%|°|euro|usd|eur)\\b)`,
      'giu',
    ),
    isIt: (detail) => !areTimes(detail),
  },
];

/** Makes the built-in patterns of each kind. */
export const builtIn: Readonly<Record<Redactable, () => readonly Pattern[]>> = {
  email: emails,
  position: positions,
  vin: vins,
  plate: plates,
  phone: phones,
};
