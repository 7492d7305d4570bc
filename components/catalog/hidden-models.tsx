"use client";

import { createContext, type ReactNode, useContext } from "react";
import { type Model, type ModelOf, offeredModels, offeredModelsOf } from "@/lib/catalog/models";

const Hidden = createContext<readonly string[]>([]);

interface HiddenModelsProps {
  /** The models that the account may not see. */
  models: readonly string[];
  children: ReactNode;
}

/** Keeps from a person what the account may not see. */
export function HiddenModels({ models, children }: HiddenModelsProps) {
  return <Hidden value={models}>{children}</Hidden>;
}

/** The offered models that the person may see. */
export function useOffered(): Model[] {
  const hidden = useContext(Hidden);
  return offeredModels().filter(({ id }) => !hidden.includes(id));
}

/** Those of one family. */
export function useOfferedOf<Family extends Model["family"]>(family: Family): ModelOf<Family>[] {
  const hidden = useContext(Hidden);
  return offeredModelsOf(family).filter(({ id }) => !hidden.includes(id));
}
