/** System prompts that a user keeps in this browser. */
import { useSyncExternalStore } from "react";
import * as z from "zod";

const PREFIX = "relay.prompts.";
/** As many as a list can be chosen from. */
const PROMPTS_MAX = 30;

const stored = z.array(z.string()).max(PROMPTS_MAX);
const listeners = new Set<() => void>();
const none = "[]";

function read(userId: string): string {
  try {
    return localStorage.getItem(PREFIX + userId) ?? none;
  } catch {
    return none;
  }
}

function write(userId: string, prompts: readonly string[]): void {
  try {
    localStorage.setItem(PREFIX + userId, JSON.stringify(prompts.slice(0, PROMPTS_MAX)));
  } catch {
    // A storage that is full or forbidden keeps nothing.
  }
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void) {
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
  };
}

function parsed(text: string): string[] {
  try {
    return stored.catch([]).parse(JSON.parse(text));
  } catch {
    return [];
  }
}

export function useSavedPrompts(userId: string) {
  const text = useSyncExternalStore(
    subscribe,
    () => read(userId),
    () => none,
  );
  const prompts = parsed(text);
  const without = (prompt: string) => prompts.filter((each) => each !== prompt);
  return {
    prompts,
    save: (prompt: string) => write(userId, [prompt, ...without(prompt)]),
    remove: (prompt: string) => write(userId, without(prompt)),
  };
}
