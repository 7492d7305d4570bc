import { forgetSecret, rotateSecret } from "@/lib/commands/secrets";
import { actor, type Command } from "./command";

const rotate: Command = {
  usage:
    "   (a new RELAY_SECRET while servers run: credentials are sealed anew, what was signed under the one before stays good until `secret forget`)",
  options: {},
  async run(opened) {
    const { credentials, accountsWithCallbacks } = await rotateSecret(opened, actor);
    return {
      json: { secret: { resealed_credentials: credentials, accounts_with_callbacks: accountsWithCallbacks } },
      text: `${credentials} credentials are sealed under the new secret. ${accountsWithCallbacks} accounts had callbacks in the last 30 days: their callback_secret is a new one, and deliveries are signed under both until \`secret forget\`.`,
    };
  },
};

const forget: Command = {
  usage: "   (ends a rotation: sessions and links of before are refused from now on)",
  options: {},
  async run(opened) {
    const { isOwnFile } = await forgetSecret(opened, actor);
    const text = isOwnFile
      ? "The previous secret is forgotten."
      : "Nothing is sealed under the previous secret any more: take RELAY_SECRET_PREVIOUS out of the environment of every server and restart them.";
    return { json: { secret: { forgotten: isOwnFile } }, text };
  },
};

export const secretCommands = { rotate, forget };
