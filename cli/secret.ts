import { recordAction } from "@/lib/accounts/actions";
import { readSeals, resealCredentials } from "@/lib/channels/reseal";
import { openSecrets, removePrevious, replaceSecret } from "@/lib/secrets";
import type { Command } from "./command";

/** One rotation at a time, whichever machine it was started on. */
const ROTATION_LOCK = 7_275_618;

const exclusively = "select pg_try_advisory_lock($1) as ok";

const rotate: Command = {
  usage:
    "   (a new RELAY_SECRET while servers run: credentials are sealed anew, what was signed under the one before stays good until `secret forget`)",
  options: {},
  async run({ settings, database, pool, patiently }) {
    const isOwnFile = settings.RELAY_SECRET === undefined;
    return patiently(async (client) => {
      const { rows } = await client.query<{ ok: boolean }>(exclusively, [ROTATION_LOCK]);
      if (!rows[0]?.ok) throw new Error("another rotation runs at this moment");
      const before = openSecrets(settings);
      const isUnderWay = before.accepted.length > 1;
      if (!isUnderWay && !isOwnFile) {
        throw new Error("set RELAY_SECRET to the new secret and RELAY_SECRET_PREVIOUS to the one before, on every server, first");
      }
      const seals = await readSeals(pool, before);
      if (seals.unknown.length > 0) {
        throw new Error(
          `credentials are sealed under neither secret: ${seals.unknown.map(({ name }) => name).join(", ")}; enter them again first`,
        );
      }
      if (isUnderWay && isOwnFile && seals.previous.length === 0) {
        throw new Error("the secret before is still accepted: `secret forget` ends that rotation, then another can begin");
      }
      if (!isUnderWay) replaceSecret(settings.RELAY_DATA_DIR);
      const credentials = await resealCredentials(pool, openSecrets(settings));
      await recordAction(database, { actor: "cli", action: "secret.rotate", subject: "installation", detail: { credentials } });
      const told = await pool.query<{ accounts: number }>(
        "select count(distinct account_id)::int as accounts from callback_delivery where created_at > now() - interval '30 days'",
      );
      const accounts = told.rows[0]?.accounts ?? 0;
      return {
        json: { secret: { resealed_credentials: credentials, accounts_with_callbacks: accounts } },
        text: `${credentials} credentials are sealed under the new secret. ${accounts} accounts had callbacks in the last 30 days: their callback_secret is a new one, and deliveries are signed under both until \`secret forget\`.`,
      };
    });
  },
};

const forget: Command = {
  usage: "   (ends a rotation: sessions and links of before are refused from now on)",
  options: {},
  async run({ settings, database, pool }) {
    const secrets = openSecrets(settings);
    if (secrets.accepted.length < 2) throw new Error("no secret before the present one is known");
    const { previous } = await readSeals(pool, secrets);
    if (previous.length > 0) throw new Error(`${previous.length} credentials are sealed under it still: run \`secret rotate\` again`);
    const isOwnFile = settings.RELAY_SECRET === undefined;
    if (isOwnFile) removePrevious(settings.RELAY_DATA_DIR);
    await recordAction(database, { actor: "cli", action: "secret.forget", subject: "installation" });
    const text = isOwnFile
      ? "The previous secret is forgotten."
      : "Nothing is sealed under the previous secret any more: take RELAY_SECRET_PREVIOUS out of the environment of every server and restart them.";
    return { json: { secret: { forgotten: isOwnFile } }, text };
  },
};

export const secretCommands = { rotate, forget };
