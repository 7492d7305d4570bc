/** The operator's colour: what can be read on the pages of each theme, and the rules it becomes. */

export type Theme = "light" | "dark";
/** The colour of each theme, as `#rrggbb`; null where none is set. */
export type Accent = Readonly<Record<Theme, string | null>>;

export const ACCENT_CONTRAST_MIN = 4.5;
const accentPattern = /^#[0-9a-f]{6}$/i;

/** The grounds of `globals.css` on which the colour is text, and what a colour is mixed with to fit. */
const themes = {
  light: { paper: "#fbfaf8", grounds: ["#fbfaf8", "#ffffff", "#f5f3f0"], towards: "#000000" },
  dark: { paper: "#110f0d", grounds: ["#110f0d", "#191714", "#221f1b"], towards: "#ffffff" },
} as const;
/** How much of the colour its own pale ground has. */
const WASH = 0.06;

const channels = (colour: string): number[] =>
  [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16));

/** `share` of one colour in another. */
function mixed(colour: string, ground: string, share: number): string {
  const below = channels(ground);
  const parts = channels(colour).map((part, at) =>
    Math.round(part * share + (below[at] ?? 0) * (1 - share)),
  );
  return `#${parts.map((part) => part.toString(16).padStart(2, "0")).join("")}`;
}

/** The relative luminance of WCAG 2. */
function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = channels(colour).map((part) => {
    const value = part / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(one: string, other: string): number {
  const [low = 0, high = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (high + 0.05) / (low + 0.05);
}

const washOf = (colour: string, theme: Theme): string => mixed(colour, themes[theme].paper, WASH);

function leastContrast(colour: string, theme: Theme): number {
  const grounds = [...themes[theme].grounds, washOf(colour, theme)];
  return Math.min(...grounds.map((ground) => contrast(colour, ground)));
}

/** What is wrong with a colour for a theme; null where nothing is. */
export function accentProblem(colour: string, theme: Theme): string | null {
  if (!accentPattern.test(colour)) return "it is not written like that";
  const least = leastContrast(colour, theme);
  // Rounded down, so that what falls short never reads as the least that is allowed.
  return least >= ACCENT_CONTRAST_MIN ? null : `it has ${Math.floor(least * 100) / 100}:1`;
}

/** The colour, as far towards black or white as a theme needs it. */
function fitted(colour: string, theme: Theme): string {
  for (let share = 100; share > 0; share -= 2) {
    const next = mixed(colour, themes[theme].towards, share / 100);
    if (accentProblem(next, theme) === null) return next;
  }
  return themes[theme].towards;
}

/** Both colours, one made of the other where only one is set; null where none is. */
export function accentPair({ light, dark }: Accent): Readonly<Record<Theme, string>> | null {
  if (light === null && dark === null) return null;
  return {
    light: light ?? fitted(dark ?? "", "light"),
    dark: dark ?? fitted(light ?? "", "dark"),
  };
}

/** The ground of a theme's pages, and the text on what has the operator's colour. */
export const accentColours = (theme: Theme) => ({
  paper: themes[theme].paper,
  onAccent: theme === "light" ? "#ffffff" : themes.dark.paper,
});

const rulesOf = (colour: string, theme: Theme): string =>
  `--signal:${colour};--signal-ink:${colour};--on-signal:${accentColours(theme).onAccent};--signal-wash:${washOf(colour, theme)}`;

/** The style sheet that follows `globals.css`; null where no colour is set. */
export function accentSheet(accent: Accent): string | null {
  const pair = accentPair(accent);
  if (pair === null) return null;
  return `:root:not([data-theme="dark"]){${rulesOf(pair.light, "light")}}\n:root[data-theme="dark"]{${rulesOf(pair.dark, "dark")}}\n`;
}
