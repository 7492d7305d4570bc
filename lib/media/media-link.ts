/** Signed addresses of results: whoever has one may read that one file until it expires, and no other. */
import { createHmac, hkdfSync, timingSafeEqual } from "node:crypto";

export interface MediaLinks {
  /** The address of `file`, such as `media_x.mp4`, valid until `expiresAt`; the same for the same arguments. */
  link(file: string, expiresAt: Date): string;
  /** What the query of an address for `file` is worth at `now`. */
  check(file: string, query: string, now: Date): "valid" | "expired" | "forged";
}

/** `publicUrl` has no trailing slash. */
export function createMediaLinks(secret: string, publicUrl: string): MediaLinks {
  const key = Buffer.from(hkdfSync("sha256", secret, "", "relay media link v1", 32));
  // HEAD is a GET whose body is left out, so both are signed as one.
  const sign = (file: string, expires: string) => createHmac("sha256", key).update(`GET\n${file}\n${expires}`).digest("base64url");
  return {
    link(file, expiresAt) {
      const expires = String(Math.floor(expiresAt.getTime() / 1000));
      return `${publicUrl}/v1/media/${file}?expires=${expires}&signature=${sign(file, expires)}`;
    },
    check(file, query, now) {
      const given = new URLSearchParams(query);
      const expires = given.get("expires") ?? "";
      const signature = given.get("signature") ?? "";
      if (!/^\d{1,12}$/.test(expires) || !/^[\w-]{43}$/.test(signature)) return "forged";
      if (!timingSafeEqual(Buffer.from(signature), Buffer.from(sign(file, expires)))) return "forged";
      return now.getTime() < Number(expires) * 1000 ? "valid" : "expired";
    },
  };
}
