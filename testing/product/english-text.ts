/**
 * English sentences in a text that should be Chinese: three words in a row, of which the second and
 * the third begin with a small letter. Names of products, models, libraries and headers are written
 * with capitals, or are shorter.
 */
const sentence = /[A-Za-z][A-Za-z’']*(?:[ ,;:]+[a-z][a-z’']+){2,}/g;

export const englishIn = (text: string): string[] => text.match(sentence) ?? [];
