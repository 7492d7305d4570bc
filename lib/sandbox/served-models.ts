import { type Catalogue, catalogue } from "../catalog/models";
import { sandboxName } from "./sandbox-name";

let known: { readonly of: Catalogue; readonly names: Readonly<Record<string, string>> } | null =
  null;

/** The sandbox's name for every model; the catalogue changes while the sandbox runs. */
export function servedModels(): Readonly<Record<string, string>> {
  const of = catalogue();
  if (known?.of !== of)
    known = {
      of,
      names: Object.fromEntries(of.models.map((model) => [model.id, sandboxName(model)])),
    };
  return known.names;
}
