/** What a member needs to open the signed-in pages; null for everyone of the account. */
import type { Permission } from "./member-roles";

export const pageNeeds = {
  "/overview": null,
  "/playground": "work",
  "/keys": "readKeys",
  "/points": null,
  "/usage": "readUsage",
  "/tasks": "readUsage",
  "/pricing": null,
  "/models": null,
  "/docs": null,
  "/notifications": null,
  "/members": null,
  "/settings": null,
} as const satisfies Readonly<Record<`/${string}`, Permission | null>>;
