import { endConversations } from "./kept-conversation";

/** Removes what this browser keeps of a user: conversations, prompts, dismissed steps. */
export function forgetPerson(userId: string): void {
  endConversations(sessionStorage);
  try {
    for (const name of Object.keys(localStorage))
      if (name.startsWith("relay.") && name.endsWith(userId)) localStorage.removeItem(name);
  } catch {
    // Storage may be blocked; then nothing was kept.
  }
}
