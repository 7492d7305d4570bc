/** Helm and Kubernetes' published schemas, where this machine has them. */
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseAllDocuments } from "yaml";
import { isRecord } from "@/lib/values/records";
import { findProgram } from "../neighbours/program";

const root = join(import.meta.dirname, "../..");
export const chartFolder = join(root, "deploy/helm/relay");
/** The release whose API the chart is checked against. */
const KUBERNETES = "v1.37.2";

function outputOf(command: string, words: readonly string[]): string | undefined {
  try {
    return execFileSync(command, words, { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });
  } catch {
    return undefined;
  }
}

const goFolder = (name: string) => outputOf("go", ["env", name])?.trim();

/** Helm on the path, or where `go install` puts it. */
export function findHelm(): string | undefined {
  return findProgram([process.env.RELAY_TEST_HELM ?? "helm"], ["version"]);
}

/** Kubernetes' OpenAPI document, from the source that the Go client has downloaded. */
export function findKubernetesSchemas(): string | undefined {
  const modules = goFolder("GOMODCACHE");
  if (modules === undefined) return undefined;
  const path = join(modules, `k8s.io/kubernetes@${KUBERNETES}`, "api/openapi-spec/swagger.json");
  return existsSync(path) ? path : undefined;
}

export interface Rendering {
  readonly ok: boolean;
  readonly text: string;
}

/** Runs helm with values as it reads them from a file. */
export function runHelm(helm: string, words: readonly string[], values: object): Rendering {
  const { status, stdout, stderr } = spawnSync(helm, [...words, "--values", "-"], {
    encoding: "utf8",
    input: JSON.stringify(values),
    maxBuffer: 16 * 1024 * 1024,
  });
  return { ok: status === 0, text: status === 0 ? stdout : `${stdout}${stderr}` };
}

export type Manifest = Record<string, unknown>;

/** The objects that helm would create; throws what helm says when it refuses. */
export function render(helm: string, values: object): Manifest[] {
  const { ok, text } = runHelm(
    helm,
    ["template", "shop", chartFolder, "--kube-version", KUBERNETES],
    values,
  );
  if (!ok) throw new Error(text);
  return parseAllDocuments(text)
    .map((document): unknown => document.toJS())
    .filter(isRecord);
}

export const ofKind = (manifests: readonly Manifest[], kind: string): Manifest[] =>
  manifests.filter((manifest) => manifest.kind === kind);

export const read = (path: string) => readFileSync(join(root, path), "utf8");
