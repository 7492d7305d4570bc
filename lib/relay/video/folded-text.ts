/**
 * A prompt as a lenient reader may see it: wide and styled letters as plain ones, every dash as a
 * hyphen, no invisible characters.
 */

export interface FoldedText {
  /** The characters, in lower case. */
  readonly units: string[];
  /** The start and the end of each character in the original text. */
  readonly starts: number[];
  readonly ends: number[];
  /** Whether each character is a dash other than the plain hyphen. */
  readonly isTypographic: boolean[];
  /** Whether invisible characters precede each character. */
  readonly isAfterInvisible: boolean[];
}

const dash = /^[\p{Pd}\u02d7\u2043\u2212\u2796]$/u;
/** Characters that keyboards and word processors write for one hyphen, not for two. */
const plainHyphens = "-\u2010\u2011\ufe63\uff0d";
/**
 * Characters without a width or a glyph: readers drop them, or end a word at them. A byte order
 * mark counts as one, not as a space.
 */
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

/** The compatibility form of a character may itself contain a dash. */
const plainUnit = (unit: string) =>
  unit.charCodeAt(0) > ASCII_MAX && dash.test(unit) ? "-" : unit;

/** Folds `text` in one pass. */
export function foldText(text: string): FoldedText {
  const folded: FoldedText = {
    units: [],
    starts: [],
    ends: [],
    isTypographic: [],
    isAfterInvisible: [],
  };
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
