/** The commands about second factors, each with the state it needs. */
import { randomBytes } from "node:crypto";
import { Secret, TOTP } from "otpauth";
import { newChallenge } from "@/lib/accounts/second-factor/challenge";
import { hashOfCode } from "@/lib/accounts/second-factor/recovery-codes";
import { identityId } from "@/lib/accounts/sign-in-services";
import { linkIdentity, removeIdentity } from "@/lib/commands/identities";
import { addPasskey, removePasskey, renamePasskey } from "@/lib/commands/passkeys";
import { takeRecoveryCode } from "@/lib/commands/prove-factor";
import * as factors from "@/lib/commands/second-factor";
import { newId } from "@/lib/crypto/ids";
import { Authenticator } from "@/testing/accounts/authenticator";
import type { SiteProcess } from "@/testing/pages-api/site-process";
import { actor, type BrokenOffCommand, newUser, prepared } from "./seed";

const publicUrl = "https://relay.example";

async function ownerOf(site: SiteProcess) {
  const { userId } = await newUser(site);
  return { userId, sessionVersion: 1 };
}

async function newPasskey(site: SiteProcess, userId: string): Promise<string> {
  const id = newId("passkey");
  const credentialId = randomBytes(16).toString("base64url");
  const data = { id, userId, credentialId, publicKey: new Uint8Array([1]), counter: 0n };
  await site.deps.database.passkey.create({ data: { ...data, name: "laptop" } });
  return id;
}

const challengeOf = (challenge: { challenge: string }, userId: string) => ({
  challenge: challenge.challenge,
  rpId: "relay.example",
  rpName: "relay",
  userId,
  userName: "ada",
  existing: [],
});

export const factorCommands: readonly BrokenOffCommand[] = [
  prepared("totp.add", async (site) => {
    const owner = await ownerOf(site);
    const secret = Secret.fromBase32(await factors.startTotp(site.deps, owner));
    return (deps) => factors.confirmTotp(deps, owner, { code: TOTP.generate({ secret }) });
  }),
  prepared("totp.remove", async (site) => {
    const owner = await ownerOf(site);
    await factors.startTotp(site.deps, owner);
    const data = { confirmedAt: new Date() };
    await site.deps.database.userTotp.update({ where: { userId: owner.userId }, data });
    return (deps) => factors.removeTotp(deps, owner, { isRequired: false });
  }),
  prepared("recovery_codes.make", async (site) => {
    const owner = await ownerOf(site);
    await newPasskey(site, owner.userId);
    return (deps) => factors.makeRecoveryCodes(deps, owner.userId, owner);
  }),
  prepared("second_factor.reset", async (site) => {
    const { userId } = await ownerOf(site);
    await newPasskey(site, userId);
    return (deps) => factors.resetSecondFactor(deps, actor, { userId });
  }),
  prepared("recovery_code.use", async (site) => {
    const { userId } = await ownerOf(site);
    const code = "abcdef-ghjkmn-pqrst";
    const data = { userId, codeHash: hashOfCode(userId, code) };
    await site.deps.database.recoveryCode.create({ data });
    return (deps) => takeRecoveryCode(deps, { userId, code });
  }),
  prepared("identity.link", async (site) => {
    const owner = await ownerOf(site);
    const wish = { id: `link-${owner.userId}`, until: Date.now() + 60_000 };
    const identity = { provider: "oidc", providerAccountId: owner.userId, wish };
    return (deps) => linkIdentity(deps, owner, identity);
  }),
  prepared("identity.remove", async (site) => {
    const { userId } = await ownerOf(site);
    const identity = { provider: "oidc", providerAccountId: userId };
    await site.deps.database.userIdentity.create({ data: { ...identity, userId } });
    const named = { userId, id: identityId(identity), hasMail: true };
    return (deps) => removeIdentity(deps, userId, named);
  }),
  prepared("passkey.add", async (site) => {
    const owner = await ownerOf(site);
    const challenge = newChallenge();
    const wanted = challengeOf(challenge, owner.userId);
    const registration = new Authenticator(publicUrl).register(wanted);
    return (deps) => addPasskey(deps, owner, { publicUrl, challenge, registration });
  }),
  prepared("passkey.rename", async (site) => {
    const { userId } = await ownerOf(site);
    const id = await newPasskey(site, userId);
    return (deps) => renamePasskey(deps, userId, { userId, id, name: "phone" });
  }),
  prepared("passkey.remove", async (site) => {
    const owner = await ownerOf(site);
    const id = await newPasskey(site, owner.userId);
    return (deps) => removePasskey(deps, owner, { id, isRequired: false });
  }),
];
