import type { Price } from "../pricing/price";

/** A price version of a model. */
export interface PriceVersion {
  readonly id: string;
  readonly model: string;
  readonly price: Price;
  readonly effectiveAt: Date;
}

export interface PriceBook {
  /**
   * The current list price of a catalogue identifier, from memory; undefined when the model has
   * none.
   */
  current(model: string): PriceVersion | undefined;
}
