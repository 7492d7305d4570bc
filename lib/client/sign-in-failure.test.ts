import { describe, expect, it } from "vitest";
import { signInFailure } from "./sign-in-failure";

describe("a refused sign-in", () => {
  it.each([
    ["CredentialsSignin", "wrong_credentials", null],
    ["sign_in_rate_limited:61", "sign_in_rate_limited", 2],
    ["sign_in_rate_limited", "sign_in_rate_limited", null],
    ["Verification", "link", null],
    ["<script>", "provider", null],
    ["", "provider", null],
  ])("called %s becomes %s", (error, code, minutes) => {
    expect(signInFailure(error)).toEqual({ code, minutes });
  });
});
