const UNIT_WORDS =
  'km|kilometers?|kilometres?|m|meters?|metres?|miles?|mi|minutes?|minuten|mins?|seconds?|secs?|s|ms|h';
/** A unit at the end of a label: `distance km`, `duration in minutes`. */
export const UNIT = new RegExp(`(?: in)? (${UNIT_WORDS})$`);

/** `openingHours`, `opening_hours` and `Opening hours (today)` are one word; a unit in brackets stays, and so does `kWh`. */
export function wordOf(label: string): string {
  return label
    .normalize('NFC')
    .replace(/(?<=[a-zäöü\d]{2})(?=[A-Z])/g, ' ')
    .toLowerCase()
    .replace(/[([]([^()[\]]{0,40})[)\]]/g, (_, inner: string) => (UNIT.test(` ${inner}`) ? ` ${inner}` : ''))
    .replace(/[_\-–/&+.*`"'“”‘’?]/g, ' ')
    .replace(/\s{1,40}/g, ' ')
    .trim();
}
