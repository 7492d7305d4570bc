/**
 * Checks objects against Kubernetes' OpenAPI document as the API server does with strict field
 * validation: a member that the document does not know is refused.
 */
import { readFileSync } from "node:fs";
import Ajv, { type ValidateFunction } from "ajv";
import addFormats from "ajv-formats";
import { isRecord } from "@/lib/values/records";

const recordOf = (value: unknown) => (isRecord(value) ? value : {});

const QUANTITY = { type: ["string", "number"] };
const INT_OR_STRING = { type: ["string", "integer"] };
const replaced: Record<string, object> = {
  "io.k8s.apimachinery.pkg.api.resource.Quantity": QUANTITY,
  "io.k8s.apimachinery.pkg.util.intstr.IntOrString": INT_OR_STRING,
};

/** What is wrong with an object, one line each; none if the API server would accept its form. */
export type CheckManifest = (manifest: Record<string, unknown>) => string[];

function strict(definitions: Record<string, unknown>): Record<string, object> {
  return Object.fromEntries(
    Object.entries(definitions).map(([name, definition]) => {
      const schema = recordOf(definition);
      const isClosed = schema.properties !== undefined && schema.additionalProperties === undefined;
      return [
        name,
        replaced[name] ?? { ...schema, ...(isClosed ? { additionalProperties: false } : {}) },
      ];
    }),
  );
}

/** The `apiVersion kind` of the objects that a definition describes. */
function kindsOf(definition: object): string[] {
  const list = recordOf(definition)["x-kubernetes-group-version-kind"];
  return (Array.isArray(list) ? list : []).map((entry) => {
    const { group, version, kind } = recordOf(entry);
    return `${group === "" ? "" : `${group}/`}${version} ${kind}`;
  });
}

export function openKubernetesSchemas(path: string): CheckManifest {
  const document = recordOf(JSON.parse(readFileSync(path, "utf8")));
  const definitions = strict(recordOf(document.definitions));
  const ajv = new Ajv({ strict: false, allErrors: true });
  addFormats(ajv);
  ajv.addSchema({ $id: "kubernetes", definitions });
  const named = new Map<string, string>();
  for (const [name, definition] of Object.entries(definitions))
    for (const kind of kindsOf(definition)) named.set(kind, name);
  const compiled = new Map<string, ValidateFunction>();
  return (manifest) => {
    const kind = `${String(manifest.apiVersion)} ${String(manifest.kind)}`;
    const name = named.get(kind);
    if (name === undefined) return [`there is no ${kind}`];
    const validate = compiled.get(name) ?? ajv.compile({ $ref: `kubernetes#/definitions/${name}` });
    compiled.set(name, validate);
    if (validate(manifest)) return [];
    return (validate.errors ?? []).map(
      ({ instancePath, message, params }) =>
        `${kind} ${instancePath} ${message} ${JSON.stringify(params)}`,
    );
  };
}
