/**
 * Builds what is generated from the source: the database client, the server and command line in
 * `dist`, the pages in `.next`.
 */
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { runChild } from "./child.mjs";
import { noteChild } from "./lock.mjs";
import { fail, hashOf, inProject } from "./project.mjs";

const shared = ["package-lock.json", "tsconfig.json"];
const steps = {
  client: {
    label: "generating the database client",
    sources: ["prisma/schema.prisma", "prisma.config.ts", "package-lock.json"],
    made: "lib/db/generated/client.ts",
    command: [inProject("node_modules/prisma/build/index.js"), "generate"],
    // Generating needs no schema engine, but looks for one and would download it.
    env: { PRISMA_SCHEMA_ENGINE_BINARY: process.execPath },
  },
  bundle: {
    label: "bundling the server",
    sources: [...shared, "prisma/schema.prisma", "lib", "server", "cli"],
    made: "dist/server.mjs",
    command: [inProject("server/prepare/bundle.mjs")],
    env: {},
  },
  pages: {
    label: "building the pages",
    sources: [
      ...shared,
      "prisma/schema.prisma",
      "app",
      "components",
      "lib",
      "messages",
      "public",
      "proxy.ts",
      "instrumentation.ts",
      "instrumentation-client.ts",
      "next.config.mjs",
      "postcss.config.mjs",
    ],
    made: ".next/BUILD_ID",
    command: [inProject("node_modules/next/dist/bin/next"), "build"],
    env: { NODE_ENV: "production", NEXT_TELEMETRY_DISABLED: "1" },
  },
};

const stampOf = (name) => inProject("dist", `${name}.stamp`);

/**
 * The keys of previews and server actions, which the product has none of, are random otherwise: where the
 * same source is to give the same files, they are made of its time.
 */
const keyOf = (name, encoding) =>
  createHash("sha256").update(`${name} ${process.env.SOURCE_DATE_EPOCH}`).digest(encoding);

/** Puts the keys of previews into the files of a build that have them. */
function fixPreviews() {
  const previews = {
    previewModeId: keyOf("id", "hex").slice(0, 32),
    previewModeSigningKey: keyOf("signing", "hex"),
    previewModeEncryptionKey: keyOf("encryption", "hex"),
  };
  const change = (file, of) => {
    const path = inProject(".next", file);
    writeFileSync(path, JSON.stringify(of(JSON.parse(readFileSync(path, "utf8")))));
  };
  change("prerender-manifest.json", (manifest) => ({ ...manifest, preview: previews }));
  change("server/preview-props.json", () => previews);
}

/** Whether a step's result exists and was built from the current source. */
export function isBuilt(name) {
  const { made, sources } = steps[name];
  return (
    existsSync(inProject(made)) &&
    existsSync(stampOf(name)) &&
    readFileSync(stampOf(name), "utf8") === hashOf(sources)
  );
}

/**
 * Runs a step. Its stamp is removed first and written last, so an interrupted step counts as not
 * done.
 */
export async function build(name) {
  const { label, sources, command, env } = steps[name];
  process.stderr.write(`${label[0].toUpperCase()}${label.slice(1)} …\n`);
  mkdirSync(inProject("dist"), { recursive: true });
  rmSync(stampOf(name), { force: true });
  const hash = hashOf(sources);
  const isFixed = name === "pages" && Boolean(process.env.SOURCE_DATE_EPOCH);
  const { code } = await runChild(label, process.execPath, command, {
    env: isFixed ? { ...env, NEXT_SERVER_ACTIONS_ENCRYPTION_KEY: keyOf("actions", "base64") } : env,
    onStart: noteChild,
    isQuiet: true,
  });
  if (code !== 0) fail(`${label} failed`);
  if (isFixed) fixPreviews();
  writeFileSync(`${stampOf(name)}.new`, hash);
  renameSync(`${stampOf(name)}.new`, stampOf(name));
}
