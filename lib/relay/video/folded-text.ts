/** A prompt as a lenient reader may see it: wide and styled letters plain, every dash a hyphen, invisible characters gone. */

export interface FoldedText {
  /** Lower case; one character each. */
  readonly units: string[];
  /** Where in the text each stands, and where it ends. */
  readonly starts: number[];
  readonly ends: number[];
  /** Whether each is a dash that is no plain hyphen. */
  readonly isTypographic: boolean[];
  /** Whether invisible characters stand before each. */
  readonly isAfterInvisible: boolean[];
}

const dash = /^[\p{Pd}\u02d7\u2043\u2212\u2796]$/u;
/** What keyboards and writing programs make of a hyphen, not of two. */
const plainHyphens = "-\u2010\u2011\ufe63\uff0d";
/** No width, or no picture: readers drop them, or end a word at them. A byte order mark is no space here. */
const invisible = /^[\p{Default_Ignorable_Code_Point}\p{Cf}\p{Cc}]$/u;
const space = /^[^\S\ufeff]$/;
const ASCII_MAX = 127;
const DELETE = 127;
const SPACE = 32;

function isInvisible(character: string): boolean {
  const code = character.charCodeAt(0);
  if (code >= SPACE && code < DELETE) return false;
  return invisible.test(character) && !space.test(character);
}

function foldCharacter(character: string): string {
  if (character.charCodeAt(0) <= ASCII_MAX) return character.toLowerCase();
  return dash.test(character) ? "-" : character.normalize("NFKC").toLowerCase();
}

/** A compatibility form may itself hold a dash. */
const plainUnit = (unit: string) => (unit.charCodeAt(0) > ASCII_MAX && dash.test(unit) ? "-" : unit);

/** Reads `text` once, character by character. */
export function foldText(text: string): FoldedText {
  const folded: FoldedText = { units: [], starts: [], ends: [], isTypographic: [], isAfterInvisible: [] };
  let isAfter = false;
  let at = 0;
  for (const character of text) {
    const end = at + character.length;
    if (isInvisible(character)) isAfter = true;
    else {
      for (const unit of foldCharacter(character)) {
        folded.units.push(plainUnit(unit));
        folded.starts.push(at);
        folded.ends.push(end);
        folded.isTypographic.push(!plainHyphens.includes(character));
        folded.isAfterInvisible.push(isAfter);
        isAfter = false;
      }
    }
    at = end;
  }
  return folded;
}
