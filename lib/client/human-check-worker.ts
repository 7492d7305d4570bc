/** The worker that finds the number of a human check, and reports how far it is. */
import { scrypt } from "@noble/hashes/scrypt.js";
import { type HumanChallenge, humanCheckCost } from "../contract/human-check-cost";

export type HumanCheckReport = { readonly share: number } | { readonly number: number };

const textOf = (bytes: Uint8Array) =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");

const report = (text: HumanCheckReport) => self.postMessage(text);

self.onmessage = ({ data }: MessageEvent<HumanChallenge>) => {
  const { salt, target, tries } = data;
  for (let number = 0; number < tries; number++) {
    if (textOf(scrypt(String(number), salt, humanCheckCost)) === target) return report({ number });
    report({ share: (number + 1) / tries });
  }
};
