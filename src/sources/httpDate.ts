const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

const TIME = String.raw`(?<time>\d\d:\d\d:\d\d)`;

/** Source: https://www.rfc-editor.org/rfc/rfc9110#section-5.6.7, whose two obsolete forms a recipient has to understand. */
const FORMS: readonly RegExp[] = [
  new RegExp(String.raw`^[a-z]{3}, (?<day>\d\d) (?<month>[a-z]{3}) (?<year>\d{4}) ${TIME} (?:GMT|UTC)$`, 'i'),
  new RegExp(String.raw`^[a-z]{6,9}, (?<day>\d\d)-(?<month>[a-z]{3})-(?<year>\d\d) ${TIME} GMT$`, 'i'), // RFC 850
  new RegExp(String.raw`^[a-z]{3} (?<month>[a-z]{3}) (?<day>[ \d]\d) ${TIME} (?<year>\d{4})$`, 'i'), // asctime of C
];

/**
 * A date of an HTTP header, in milliseconds since 1970; undefined when it is none.
 *
 * @param now - Tells the century of a year with two digits: it is at most 50 years ahead.
 */
export function httpDateMsOf(text: string, now: number): number | undefined {
  const fields = FORMS.map((form) => form.exec(text.trim())?.groups).find((groups) => groups !== undefined);
  if (fields === undefined) return undefined;
  const { day, month = '', year = '', time = '' } = fields;
  const monthIndex = MONTHS.indexOf(month.toLowerCase());
  const [hour, minute, second] = time.split(':').map(Number);
  const years = year.length === 2 ? fullYearOf(Number(year), new Date(now).getUTCFullYear()) : Number(year);
  return monthIndex < 0 ? undefined : Date.UTC(years, monthIndex, Number(day), hour, minute, second);
}

function fullYearOf(twoDigits: number, thisYear: number): number {
  const year = thisYear - (thisYear % 100) + twoDigits;
  return year > thisYear + 50 ? year - 100 : year;
}
