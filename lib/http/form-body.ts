/**
 * The body of a request as `multipart/form-data`: bounded and read while it arrives. Its files are
 * kept in memory as encoded images, like those of a JSON body.
 */
import { hash } from "node:crypto";
import type { EndpointRow, FormBounds } from "../contract/endpoint";
import { RelayError } from "../failures/relay-error";
import { InlineImages } from "../json/inline-images";
import type { BodyMemory, BodyShare } from "../limits/body-memory";
import type { InSteps } from "../timing/next-turn";
import { BodyCharge } from "./body-charge";
import type { Incoming } from "./exchange";
import { FormFields } from "./form-fields";
import { FormParser } from "./form-parser";
import { Holds } from "./holds";
import type { RawBody, ReceivedRawBody } from "./raw-body";

/** A part is parsed in pieces of this size; other requests get their turn in between. */
const PIECE_BYTES = 256 * 1024;
/** A file takes memory as it arrives and encoded, a text twice. */
const WEIGHT = 2;

/** A row with a form, as `isFormBody` has found. */
type FormRow = EndpointRow & { readonly form: FormBounds };
const hasForm = (row: EndpointRow): row is FormRow => row.form !== undefined;

class FormBody implements RawBody {
  readonly isLarge = true;
  readonly #images = new InlineImages();
  readonly #charge: BodyCharge;
  readonly #fields: FormFields;
  readonly #parser: FormParser;
  readonly #holds: Holds;

  constructor(
    row: FormRow,
    contentType: string,
    readonly share: BodyShare,
  ) {
    this.#charge = new BodyCharge(share, WEIGHT);
    this.#fields = new FormFields(row, this.#images);
    this.#parser = new FormParser(contentType, row.form, this.#fields);
    this.#holds = new Holds(() => {
      this.#images.release();
      share.end();
    });
  }

  get images(): InlineImages | undefined {
    return this.#images.count === 0 ? undefined : this.#images;
  }

  /** The boundary differs in each attempt of a client, so the hash is of what the form says. */
  sha256(): Buffer {
    return hash("sha256", this.#fields.identity(), "buffer");
  }

  async take(part: Uint8Array): Promise<void> {
    await this.#charge.add(part.byteLength);
    for (let at = 0; at < part.length; at += PIECE_BYTES)
      await this.step(() => this.#parser.write(part.subarray(at, at + PIECE_BYTES)));
  }

  get step(): InSteps {
    return this.share.work.step;
  }

  async parse(): Promise<unknown> {
    await this.step(() => this.#parser.end());
    this.#charge.complete();
    return this.step(() => this.#fields.value());
  }

  countAsText(): void {}

  releaseImages(): void {
    this.share.free(this.#images.release());
  }

  refuse(): void {
    this.share.work.refuse();
    this.release();
  }

  release(): void {
    this.#holds.release();
  }

  hold(): () => void {
    return this.#holds.hold();
  }
}

/** Reads the form of a request for `row`. Throws what is wrong with it, or `service_busy`. */
export async function receiveForm(
  row: EndpointRow,
  incoming: Incoming,
  memory: BodyMemory,
  accountId: string,
): Promise<ReceivedRawBody> {
  if (!hasForm(row)) throw new RelayError("unsupported_media_type");
  const { bodyBytesMax } = row.form;
  const announced = Number(incoming.header("content-length") ?? bodyBytesMax);
  const share = memory.open(accountId, WEIGHT * Math.min(bodyBytesMax, announced));
  try {
    const body = new FormBody(row, incoming.header("content-type") ?? "", share);
    await incoming.receive(bodyBytesMax, (part) => body.take(part));
    return { rawBody: body, value: await body.parse() };
  } catch (error) {
    share.work.refuse();
    share.end();
    throw error;
  }
}
