import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { newFolder } from "@/testing/unit/new-folder";
import { readSettings } from "../settings/settings";
import { fixedSecrets, openSecrets, removePrevious, replaceSecret, withFitting } from "./secrets";

let folder: string;
beforeEach(() => {
  folder = newFolder("secrets");
});
const open = (more: Record<string, string> = {}) =>
  openSecrets(readSettings({ RELAY_DATA_DIR: folder, ...more }));

test("a running process reads the data folder's new secret as soon as it meets something encrypted with it", () => {
  const [running, old] = [open(), open().current];
  replaceSecret(folder);
  const { current } = open();
  expect(open().accepted).toEqual([current, old]);
  expect(running.current).toBe(old);
  expect(withFitting(running, (secret) => (secret === current ? "opened" : null))).toBe("opened");
  expect(running.accepted).toEqual([current, old]);
  removePrevious(folder);
  expect(withFitting(running, (secret) => (secret === "neither" ? "opened" : null))).toBeNull();
  expect(running.accepted).toEqual([current]);
});

test("a crash between the two files of a rotation keeps the old secret", () => {
  const { current } = open();
  replaceSecret(folder);
  const next = readFileSync(join(folder, "secret"), "utf8");
  expect(next).toMatch(/^[0-9a-f]{64}$/);
  expect(next).not.toBe(current);
  for (const name of ["secret", "secret.previous"])
    expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600);
  // Only the previous secret had been written.
  writeFileSync(join(folder, "secret"), current);
  expect(open().accepted).toEqual([current]);
});

test("with secrets in the environment, the previous one is accepted beside the current one", () => {
  const [current, previous] = ["c".repeat(32), "p".repeat(32)];
  expect(open({ RELAY_SECRET: current, RELAY_SECRET_PREVIOUS: previous }).accepted).toEqual([
    current,
    previous,
  ]);
  expect(() => readSettings({ RELAY_SECRET_PREVIOUS: previous })).toThrow("RELAY_SECRET");
  expect(fixedSecrets(current).refresh()).toBe(false);
});
