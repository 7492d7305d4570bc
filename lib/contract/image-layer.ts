/** What is said of an image that is a layer of another one. */
import { z } from "zod";

const pixels = z.array(z.int()).length(4);

export const layerFields = {
  z_index: z
    .int()
    .optional()
    .describe(
      "With layer_decomposition: the place of the layer, 0 for the picture behind them all",
    ),
  bounding_box: z
    .object({
      absolute: pixels.optional().describe("In pixels of the picture behind, from its top left"),
      normalized: pixels.optional().describe("In thousandths of its width and height"),
    })
    .optional()
    .describe("Where the layer is: left, top, right and bottom; absent for the picture behind"),
  name: z.string().optional().describe("What the model calls the layer"),
  description: z.string().optional().describe("What the model says of the layer"),
};
const layer = z.object({ ...layerFields, z_index: z.int() });
export type ImageLayer = z.infer<typeof layer>;
