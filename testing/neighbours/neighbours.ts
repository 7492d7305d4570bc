/** Each real neighbour of the product that this machine has, started on a free port. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fromNpm } from "../clients/install";
import { freePort } from "../stage/listen";
import type { Environment } from "../stage/product";
import { findProgram, type Running, startProgram } from "./program";

const answers = (url: string) => fetch(url).then(({ status }) => status < 500);

export interface Neighbour {
  /** What the product is told of it. */
  readonly settings: Environment;
  readonly running: Running;
}

const gateway = () => findProgram(["versitygw"]);
const mailServer = () => findProgram(["mailpit"], ["--help"]);
const watcher = () => findProgram(["prometheus"]);
const redis = () => findProgram(["valkey-server", "redis-server"]);
const provider = () => fromNpm("oidc-provider", "9.13.3");

/** By name, why it is not here, or undefined. */
export const missing = {
  store: () => (gateway() ? undefined : "versitygw is not installed"),
  mail: () => (mailServer() ? undefined : "mailpit is not installed"),
  issuer: () => {
    const installed = provider();
    return "reason" in installed ? installed.reason : undefined;
  },
  limits: () => (redis() ? undefined : "neither valkey-server nor redis-server is installed"),
  prometheus: () => (watcher() ? undefined : "prometheus is not installed"),
} as const;

export const bucket = "results";

/** An S3 server over a folder. */
export async function startStore(folder: string): Promise<Neighbour> {
  const port = await freePort();
  mkdirSync(join(folder, bucket), { recursive: true });
  const settings = {
    S3_ENDPOINT: `http://127.0.0.1:${port}`,
    S3_BUCKET: bucket,
    S3_REGION: "us-east-1",
    S3_ACCESS_KEY_ID: "relay",
    S3_SECRET_ACCESS_KEY: "a secret of the store",
  };
  const running = await startProgram(
    gateway() ?? "",
    ["--port", `127.0.0.1:${port}`, "posix", folder],
    () => answers(settings.S3_ENDPOINT),
    {
      ROOT_ACCESS_KEY: settings.S3_ACCESS_KEY_ID,
      ROOT_SECRET_KEY: settings.S3_SECRET_ACCESS_KEY,
    },
  );
  return { settings, running };
}

/** A mail server that wants a name and a password, and whose pages show what came. */
export async function startMail(folder: string): Promise<Neighbour & { readonly pages: string }> {
  const [smtp, http] = [await freePort(), await freePort()];
  const pages = `http://127.0.0.1:${http}`;
  const users = join(folder, "users");
  writeFileSync(users, "relay@shop:p@ss+w/rd%\n");
  const place = ["--smtp", `127.0.0.1:${smtp}`, "--listen", `127.0.0.1:${http}`];
  const strict = [
    "--smtp-auth-file",
    users,
    "--smtp-auth-allow-insecure",
    "--smtp-strict-rfc-headers",
  ];
  const running = await startProgram(
    mailServer() ?? "",
    [...place, ...strict, "--disable-version-check", "--smtp-disable-rdns"],
    () => answers(`${pages}/livez`),
  );
  const name = `${encodeURIComponent("relay@shop")}:${encodeURIComponent("p@ss+w/rd%")}`;
  const settings = {
    SMTP_URL: `smtp://${name}@127.0.0.1:${smtp}`,
    SMTP_FROM: "Relay <no-reply@relay.example>",
  };
  return { settings, running, pages };
}

/** `product`: the address to which people come back. */
export async function startIssuer(product: string): Promise<Neighbour> {
  const port = await freePort();
  const installed = provider();
  const folder = "folder" in installed ? installed.folder : "";
  const program = join(import.meta.dirname, "openid-provider.mjs");
  const issuer = `http://127.0.0.1:${port}`;
  const running = await startProgram(
    process.execPath,
    [program, folder, String(port), product],
    () => answers(`${issuer}/.well-known/openid-configuration`),
  );
  const settings = {
    OIDC_ISSUER: issuer,
    OIDC_CLIENT_ID: "relay",
    OIDC_CLIENT_SECRET: "a secret of the client",
    OIDC_LABEL: "Acme",
  };
  return { settings, running };
}

export async function startLimits(): Promise<Neighbour> {
  const port = await freePort();
  const url = `redis://127.0.0.1:${port}`;
  const running = await startProgram(
    redis() ?? "",
    ["--port", String(port), "--bind", "127.0.0.1", "--save", ""],
    async () => true,
  );
  return { settings: { REDIS_URL: url }, running };
}

/** Prometheus with the alarms of `deploy`, which reads the product's metrics each second. */
export async function startPrometheus(
  folder: string,
  target: { readonly host: string; readonly token: string },
): Promise<{ readonly url: string; readonly running: Running }> {
  const port = await freePort();
  const alarms = join(import.meta.dirname, "../../deploy/alarms.yaml");
  writeFileSync(join(folder, "alarms.yaml"), readFileSync(alarms));
  writeFileSync(
    join(folder, "prometheus.yml"),
    `global: { scrape_interval: 1s, evaluation_interval: 1s }
rule_files: [alarms.yaml]
scrape_configs:
  - job_name: relay
    authorization: { credentials: ${target.token} }
    static_configs: [{ targets: ["${target.host}"] }]
`,
  );
  const url = `http://127.0.0.1:${port}`;
  const words = [`--config.file=${join(folder, "prometheus.yml")}`];
  const place = [
    `--storage.tsdb.path=${join(folder, "data")}`,
    `--web.listen-address=127.0.0.1:${port}`,
  ];
  const running = await startProgram(watcher() ?? "", [...words, ...place], () =>
    fetch(`${url}/-/ready`).then(({ status }) => status === 200),
  );
  return { url, running };
}
