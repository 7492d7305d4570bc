import type pg from "pg";
import type { Changes } from "../db/changes";
import { RelayError } from "../failures/relay-error";
import { KeyCache } from "./key-cache";
import { admitKey, type KeySource, readKeys } from "./key-entry";
import { flushLastUses } from "./key-last-use";
import {
  hashKeyText,
  isKeyText,
  KEY_LENGTH,
  MANAGEMENT_KEY_LENGTH,
  movedKeyText,
  OPERATOR_KEY_LENGTH,
  PREFIX,
} from "./key-text";
import { createManagementKeys } from "./management-keys";
import { createOperatorKeys } from "./operator-keys";
import type { ApiKeyPrincipal, KeyPrincipal } from "./principal";
import { addressGroup } from "./throttle";

export interface KeyAuthenticator {
  /**
   * The principal of an `Authorization` header. Throws `missing_api_key`, `invalid_api_key`,
   * `api_key_expired`, `api_key_revoked`, `api_key_paused`, `account_suspended`,
   * `address_not_allowed`, or
   * `database_unavailable`. A cached key needs no query and no promise. Look-ups of other keys are
   * shared fairly between the addresses that ask.
   */
  identify(
    authorization: string | undefined,
    source?: KeySource,
  ): KeyPrincipal | Promise<KeyPrincipal>;
}

const bearer = /^Bearer +(\S.*)$/i;

/** The key in an `Authorization` header. Throws `missing_api_key`. */
export function keyTextOf(authorization: string | undefined): string {
  if (authorization === undefined) throw new RelayError("missing_api_key");
  if (authorization.length === 7 + KEY_LENGTH && authorization.startsWith("Bearer "))
    return authorization.slice(7);
  const text = bearer.exec(authorization)?.[1]?.trimEnd();
  if (text === undefined) throw new RelayError("missing_api_key");
  return text;
}

interface AuthenticatorOptions {
  readonly pool: pg.Pool;
  readonly changes: Changes;
  /** Whether operators may work from an address; any, where it is not given. */
  readonly mayOperateFrom?: (address: string | undefined) => boolean;
}

/** Takes the same steps for a key that does not exist as for one that may no longer be used. */
async function identifyUnseen(
  cache: KeyCache,
  [text, hash]: readonly [text: string, hash: string],
  source: KeySource | undefined,
): Promise<ApiKeyPrincipal> {
  if (text.startsWith(PREFIX) && !isKeyText(text)) throw new RelayError("invalid_api_key");
  const refused = cache.refused(hash);
  const entry =
    refused === undefined ? await cache.lookUp(hash, addressGroup(source?.address)) : refused.entry;
  if (entry === null) throw new RelayError("invalid_api_key");
  const principal = admitKey(entry, source);
  cache.keepUse(hash, entry);
  return principal;
}

function identifyKey(cache: KeyCache, text: string, source: KeySource | undefined) {
  const hash = hashKeyText(text);
  const entry = cache.get(hash);
  if (entry !== undefined && Date.now() < entry.expiresAt) return admitKey(entry, source);
  if (entry !== undefined) cache.forget(hash);
  return identifyUnseen(cache, [text, hash], source);
}

/**
 * Caches the keys in use. A change of a key or its account drops the key at once; every 3 s the
 * keys in use are read again and the others dropped. `close` writes the last uses.
 */
export function createKeyAuthenticator({
  pool,
  changes,
  mayOperateFrom = () => true,
}: AuthenticatorOptions): KeyAuthenticator & { close(): Promise<void> } {
  const cache = new KeyCache((hashes) => readKeys(pool, hashes));
  const managementKeys = createManagementKeys(pool);
  const operatorKeys = createOperatorKeys(pool, mayOperateFrom);
  const flush = () => cache.flush((uses) => flushLastUses(pool, uses));
  let ticking: Promise<void> | null = null;

  function tick(): void {
    ticking ??= Promise.allSettled([cache.refresh(), flush()]).then(() => {
      ticking = null;
    });
  }

  const forgetAccount = (id: string | null) => {
    if (id !== null) cache.forgetAccount(id);
  };
  const subscriptions = [
    changes.subscribe("api_key", (id) => (id === null ? tick() : cache.forgetKey(id))),
    changes.subscribe("api_key_made", (hash) => {
      if (hash !== null) cache.forgetUnknown(hash);
    }),
    changes.subscribe("account", forgetAccount),
    changes.subscribe("account_model_multiplier", forgetAccount),
    changes.subscribe("account_group", (id) => {
      if (id !== null) cache.forgetGroup(id);
    }),
  ];

  return {
    identify(authorization, source) {
      const text = keyTextOf(authorization);
      if (!text.startsWith(PREFIX)) {
        const moved = movedKeyText(text);
        if (moved === null) throw new RelayError("invalid_api_key");
        return identifyKey(cache, moved, source);
      }
      if (text.length === MANAGEMENT_KEY_LENGTH)
        return managementKeys.identify(text, source?.address);
      if (text.length === OPERATOR_KEY_LENGTH) return operatorKeys.identify(text, source?.address);
      if (text.length !== KEY_LENGTH) throw new RelayError("invalid_api_key");
      return identifyKey(cache, text, source);
    },
    async close() {
      for (const end of subscriptions) end();
      await ticking;
      await flush().catch(() => {});
    },
  };
}
