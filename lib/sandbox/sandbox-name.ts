import type { Model } from "../catalog/models";

/** The sandbox's name for a model of the catalogue. */
export const sandboxName = ({ alias }: Model): string => `sandbox-${alias}`;
