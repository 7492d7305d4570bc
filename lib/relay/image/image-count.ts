/** How many images an order may make at most. */
import type { ImageModel } from "../../catalog/models";
import type { ImageRequest } from "../../contract/image";
import { RelayError } from "../../failures/relay-error";

export function refused(param: string, value: unknown, allowed: string): RelayError {
  const message = `\`${param}\` is ${JSON.stringify(value).slice(0, 60)}: ${allowed}.`;
  return new RelayError("unsupported_value", { message, param });
}

/** The most images of an order that takes one apart. */
function layerCount(request: ImageRequest, { id, options }: ImageModel): number {
  const { n, image, sequential_image_generation: sequence } = request;
  const { layersMax } = options;
  const asked = (allowed: string) => refused("layer_decomposition", true, allowed);
  if (layersMax === null) throw asked(`${id} takes no image apart; omit it or send false`);
  if (typeof image !== "string" && image?.length !== 1)
    throw asked("it is only for an order with one `image`");
  if (sequence === "auto" || (typeof n === "number" && n > 1))
    throw asked("the model decides how many layers there are: omit `n` and the sequence");
  return layersMax;
}

/** The most images that the order may make. */
export function orderedCount(request: ImageRequest, model: ImageModel): number {
  const { id, options } = model;
  if (request.layer_decomposition === true) return layerCount(request, model);
  const { n, sequential_image_generation: sequence } = request;
  const { imagesMax } = options;
  const most = request.sequential_image_generation_options?.max_images ?? null;
  if (typeof n === "number" && n > imagesMax)
    throw new RelayError("n_not_supported", {
      param: "n",
      message:
        imagesMax === 1
          ? `\`n\` is ${n}: only one image per call is supported; omit it or send 1.`
          : `\`n\` is ${n}: ${id} makes at most ${imagesMax} images per call.`,
    });
  if (sequence !== "auto") {
    if (most !== null && most > 1)
      throw refused(
        "sequential_image_generation_options.max_images",
        most,
        'it is only for `sequential_image_generation` "auto"',
      );
    return typeof n === "number" ? n : 1;
  }
  if (imagesMax === 1)
    throw refused("sequential_image_generation", sequence, `${id} makes one image per call`);
  if (typeof n === "number" && n > 1)
    throw refused("n", n, '`sequential_image_generation` "auto" has its number in max_images');
  if (most !== null && most > imagesMax)
    throw refused(
      "sequential_image_generation_options.max_images",
      most,
      `${id} makes at most ${imagesMax} images per call`,
    );
  return most ?? imagesMax;
}
