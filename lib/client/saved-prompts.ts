/** System prompts that a user keeps in this browser. */
import * as z from "zod";
import { keepText, useKeptText } from "./browser-keeps";

/** As many as a list can be chosen from. */
const PROMPTS_MAX = 30;

const stored = z.array(z.string()).max(PROMPTS_MAX);

function parsed(text: string): string[] {
  try {
    return stored.catch([]).parse(JSON.parse(text));
  } catch {
    return [];
  }
}

export function useSavedPrompts(userId: string) {
  const name = `relay.prompts.${userId}`;
  const prompts = parsed(useKeptText(name, null) ?? "[]");
  const write = (next: readonly string[]) =>
    keepText(name, JSON.stringify(next.slice(0, PROMPTS_MAX)));
  const without = (prompt: string) => prompts.filter((each) => each !== prompt);
  return {
    prompts,
    save: (prompt: string) => write([prompt, ...without(prompt)]),
    remove: (prompt: string) => write(without(prompt)),
  };
}
