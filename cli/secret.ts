import { forgetSecret, rotateSecret } from "@/lib/commands/secrets";
import { actor, type Command } from "./command";

const rotate: Command = {
  usage:
    "   (creates a new RELAY_SECRET while servers run: re-encrypts credentials; the previous secret stays valid until `secret forget`)",
  async run(installation) {
    const { credentials, accountsWithCallbacks } = await rotateSecret(installation, actor);
    return {
      json: {
        secret: {
          resealed_credentials: credentials,
          accounts_with_callbacks: accountsWithCallbacks,
        },
      },
      text: `${credentials} credentials are encrypted under the new secret. ${accountsWithCallbacks} accounts had callbacks in the last 30 days: their keys have a new callback_secret, and deliveries are signed with both until \`secret forget\`.`,
    };
  },
};

const forget: Command = {
  usage: "   (ends a rotation: older sessions and links are refused from now on)",
  async run(installation) {
    const { isOwnFile } = await forgetSecret(installation, actor);
    const text = isOwnFile
      ? "The previous secret was removed."
      : "No credential is encrypted under the previous secret. Remove RELAY_SECRET_PREVIOUS from the environment of every server and restart them.";
    return { json: { secret: { forgotten: isOwnFile } }, text };
  },
};

export const secretCommands = { rotate, forget };
