/**
 * Draws that are the same for one conversation each time (rendezvous hashing), so that its requests go
 * where its beginning is cached. No state is kept: a place that comes or goes moves only what is its own.
 */

/** A number from 0 to 1 for one of the places that are drawn from. */
export type Draw = (name: string) => number;

const FNV_OFFSET = 0x811c9dc5;
const FNV_PRIME = 0x01000193;
const RANGE = 2 ** 32;

/** 32 bits of a text (FNV-1a). */
function hashOf(text: string, seed = FNV_OFFSET): number {
  let hash = seed;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), FNV_PRIME);
  return hash;
}

/** Spreads the bits, so that texts that are alike draw differently (the end of MurmurHash3). */
function spread(bits: number): number {
  let mixed = bits;
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return (mixed ^ (mixed >>> 16)) >>> 0;
}

/** `conversation` is read at the first draw: most requests have only one place to go to. */
export function drawsOf(conversation: () => string): Draw {
  let seed: number | undefined;
  return (name) => {
    seed ??= spread(hashOf(conversation()));
    return (spread(hashOf(name, seed)) + 0.5) / RANGE;
  };
}
