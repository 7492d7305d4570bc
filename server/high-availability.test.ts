import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseEnv } from "node:util";
import { expect, test } from "vitest";
import { readSettings, settingsSchema } from "@/lib/settings/settings";
import { newFolder } from "@/testing/unit/new-folder";

const folder = join(import.meta.dirname, "../deploy/ha");
const read = (name: string) => readFileSync(join(folder, name), "utf8");

test("the settings of the worked set-up are settings, and are accepted", () => {
  const given = parseEnv(read("relay.env.example"));
  for (const name of Object.keys(given)) expect(Object.keys(settingsSchema.shape)).toContain(name);
  expect(readSettings({ ...given })).toMatchObject({ HOST: "0.0.0.0", S3_BUCKET: "relay" });
});

test("docs/high-availability.md names each file of the worked set-up", () => {
  const text = readFileSync(join(folder, "../../docs/high-availability.md"), "utf8");
  for (const name of [
    "patroni.yaml",
    "haproxy.cfg",
    "pgbouncer.ini",
    "sentinel.conf",
    "relay.env.example",
  ])
    expect(text).toContain(`\`${name}\``);
});

test("HAProxy accepts its file", ({ skip }) => {
  skip(spawnSync("haproxy", ["-v"]).status !== 0, "haproxy is not installed");
  const file = join(newFolder("ha"), "haproxy.cfg");
  // Its names are of machines that are not here.
  writeFileSync(file, read("haproxy.cfg").replaceAll(/ (db|relay|valkey)-[ab]:/g, " 127.0.0.1:"));
  const { status, stderr } = spawnSync("haproxy", ["-c", "-f", file], { encoding: "utf8" });
  expect(stderr).not.toContain("ALERT");
  expect(status).toBe(0);
});
