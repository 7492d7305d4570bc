/** An authenticator for passkeys in software: ES256, as browsers answer for it. */
import { createHash, generateKeyPairSync, randomBytes, sign } from "node:crypto";
import { isoCBOR } from "@simplewebauthn/server/helpers";
import type {
  Assertion,
  AssertionWanted,
  Registration,
  RegistrationWanted,
} from "@/lib/contract/passkeys";

const sha256 = (data: string | Uint8Array) => createHash("sha256").update(data).digest();
const text = (bytes: Uint8Array) => Buffer.from(bytes).toString("base64url");

/** What differs from an honest answer. */
interface Lie {
  readonly origin?: string;
  readonly rpId?: string;
  readonly challenge?: string;
  readonly isVerified?: boolean;
  readonly counter?: number;
}

export class Authenticator {
  readonly id = text(randomBytes(16));
  readonly #keys = generateKeyPairSync("ec", { namedCurve: "P-256" });
  #counter = 0;
  userHandle: string | undefined;

  constructor(readonly origin: string) {}

  #data(type: string, given: { challenge: string; rpId: string }, lie: Lie) {
    const { origin = this.origin, rpId = given.rpId, isVerified = true } = lie;
    const challenge = lie.challenge ?? given.challenge;
    const clientData = Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }));
    const counter = Buffer.alloc(4);
    this.#counter = lie.counter ?? this.#counter + 1;
    counter.writeUInt32BE(this.#counter);
    const flags = Buffer.from([
      0x01 | (isVerified ? 0x04 : 0) | (type.endsWith("create") ? 0x40 : 0),
    ]);
    return { clientData, head: Buffer.concat([sha256(rpId), flags, counter]) };
  }

  register(wanted: RegistrationWanted, name = "laptop", lie: Lie = {}): Registration {
    const { clientData, head } = this.#data("webauthn.create", wanted, lie);
    const { x = "", y = "" } = this.#keys.publicKey.export({ format: "jwk" });
    const key = new Map<number, number | Uint8Array>([
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, new Uint8Array(Buffer.from(x, "base64url"))],
      [-3, new Uint8Array(Buffer.from(y, "base64url"))],
    ]);
    const id = Buffer.from(this.id, "base64url");
    const authData = Buffer.concat([
      head,
      Buffer.alloc(16),
      Buffer.from([0, id.length]),
      id,
      isoCBOR.encode(key),
    ]);
    const attestation = new Map<string, string | Uint8Array | Map<string, string>>([
      ["fmt", "none"],
      ["attStmt", new Map()],
      ["authData", new Uint8Array(authData)],
    ]);
    this.userHandle = wanted.userId;
    return {
      name,
      id: this.id,
      clientDataJSON: text(clientData),
      attestationObject: text(isoCBOR.encode(attestation)),
      transports: ["internal"],
    };
  }

  sign(wanted: AssertionWanted, lie: Lie = {}): Assertion {
    const { clientData, head } = this.#data("webauthn.get", wanted, lie);
    const signature = sign(
      "sha256",
      Buffer.concat([head, sha256(clientData)]),
      this.#keys.privateKey,
    );
    return {
      id: this.id,
      clientDataJSON: text(clientData),
      authenticatorData: text(head),
      signature: text(signature),
      ...(this.userHandle !== undefined && { userHandle: this.userHandle }),
    };
  }
}
