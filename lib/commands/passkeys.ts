/** Commands about a user's passkeys. */
import { recordAction } from "../accounts/actions";
import { type Challenge, takeOnce } from "../accounts/second-factor/challenge";
import { verifiedRegistration } from "../accounts/second-factor/webauthn";
import { PASSKEYS_MAX } from "../contract/limits";
import type { Registration } from "../contract/passkeys";
import { newId } from "../crypto/ids";
import { isUniqueViolation } from "../db/database-errors";
import { inDatabaseTransaction } from "../db/transaction";
import { RelayError } from "../failures/relay-error";
import {
  assertFactorLeft,
  changeFactors,
  type FactorChange,
  type FactorOwner,
} from "./change-factors";
import type { CommandDeps } from "./command-deps";

type Deps = Pick<CommandDeps, "database">;

const refused = (error: unknown): never => {
  throw isUniqueViolation(error) ? new RelayError("passkey_refused") : error;
};

/** Rejects with `passkey_refused`, or `limit_reached`. */
export async function addPasskey(
  { database }: Deps,
  owner: FactorOwner,
  given: { publicUrl: string; challenge: Challenge; registration: Registration },
): Promise<FactorChange> {
  const { userId } = owner;
  const { name, transports = [] } = given.registration;
  const { publicUrl, challenge, registration } = given;
  const made = await verifiedRegistration(publicUrl, challenge.challenge, registration);
  return changeFactors(database, owner, {
    action: "passkey.add",
    async work(transaction) {
      if (!(await takeOnce(transaction, challenge))) throw new RelayError("passkey_refused");
      if ((await transaction.passkey.count({ where: { userId } })) >= PASSKEYS_MAX)
        throw new RelayError("invalid_value", {
          message: `You have ${PASSKEYS_MAX} passkeys. Remove one first.`,
        });
      await transaction.passkey.create({
        data: {
          id: newId("passkey"),
          userId,
          name,
          transports: [...transports],
          credentialId: made.id,
          publicKey: new Uint8Array(made.publicKey),
          counter: BigInt(made.counter),
        },
      });
    },
  }).catch(refused);
}

/** Rejects with `not_found`, also for another user's passkey. */
export function renamePasskey(
  { database }: Deps,
  actor: string,
  { userId, id, name }: { userId: string; id: string; name: string },
): Promise<void> {
  return inDatabaseTransaction(database, async (transaction) => {
    const { count } = await transaction.passkey.updateMany({
      where: { id, userId },
      data: { name },
    });
    if (count === 0) throw new RelayError("not_found");
    await recordAction(transaction, actor, "passkey.rename", userId);
  });
}

/** Rejects with `not_found`, or `second_factor_needed` for the last factor where one is required. */
export function removePasskey(
  { database }: Deps,
  owner: FactorOwner,
  { id, isRequired }: { id: string; isRequired: boolean },
): Promise<FactorChange> {
  const { userId } = owner;
  return changeFactors(database, owner, {
    action: "passkey.remove",
    async work(transaction) {
      const { count } = await transaction.passkey.deleteMany({ where: { id, userId } });
      if (count === 0) throw new RelayError("not_found");
      await assertFactorLeft(transaction, { userId, isRequired });
    },
  });
}
