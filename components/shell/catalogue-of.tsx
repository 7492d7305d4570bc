"use client";

import type { ReactNode } from "react";
import { catalogueOf, type Model, replaceCatalogue } from "@/lib/catalog/models";

interface CatalogueOfProps {
  /** Null where they are the built-in ones, which the browser has. */
  models: readonly Model[] | null;
  children: ReactNode;
}

let shown: readonly Model[] | null = null;

/** Gives the browser the models that the server made the page with, before anything reads them. */
export function CatalogueOf({ models, children }: CatalogueOfProps) {
  if (typeof window !== "undefined" && models !== null && models !== shown) {
    shown = models;
    replaceCatalogue(catalogueOf(models));
  }
  return children;
}
