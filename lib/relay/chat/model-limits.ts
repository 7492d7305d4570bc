/** Refuses what the model of a text order cannot do, before anything is held or sent. */
import type { TextModel } from "../../catalog/models";
import type { ChatRequest } from "../../contract/chat";
import { RelayError } from "../../errors";

const hasImage = ({ messages }: ChatRequest): boolean =>
  messages.some(
    ({ content }) => Array.isArray(content) && content.some(({ type }) => type === "image_url"),
  );

/** Throws `unsupported_value`. An image without a bound of its tokens could cost more than the hold. */
export function assertWithinModel(request: ChatRequest, model: TextModel): void {
  if (!model.hasTools) {
    const param = ["tools", "functions"].find((name) => Object.hasOwn(request, name));
    if (param !== undefined)
      throw new RelayError("unsupported_value", {
        message: `\`${param}\` is set: ${model.id} calls no functions. Omit it.`,
        param,
        fault: { name: "no_tools" },
      });
  }
  if (model.inputTokensPerImageMax === null && hasImage(request))
    throw new RelayError("unsupported_value", {
      message: `\`messages\` has an image: ${model.id} takes text only.`,
      param: "messages",
      fault: { name: "no_images" },
    });
}
