import type { Model } from "../catalog/models";

/** What the sandbox calls a model of the catalogue. */
export const sandboxName = ({ alias }: Model): string => `sandbox-${alias}`;
