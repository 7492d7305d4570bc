/** The parts of messages, and of tools' outputs, in the Responses API. */
import { z } from "zod";
import { imageText, openObject } from "./bounds";
import { CONTENT_PARTS_MAX, documentForms, fileName, soundPart, text } from "./chat";
import { unsupportedField } from "./neutral";
import { word } from "./response-tools";

export const partType = "The kind of part";
export const partText = "The text";

const inputText = openObject({
  type: z.literal("input_text").describe(partType),
  text: text.describe(partText),
});
const outputText = openObject({
  type: z.literal("output_text").describe(partType),
  text: text.describe(partText),
});
const refusal = openObject({
  type: z.literal("refusal").describe(partType),
  refusal: text.describe("The model's refusal"),
});
// The file's id comes first, so that it is named when it is why there is no address.
const inputImage = openObject({
  type: z.literal("input_image").describe(partType),
  file_id: unsupportedField,
  image_url: imageText.describe("An https: address, or the image itself as data:image/…;base64,"),
  detail: word.describe("How closely the model looks at the image, such as low or high"),
});
const inputFile = openObject({
  type: z.literal("input_file").describe(partType),
  file_id: unsupportedField,
  file_data: imageText.nullish().describe(documentForms),
  file_url: imageText.nullish().describe("The https: address of the document, without file_data"),
  filename: fileName,
}).superRefine(({ file_data: data, file_url: url }, context) => {
  if ((data ?? url ?? null) !== null) return;
  context.addIssue({
    code: "custom",
    path: ["file_data"],
    message: "send the document, or its address as file_url",
    params: { code: "missing_required_parameter" },
  });
});

export const messagePart = z.discriminatedUnion(
  "type",
  [inputText, inputImage, soundPart, inputFile, outputText, refusal],
  {
    error:
      'it must be "input_text", "input_image", "input_audio", "input_file", "output_text" or "refusal"',
  },
);
export const outputPart = z.discriminatedUnion("type", [inputText, inputImage, inputFile], {
  error: 'it must be "input_text", "input_image" or "input_file"',
});
export const partsOr = <Part extends z.ZodType>(part: Part) =>
  z.union([text, z.array(part).max(CONTENT_PARTS_MAX)], {
    error: "it must be a string or an array of parts",
  });
