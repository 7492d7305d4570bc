/** Signed addresses of results. Whoever has one may read that one file until it expires. */
import { createHmac, hkdfSync, timingSafeEqual } from "node:crypto";
import { type Secrets, withFitting } from "../crypto/secrets";

export interface MediaLinks {
  /**
   * The address of `file`, such as `media_x.mp4`, valid until `expiresAt`. The same arguments give
   * the same address.
   */
  link(file: string, expiresAt: Date): string;
  /** Whether the query of an address for `file` is valid at `now`. */
  check(file: string, query: string, now: Date): "valid" | "expired" | "forged";
}

/** `publicUrl` has no trailing slash. */
export function createMediaLinks(secrets: Secrets, publicUrl: string): MediaLinks {
  const keys = new Map<string, Buffer>();
  const keyOf = (secret: string): Buffer => {
    const known = keys.get(secret);
    if (known !== undefined) return known;
    const key = Buffer.from(hkdfSync("sha256", secret, "", "relay media link v1", 32));
    // No more keys than there are accepted secrets.
    if (keys.size >= 2) keys.clear();
    keys.set(secret, key);
    return key;
  };
  // HEAD is a GET without the body, so both have the same signature.
  const sign = (secret: string, file: string, expires: string) =>
    createHmac("sha256", keyOf(secret)).update(`GET\n${file}\n${expires}`).digest("base64url");
  return {
    link(file, expiresAt) {
      const expires = String(Math.floor(expiresAt.getTime() / 1000));
      return `${publicUrl}/v1/media/${file}?expires=${expires}&signature=${sign(secrets.current, file, expires)}`;
    },
    check(file, query, now) {
      const given = new URLSearchParams(query);
      const expires = given.get("expires") ?? "";
      const signature = given.get("signature") ?? "";
      if (!/^\d{1,12}$/.test(expires) || !/^[\w-]{43}$/.test(signature)) return "forged";
      const fits = (secret: string) =>
        timingSafeEqual(Buffer.from(signature), Buffer.from(sign(secret, file, expires))) || null;
      if (withFitting(secrets, fits) === null) return "forged";
      return now.getTime() < Number(expires) * 1000 ? "valid" : "expired";
    },
  };
}
