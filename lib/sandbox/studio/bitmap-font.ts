/**
 * Letters of 5 × 7 pixels, so that an image's label needs no font of the system. Each row is five
 * bits, the leftmost one highest.
 */

export const GLYPH_WIDTH = 5;
export const GLYPH_HEIGHT = 7;

const rows: Readonly<Record<string, string>> = {
  " ": "0000000",
  "!": "4444404",
  '"': "AAA0000",
  "'": "4400000",
  "(": "2488842",
  ")": "8422248",
  "+": "044V440",
  ",": "0000048",
  "-": "000V000",
  ".": "0000044",
  "/": "1124488",
  ":": "0440440",
  "?": "EH12404",
  "0": "EHJLPHE",
  "1": "4C4444E",
  "2": "EH1248V",
  "3": "V2421HE",
  "4": "26AIV22",
  "5": "VGU11HE",
  "6": "68GUHHE",
  "7": "V124888",
  "8": "EHHEHHE",
  "9": "EHHF12C",
  A: "EHHVHHH",
  B: "UHHUHHU",
  C: "EHGGGHE",
  D: "SIHHHIS",
  E: "VGGUGGV",
  F: "VGGUGGG",
  G: "EHGNHHF",
  H: "HHHVHHH",
  I: "E44444E",
  J: "72222IC",
  K: "HIKOKIH",
  L: "GGGGGGV",
  M: "HRLLHHH",
  N: "HHPLJHH",
  O: "EHHHHHE",
  P: "UHHUGGG",
  Q: "EHHHLID",
  R: "UHHUKIH",
  S: "FGGE11U",
  T: "V444444",
  U: "HHHHHHE",
  V: "HHHHHA4",
  W: "HHHLLLA",
  X: "HHA4AHH",
  Y: "HHHA444",
  Z: "V1248GV",
};
const unknown = "VHHHHHV";

/** The rows of a character; a box for one without a letter here. */
export function glyphRows(character: string): number[] {
  return [...(rows[character.toUpperCase()] ?? unknown)].map((row) => Number.parseInt(row, 32));
}
