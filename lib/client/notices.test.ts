import { expect, test } from "vitest";
import { newId } from "../crypto/ids";
import { DISMISSED_COOKIE, dismissedCookie, readDismissed } from "./notices";

test("a dismissed notice is added to the last twenty, and other cookies are ignored", () => {
  let cookies = "relay_locale=en";
  const ids = Array.from({ length: 25 }, () => newId("notice"));
  for (const id of [...ids, ids[24] as string])
    cookies = `relay_locale=en; ${dismissedCookie(cookies, id).split(";")[0]}`;
  const value = cookies.split(`${DISMISSED_COOKIE}=`)[1];
  expect(readDismissed(value)).toEqual(ids.slice(5));
  expect(readDismissed("<script>.ntc_x.")).toEqual([]);
  expect(readDismissed(undefined)).toEqual([]);
});
