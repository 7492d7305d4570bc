import type { Price } from "../pricing/price";

/** The price in force for a model. */
export interface PriceVersion {
  readonly id: string;
  readonly model: string;
  readonly price: Price;
  readonly effectiveAt: Date;
}

export interface PriceBook {
  /** The list price in force now for a catalogue identifier, from memory; undefined when the model has none. */
  current(model: string): PriceVersion | undefined;
}
