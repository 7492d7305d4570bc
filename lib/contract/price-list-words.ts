/** The closed list of the forms in which upstreams publish their prices. */
export const priceListFormatNames = ["relay", "new-api", "openrouter", "litellm"] as const;
export type PriceListFormat = (typeof priceListFormatNames)[number];
