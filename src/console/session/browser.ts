/** What browsers call themselves in `User-Agent`, the more particular ones first: most also name those that they are made of. */
const BROWSERS: readonly (readonly [name: string, pattern: RegExp])[] = [
  ['Edge', /\bEdg(e|A|iOS)?\//],
  ['Opera', /\b(OPR|OPiOS)\//],
  ['Samsung Internet', /\bSamsungBrowser\//],
  ['Vivaldi', /\bVivaldi\//],
  ['DuckDuckGo', /\b(DuckDuckGo|Ddg)\//],
  ['Firefox', /\b(Firefox|FxiOS)\//],
  ['Chrome', /\b(Headless)?(Chrome|Chromium|CriOS)\//],
  ['Safari', /\bSafari\//],
];

const SYSTEMS: readonly (readonly [name: string, pattern: RegExp])[] = [
  ['iPhone', /\biPhone\b/],
  ['iPad', /\biPad\b/],
  ['Android', /\bAndroid\b/],
  ['Windows', /\bWindows\b/],
  ['ChromeOS', /\bCrOS\b/],
  ['macOS', /\bMac OS X\b|\bMacintosh\b/],
  ['Linux', /\bLinux\b/],
];

/** A browser and the system that it runs on; `null` for one that is not known. */
export interface BrowserNames {
  readonly browser: string | null;
  readonly system: string | null;
}

/** The names of the browser and of the system that call themselves so. */
export function browserNames(userAgent: string): BrowserNames {
  const named = (all: typeof BROWSERS) =>
    all.find(([, pattern]) => pattern.test(userAgent))?.[0] ?? null;
  return { browser: named(BROWSERS), system: named(SYSTEMS) };
}
