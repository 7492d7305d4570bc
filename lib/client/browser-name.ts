const browsers: readonly [pattern: RegExp, name: string][] = [
  [/Edg(?:A|iOS)?\//, "Edge"],
  [/OPR\//, "Opera"],
  [/(?:Firefox|FxiOS)\//, "Firefox"],
  [/(?:Chrome|CriOS)\//, "Chrome"],
  [/Safari\//, "Safari"],
];
const systems: readonly [pattern: RegExp, name: string][] = [
  [/iPhone|iPad/, "iOS"],
  [/Android/, "Android"],
  [/Windows/, "Windows"],
  [/Mac OS X/, "macOS"],
  [/Linux|X11/, "Linux"],
];

const find = (list: readonly [RegExp, string][], text: string) =>
  list.find(([pattern]) => pattern.test(text))?.[1] ?? null;

/**
 * The browser and operating system named in a `User-Agent`; null for each that is not recognized.
 */
export function browserName(userAgent: string | null): {
  browser: string | null;
  system: string | null;
} {
  return { browser: find(browsers, userAgent ?? ""), system: find(systems, userAgent ?? "") };
}
